// SPDX-License-Identifier: Apache-2.0
#include "harness/parallel/case_jobs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "conformance/stack.h"
#include "harness/parallel/case_process.h"
#include "harness/parallel/case_worker.h"
#include "harness/parallel/dealing.h"
#include "harness/parallel/long_cases.h"
#include "harness/parallel/renaming.h"
#include "harness/parallel/spooled_frames.h"
#include "harness/shard/join.h"

namespace wirelaw {
namespace {

struct Hired {
  std::unique_ptr<Spool> spool;  // which both sides have
  std::unique_ptr<CaseProcess> process;
};

// ------------------------------------------------------------------------------------------------------- put together

// For each part, the new number of each frame.
using Numbers = std::vector<std::vector<std::uint64_t>>;

class OneRecording {
 public:
  OneRecording(Recording& whole, const std::string& place) : whole_(whole), place_(place) {}

  // The error is one line.
  tl::expected<Numbers, std::string> take(std::span<Hired> processes, std::vector<Part>& parts) {
    place_flows(parts);
    struct Entry {
      Spool::Kept kept;
      std::size_t part = 0;
      std::size_t number = 0;
    };
    std::vector<Entry> entries;
    Numbers numbers;
    for (std::size_t part = 0; part < parts.size(); ++part) {
      const auto index = processes[part].spool->take_index();
      for (std::size_t i = 0; i < index.size(); ++i)
        if (!is_dropped(parts[part], i + 1)) entries.push_back({index[i], part, i});
      numbers.emplace_back(index.size());
    }
    std::ranges::stable_sort(entries, {}, [](const Entry& one) { return one.kept.step; });
    for (const Entry& one : entries) {
      auto frame = processes[one.part].spool->read(one.kept);
      if (!frame || !parts[one.part].has_room)
        return tl::make_unexpected(std::string("--jobs: the frames of the run could not be kept in a temporary file"));
      rename(*frame, Moved(parts[one.part].place, place_));
      whole_.take(*frame);
      numbers[one.part][one.number] = whole_.frames();
    }
    return numbers;
  }

  const Renaming& renaming() const { return renaming_; }

 private:
  static bool is_dropped(const Part& part, std::uint64_t frame) {
    return std::ranges::any_of(part.dropped,
                               [&](const FrameRange& one) { return frame >= one.first && frame < one.end; });
  }

  void place_flows(const std::vector<Part>& parts) {
    std::vector<const PlacelessFlow*> flows;
    for (const Part& part : parts)
      for (const PlacelessFlow& one : part.flows) flows.push_back(&one);
    std::ranges::stable_sort(flows, {}, &PlacelessFlow::step);
    for (const PlacelessFlow* one : flows) {
      const FlowPlaces shown = whole_.places().place(one->real, one->iut_chose, one->ports);
      renaming_.add(one->names.tester, shown.tester);
      renaming_.add(one->names.iut, shown.iut);
      remarks_[one->names.tester] = whole_.places().remark(one->real, shown);
    }
  }

  void rename(RecordedFrame& frame, const Moved& moved) const {
    for (std::string* const end : {&frame.from, &frame.to}) *end = moved.in(renaming_.in(*end));
    for (std::string& comment : frame.comments) {
      const auto remark = remarks_.find(comment);
      comment = moved.in(remark == remarks_.end() ? renaming_.in(comment) : remark->second);
    }
    std::erase(frame.comments, "");
  }

