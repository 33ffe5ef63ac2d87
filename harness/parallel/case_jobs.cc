// SPDX-License-Identifier: Apache-2.0
#include "harness/parallel/case_jobs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "conformance/stack.h"
#include "harness/parallel/case_process.h"
#include "harness/parallel/renaming.h"
#include "harness/parallel/spooled_frames.h"
#include "harness/shard/join.h"
#include "harness/shard/share_json.h"
#include "harness/transports/nodes.h"

namespace wirelaw {
namespace {

using Json = nlohmann::json;

// The messages on the line.
namespace order {
constexpr char kBegin = 'b', kCase = 'c', kTurn = 't', kFinish = 'f';
}  // namespace order
namespace answer {
constexpr char kRefused = 'r', kWantsTurn = 'w', kEnded = 'e', kDone = 'd';
}  // namespace answer
constexpr std::string_view kRecords = "records", kShared = "shared";  // flags of a run that begins

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::uint64_t number_in(const std::string& text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// The end of the flow that is the IUT, or the tester, by which a recording knows it: "127.0.0.1:7000".
std::string place_in(const std::string& note) {
  return note.substr(std::min(note.find('=') + 1, note.size()));
}

// What a process has done in a run.
struct Part {
  Share share;
  std::vector<PlacelessFlow> flows;
  std::optional<TransportError> lost;
  std::string in_doubt_since = {};  // PartOfRun::in_doubt_since()
  std::size_t deaths = 0;
  std::string place;  // as its recording would have it: place_in()
  bool has_room = true;
};

// ------------------------------------------------------------------------------------------------- in another process

class Worker {
 public:
  Worker(Line& line, const Protocol& protocol, unsigned number, Spool& spool)
      : line_(line), protocol_(protocol), number_(number), spool_(spool) {}

  void work(const CaseJobs::Make& make) {
    number_nodes(number_);
    std::unique_ptr<CaseJob> job;
    std::uint64_t repetition = 0;
    while (const auto said = line_.hear()) {
      if (said->kind != order::kBegin) return;
      if (job) job->repeat(++repetition);
      if (!job) {
        auto made = make(number_);
        if (!made) return static_cast<void>(line_.say(answer::kRefused, made.error()));
        job = std::move(*made);
        CaseProcess::take_signals();  // for which the job has made ready
      }
      if (!run(*job, said->text.find(kRecords) != std::string::npos, said->text.find(kShared) != std::string::npos))
        return;
    }
  }

 private:
  // False if the other process has gone.
  bool run(CaseJob& job, bool records, bool shared) {
    SpoolSink sink(spool_);
    Recording recording(sink);
    recording.places().defer_to_whole(number_);
    RunOptions options = job.options();
    options.is_part = true;
    if (shared) options.limits.wait_for_turn = [this] { wait_for_turn(); };
    const RunProgress progress = job.progress();
    PartOfRun part(protocol_, job.iut(), options, records ? &recording : nullptr, progress);
    part.has_been_met();
    while (const auto said = line_.hear()) {
      if (said->kind == order::kFinish) return line_.say(answer::kDone, done(part, recording, sink, job.iut()));
      if (said->kind != order::kCase) return false;
      const std::uint64_t place = number_in(said->text);
      sink.begin_step(place);
      recording.places().begin_step(place);
      const Verdict verdict = part.run(place);
      recording.flush();
      const Json ended{{"place", place},
                       {"verdict", static_cast<int>(verdict)},
                       {"broken", part.was_broken()},
                       {"lost", part.lost().has_value()},
                       {"why", part.why_not_run()}};
      if (!line_.say(answer::kEnded, text_of(ended))) return false;
    }
    return false;
  }

  // The guard against a case that never ends waits with it.
  void wait_for_turn() {
    const unsigned left = ::alarm(0);
    if (line_.say(answer::kWantsTurn)) static_cast<void>(line_.hear());
    ::alarm(left);
  }

  static std::string done(PartOfRun& part, Recording& recording, const SpoolSink& sink, const Iut& iut) {
    const std::string in_doubt_since = part.in_doubt_since();
    const RunOutcome outcome = part.finish();
    Json flows = Json::array();
    for (const PlacelessFlow& one : recording.places().take_placeless())
      flows.push_back(
          {one.step, one.real.tester, one.real.iut, one.iut_chose, one.ports, one.names.tester, one.names.iut});
    Json lost;
    if (outcome.lost) lost = {{"message", outcome.lost->message}, {"hint", outcome.lost->hint}};
    return text_of({{"share", share_text(outcome.share)},
                    {"flows", std::move(flows)},
                    {"lost", std::move(lost)},
                    {"in_doubt_since", in_doubt_since},
                    {"deaths", outcome.deaths},
                    {"place", place_in(iut.capture_note())},
                    {"room", sink.has_room()}});
  }

  Line& line_;
  const Protocol& protocol_;
  unsigned number_;
  Spool& spool_;
};

// Reads text in which the addresses of this process's IUT are those that all other processes use.
std::optional<Part> part_of(const std::string& text, const Catalogue& catalogue, const std::string& place) {
  const Json said = Json::parse(text, nullptr, false);
  if (!said.is_object()) return std::nullopt;
  Part part{.in_doubt_since = said.at("in_doubt_since"),
            .deaths = said.at("deaths"),
            .place = said.at("place"),
            .has_room = said.at("room")};
  const Moved moved(part.place, place);
  auto share = share_of_text(moved.in(said.at("share").get<std::string>()),
                             [&](std::string_view id) { return catalogue.find(id); });
  if (!share) return std::nullopt;
  part.share = std::move(*share);
  for (const Json& one : said.at("flows"))
    part.flows.push_back(
        {.step = one.at(0),
         .real = {.tester = moved.in(one.at(1).get<std::string>()), .iut = moved.in(one.at(2).get<std::string>())},
         .iut_chose = one.at(3),
         .ports = one.at(4),
         .names = {.tester = one.at(5), .iut = one.at(6)}});
  if (const Json& lost = said.at("lost"); lost.is_object())
    part.lost = TransportError{.message = moved.in(lost.at("message").get<std::string>()), .hint = lost.at("hint")};
  return part;
}

struct Hired {
  std::unique_ptr<Spool> spool;  // which both sides have
  std::unique_ptr<CaseProcess> process;
};

// ------------------------------------------------------------------------------------------------------------- dealing

// Gives each process that is free the next case, until there is none or the run is to end.
class Dealing {
 public:
  Dealing(std::span<Hired> processes, bool all_meet, const RunOptions& options, const RunProgress& progress,
          PartOfRun& own, std::deque<std::size_t>& queue)
      : all_meet_(all_meet), options_(options), progress_(progress), own_(own), queue_(queue) {
    for (Hired& one : processes) hands_.push_back({.process = *one.process});
  }

  // What each process has to report about its cases in the end. The error is one line.
  tl::expected<std::vector<std::string>, std::string> all(bool records) {
    std::string how;
    if (records) how += kRecords;
    if (all_meet_) how += kShared;
    for (Hand& one : hands_)
      if (!one.process.is_there() || !one.process.line().say(order::kBegin, how))
        return tl::make_unexpected(std::string("--jobs: there is no room for so many processes"));
    while (std::ranges::any_of(hands_, [](const Hand& one) { return !one.is_done; })) {
      forward_signal();
      deal();
      if (auto heard = listen(); !heard) return tl::make_unexpected(heard.error());
    }
    std::vector<std::string> said;
    for (Hand& one : hands_) said.push_back(std::move(one.result));
    return said;
  }

  // The reason from the first process that has lost the IUT.
  const std::string& why_lost() const { return why_lost_; }
  // The last cases of all processes that had failed by then because the IUT could not be reached.
  const std::vector<std::string_view>& suspects() const { return suspects_; }

 private:
  struct Hand {
    CaseProcess& process;
    std::optional<std::size_t> place = {};  // the case that it runs
    std::string_view broken = {};           // the previous case, if the way to the IUT broke in it, and it failed
    bool wants_turn = false;
    bool is_finishing = false, is_done = false;
    std::string result = {};
  };

  bool is_over() const { return is_lost_ || options_.limits.signal() != 0; }

  // Once: a second signal would end a process out of order.
  void forward_signal() {
    const int signal = options_.limits.signal();
    if (signal == 0 || forwarded_ == signal) return;
    forwarded_ = signal;
    for (const Hand& one : hands_) one.process.signal(signal);
  }

  bool counts(std::size_t place) const { return all_meet_ && own_.at(place).needs == Service::count; }

  void deal() {
    if (turn_ == nullptr)
      for (Hand& one : hands_)
        if (turn_ == nullptr && one.wants_turn) give_turn(one);
    for (Hand& one : hands_) {
      if (one.place || one.is_finishing) continue;
      const auto next = std::ranges::find_if(queue_, [&](std::size_t at) { return turn_ == nullptr || !counts(at); });
      if (queue_.empty() || is_over()) {
        one.is_finishing = true;
        one.process.line().say(order::kFinish);
      } else if (next != queue_.end()) {
        one.place = *next;
        queue_.erase(next);
        if (counts(*one.place)) turn_ = &one;
        if (progress_.begins) progress_.begins(own_.at(*one.place), ended_, own_.selected());
        one.process.line().say(order::kCase, fmt::format("{}", *one.place));
      }
    }
  }

  void give_turn(Hand& hand) {
    turn_ = &hand;
    hand.wants_turn = false;
    hand.process.line().say(order::kTurn);
  }

  tl::expected<void, std::string> listen() {
    constexpr int kTurnMilliseconds = 100;  // a signal may come just before
    std::vector<pollfd> lines;
    for (Hand& one : hands_) lines.push_back({one.is_done ? -1 : one.process.line().descriptor(), POLLIN, 0});
    if (::poll(lines.data(), lines.size(), kTurnMilliseconds) <= 0) return {};
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].revents == 0) continue;
      Hand& hand = hands_[i];
      const bool is_there = hand.process.line().read_some();
      while (const auto said = hand.process.line().take()) {
        if (said->kind == answer::kRefused) return tl::make_unexpected(said->text);
        hear(hand, *said);
      }
      if (!is_there && !hand.is_done)
        return tl::make_unexpected(
            fmt::format("--jobs: a process {}{}, and without what it has found there is no result",
                        hand.process.how_it_ended(), hand.place ? fmt::format(" in {}", own_.at(*hand.place).id) : ""));
    }
    return {};
  }

