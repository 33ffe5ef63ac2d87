// SPDX-License-Identifier: Apache-2.0
// What judging costs beside merely reading. One run makes captures of RAMCloud RPC, reads each with a bare libpcap
// loop (the physical limit), judges it as `wirelaw check` does, and dissects it with tshark where that is installed.
//
// WIRELAW_BENCH_MEGABYTES sets the size of a capture; 100 by default.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <pcap/pcap.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "harness/check_files.h"
#include "pcap/synthesis.h"
#include "reference/ramcloud/packet.h"

extern char** environ;

namespace wirelaw {
namespace {

using ramcloud::Header;
using ramcloud::PayloadType;

constexpr std::uint64_t kToken = 0x1122334455667788;
constexpr std::uint16_t kWindow = 5;      // fragments for each ACK
constexpr std::uint16_t kFragments = 75;  // of a large request
constexpr std::size_t kFragmentData = 1374;

// Writes one conversation after the other as a classic pcap file.
class CaptureMaker {
 public:
  explicit CaptureMaker(const std::string& path) : format_(pcap_open_dead(DLT_EN10MB, 262144)) {
    out_ = pcap_dump_open(format_, path.c_str());
    if (out_ == nullptr) std::abort();
  }
  ~CaptureMaker() {
    pcap_dump_close(out_);
    pcap_close(format_);
  }
  CaptureMaker(const CaptureMaker&) = delete;
  CaptureMaker& operator=(const CaptureMaker&) = delete;

  std::size_t octets() const { return octets_; }

  void open() {
    packet(PayloadType::session_open, false, {.session_token = 0xcccccccccccccccc}, {});
    packet(PayloadType::session_open, true, {.session_token = kToken}, OctetBuffer{7});
  }
  void data(bool from_server, Header header, std::size_t octets) {
    header.session_token = kToken;
    packet(PayloadType::data, from_server, header, OctetBuffer(octets, static_cast<Octet>(header.frag_number)));
  }
  void ack(std::uint32_t rpc_id, std::uint16_t first_missing) {
    packet(PayloadType::ack, true, {.session_token = kToken, .rpc_id = rpc_id},
           ramcloud::encode_ack({.first_missing_frag = first_missing}));
  }

 private:
  void packet(PayloadType type, bool from_server, Header header, Octets payload) {
    static const pcap::Endpoint kClient = *pcap::parse_endpoint("192.0.2.1:31200");
    static const pcap::Endpoint kServer = *pcap::parse_endpoint("192.0.2.2:21200");
    header.payload_type = type;
    header.flags.direction = from_server;
    const OctetBuffer datagram = ramcloud::encode(header, payload);
    if (!pcap::synthesise_datagram(from_server ? kServer : kClient, from_server ? kClient : kServer, datagram, frame_))
      std::abort();
    pcap_pkthdr record{};
    record.caplen = record.len = static_cast<bpf_u_int32>(frame_.size());
    record.ts = {static_cast<time_t>(packets_ / 1'000'000), static_cast<suseconds_t>(packets_ % 1'000'000)};
    pcap_dump(reinterpret_cast<u_char*>(out_), &record, frame_.data());
    ++packets_;
    octets_ += frame_.size() + 16;
  }

