// SPDX-License-Identifier: Apache-2.0
// The files in corpora/ are those that the program writes, and each trace yields the findings that its manifest lists.
#include "corpora/corpora.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <test_paths.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "conformance/judge.h"
#include "corpora/traces/trace.h"
#include "pcap/packet_reader.h"

namespace wirelaw::corpora {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

const fs::path kTree = fs::path(WIRELAW_SOURCE_DIR) / "corpora";

std::string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The files in the generated folders, by their path relative to `root`.
std::map<std::string, std::string> generated_files(const fs::path& root) {
  std::map<std::string, std::string> files;
  for (const std::string& folder : generated_folders())
    for (const auto& entry : fs::recursive_directory_iterator(root / folder))
      if (!entry.is_directory()) files[entry.path().lexically_relative(root).string()] = contents(entry.path());
  return files;
}

TEST(Corpora, AreWhatTheProgramWritesAndNothingElse) {
  const fs::path fresh = fs::path(WIRELAW_BINARY_DIR) / "corpora" / "fresh";
  fs::remove_all(fresh);
  const auto written = write_corpora(fresh);
  ASSERT_TRUE(written) << to_string(written.error());
  auto expected = generated_files(fresh), actual = generated_files(kTree);
  for (const auto& [path, octets] : expected) {
    ASSERT_TRUE(actual.contains(path)) << path << " is missing: run write_corpora";
    EXPECT_TRUE(actual[path] == octets) << path << " is stale: run write_corpora";
  }
  for (const auto& [path, octets] : actual)
    EXPECT_TRUE(expected.contains(path)) << path << " is not written by anybody";
}

// One line of the manifest.
struct Expectation {
  std::string file, rule, severity, revision;
  std::vector<std::string> features;
};

std::vector<Expectation> manifest(const fs::path& folder) {
  std::vector<Expectation> lines;
  std::ifstream in(folder / kManifest);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream fields(line);
    Expectation one;
    std::string features;
    fields >> one.file >> one.rule >> one.severity >> one.revision >> features;
    if (one.revision == "-") one.revision.clear();
    std::istringstream names(features);
    for (std::string name; std::getline(names, name, ',');) one.features.push_back(name);
    lines.push_back(one);
  }
  return lines;
}

void judge_file(const fs::path& path, const Protocol& protocol, const Expectation& declared, Judge& judge) {
  auto reader = pcap::PacketReader::open(path.string());
  ASSERT_TRUE(reader) << to_string(reader.error());
  const auto observer = protocol.observer({.features = declared.features,
                                           .revision = declared.revision,
                                           .addresses = {{endpoint_of(Side::a), endpoint_of(Side::b)}}});
  judge.enter_flow("file", "a", "b");
  std::uint64_t index = 0;
  pcap::Datagram datagram;
  for (pcap::Segment segment; reader->next(datagram, segment) == pcap::Transport::udp;) {
    judge.set_now(datagram.time_ns);
    const bool of_flow = datagram.source == endpoint_of(Side::a) || datagram.source == endpoint_of(Side::b);
    if (!of_flow) continue;  // a datagram that only shows that time has passed
    observer->observe({.octets = datagram.payload,
                       .wire_length = datagram.wire_length,
                       .sender = datagram.source == endpoint_of(Side::a) ? Side::a : Side::b,
                       .index = index++,
                       .frame = datagram.frame,
                       .time_ns = datagram.time_ns,
                       .ip_version = datagram.ip_version,
                       .ip_header_octets = static_cast<std::uint8_t>(datagram.ip_header_octets)},
                      judge);
  }
  observer->finish(judge);
  EXPECT_EQ(reader->problem_count(), 0u);
  EXPECT_GT(index, 0u);
}

class EachTraceSetOfDatagrams : public ::testing::TestWithParam<TraceSet> {};

std::vector<TraceSet> sets_of_datagrams() {
  std::vector<TraceSet> sets = all_trace_sets();
  std::erase_if(sets, [](const TraceSet& set) { return std::ranges::any_of(set.traces, &Trace::is_stream); });
  return sets;
}

INSTANTIATE_TEST_SUITE_P(Corpora, EachTraceSetOfDatagrams, ::testing::ValuesIn(sets_of_datagrams()),
                         [](const auto& set) { return std::string(set.param.protocol); });

TEST_P(EachTraceSetOfDatagrams, IsJudgedFromItsFilesAsTheManifestSays) {
  const TraceSet& set = GetParam();
  const Protocol* protocol = find_protocol(set.protocol);
  const auto lines = manifest(kTree / set.protocol);
  ASSERT_THAT(lines, ::testing::SizeIs(set.traces.size()));
  for (const Expectation& line : lines) {
    SCOPED_TRACE(line.file);
    Judge judge(protocol->catalogue());
    ASSERT_NO_FATAL_FAILURE(judge_file(kTree / set.protocol / line.file, *protocol, line, judge));
    const auto violations = rules_reported(judge, Severity::violation);
    const auto warnings = rules_reported(judge, Severity::warning);
    if (line.severity == "violation") {
      EXPECT_THAT(violations, ElementsAre(line.rule));
    } else {
      EXPECT_THAT(violations, IsEmpty());
    }
    if (line.severity == "warning") {
      EXPECT_THAT(warnings, ElementsAre(line.rule));
    } else {
      EXPECT_THAT(warnings, IsEmpty());
    }
  }
}

}  // namespace
}  // namespace wirelaw::corpora
