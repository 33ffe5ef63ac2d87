// SPDX-License-Identifier: Apache-2.0
#include "harness/parallel/case_worker.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "conformance/own_part.h"
#include "harness/parallel/messages.h"
#include "harness/parallel/renaming.h"
#include "harness/shard/join.h"
#include "harness/shard/share_json.h"
#include "harness/transports/nodes.h"

namespace wirelaw {
namespace {

using Json = nlohmann::json;

std::uint64_t number_in(const std::string& text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

void append(std::vector<PlacelessFlow> from, std::vector<PlacelessFlow>& to) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

// Each process uses its own part of the peer's memory that the URI declares. The first part and the last octets are
// reserved for cases that use all of the memory, one process at a time.
void add_own_part(IutParameters& parameters, std::uint64_t process, std::uint64_t processes) {
  constexpr std::uint64_t kPage = 4096;
  const auto addr = std::ranges::find(parameters, "addr", &IutParameters::value_type::first);
  const auto length = std::ranges::find(parameters, "length", &IutParameters::value_type::first);
  if (addr == parameters.end() || length == parameters.end()) return;
  const std::uint64_t begin = std::strtoull(addr->second.c_str(), nullptr, 0);
  const std::uint64_t part = std::strtoull(length->second.c_str(), nullptr, 0) / (processes + 2) / kPage * kPage;
  parameters.emplace_back(kOwnPart, fmt::format("{}", begin + process * part));
  parameters.emplace_back(kOwnPartLength, fmt::format("{}", part));
}

// Runs cases of a run in this process. Each try is a separate part of the run, so that it can be dropped.
class PartialRun {
 public:
  PartialRun(const Protocol& protocol, CaseJob& job, const RunOptions& options, Spool& spool, unsigned number,
             bool records)
      : protocol_(protocol), job_(job), options_(options), progress_(job.progress()), sink_(spool), recording_(sink_) {
    recording_.places().defer_to_whole(number);
    if (records) recorded_ = &recording_;
    stays_ = part();
  }

  // Runs the case and returns its result as text.
  std::string run(std::uint64_t place) {
    begin(place);
    const Verdict verdict = stays_->run(place);
    recording_.flush();
    append(recording_.places().take_placeless(), flows_);
    return ended(*stays_, place, verdict, true, stays_->lost().has_value());
  }

  std::string attempt(std::uint64_t place) {
    begin(place);
    const auto one = part();
    const std::uint64_t first = recording_.frames();
    const Verdict verdict = one->run(place);
    recording_.flush();
    auto flows = recording_.places().take_placeless();
    const FrameRange frames{first + 1, recording_.frames() + 1};
    const bool stands = one->is_certain() || options_.limits.signal() != 0;
    std::string said = ended(*one, place, verdict, stands, false);
    if (!stands) {
      dropped_.push_back(frames);
      return said;
    }
    if (auto since = one->in_doubt_since(); !since.empty()) tries_.in_doubt_since = std::move(since);
    tries_.shares.push_back(one->finish().share);
    tries_.frames.push_back(frames);
    append(std::move(flows), tries_.flows);
    return said;
  }

  void forget() {
    const Tries tries = std::exchange(tries_, {});
    dropped_.insert(dropped_.end(), tries.frames.begin(), tries.frames.end());
  }

  std::string done() {
    std::string in_doubt_since = stays_->in_doubt_since();
    if (in_doubt_since.empty()) in_doubt_since = tries_.in_doubt_since;
    RunOutcome outcome = stays_->finish();
    append(std::move(tries_.flows), flows_);
    Json flows = Json::array(), dropped = Json::array();
    for (const PlacelessFlow& one : flows_)
      flows.push_back(
          {one.step, one.real.tester, one.real.iut, one.iut_chose, one.ports, one.names.tester, one.names.iut});
    for (const FrameRange& one : dropped_) dropped.push_back({one.first, one.end});
    Json lost;
    if (outcome.lost) lost = {{"message", outcome.lost->message}, {"hint", outcome.lost->hint}};
    return text_of({{"share", share_text(without_other_rules(whole(std::move(outcome.share))))},
                    {"flows", std::move(flows)},
                    {"dropped", std::move(dropped)},
                    {"lost", std::move(lost)},
                    {"in_doubt_since", in_doubt_since},
                    {"deaths", outcome.deaths},
                    {"place", place_in(job_.iut().capture_note())},
                    {"room", sink_.has_room()}});
  }

 private:
  // The cases that were tried, and whose results count so far.
  struct Tries {
    std::vector<Share> shares;
    std::vector<PlacelessFlow> flows;
    std::vector<FrameRange> frames;
    std::string in_doubt_since;
  };

  std::unique_ptr<PartOfRun> part() {
    auto one = std::make_unique<PartOfRun>(protocol_, job_.iut(), options_, recorded_, progress_);
    one->has_been_met();
    return one;
  }

  void begin(std::uint64_t place) {
    sink_.begin_step(place);
    recording_.places().begin_step(place);
  }

  static std::string ended(const PartOfRun& part, std::uint64_t place, Verdict verdict, bool stands, bool lost) {
    return text_of({{"place", place},
                    {"verdict", static_cast<int>(verdict)},
                    {"reason", part.latest().reason},
                    {"broken", part.was_broken()},
                    {"stands", stands},
                    {"lost", lost},
                    {"why", part.why_not_run()}});
  }

  // Returns the share with only the rules that this process has exercised, since the text of all rules is most of a
  // share.
  static Share without_other_rules(Share share) {
    std::erase_if(share.rules, [&](const RuleResult& one) {
      return one.exercised + one.failed + one.warned + one.held_back + one.inconclusive == 0 &&
             std::ranges::count(share.reasons, one.rule, &SharedReason::rule) == 0;
    });
    return share;
  }

  // Shares of one run have the same rules, and so can be joined.
  Share whole(Share own) {
    if (tries_.shares.empty()) return own;
    const JudgeLimits limits = limits_of_share(options_.judge_limits, own.rules.size());
    tries_.shares.insert(tries_.shares.begin(), std::move(own));
    return join(std::move(tries_.shares), {.judge = limits, .listed_flows = static_cast<std::size_t>(-1)}).value();
  }

  const Protocol& protocol_;
  CaseJob& job_;
  const RunOptions& options_;
  const RunProgress progress_;
  SpoolSink sink_;
  Recording recording_;
  Recording* recorded_ = nullptr;
  std::unique_ptr<PartOfRun> stays_;
  std::vector<PlacelessFlow> flows_;
  Tries tries_;
  std::vector<FrameRange> dropped_;
};

}  // namespace

std::string place_in(const std::string& note) {
  return note.substr(std::min(note.find('=') + 1, note.size()));
}

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
  for (const Json& one : said.at("dropped")) part.dropped.push_back({one.at(0), one.at(1)});
  if (const Json& lost = said.at("lost"); lost.is_object())
    part.lost = TransportError{.message = moved.in(lost.at("message").get<std::string>()), .hint = lost.at("hint")};
  return part;
}

void Worker::work(const CaseJobs::Make& make) {
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
      CaseProcess::take_signals();  // the job is prepared for this
    }
    if (!run(*job, said->text.find(kRecords) != std::string::npos, said->text.find(kShared) != std::string::npos))
      return;
  }
}

// False if the other process has gone.
bool Worker::run(CaseJob& job, bool records, bool shared) {
  RunOptions options = job.options();
  options.is_part = true;
  if (shared) {
    options.limits.wait_for_turn = [this] { wait_for_turn(); };
    add_own_part(options.parameters, number_, workers_);
  }
  PartialRun run(protocol_, job, options, spool_, number_, records);
  while (const auto said = line_.hear()) {
    switch (said->kind) {
      case order::kFinish:
        return line_.say(answer::kDone, run.done());
      case order::kCase:
        if (!line_.say(answer::kEnded, run.run(number_in(said->text)))) return false;
        break;
      case order::kTry:
        if (!line_.say(answer::kEnded, run.attempt(number_in(said->text)))) return false;
        break;
      case order::kForget:
        run.forget();
        break;
      default:
        return false;
    }
  }
  return false;
}

// The guard against a case that never ends waits with it.
void Worker::wait_for_turn() {
  const unsigned left = ::alarm(0);
  if (line_.say(answer::kWantsTurn)) static_cast<void>(line_.hear());
  ::alarm(left);
}

}  // namespace wirelaw