  pcap_t* format_;
  pcap_dumper_t* out_ = nullptr;
  OctetBuffer frame_;
  std::size_t octets_ = 0;
  std::size_t packets_ = 0;
};

void make_small(CaptureMaker& maker, std::size_t octets) {
  maker.open();
  for (std::uint32_t rpc_id = 0; maker.octets() < octets; ++rpc_id) {
    maker.data(false, {.rpc_id = rpc_id, .total_frags = 1}, 64);
    maker.data(true, {.rpc_id = rpc_id, .total_frags = 1}, 64);
  }
}

void make_large(CaptureMaker& maker, std::size_t octets) {
  maker.open();
  for (std::uint32_t rpc_id = 0; maker.octets() < octets; ++rpc_id) {
    for (std::uint16_t i = 0; i < kFragments; ++i) {
      const bool ask = i % kWindow == kWindow - 1;
      maker.data(false, {.rpc_id = rpc_id, .frag_number = i, .total_frags = kFragments, .flags = {.request_ack = ask}},
                 kFragmentData);
      if (ask) maker.ack(rpc_id, static_cast<std::uint16_t>(i + 1));
    }
    maker.data(true, {.rpc_id = rpc_id, .total_frags = 1}, 16);
  }
}

// The captures of this run, in a directory that goes with it.
class Captures {
 public:
  Captures() : directory_((std::filesystem::temp_directory_path() / "wirelaw-bench.XXXXXX").string()) {
    if (mkdtemp(directory_.data()) == nullptr) std::abort();
    const char* megabytes = std::getenv("WIRELAW_BENCH_MEGABYTES");
    const std::size_t size = std::strtoull(megabytes == nullptr ? "100" : megabytes, nullptr, 10) << 20;
    for (const auto& [name, make] : {std::pair("small", &make_small), std::pair("large", &make_large)}) {
      paths_.push_back(directory_ + "/" + name + ".pcap");
      CaptureMaker maker(paths_.back());
      make(maker, size);
    }
  }
  ~Captures() {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }
  Captures(const Captures&) = delete;
  Captures& operator=(const Captures&) = delete;

  const std::string& path(std::int64_t index) const { return paths_[static_cast<std::size_t>(index)]; }

 private:
  std::string directory_;
  std::vector<std::string> paths_;
};

const std::string& capture(const benchmark::State& state) {
  static const Captures kCaptures;
  return kCaptures.path(state.range(0));
}

void report(benchmark::State& state, std::uint64_t packets, std::uint64_t octets) {
  state.SetItemsProcessed(static_cast<std::int64_t>(packets));
  state.SetBytesProcessed(static_cast<std::int64_t>(octets));
  state.SetLabel(state.range(0) == 0 ? "RPCs of one fragment, 64 octets" : "requests of 75 fragments, 1374 octets");
}

void BareLibpcap(benchmark::State& state) {
  std::uint64_t packets = 0, octets = 0;
  for (auto _ : state) {
    char error[PCAP_ERRBUF_SIZE] = {};
    pcap_t* file = pcap_open_offline(capture(state).c_str(), error);
    if (file == nullptr) std::abort();
    pcap_pkthdr* header = nullptr;
    const u_char* data = nullptr;
    while (pcap_next_ex(file, &header, &data) == 1) {
      benchmark::DoNotOptimize(data);
      ++packets;
      octets += header->caplen;
    }
    pcap_close(file);
  }
  report(state, packets, octets);
}

void Check(benchmark::State& state) {
  std::uint64_t packets = 0, octets = 0;
  for (auto _ : state) {
    const std::string files[] = {capture(state)};
    const FileResults checked = check_files(files, {});
    if (!checked.results.findings.empty()) std::abort();  // honest traffic: a finding would be ours
    packets += checked.results.inputs[0].frames;
    octets += checked.results.inputs[0].octets;
  }
  report(state, packets, octets);
}

// False where there is no tshark.
bool run_tshark(const std::string& path) {
  const char* const arguments[] = {"tshark", "-n", "-r", path.c_str(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int fd : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, "tshark", &actions, nullptr, const_cast<char* const*>(arguments), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  return failed == 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void Tshark(benchmark::State& state) {
  const std::string files[] = {capture(state)};
  const Input input = check_files(files, {}).results.inputs[0];
  std::uint64_t runs = 0;
  for (auto _ : state) {
    if (!run_tshark(capture(state))) {
      state.SkipWithError("tshark is not installed");
      return;
    }
    ++runs;
  }
  report(state, runs * input.frames, runs * input.octets);
}

BENCHMARK(BareLibpcap)->Arg(0)->Arg(1)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(Check)->Arg(0)->Arg(1)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(Tshark)->Arg(0)->Arg(1)->UseRealTime()->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
}  // namespace wirelaw

BENCHMARK_MAIN();
