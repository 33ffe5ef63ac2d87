// SPDX-License-Identifier: Apache-2.0
// The cost of judging compared with reading. One run makes captures of each protocol, reads each with a bare libpcap
// loop (the physical limit), judges it as `wirelaw check` does, and dissects it with tshark, if installed.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <pcap/pcap.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "harness/check/bench_captures.h"
#include "harness/check/check_files.h"
#include "reference/octets/crc32c.h"

extern char** environ;

namespace wirelaw {
namespace {

const std::string& capture(const benchmark::State& state) {
  return bench_capture_file(static_cast<std::size_t>(state.range(0)));
}

const BenchCapture& kind(const benchmark::State& state) {
  return bench_captures()[static_cast<std::size_t>(state.range(0))];
}

void report(benchmark::State& state, std::uint64_t packets, std::uint64_t octets) {
  state.SetItemsProcessed(static_cast<std::int64_t>(packets));
  state.SetBytesProcessed(static_cast<std::int64_t>(octets));
  state.SetLabel(std::string(kind(state).label));
}

// Reads the file and, for protocols with CRCs, computes them over the TCP payload. No judge can be faster.
void BareLibpcap(benchmark::State& state) {
  const std::size_t crc_from = kind(state).crc_from;
  std::uint64_t packets = 0, octets = 0;
  for (auto _ : state) {
    char error[PCAP_ERRBUF_SIZE] = {};
    pcap_t* file = pcap_open_offline(capture(state).c_str(), error);
    if (file == nullptr) std::abort();
    pcap_pkthdr* header = nullptr;
    const u_char* data = nullptr;
    while (pcap_next_ex(file, &header, &data) == 1) {
      const Octets octets_of_frame(data, header->caplen);
      if (crc_from != 0 && header->caplen > crc_from) {
        benchmark::DoNotOptimize(crc32c(octets_of_frame.subspan(crc_from)));
      } else {
        benchmark::DoNotOptimize(data);
      }
      ++packets;
      octets += header->caplen;
    }
    pcap_close(file);
  }
  report(state, packets, octets);
}

// True if every flow was judged, and one by the upper protocol: skipping a capture would be fast. (RoCE has a
// management flow beside that of its queue pairs. If there are very many flows, the least recently used are dropped.)
bool is_judged(const std::vector<FlowResult>& flows, std::string_view above) {
  const bool gives_way = flows.size() > CheckLimits{}.live_flows;
  const auto is_one = [&](const FlowResult& one) {
    const bool judged = one.state == FlowState::judged || (gives_way && one.state == FlowState::partial);
    return judged && one.messages > 0;
  };
  return std::ranges::all_of(flows, is_one) &&
         std::ranges::any_of(flows, [above](const auto& one) { return one.above == above; });
}

void Check(benchmark::State& state) {
  std::uint64_t packets = 0, octets = 0;
  for (auto _ : state) {
    const std::string files[] = {capture(state)};
    const FileResults checked = check_files(files, {});
    if (!checked.results.findings.empty()) std::abort();  // honest traffic: a finding would be ours
    if (!is_judged(checked.results.flows, kind(state).above)) std::abort();
    packets += checked.results.inputs[0].frames;
    octets += checked.results.inputs[0].octets;
  }
  report(state, packets, octets);
}

// Returns false if tshark is missing.
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

constexpr std::int64_t kKinds = 16;  // bench_captures()
BENCHMARK(BareLibpcap)->DenseRange(0, kKinds - 1)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(Check)->DenseRange(0, kKinds - 1)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(Tshark)->DenseRange(0, kKinds - 1)->UseRealTime()->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
}  // namespace wirelaw

BENCHMARK_MAIN();
