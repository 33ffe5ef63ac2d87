// SPDX-License-Identifier: Apache-2.0
// Any octets as a capture file: pcap, pcapng, gzip'd or nonsense. The file lies in memory. Oracles: every frame is
// counted once, what is delivered lies within its frame, problems have a text for people, and a bare libpcap reads the
// same frames of it, in either order.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string>

#include "fuzz/target.h"
#include "pcap/libpcap_values.h"
#include "pcap/packet_reader.h"

namespace wirelaw::fuzz {
namespace {

using pcap::Counts;
using pcap::Datagram;
using pcap::Frame;
using pcap::PacketReader;
using pcap::Segment;
using pcap::Transport;

constexpr pcap::ReadOptions kOptions{
    .reassembly = {.max_packets = 16, .max_octets = std::size_t{256} << 10, .timeout_ns = 30'000'000'000},
    .max_problems = 20};

// A file without a disk, made once: each input replaces its octets.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(memfd_create("capture", MFD_CLOEXEC)) {
    require(descriptor_ >= 0, "a file in memory can be made");
    path_ = "/proc/self/fd/" + std::to_string(descriptor_);
  }
  const std::string& write(Octets octets) {
    require(ftruncate(descriptor_, 0) == 0, "the file in memory can be emptied");
    const auto size = static_cast<ssize_t>(octets.size());
    require(pwrite(descriptor_, octets.data(), octets.size(), 0) == size, "the file in memory can be written");
    return path_;
  }

 private:
  int descriptor_;
  std::string path_;
};

// A datagram or a segment.
template <class Packet>
void check(const Packet& packet, const Frame& frame) {
  require(packet.payload.size() <= packet.wire_length, "no more is captured than was sent");
  require(packet.frame == frame.number, "a packet names its frame");
  if (frame.link_type == pcap::kLinkTypeExportedPdu)
    require(packet.ip_version == 0, "no IP carries an exported PDU");
  else
    require(packet.ip_version == 4 || packet.ip_version == 6, "a packet has an IP version");
  if (packet.reassembled) return;
  require(
      packet.frame_offset <= frame.octets.size() && packet.payload.size() <= frame.octets.size() - packet.frame_offset,
      "a payload lies within its frame");
  require(packet.payload.empty() || packet.payload.data() == frame.octets.data() + packet.frame_offset,
          "a payload is where its offset says");
}

void check_name(const Datagram& datagram, const Frame& frame) {
  if (datagram.dissector.empty()) return;
  const auto* const begin = reinterpret_cast<const char*>(frame.octets.data());
  require(datagram.dissector.data() >= begin &&
              datagram.dissector.data() + datagram.dissector.size() <= begin + frame.octets.size(),
          "a dissector's name lies within its frame");
}

// The frames of a file, in whatever order they are read.
struct AllFrames {
  std::uint64_t count = 0, sum = 0;
  bool broken = false;

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

// Nothing where it refuses the file.
std::optional<AllFrames> by_libpcap(const std::string& path) {
  char error[PCAP_ERRBUF_SIZE] = {};
  pcap_t* const file = pcap_open_offline_with_tstamp_precision(path.c_str(), PCAP_TSTAMP_PRECISION_NANO, error);
  if (file == nullptr) return std::nullopt;
  AllFrames all;
  pcap_pkthdr* header = nullptr;
  const u_char* octets = nullptr;
  int status = 0;
  while ((status = pcap_next_ex(file, &header, &octets)) == 1)
    all.add(all.count + 1, pcap::nanoseconds(header->ts), std::max(header->len, header->caplen),
            {octets, header->caplen});
  all.broken = status != PCAP_ERROR_BREAK;
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

void compare_with_libpcap(const std::string& path) {
  const auto expected = by_libpcap(path);
  if (!expected) return;
  for (const bool in_time_order : {false, true})
    require(by_reader(path, in_time_order) == *expected, "libpcap reads the same frames");
}

void check(const Counts& counts, const PacketReader& reader) {
  require(counts.frames == reader.reader().frames(), "every frame is counted");
  require(counts.datagrams + counts.tcp_segments + counts.pdus + counts.other + counts.malformed + counts.headers_cut +
                  counts.fragments - counts.reassembled ==
              counts.frames,
          "every frame is counted once");
  require(reader.problems().size() <= kOptions.max_problems, "problems are kept up to their bound");
  require(reader.problem_count() >= reader.problems().size(), "problems are counted");
}

}  // namespace
}  // namespace wirelaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wirelaw::fuzz;
  static MemoryFile file;
  const std::string& path = file.write({data, size});
  compare_with_libpcap(path);
  auto reader = PacketReader::open(path, kOptions);
  if (!reader) {
    require(!reader.error().message.empty(), "a refusal says why");
    return 0;
  }
  Datagram datagram;
  Segment segment;
  for (Transport found; (found = reader->next(datagram, segment)) != Transport::none;) {
    if (found == Transport::tcp) {
      check(segment, reader->frame());
    } else {
      check(datagram, reader->frame());
      if (found == Transport::pdu) check_name(datagram, reader->frame());
    }
  }
  check(reader->counts(), *reader);
  for (const auto& problem : reader->problems()) require(!to_string(problem).empty(), "a problem has a text");
  return 0;
}
