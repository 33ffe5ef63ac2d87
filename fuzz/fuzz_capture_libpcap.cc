// SPDX-License-Identifier: Apache-2.0
// Any octets as a capture file in memory: pcap, pcapng, gzip or nonsense. Oracle: plain libpcap reads the same frames,
// in either order.
#include <algorithm>
#include <optional>
#include <string>

#include "fuzz/memory_file.h"
#include "fuzz/target.h"
#include "pcap/libpcap_values.h"
#include "pcap/reader.h"

namespace wirelaw::fuzz {
namespace {

using pcap::Frame;

// The frames of a file, independent of their order.
struct AllFrames {
  std::uint64_t count = 0, sum = 0;
  bool broken = false;
  bool is_mixed = false;  // it has interfaces or sections that libpcap does not read together

  bool operator==(const AllFrames&) const = default;
  void add(std::uint64_t number, std::int64_t time_ns, std::uint32_t wire_length, Octets octets) {
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15u;
    std::uint64_t hash = number * kOdd ^ static_cast<std::uint64_t>(time_ns);
    hash = hash * kOdd ^ wire_length ^ std::uint64_t{octets.size()} << 32;
    for (const Octet octet : octets) hash = (hash ^ hash >> 29 ^ octet) * kOdd;
    sum += hash;
    ++count;
  }
};

// Returns nothing if libpcap rejects the file.
std::optional<AllFrames> by_libpcap(const std::string& path, Octets head) {
  char error[PCAP_ERRBUF_SIZE] = {};
  pcap_t* const file = pcap_open_offline_with_tstamp_precision(path.c_str(), PCAP_TSTAMP_PRECISION_NANO, error);
  if (file == nullptr) return std::nullopt;
  AllFrames all;
  pcap_pkthdr* header = nullptr;
  const u_char* octets = nullptr;
  int status = 0;
  while ((status = pcap_next_ex(file, &header, &octets)) == 1)
    all.add(all.count + 1, pcap::nanoseconds(header->ts, head), std::max(header->len, header->caplen),
            {octets, header->caplen});
  all.broken = status != PCAP_ERROR_BREAK;
  const std::string_view why = pcap_geterr(file);
  // 28 octets of a section header in the other byte order are too many.
  all.is_mixed = all.broken && (why.find("different from") != std::string_view::npos ||
                                why.find("block size 469762048") != std::string_view::npos);
  pcap_close(file);
  return all;
}

AllFrames by_reader(const std::string& path, bool in_time_order) {
  auto reader = pcap::Reader::open(path);
  require(reader.has_value(), "a file that libpcap opens is opened");
  if (in_time_order) reader->read_in_time_order();
  AllFrames all;
  for (Frame frame; reader->next(frame);) all.add(frame.number, frame.time_ns, frame.wire_length, frame.octets);
  all.broken = reader->problem().has_value();
  return all;
}

void compare_with_libpcap(Octets octets) {
  static MemoryFile file;
  const std::string& path = file.write(octets);
  const auto expected = by_libpcap(path, octets);
  if (!expected) return;
  for (const bool in_time_order : {false, true}) {
    const AllFrames ours = by_reader(path, in_time_order);
    require(expected->is_mixed ? ours.count >= expected->count : ours == *expected, "libpcap reads the same frames");
  }
}

}  // namespace
}  // namespace wirelaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wirelaw::fuzz::compare_with_libpcap({data, size});
  return 0;
}
