// SPDX-License-Identifier: Apache-2.0
// The cost of link, IP, UDP, TCP and the tags of exported PDUs, compared with libpcap alone, which is the limit. The
// second argument of a benchmark is the length of the payloads.
#include <benchmark/benchmark.h>
#include <pcap/pcap.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include "pcap/packet_reader.h"
#include "pcap/tcp_connection.h"
#include "pcap/tcp_synthesis.h"

namespace wirelaw::pcap {
namespace {

// Makes captures of at most about 64 MiB once, and removes them at the end.
class SyntheticCaptures {
 public:
  SyntheticCaptures() : directory_((std::filesystem::temp_directory_path() / "wirelaw-bench.XXXXXX").string()) {
    if (mkdtemp(directory_.data()) == nullptr) std::abort();
  }
  ~SyntheticCaptures() {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }
  SyntheticCaptures(const SyntheticCaptures&) = delete;
  SyntheticCaptures& operator=(const SyntheticCaptures&) = delete;

  const std::string& with_payload(Transport transport, std::size_t octets) {
    std::string& path = paths_[{transport, octets}];
    if (path.empty()) path = make(transport, octets);
    return path;
  }

 private:
  std::string make(Transport transport, std::size_t octets) const {
    constexpr const char* kNames[] = {"", "/udp", "/tcp", "/pdu"};
    std::string path = directory_ + kNames[static_cast<int>(transport)] + std::to_string(octets) + ".pcap";
    const int link = transport == Transport::pdu ? DLT_WIRESHARK_UPPER_PDU : DLT_EN10MB;
    pcap_t* format = pcap_open_dead(link, 262144);
    pcap_dumper_t* out = pcap_dump_open(format, path.c_str());
    if (out == nullptr) std::abort();
    const OctetBuffer payload(octets, 0x5a);
    TcpSynthesis tcp(1);
    OctetBuffer frame;
    pcap_pkthdr header{};
    for (std::size_t i = 0, size = 0; size < (std::size_t{64} << 20); ++i, size += frame.size() + 16) {
      if (!make_frame(transport, tcp, payload, frame)) std::abort();
      header.caplen = header.len = static_cast<bpf_u_int32>(frame.size());
      header.ts = {static_cast<time_t>(i / 1'000'000), static_cast<suseconds_t>(i % 1'000'000)};
      pcap_dump(reinterpret_cast<u_char*>(out), &header, frame.data());
    }
    pcap_dump_close(out);
    pcap_close(format);
    return path;
  }

  static tl::expected<void, std::string> make_frame(Transport transport, TcpSynthesis& tcp, const OctetBuffer& payload,
                                                    OctetBuffer& frame) {
    static const Endpoint kA = *parse_endpoint("192.0.2.1:5000"), kB = *parse_endpoint("192.0.2.2:6000");
    static const Endpoint kA6 = *parse_endpoint("[fe80::1]:5000"), kB6 = *parse_endpoint("[fe80::2]:6000");
    if (transport == Transport::tcp) return synthesise_segment(kA, kB, tcp.data(true, payload.size()), payload, frame);
    if (transport == Transport::pdu) return synthesise_pdu("efa_rdm", kA6, kB6, payload, frame);
    return synthesise_datagram(kA, kB, payload, frame);
  }

