// SPDX-License-Identifier: Apache-2.0
// What link, IP and UDP cost beside libpcap itself, which is the limit.
#include <benchmark/benchmark.h>
#include <pcap/pcap.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include "pcap/synthesis.h"
#include "pcap/udp_reader.h"

namespace wirelaw::pcap {
namespace {

// Captures of about 64 MiB at most, made once and removed at the end.
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

  const std::string& with_payload(std::size_t octets) {
    std::string& path = paths_[octets];
    if (path.empty()) path = make(octets);
    return path;
  }

 private:
  std::string make(std::size_t octets) const {
    std::string path = directory_ + "/" + std::to_string(octets) + ".pcap";
    pcap_t* format = pcap_open_dead(DLT_EN10MB, 262144);
    pcap_dumper_t* out = pcap_dump_open(format, path.c_str());
    if (out == nullptr) std::abort();
    OctetBuffer frame;
    const OctetBuffer payload(octets, 0x5a);
    if (!synthesise_datagram(*parse_endpoint("192.0.2.1:5000"), *parse_endpoint("192.0.2.2:6000"), payload, frame))
      std::abort();
    pcap_pkthdr header{};
    header.caplen = header.len = static_cast<bpf_u_int32>(frame.size());
    const std::size_t count = (std::size_t{64} << 20) / (frame.size() + 16);
    for (std::size_t i = 0; i < count; ++i) {
      header.ts = {static_cast<time_t>(i / 1'000'000), static_cast<suseconds_t>(i % 1'000'000)};
      pcap_dump(reinterpret_cast<u_char*>(out), &header, frame.data());
    }
    pcap_dump_close(out);
    pcap_close(format);
    return path;
  }

  std::string directory_;
  std::map<std::size_t, std::string> paths_;
};

const std::string& capture(const benchmark::State& state) {
  static SyntheticCaptures captures;
  return captures.with_payload(static_cast<std::size_t>(state.range(0)));
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

void DatagramReader(benchmark::State& state) {
  const std::string& path = capture(state);
  std::size_t packets = 0, octets = 0;
  for (auto _ : state) {
    auto reader = UdpReader::open(path);
    for (Datagram datagram; reader->next(datagram);) benchmark::DoNotOptimize(datagram);
    packets += reader->counts().datagrams;
    octets += reader->counts().octets;
  }
  count(state, packets, octets);
}

BENCHMARK(BareLibpcap)->Arg(90)->Arg(1400);
BENCHMARK(FrameReader)->Arg(90)->Arg(1400);
BENCHMARK(DatagramReader)->Arg(90)->Arg(1400);

}  // namespace
}  // namespace wirelaw::pcap

BENCHMARK_MAIN();
