// SPDX-License-Identifier: Apache-2.0
#include "pcap/capture_filter.h"

#include <algorithm>
#include <cctype>

#include "pcap/pcapng_format.h"

namespace wirelaw::pcap {
namespace {

constexpr std::string_view kCompiled = "(compiled)", kLong = "(a long one)";
constexpr std::size_t kMostFilters = 64;
constexpr std::size_t kBlockLength = 4, kMagic = 8, kOptions = 16, kOptionHead = 4;

// Makes any octets of a file printable.
std::string shown(Octets text) {
  constexpr std::size_t kMost = 1000;
  if (text.size() > kMost) return std::string(kLong);
  std::string filter(text.begin(), text.end());
  std::ranges::replace_if(
      filter, [](char c) { return c < 0x20 || c > 0x7e; }, '?');
  return filter;
}

}  // namespace

// Octet 0 is the kind of the rest (section 4.2): 0 is text, 1 is a BPF program.
void add_capture_filter(Octets block, bool swapped, std::vector<std::string>& filters) {
  Octets options = block.first(block.size() - pcapng::kBlockEnd).subspan(kOptions);
  while (options.size() >= kOptionHead) {
    const auto code = pcapng::load<std::uint16_t>(options.data(), swapped);
    const auto length = pcapng::load<std::uint16_t>(options.data() + sizeof code, swapped);
    if (code == pcapng::kOptionEnd || pcapng::padded(length) > options.size() - kOptionHead) return;
    const Octets value = options.subspan(kOptionHead, length);
    if (code == pcapng::kInterfaceFilter && !value.empty()) {
      std::string filter = value[0] == 0 ? shown(value.subspan(1)) : std::string(kCompiled);
      const bool is_known = std::ranges::find(filters, filter) != filters.end();
      if (!is_known && filters.size() < kMostFilters) filters.push_back(std::move(filter));
    }
    options = options.subspan(kOptionHead + pcapng::padded(length));
  }
}

std::vector<std::string> capture_filters(Octets head) {
  std::vector<std::string> filters;
  if (head.size() < kMagic + sizeof(std::uint32_t) ||
      pcapng::load<std::uint32_t>(head.data(), false) != pcapng::kSectionHeader)
    return filters;
  const bool swapped = pcapng::load<std::uint32_t>(head.data() + kMagic, false) != pcapng::kByteOrderMagic;
  while (head.size() >= pcapng::kLeastBlock) {
    const auto type = pcapng::load<std::uint32_t>(head.data(), swapped);
    const auto length = pcapng::load<std::uint32_t>(head.data() + kBlockLength, swapped);
    if (length < pcapng::kLeastBlock || length % kBlockLength != 0 || length > head.size()) break;
    if (type == pcapng::kInterfaceDescription && length >= kOptions + pcapng::kBlockEnd)
      add_capture_filter(head.first(length), swapped, filters);
    head = head.subspan(length);
  }
  return filters;
}

bool may_hide_a_direction(std::string_view filter) {
  constexpr std::string_view kOfOneDirection[] = {"src",     "dst",     "inbound", "outbound", "less",      "greater",
                                                  "len",     "gateway", "dir",     "ra",       "ta",        "addr1",
                                                  "addr2",   "addr3",   "addr4",   "ifname",   "on",        "rnr",
                                                  "rulenum", "reason",  "action",  "srnr",     "subrulenum"};
  if (filter == kCompiled || filter == kLong || filter.find_first_of("[<>=") != filter.npos) return true;
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  while (!filter.empty()) {
    const auto begin = std::ranges::find_if(filter, is_part);
    const auto end = std::find_if_not(begin, filter.end(), is_part);
    if (std::ranges::find(kOfOneDirection, std::string_view(begin, end)) != std::end(kOfOneDirection)) return true;
    filter = std::string_view(end, filter.end());
  }
  return false;
}

}  // namespace wirelaw::pcap
