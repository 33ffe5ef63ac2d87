// SPDX-License-Identifier: Apache-2.0
#include "harness/check/check_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/check/completeness.h"
#include "reports/run_record.h"

namespace wirelaw {
namespace {

constexpr std::size_t kMaxProblems = 1000;             // of all files, and what stopped the reading of each
constexpr std::uint64_t kProgressInterval = 1u << 16;  // packets

class FileRun {
 public:
  FileRun(const CheckOptions& options, const FileWatcher& watcher)
      : options_(options), watcher_(watcher), checker_(options) {
    if (!watcher_.found) return;
    checker_.judge().listen([this](const Message& message) { watcher_.found(message, *checker_.current(), checker_); });
  }

  void check(const std::string& file) {
    auto reader = pcap::PacketReader::open(file, {.in_time_order = !options_.as_they_come});
    if (!reader) {
      run_.results.inputs.push_back({.name = file, .completeness = Completeness::incomplete, .why = "it was not read"});
      incomplete(problem_of(reader.error()));
      return;
    }
    const auto& comment = reader->reader().section_comment();
    const CaptureNote note = comment ? parse_capture_note(*comment) : CaptureNote{};
    checker_.begin_file(note, options_.complete ? Completeness::complete : Completeness::unknown);
    own_recording_ = note.protocol != nullptr;
    checker_.report_flaws_to([&](const pcap::TcpFlaw& flaw) { reader->report(flaw.frame, flaw.flaw); });
    judge(*reader);
    const FileCompleteness known = completeness_of(*reader, options_.complete);
    checker_.end_file(known.completeness);
    if (watcher_.judged) watcher_.judged(nullptr, nullptr, nullptr, checker_);
    account(file, *reader, known);
    take_run(file, reader->reader().closing_comments());
  }

  FileResults finish() {
    if (run_.incomplete.empty() && checker_.judged_messages() == 0) incomplete(nothing_judged());
    Results results = checker_.take_results();
    results.inputs = std::move(run_.results.inputs);
    results.problems = std::move(run_.results.problems);
    results.problems_dropped = run_.results.problems_dropped;
    results.runs = std::move(run_.results.runs);
    run_.results = std::move(results);
    return std::move(run_);
  }

 private:
  void judge(pcap::PacketReader& reader) {
    std::uint64_t until_progress = kProgressInterval;
    pcap::Datagram datagram;
    pcap::Segment segment;
    for (pcap::Transport read; (read = reader.next(datagram, segment)) != pcap::Transport::none;) {
      const bool tcp = read == pcap::Transport::tcp;
      // What Wirelaw has recorded itself has the order in which it came, whatever the time stamps.
      if (own_recording_) datagram.order_unknown = segment.order_unknown = false;
      const Flow& flow = tcp ? checker_.take(segment) : checker_.take(datagram);
      if (watcher_.judged && !watcher_.judged(tcp ? nullptr : &datagram, tcp ? &segment : nullptr, &flow, checker_))
        return;
      if (--until_progress > 0) [[likely]]
        continue;
      until_progress = kProgressInterval;
      if (watcher_.progress) watcher_.progress(reader.counts());
    }
  }

  void account(const std::string& file, const pcap::PacketReader& reader, const FileCompleteness& known) {
    const pcap::Counts& counts = reader.counts();
    const std::uint64_t packets = counts.datagrams + counts.tcp_segments + counts.pdus;
    packets_ += packets;
    run_.results.inputs.push_back({.name = file,
                                   .frames = counts.frames,
                                   .octets = counts.octets,
                                   .completeness = known.completeness,
                                   .why = known.why});
    const auto& broken = reader.reader().problem();
    for (const pcap::Problem& problem : reader.problems())
      if (problem != broken) add(problem_of(problem));
    if (broken) incomplete(problem_of(*broken));
    const std::uint64_t kept = reader.problems().size();
    run_.results.problems_dropped += reader.problem_count() - std::min(reader.problem_count(), kept);
    if (packets == 0 && reader.problem_count() == 0 && counts.frames > 0)
      add({.file = file,
           .message = fmt::format("holds neither UDP datagrams nor TCP segments in its {} frames", counts.frames),
           .hint = "nothing in it can be judged"});
  }

  // The results of the run that the file is a recording of.
  void take_run(const std::string& file, std::span<const std::string> comments) {
    if (!holds_run(comments)) return;
    const Catalogue& all = catalogue_for(nullptr);
    auto read = read_run(comments, [&](std::string_view id) { return all.find(id); });
    if (!read) return add({.file = file, .message = read.error(), .hint = "its frames are judged all the same"});
    if (read->unknown > 0)
      add({.file = file,
           .message = fmt::format("{} of its run are of rules that are not known here", read->unknown),
           .hint = fmt::format("it was recorded by wirelaw {}", read->run.version)});
    read->run.file = file;
    keep_selected(read->run);
    run_.results.runs.push_back(std::move(read->run));
  }

  // Of the rules that the user asks for.
  void keep_selected(RecordedRun& run) const {
    const RuleList of_protocol = catalogue_for(options_.protocol).rules();
    const auto is_wanted = [&](const Rule* rule) {
      const auto fits = [&](const std::string& pattern) { return matches_glob(pattern, rule->id); };
      return std::ranges::count(of_protocol, rule) > 0 &&
             (options_.rules.empty() || std::ranges::any_of(options_.rules, fits));
    };
    std::erase_if(run.rules, [&](const RuleResult& one) { return !is_wanted(one.rule); });
    std::erase_if(run.findings, [&](const Finding& one) { return !is_wanted(one.rule); });
    std::erase_if(run.cases, [&](const CaseResult& one) {
      return !one.rules.empty() && std::ranges::none_of(one.rules, is_wanted);
    });
  }

  InputProblem nothing_judged() const {
    if (options_.iut && !checker_.iut_seen() && packets_ > 0)
      return {.file = "--iut",
              .message = "the implementation under test sent and received nothing in these captures",
              .hint = "compare the address with what `wirelaw decode` prints"};
    if (packets_ == 0)
      return {.file = run_.results.inputs.empty() ? std::string() : run_.results.inputs.front().name,
              .message = "there is no UDP datagram and no TCP segment to judge",
              .hint = "capture the conversation itself"};
    return {.file = run_.results.inputs.front().name,
            .message = "no flow could be judged",
            .hint = "if you know what a port carries, say --decode-as udp.port=PORT,PROTOCOL, or tcp.port=…"};
  }

  static InputProblem problem_of(const pcap::Problem& problem) {
    return {problem.file, problem.frame, problem.offset, problem.message, problem.hint};
  }

  void incomplete(InputProblem problem) {
    run_.incomplete.push_back(problem);
    run_.results.problems.push_back(std::move(problem));
  }

  void add(InputProblem problem) {
    if (run_.results.problems.size() >= kMaxProblems)
      ++run_.results.problems_dropped;
    else
      run_.results.problems.push_back(std::move(problem));
  }

  const CheckOptions& options_;
  const FileWatcher& watcher_;
  Checker checker_;
  FileResults run_;
  std::uint64_t packets_ = 0;
  bool own_recording_ = false;
};

}  // namespace

FileResults check_files(std::span<const std::string> files, const CheckOptions& options, const FileWatcher& watcher) {
  FileRun run(options, watcher);
  for (const std::string& file : files) run.check(file);
  return run.finish();
}

}  // namespace wirelaw
