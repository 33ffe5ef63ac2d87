// SPDX-License-Identifier: Apache-2.0
#include "pcap/read_tables.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <test_paths.h>

#include <fstream>
#include <iterator>
#include <string>
#include <utility>

namespace wirelaw::pcap {
namespace {

using ::testing::HasSubstr;
using Rows = std::vector<std::pair<std::string, std::string>>;  // a name, and its numbers

std::string page() {
  std::ifstream file(WIRELAW_SOURCE_DIR "/docs/what-is-read.md");
  return {std::istreambuf_iterator<char>(file), {}};
}

void add(Rows& rows, const std::string& name, const std::string& number) {
  for (auto& [known, numbers] : rows)
    if (known == name) {
      numbers += ", " + number;
      return;
    }
  rows.emplace_back(name, number);
}

std::string lines_of(const Rows& rows) {
  std::string lines;
  for (const auto& [name, numbers] : rows) lines += fmt::format("| {} | {} |\n", name, numbers);
  return lines;
}

std::string announced_by(const Layer& layer) {
  switch (layer.space) {
    case LayerSpace::ether_type:
      return fmt::format("EtherType {:#06x}", layer.number);
    case LayerSpace::ip_protocol:
      return fmt::format("IP protocol {}", layer.number);
    case LayerSpace::udp_port:
      return fmt::format("UDP port {}", layer.number);
    case LayerSpace::link_type:
      return fmt::format("link type {}", layer.number);
  }
  return {};
}

TEST(PageOfWhatIsRead, ListsEachLinkOfTheTable) {
  Rows rows;
  for (const LinkType& link : link_types()) add(rows, link.name, std::to_string(link.number));
  EXPECT_THAT(page(), HasSubstr("|---|---|\n" + lines_of(rows) + "\n"));
}

TEST(PageOfWhatIsRead, ListsEachCarrierOfTheTable) {
  Rows rows;
  for (const CarrierRow& row : carrier_rows()) {
    const bool is_assigned = row.layer.space != LayerSpace::ether_type || row.layer.number >= kFirstEtherType;
    if (row.name != nullptr && is_assigned) add(rows, fmt::format("`{}`", row.name), announced_by(row.layer));
  }
  EXPECT_THAT(page(), HasSubstr("|---|---|\n" + lines_of(rows) + "\n"));
}

}  // namespace
}  // namespace wirelaw::pcap