  void hear(Hand& hand, const Line::Said& said) {
    switch (said.kind) {
      case answer::kWantsTurn:
        if (turn_ == &hand)
          give_turn(hand);
        else
          hand.wants_turn = true;
        break;
      case answer::kEnded:
        ended(hand, Json::parse(said.text, nullptr, false));
        break;
      case answer::kDone:
        hand.result = said.text;
        hand.is_done = true;
        break;
      default:
        break;
    }
  }

  void ended(Hand& hand, const Json& how) {
    CaseOutcome outcome;
    outcome.result.id = own_.at(how.at("place")).id;
    outcome.result.verdict = static_cast<Verdict>(how.at("verdict").get<int>());
    ++ended_;
    const bool is_lost = how.at("lost");
    const bool broke = how.at("broken") && outcome.result.verdict == Verdict::fail;
    if (!is_lost) hand.broken = broke ? own_.at(*hand.place).id : std::string_view();
    hand.place.reset();
    hand.wants_turn = false;
    if (turn_ == &hand) turn_ = nullptr;
    if (progress_.ended) progress_.ended(outcome);
    if (!is_lost || is_lost_) return;
    is_lost_ = true;
    why_lost_ = how.at("why");
    for (const Hand& one : hands_)
      if (!one.broken.empty()) suspects_.push_back(one.broken);
  }