  Recording& whole_;
  const std::string& place_;
  Renaming renaming_;
  std::map<std::string, std::string> remarks_;  // about flows, by the tester's name
};

void number_anew(Share& share, const std::vector<std::uint64_t>& numbers) {
  const auto anew = [&](std::uint64_t& frame) {
    if (frame > 0) frame = frame <= numbers.size() ? numbers[frame - 1] : 0;
  };
  for (Finding& one : share.findings) {
    anew(one.frame);
    for (FindingPlace& place : one.places) anew(place.frame);
  }
  for (CaseResult& one : share.cases) {
    anew(one.first_frame);
    anew(one.last_frame);
  }
}

void rename_all(Share& share, const Renaming& renaming) {
  const auto anew = [&](std::string& text) { text = renaming.in(text); };
  for (Finding& one : share.findings)
    for (std::string* const text : {&one.flow, &one.sender, &one.expected, &one.actual, &one.explanation}) anew(*text);
  for (FlowResult& one : share.flows)
    for (std::string* const text : {&one.id, &one.note, &one.missing}) anew(*text);
  for (CaseResult& one : share.cases) anew(one.reason);
  for (SharedReason& one : share.reasons) anew(one.reason);
}

// A process reports only the rules that it has exercised.
void add_other_rules(Share& share, const Share& all) {
  std::vector<RuleResult> rules;
  for (const RuleResult& one : all.rules) {
    const auto found = std::ranges::find(share.rules, one.rule, &RuleResult::rule);
    rules.push_back(found == share.rules.end() ? RuleResult{.rule = one.rule} : std::move(*found));
  }
  share.rules = std::move(rules);
}

// The result that one process would have had.
tl::expected<RunOutcome, std::string> whole_of(RunOutcome own, std::vector<Part> parts, const Protocol& protocol,
                                               const RunOptions& options) {
  RunOutcome whole{.lost = own.lost, .deaths = own.deaths, .interrupted = options.limits.signal()};
  const std::string name = own.share.inputs.front().input.name;
  std::vector<Share> shares;
  shares.push_back(std::move(own.share));
  std::size_t tried = 0;
  for (Part& one : parts) {
    tried += one.share.cases.size();
    whole.deaths += one.deaths;
    for (SharedInput& input : one.share.inputs) input.input.name = name;
    add_other_rules(one.share, shares.front());
    shares.push_back(std::move(one.share));
  }
  constexpr std::size_t kUnlimited = static_cast<std::size_t>(-1);
  const std::size_t rules = shares.front().rules.size();
  auto joined = join(std::move(shares), {.judge = options.shard.is_all() ? options.judge_limits
                                                                         : limits_of_share(options.judge_limits, rules),
                                         .listed_flows = kUnlimited});
  if (!joined) return tl::make_unexpected("--jobs: " + joined.error());
  if (!whole.lost && whole.interrupted == 0 && tried > 0 && joined->judged == 0)
    whole.lost = nothing_came_back(name, tried);
  for (SharedInput& input : joined->inputs)
    if (input.is_live) input.packets = input.input.frames;
  if (!options.shard.is_all()) whole.share = *joined;
  whole.results = results_of(std::move(*joined));
  conclude_parts(protocol, options, whole.results);
  return whole;
}

// Replaces the result of the case.
void report(const UncertainCase& now, PartOfRun& own, std::vector<Part>& parts) {
  for (Part& each : parts)
    for (CaseResult& one : each.share.cases)
      if (one.id == own.at(now.place).id) {
        one.verdict = now.verdict;
        one.reason = now.reason;
        return;
      }
  own.report(now.place, now.verdict, now.reason);
}

// Takes the error of the first process that has lost the IUT. If several cases were running when it died, none of them
// is known to be the cause.
void lose_where_lost(PartOfRun& own, std::vector<Part>& parts, const Dealing& dealing) {
  const auto part = std::ranges::find_if(parts, [](const Part& one) { return one.lost.has_value(); });
  if (part == parts.end()) return;
  TransportError error = *part->lost;
  const bool are_several = dealing.unfinished().size() > 1;
  std::vector<std::string_view> ids;
  for (UncertainCase one : dealing.unfinished()) {
    ids.push_back(own.at(one.place).id);
    if (are_several && one.verdict == Verdict::fail) {
      one.verdict = Verdict::inconclusive;
      one.reason += "; the peer died while other cases were under way: run it alone";
    }
    report(one, own, parts);
  }
  if (are_several) error.message += fmt::format(" (under way then: {})", fmt::join(ids, ", "));
  own.lose(std::move(error), dealing.why_lost());
}

}  // namespace

class CaseJobs::Processes {
 public:
  Processes(std::uint64_t jobs, const Protocol& protocol, const Make& make) {
    for (unsigned number = 1; number <= jobs; ++number) {
      auto spool = std::make_unique<Spool>();
      Spool& its = *spool;
      auto process =
          std::make_unique<CaseProcess>([&](Line& line) { Worker(line, protocol, number, jobs, its).work(make); });
      all.push_back({std::move(spool), std::move(process)});
    }
  }

