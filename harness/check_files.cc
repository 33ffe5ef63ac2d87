// SPDX-License-Identifier: Apache-2.0
#include "harness/check_files.h"

#include <fmt/format.h>

namespace wirelaw {
namespace {

constexpr std::size_t kMaxProblems = 1000;             // of all files; each file keeps at most pcap::kMaxProblems
constexpr std::uint64_t kProgressInterval = 1u << 16;  // datagrams

class FileRun {
 public:
  FileRun(const CheckOptions& options, const FileWatcher& watcher)
      : options_(options), watcher_(watcher), checker_(options) {}

  void check(const std::string& file) {
    auto reader = pcap::UdpReader::open(file);
    if (!reader) {
      add(reader.error());
      run_.readable = false;
      run_.results.inputs.push_back({.name = file});
      return;
    }
    const auto& comment = reader->reader().section_comment();
    checker_.begin_file(comment ? parse_capture_note(*comment) : CaptureNote{});
    judge(*reader);
    checker_.end_file();
    if (watcher_.judged) watcher_.judged(nullptr, nullptr, checker_);
    account(file, *reader);
  }

  FileResults finish() {
    if (options_.iut && !checker_.iut_seen() && run_.readable)
      add({.file = "--iut",
           .message = "the implementation under test sent and received nothing in these captures",
           .hint = "compare the address with what `wirelaw decode` prints"});
    Results results = checker_.take_results();
    results.inputs = std::move(run_.results.inputs);
    results.problems = std::move(run_.results.problems);
    results.problems_dropped = run_.results.problems_dropped;
    run_.results = std::move(results);
    return std::move(run_);
  }

 private:
  void judge(pcap::UdpReader& reader) {
    std::uint64_t until_progress = kProgressInterval;
    for (pcap::Datagram datagram; reader.next(datagram);) {
      const Flow& flow = checker_.take(datagram);
      if (watcher_.judged && !watcher_.judged(&datagram, &flow, checker_)) return;
      if (--until_progress > 0) [[likely]]
        continue;
      until_progress = kProgressInterval;
      if (watcher_.progress) watcher_.progress(reader.counts());
    }
  }

  void account(const std::string& file, const pcap::UdpReader& reader) {
    const pcap::Counts& counts = reader.counts();
    run_.results.inputs.push_back({.name = file, .frames = counts.frames, .octets = counts.octets});
    for (const pcap::Problem& problem : reader.problems()) add(problem);
    run_.results.problems_dropped += reader.problem_count() - reader.problems().size();
    if (reader.reader().problem()) run_.readable = false;
    if (counts.datagrams == 0 && reader.problem_count() == 0)
      add({.file = file,
           .message = counts.frames == 0 ? "holds no frames"
                                         : fmt::format("holds no UDP datagram in its {} frames ({} TCP segments)",
                                                       counts.frames, counts.tcp_segments),
           .hint = "nothing in it can be judged; capture the conversation itself"});
  }

  void add(const pcap::Problem& problem) {
    if (run_.results.problems.size() >= kMaxProblems)
      ++run_.results.problems_dropped;
    else
      run_.results.problems.push_back({.file = problem.file,
                                       .frame = problem.frame,
                                       .offset = problem.offset,
                                       .message = problem.message,
                                       .hint = problem.hint});
  }

  const CheckOptions& options_;
  const FileWatcher& watcher_;
  Checker checker_;
  FileResults run_;
};

}  // namespace

FileResults check_files(std::span<const std::string> files, const CheckOptions& options, const FileWatcher& watcher) {
  FileRun run(options, watcher);
  for (const std::string& file : files) run.check(file);
  return run.finish();
}

}  // namespace wirelaw