  const bool all_meet_;
  const RunOptions& options_;
  const RunProgress& progress_;
  PartOfRun& own_;
  std::deque<std::size_t>& queue_;
  std::vector<Hand> hands_;
  Hand* turn_ = nullptr;  // the process that uses what the IUT has only once
  std::size_t ended_ = 0;
  int forwarded_ = 0;
  bool is_lost_ = false;
  std::string why_lost_;
  std::vector<std::string_view> suspects_;
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
      for (std::size_t i = 0; i < index.size(); ++i) entries.push_back({index[i], part, i});
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

// The error of the first process that has lost the IUT. Of several cases that were under way when it died, none is
// known to have done it.
void lose_where_lost(PartOfRun& own, std::vector<Part>& parts, const Dealing& dealing) {
  const auto part = std::ranges::find_if(parts, [](const Part& one) { return one.lost.has_value(); });
  if (part == parts.end()) return;
  TransportError error = *part->lost;
  const auto& suspects = dealing.suspects();
  if (suspects.size() > 1) {
    error.message += fmt::format(" (under way then: {})", fmt::join(suspects, ", "));
    for (Part& each : parts)
      for (CaseResult& one : each.share.cases) {
        if (std::ranges::count(suspects, one.id) == 0 || one.verdict != Verdict::fail) continue;
        one.verdict = Verdict::inconclusive;
        one.reason += "; the peer died while other cases were under way: run it alone";
      }
  }
  own.lose(std::move(error), dealing.why_lost());
}

}  // namespace

class CaseJobs::Processes {
 public:
  Processes(std::uint64_t jobs, const Protocol& protocol, const Make& make) {
    for (unsigned number = 1; number <= jobs; ++number) {
      auto spool = std::make_unique<Spool>();
      Spool& its = *spool;
      auto process = std::make_unique<CaseProcess>([&](Line& line) { Worker(line, protocol, number, its).work(make); });
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
  const std::string place = place_in(iut.capture_note());
  const std::span used =
      std::span(processes_->all).first(goes_on() ? std::min(processes_->all.size(), queue.size()) : 0);
  if (!used.empty()) {
    Dealing dealing(used, all_meet, options, progress, own, queue);
    const auto said = dealing.all(recording != nullptr);
    if (!said) return tl::make_unexpected(said.error());
    const Catalogue catalogue = catalogue_of_stack(protocol_, protocols());
    for (const std::string& one : *said) {
      auto read = part_of(one, catalogue, place);
      if (!read) return tl::make_unexpected(std::string("--jobs: what a process has found cannot be read"));
      parts.push_back(std::move(*read));
    }
    lose_where_lost(own, parts, dealing);
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
  return whole_of(own.finish(), std::move(parts), protocol_, options);
}

}  // namespace wirelaw