  ~Processes() {
    for (const Hired& one : all) one.process->line().close();
  }
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  std::vector<Hired> all;
};

CaseJobs::CaseJobs(std::uint64_t jobs, const Protocol& protocol, Make make) : protocol_(protocol) {
  if (jobs > 1) processes_ = std::make_unique<Processes>(jobs, protocol, make);
}
CaseJobs::~CaseJobs() = default;

tl::expected<RunOutcome, std::string> CaseJobs::run(Iut& iut, bool all_meet, const RunOptions& options,
                                                    Recording* recording, const RunProgress& progress) {
  if (!processes_) return run_cases(protocol_, iut, options, recording, progress);
  RunOptions part = options;
  part.is_part = true;
  PartOfRun own(protocol_, iut, part, recording, progress);
  std::deque<std::size_t> queue;
  std::ranges::copy_if(own.places(), std::back_inserter(queue), [&](std::size_t at) { return !own.is_left_out(at); });
  own.meet();
  const auto goes_on = [&] { return !own.lost() && options.limits.signal() == 0 && !queue.empty(); };
  const auto run_next = [&] {
    own.run(queue.front());
    queue.pop_front();
  };
  while (goes_on() && !own.has_met()) run_next();
  if (recording) recording->flush();

  std::vector<Part> parts;
  bool has_run_alone = false;
  const std::string place = place_in(iut.capture_note());
  const std::span used =
      std::span(processes_->all).first(goes_on() ? std::min(processes_->all.size(), queue.size()) : 0);
  if (!used.empty()) {
    std::ranges::stable_sort(queue, std::greater(), [&](std::size_t at) { return seconds_of(protocol_, own.at(at)); });
    std::vector<CaseProcess*> processes;
    for (const Hired& one : used) processes.push_back(one.process.get());
    Dealing dealing(processes, all_meet, options, progress, own, queue);
    const auto said = dealing.all(recording != nullptr);
    if (!said) return tl::make_unexpected(said.error());
    const Catalogue catalogue = catalogue_of_stack(protocol_, protocols());
    for (const std::string& one : *said) {
      auto read = part_of(one, catalogue, place);
      if (!read) return tl::make_unexpected(std::string("--jobs: what a process has found cannot be read"));
      parts.push_back(std::move(*read));
    }
    lose_where_lost(own, parts, dealing);
    has_run_alone = dealing.has_run_alone();
  }
  if (recording && !parts.empty()) {
    OneRecording one(*recording, place);
    const auto numbers = one.take(used, parts);
    if (!numbers) return tl::make_unexpected(numbers.error());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      number_anew(parts[i].share, (*numbers)[i]);
      rename_all(parts[i].share, one.renaming());
    }
  }
  std::string in_doubt_since = own.in_doubt_since();
  for (const Part& one : parts)
    if (!one.in_doubt_since.empty()) in_doubt_since = one.in_doubt_since;
  if (!in_doubt_since.empty() && !own.lost()) own.look_for_service(in_doubt_since);
  while (!queue.empty()) run_next();  // reports why they are not run
  for (const std::size_t at : own.places())
    if (own.is_left_out(at)) own.run(at);
  auto whole = whole_of(own.finish(), std::move(parts), protocol_, options);
  if (whole) whole->has_run_alone = has_run_alone;
  return whole;
}

}  // namespace wirelaw