  std::string directory_;
  std::map<std::pair<Transport, std::size_t>, std::string> paths_;
};

const std::string& capture(const benchmark::State& state) {
  static SyntheticCaptures captures;
  return captures.with_payload(static_cast<Transport>(state.range(0)), static_cast<std::size_t>(state.range(1)));
}

void count(benchmark::State& state, std::size_t packets, std::size_t octets) {
  state.SetItemsProcessed(static_cast<std::int64_t>(packets));
  state.SetBytesProcessed(static_cast<std::int64_t>(octets));
  state.counters["s/packet"] =
      benchmark::Counter(static_cast<double>(packets), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void BareLibpcap(benchmark::State& state) {
  const std::string& path = capture(state);
  std::size_t packets = 0, octets = 0;
  for (auto _ : state) {
    char error[PCAP_ERRBUF_SIZE] = {};
    pcap_t* file = pcap_open_offline_with_tstamp_precision(path.c_str(), PCAP_TSTAMP_PRECISION_NANO, error);
    pcap_pkthdr* header = nullptr;
    const u_char* data = nullptr;
    while (pcap_next_ex(file, &header, &data) == 1) {
      ++packets;
      octets += header->caplen;
      benchmark::DoNotOptimize(data);
    }
    pcap_close(file);
  }
  count(state, packets, octets);
}

void FrameReader(benchmark::State& state) {
  const std::string& path = capture(state);
  std::size_t packets = 0, octets = 0;
  for (auto _ : state) {
    auto reader = Reader::open(path);
    for (Frame frame; reader->next(frame);) {
      ++packets;
      octets += frame.octets.size();
      benchmark::DoNotOptimize(frame);
    }
  }
  count(state, packets, octets);
}

void DatagramAndSegments(benchmark::State& state) {
  const std::string& path = capture(state);
  std::size_t packets = 0, octets = 0;
  for (auto _ : state) {
    auto reader = PacketReader::open(path);
    Datagram datagram;
    Segment segment;
    for (Transport found; (found = reader->next(datagram, segment)) != Transport::none;) {
      benchmark::DoNotOptimize(datagram);
      benchmark::DoNotOptimize(segment);
    }
    packets += reader->counts().frames;
    octets += reader->counts().octets;
  }
  count(state, packets, octets);
}

// All segments are in order, as nearly all are in real captures. `compared` is TcpLimits::compared.
void streams(benchmark::State& state, std::size_t compared) {
  const std::string& path = capture(state);
  std::size_t packets = 0, octets = 0;
  for (auto _ : state) {
    auto reader = PacketReader::open(path);
    TcpConnection connection({.compared = compared});
    Datagram datagram;
    Segment segment;
    while (reader->next(datagram, segment) == Transport::tcp)
      connection.take(segment, true, [](const StreamPiece& piece) { benchmark::DoNotOptimize(piece); });
    packets += reader->counts().frames;
    octets += reader->counts().octets;
    if (connection.counts().octets < (std::size_t{63} << 20) * 9 / 10) state.SkipWithError("octets were lost");
  }
  count(state, packets, octets);
}

void StreamReader(benchmark::State& state) {
  streams(state, TcpLimits{}.compared);
}

void StreamReaderThatComparesNothing(benchmark::State& state) {
  streams(state, 0);
}

// Measures the reassembly of a segment that is in the cache.
void take_segments(benchmark::State& state, std::size_t compared) {
  const OctetBuffer payload(static_cast<std::size_t>(state.range(1)), 0x5a);
  TcpConnection connection({.compared = compared});
  Segment segment;
  segment.payload = payload;
  segment.wire_length = static_cast<std::uint32_t>(payload.size());
  segment.flags.bits = TcpFlags::kAck | TcpFlags::kPsh;
  for (auto _ : state) {
    connection.take(segment, true, [](const StreamPiece& piece) { benchmark::DoNotOptimize(piece); });
    segment.seq += segment.wire_length;
  }
  const auto taken = static_cast<std::size_t>(state.iterations());
  count(state, taken, taken * payload.size());
}

void SegmentsInMemory(benchmark::State& state) {
  take_segments(state, TcpLimits{}.compared);
}

void SegmentsInMemoryComparingNothing(benchmark::State& state) {
  take_segments(state, 0);
}

constexpr auto kUdp = static_cast<std::int64_t>(Transport::udp), kTcp = static_cast<std::int64_t>(Transport::tcp),
               kPdu = static_cast<std::int64_t>(Transport::pdu);

BENCHMARK(BareLibpcap)->Args({kPdu, 90})->Args({kUdp, 90})->Args({kUdp, 1400})->Args({kTcp, 1460})->Args({kTcp, 9000});
BENCHMARK(FrameReader)->Args({kPdu, 90})->Args({kUdp, 90})->Args({kUdp, 1400})->Args({kTcp, 1460})->Args({kTcp, 9000});
BENCHMARK(DatagramAndSegments)
    ->Args({kPdu, 90})
    ->Args({kUdp, 90})
    ->Args({kUdp, 1400})
    ->Args({kTcp, 1460})
    ->Args({kTcp, 9000});
BENCHMARK(StreamReader)->Args({kTcp, 1460})->Args({kTcp, 9000});
BENCHMARK(StreamReaderThatComparesNothing)->Args({kTcp, 1460})->Args({kTcp, 9000});
BENCHMARK(SegmentsInMemory)->Args({kTcp, 1460})->Args({kTcp, 9000});
BENCHMARK(SegmentsInMemoryComparingNothing)->Args({kTcp, 1460})->Args({kTcp, 9000});

}  // namespace
}  // namespace wirelaw::pcap

BENCHMARK_MAIN();
