// SPDX-License-Identifier: Apache-2.0
#include "pcap/statistics.h"

#include "pcap/pcapng_format.h"
#include "pcap/section_header.h"

namespace wirelaw::pcap {
namespace {

// Offsets in a block (section 4.6). Type, length, interface and time stamp precede the options.
constexpr std::size_t kType = 0, kLength = 4, kOptions = 20, kWord = 4;
constexpr std::size_t kOptionHead = 4, kCountOctets = 8;

class Fields {
 public:
  explicit Fields(bool little_endian) : little_(little_endian) {}

  template <class Int>
  Int load(Octets octets, std::size_t at) const {
    return little_ ? load_little_endian<Int>(octets.data() + at) : load_big_endian<Int>(octets.data() + at);
  }

 private:
  bool little_;
};

void add(std::optional<std::uint64_t>& sum, const std::optional<std::uint64_t>& one) {
  if (sum && one)
    *sum += *one;
  else
    sum.reset();
}

void add(Statistics& sum, const Statistics& one) {
  add(sum.received, one.received);
  add(sum.delivered, one.delivered);
  add(sum.dropped, one.dropped);
}

// Reads the options of a block of statistics whose length was checked.
Statistics counts_of(Octets block, const Fields& fields) {
  Statistics counts;
  std::optional<std::uint64_t> by_interface, by_system;
  const std::size_t end = block.size() - kWord;
  for (std::size_t at = kOptions; at + kOptionHead <= end;) {
    const auto code = fields.load<std::uint16_t>(block, at);
    const auto length = fields.load<std::uint16_t>(block, at + sizeof code);
    at += kOptionHead;
    if (code == pcapng::kOptionEnd || length > end - at) break;
    if (length == kCountOctets) {
      const auto value = fields.load<std::uint64_t>(block, at);
      if (code == pcapng::kStatisticsReceived) counts.received = value;
      if (code == pcapng::kStatisticsDelivered) counts.delivered = value;
      if (code == pcapng::kStatisticsDroppedByInterface) by_interface = value;
      if (code == pcapng::kStatisticsDroppedBySystem) by_system = value;
    }
    at += pcapng::padded(length);
  }
  if (by_interface || by_system) counts.dropped = by_interface.value_or(0) + by_system.value_or(0);
  return counts;
}

bool reads_little_endian(Octets head) {
  constexpr std::size_t kMagic = 8;
  return load_little_endian<std::uint32_t>(head.data() + kMagic) == pcapng::kByteOrderMagic;
}

bool is_pcapng(Octets head) {
  constexpr std::size_t kLeast = 12;
  return head.size() >= kLeast && load_little_endian<std::uint32_t>(head.data()) == pcapng::kSectionHeader;
}

}  // namespace

// Goes backwards, since every block ends with its length.
std::optional<Statistics> statistics_at_end(Octets head, Octets tail) {
  constexpr std::size_t kLeast = kOptions + kWord;
  if (!is_pcapng(head)) return std::nullopt;
  const Fields fields(reads_little_endian(head));
  std::optional<Statistics> sum;
  tail = without_closing_section(tail);
  while (tail.size() >= kLeast) {
    const auto length = fields.load<std::uint32_t>(tail, tail.size() - kWord);
    if (length % kWord != 0 || length > tail.size()) break;
    const Octets block = tail.last(length);
    if (length < kLeast || fields.load<std::uint32_t>(block, kLength) != length) break;
    const auto type = fields.load<std::uint32_t>(block, kType);
    if (type != pcapng::kInterfaceStatistics && type != pcapng::kNameResolution) break;
    if (type == pcapng::kInterfaceStatistics) {
      const Statistics one = counts_of(block, fields);
      if (sum)
        add(*sum, one);
      else
        sum = one;
    }
    tail = tail.first(tail.size() - length);
  }
  return sum;
}

}  // namespace wirelaw::pcap
