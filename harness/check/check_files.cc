// SPDX-License-Identifier: Apache-2.0
#include "harness/check/check_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/check/completeness.h"
#include "harness/shard/join.h"
#include "reports/printable.h"
#include "reports/run_record.h"

namespace wirelaw {
namespace {

constexpr std::uint64_t kProgressInterval = 1u << 16;  // packets

class FileRun {
 public:
  FileRun(const CheckOptions& options, const FileWatcher& watcher, bool has_parts)
      : options_(options), watcher_(watcher), checker_(limited(options, has_parts)) {
    if (!watcher_.found) return;
    checker_.judge().listen([this](const Message& message) { watcher_.found(message, *checker_.current(), checker_); });
  }

  void check(const std::string& file, const FilePart& part) {
    SharedInput& input = share_.inputs.emplace_back(SharedInput{.place = part.place});
    auto reader = pcap::PacketReader::open(file, {.in_time_order = !options_.as_they_come});
    if (!reader) {
      input.input = {.name = file, .completeness = Completeness::incomplete, .why = "it was not read"};
      add_broken(problem_of(reader.error()));
      return;
    }
    const auto& comment = reader->reader().section_comment();
    const CaptureNote note = comment ? parse_capture_note(*comment) : CaptureNote{};
    if (note.has_legs) reader->keep_interfaces_apart();
    checker_.take_part(part.part);
    checker_.begin_file(note, options_.complete ? Completeness::complete : Completeness::unknown, part.place);
    own_recording_ = note.protocol != nullptr;
    // If frames were captured, they show when each connection ends, and they began before their comments.
    shows_cases_ = own_recording_ && note.synthetic_headers;
    if (shows_cases_) reader->reader().watch_comments(kCaseBegins);
    checker_.report_flaws_to([&](const pcap::TcpFlaw& flaw) { reader->report(flaw.frame, flaw.flaw); });
    has_legs_ = note.has_legs;
    const bool is_read = judge(*reader);
    checker_.finish_early();
    const FileCompleteness known =
        is_read ? completeness_of_read(*reader)
                : FileCompleteness{Completeness::incomplete, "its interfaces are not those of a relay's recording"};
    if (!is_read)
      add_broken({.file = file,
                  .frame = reader->frame().number,
                  .message = "the frame is on none of the four interfaces of a relay's recording",
                  .hint = "check the recording itself, not a file that another program has made of it"});
    checker_.end_file(known.completeness);
    if (watcher_.judged) watcher_.judged(nullptr, nullptr, nullptr, checker_);
    account(file, *reader, known);
    take_run(file, reader->reader().closing_comments());
  }

  Share finish() {
    Share share = checker_.take_share();
    share.inputs = std::move(share_.inputs);
    return share;
  }

 private:
  // A share of a run keeps more findings than are listed: the first of all are known only when the shares are joined.
  static CheckOptions limited(CheckOptions options, bool has_parts) {
    if (has_parts || !options.shard.is_all())
      options.judge = limits_of_share(options.judge, catalogue_for(options.protocol).rules().size());
    return options;
  }
  // False if the file is not what its note says.
  bool judge(pcap::PacketReader& reader) {
    std::uint64_t until_progress = kProgressInterval;
    pcap::Datagram datagram;
    pcap::Segment segment;
    for (pcap::Transport read; (read = reader.next(datagram, segment)) != pcap::Transport::none;) {
      const bool tcp = read == pcap::Transport::tcp;
      if (has_legs_ && !is_leg_interface(tcp ? segment.interface : datagram.interface)) return false;
      if (!options_.shard.is_all()) note_packet(tcp, datagram, segment);
      // Wirelaw's own recordings are in order, even if the time stamps are not.
      if (own_recording_) {
        datagram.order_unknown = segment.order_unknown = false;
        if (shows_cases_) note_case(reader);
      }
      if (watcher_.read) watcher_.read(tcp ? nullptr : &datagram, tcp ? &segment : nullptr);
      const Flow& flow = tcp ? checker_.take(segment) : checker_.take(datagram);
      if (watcher_.judged && !watcher_.judged(tcp ? nullptr : &datagram, tcp ? &segment : nullptr, &flow, checker_))
        return true;
      if (--until_progress > 0) [[likely]]
        continue;
      until_progress = kProgressInterval;
      if (watcher_.progress) watcher_.progress(reader.counts());
    }
    return true;
  }

  FileCompleteness completeness_of_read(const pcap::PacketReader& reader) const {
    if (checker_.unnamed_packets() > 0 && !options_.complete)
      return {Completeness::incomplete,
              "the messages that open a RoCE connection are missing, or later than its packets"};
    return completeness_of(reader, options_.complete, checker_.may_have_two_clocks());
  }

  // The text of Runner::announcement() in the first frame of each case.
  static constexpr std::string_view kCaseBegins[] = {"case ", "control "};

  void note_case(pcap::PacketReader& reader) {
    if (reader.reader().has_watched_comment(reader.frame().number)) checker_.begin_case();
  }

  // Distinguishes shards that have read another capture.
  void note_packet(bool tcp, const pcap::Datagram& datagram, const pcap::Segment& segment) {
    const auto time = static_cast<std::uint64_t>(tcp ? segment.time_ns : datagram.time_ns);
    const std::uint64_t length = tcp ? segment.wire_length : datagram.wire_length;
    std::uint64_t& mark = share_.inputs.back().fingerprint;
    mark = (mark ^ time ^ length << 40) * 0x9e3779b97f4a7c15u;
    mark ^= mark >> 32;
  }

  void account(const std::string& file, const pcap::PacketReader& reader, const FileCompleteness& known) {
    const pcap::Counts& counts = reader.counts();
    const std::uint64_t packets = counts.datagrams + counts.tcp_segments + counts.pdus;
    SharedInput& input = share_.inputs.back();
    input.packets = packets;
    input.octets = checker_.most_memory();
    input.associations = checker_.associations();
    input.input = {.name = file,
                   .frames = counts.frames,
                   .octets = counts.octets,
                   .completeness = known.completeness,
                   .why = known.why};
    const auto& broken = reader.reader().problem();
    for (const pcap::Problem& problem : reader.problems())
      if (problem != broken) add(problem_of(problem));
    if (broken) add_broken(problem_of(*broken));
    if (const pcap::Unread& unread = counts.unread; unread.suspects() > 0)
      input.problems.push_back({{.file = file,
                                 .message = unread.text() + (unread.suspects() == 1 ? " was" : " were") + " not read",
                                 .hint = "such frames may hold what is judged here: capture where it is not wrapped"},
                                true});
    if (const std::string lost = lost_frames(counts); !lost.empty())
      input.problems.push_back({{.file = file,
                                 .message = lost + ": what is in them was not judged",
                                 .hint = "capture with an unlimited snap length, where every fragment passes"},
                                true});
    if (const std::uint64_t unnamed = checker_.unnamed_packets(); unnamed > 0)
      input.problems.push_back({unnamed_problem(file, unnamed), true});
    if (!own_recording_) input.cut = checker_.cut_packets();
    const std::uint64_t kept = reader.problems().size();
    input.problems_dropped += reader.problem_count() - std::min(reader.problem_count(), kept);
    if (packets == 0 && reader.problem_count() == 0 && counts.frames > 0 && counts.unread.suspects() == 0)
      add({.file = file,
           .message = fmt::format("no UDP datagram and no TCP segment was found in its {} frames", counts.frames),
           .hint = "nothing in it can be judged"});
  }

  static InputProblem unnamed_problem(const std::string& file, std::uint64_t packets) {
    return {.file = file,
            .message = fmt::format("{} captured while a connection was being opened, and no ConnectRequest or "
                                   "ConnectReply named the queue pair in time",
                                   packets == 1 ? "1 RoCE packet was" : fmt::format("{} RoCE packets were", packets)),
            .hint =
                "capture the opening in both directions, and correct the clocks before you merge captures "
                "(editcap -t)"};
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
    share_.inputs.back().runs.push_back(std::move(read->run));
  }

  // Keeps only the rules that the user selected.
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

  static InputProblem problem_of(const pcap::Problem& problem) {
    return {problem.file, problem.frame, problem.offset, problem.message, problem.hint};
  }

  void add_broken(InputProblem problem) {
    if (watcher_.broken) watcher_.broken(problem);
    share_.inputs.back().problems.push_back({std::move(problem), true});
  }
  void add(InputProblem problem) { share_.inputs.back().problems.push_back({std::move(problem), false}); }

  const CheckOptions& options_;
  const FileWatcher& watcher_;
  Checker checker_;
  Share share_;  // the share's inputs
  bool own_recording_ = false;
  bool shows_cases_ = false;
  bool has_legs_ = false;
};

// "udp 192.0.2.1:1 - 192.0.2.2:2, tcp 192.0.2.1:3 - 192.0.2.2:4, and 5 more"
std::string some_flows(const Share& share) {
  constexpr std::size_t kMost = 4;
  std::string text;
  const std::size_t shown = std::min(share.flows.size(), kMost);
  for (std::size_t i = 0; i < shown; ++i) text += (i == 0 ? "" : ", ") + share.flows[i].id;
  const std::uint64_t others = share.flows.size() - shown + share.flows_dropped;
  return others == 0 ? text : fmt::format("{}, and {} more", text, others);
}

InputProblem nothing_judged(const Share& share, const CheckOptions& options) {
  std::uint64_t packets = 0;
  for (const SharedInput& one : share.inputs) packets += one.packets;
  if (options.iut && !share.iut_seen && packets > 0)
    return {.file = "--iut",
            .message = "the implementation under test sent and received nothing in these captures",
            .hint = share.flows.empty() ? "compare the address with what `wirelaw decode` prints"
                                        : fmt::format("give one side of {}", some_flows(share))};
  const std::string first = share.inputs.empty() ? std::string() : share.inputs.front().input.name;
  if (packets == 0)
    return {.file = first,
            .message = "there is no UDP datagram and no TCP segment to judge",
            .hint = "capture the conversation itself"};
  if (share.judged > 0)
    return {.file = first,
            .message = "no rule was exercised by what was read",
            .hint = "capture a conversation from its beginning, or select more rules"};
  return {.file = first,
          .message = "no flow could be judged",
          .hint = "if you know what a port carries, say --decode-as udp.port=PORT,PROTOCOL, or tcp.port=…"};
}

// The inputs of findings by their places in the list, which a file that is missing from it would shift.
std::vector<std::size_t> inputs_of_findings(const Share& share) {
  std::vector<std::size_t> inputs;
  inputs.reserve(share.found.size());
  for (const SharedFinding& one : share.found) {
    const auto at = std::ranges::lower_bound(share.inputs, one.place.input, {}, &SharedInput::place);
    inputs.push_back(static_cast<std::size_t>(at - share.inputs.begin()));
  }
  return inputs;
}

bool fits_one(const Share& joined, const CheckOptions& options) {
  const RoomOfOne room{.octets = options.limits.flow_octets, .associations = Associations::kMost};
  return std::ranges::all_of(joined.inputs, [&](const SharedInput& one) { return fits(one, room); });
}

JoinLimits join_limits(const CheckOptions& options) {
  JoinLimits limits{.judge = options.judge, .listed_flows = options.limits.listed_flows};
  if (!options.shard.is_all())
    limits.judge = limits_of_share(limits.judge, catalogue_for(options.protocol).rules().size());
  return limits;
}

}  // namespace

Share judge_parts(std::span<const std::string> files, std::span<const FilePart> parts, const CheckOptions& options,
                  const FileWatcher& watcher) {
  FileRun run(options, watcher, parts.size() != files.size() || !std::ranges::all_of(parts, [](const FilePart& one) {
                                  return one.part.is_all();
                                }));
  for (const FilePart& one : parts) run.check(files[one.place], one);
  return run.finish();
}

tl::expected<FileResults, std::string> results_of_shares(std::vector<Share> shares, const CheckOptions& options) {
  auto joined = join(std::move(shares), join_limits(options));
  if (!joined) return tl::make_unexpected(joined.error());
  FileResults run;
  // Cut data breaks no rule and complies with none. A shard counts it, and the program that joins the shards reports
  // it.
  std::vector<InputProblem> more;
  for (const SharedInput& input : joined->inputs) {
    for (const SharedProblem& one : input.problems)
      if (one.stops) run.incomplete.push_back(one.problem);
    if (input.cut > 0 && options.shard.is_all())
      more.push_back(
          {.file = input.input.name,
           .message = counted(input.cut, "packet") +
                      (input.cut == 1 ? " that may hold what is judged is" : " that may hold what is judged are") +
                      " cut by the snap length: the rest was not judged",
           .hint = "capture with an unlimited snap length (tcpdump -s 0)"});
  }
  run.incomplete.insert(run.incomplete.end(), more.begin(), more.end());
  // A shard may be without flows, because other shards have all of them.
  const auto is_exercised = [](const RuleResult& rule) { return rule.exercised > 0; };
  const bool judged = joined->judged > 0 && std::ranges::any_of(joined->rules, is_exercised);
  if (run.incomplete.empty() && !judged && options.shard.is_all()) {
    run.is_idle = joined->judged > 0;
    more.push_back(nothing_judged(*joined, options));
    run.incomplete.push_back(more.back());
  }
  run.fits_one = !options.shard.is_all() || fits_one(*joined, options);
  run.input_of_finding = inputs_of_findings(*joined);
  const FlowKinds kinds = joined->kinds;
  if (!options.shard.is_all()) run.share = *joined;
  run.results = results_of(std::move(*joined));
  Checker::exclude(kinds, captured_protocols(), run.results.rules);
  run.results.problems.insert(run.results.problems.end(), more.begin(), more.end());
  return run;
}

FileResults check_files(std::span<const std::string> files, const CheckOptions& options, const FileWatcher& watcher) {
  std::vector<FilePart> parts(files.size());
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i].place = i;
  std::vector<Share> shares;
  shares.push_back(judge_parts(files, parts, options, watcher));
  return std::move(*results_of_shares(std::move(shares), options));  // one share is of one run
}

}  // namespace wirelaw
