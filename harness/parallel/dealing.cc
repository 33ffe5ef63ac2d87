// SPDX-License-Identifier: Apache-2.0
#include "harness/parallel/dealing.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/parallel/messages.h"

namespace wirelaw {
namespace {

// The number of uncertain cases that are run again alone, to find out if the IUT serves several testers.
constexpr std::size_t kEnough = 3;

}  // namespace

Dealing::Dealing(std::span<CaseProcess* const> processes, bool all_meet, const RunOptions& options,
                 const RunProgress& progress, PartOfRun& own, std::deque<std::size_t>& queue)
    : all_meet_(all_meet), options_(options), progress_(progress), own_(own), queue_(queue) {
  for (CaseProcess* const one : processes) hands_.push_back({.process = *one});
}

tl::expected<std::vector<std::string>, std::string> Dealing::all(bool records) {
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
  for (const UncertainCase& one : uncertain_) queue_.push_back(one.place);
  std::vector<std::string> said;
  for (Hand& one : hands_) said.push_back(std::move(one.result));
  return said;
}

// Once: a second signal would end a process out of order.
void Dealing::forward_signal() {
  const int signal = options_.limits.signal();
  if (signal == 0 || forwarded_ == signal) return;
  forwarded_ = signal;
  for (const Hand& one : hands_) one.process.signal(signal);
}

// ------------------------------------------------------------------------------------------------------------- dealing

bool Dealing::is_busy() const {
  return std::ranges::any_of(hands_, [](const Hand& one) { return one.place.has_value(); });
}

bool Dealing::is_time_to_run_alone() const {
  if (runs_alone_) return true;
  if (uncertain_.empty()) return false;
  return queue_.empty() || (rerun_ < kEnough && rerun_ + uncertain_.size() >= kEnough);
}

void Dealing::deal() {
  if (turn_ == nullptr)
    for (Hand& one : hands_)
      if (turn_ == nullptr && one.wants_turn) give_turn(one);
  if (is_over()) return finish_idle();
  if (is_time_to_run_alone()) return deal_alone();
  for (Hand& one : hands_) {
    if (one.place || one.is_finishing) continue;
    const auto next = std::ranges::find_if(queue_, [&](std::size_t at) { return has_turn_for(at); });
    if (next == queue_.end()) continue;
    const std::size_t place = *next;
    queue_.erase(next);
    give(one, place, all_meet_ ? order::kTry : order::kCase);
  }
  // Results of tried cases may have to be dropped while any case is running.
  if (queue_.empty() && (!all_meet_ || !is_busy())) finish_idle();
}

// The first process runs all of them: it notices if the IUT falls silent for good.
void Dealing::deal_alone() {
  if (is_busy()) return;
  if (uncertain_.empty() && queue_.empty()) return finish_idle();
  is_alone_ = true;
  if (!uncertain_.empty()) return give(hands_.front(), uncertain_.front().place, order::kCase);
  const std::size_t place = queue_.front();
  queue_.pop_front();
  give(hands_.front(), place, order::kCase);
}

void Dealing::finish_idle() {
  for (Hand& one : hands_) {
    if (one.place || one.is_finishing) continue;
    one.is_finishing = true;
    one.process.line().say(order::kFinish);
  }
}

void Dealing::give(Hand& hand, std::size_t place, char how) {
  hand.place = place;
  if (counts(place)) turn_ = &hand;
  if (progress_.begins) progress_.begins(own_.at(place), ended_, own_.selected());
  hand.process.line().say(how, fmt::format("{}", place));
}

void Dealing::give_turn(Hand& hand) {
  turn_ = &hand;
  hand.wants_turn = false;
  hand.process.line().say(order::kTurn);
}

// ----------------------------------------------------------------------------------------------------------- listening

tl::expected<void, std::string> Dealing::listen() {
  constexpr int kTurnMilliseconds = 100;  // bounds the delay of a signal that arrived just before
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
      return tl::make_unexpected(fmt::format("--jobs: a process {}{}, and without what it has found there is no result",
                                             hand.process.how_it_ended(),
                                             hand.place ? fmt::format(" in {}", own_.at(*hand.place).id) : ""));
  }
  return {};
}

void Dealing::hear(Hand& hand, const Line::Said& said) {
  switch (said.kind) {
    case answer::kWantsTurn:
      if (turn_ == &hand)
        give_turn(hand);
      else
        hand.wants_turn = true;
      break;
    case answer::kEnded:
      ended(hand, nlohmann::json::parse(said.text, nullptr, false));
      break;
    case answer::kDone:
      hand.result = said.text;
      hand.is_done = true;
      break;
    default:
      break;
  }
}

void Dealing::ended(Hand& hand, const nlohmann::json& how) {
  const UncertainCase one{
      .place = *hand.place, .verdict = static_cast<Verdict>(how.at("verdict").get<int>()), .reason = how.at("reason")};
  const bool stands = how.at("stands"), is_lost = how.at("lost");
  const bool was_alone = std::exchange(is_alone_, false);
  if (!is_lost) {
    hand.broken.reset();
    if (how.at("broken") && one.verdict == Verdict::fail) hand.broken = one;
  }
  hand.place.reset();
  hand.wants_turn = false;
  if (turn_ == &hand) turn_ = nullptr;
  if (stands) {
    ++ended_;
    CaseOutcome outcome;
    outcome.result.id = own_.at(one.place).id;
    outcome.result.verdict = one.verdict;
    if (progress_.ended) progress_.ended(outcome);
  }
  if (is_lost) return lose(how.at("why"));
  if (was_alone) return has_run_again(one);
  if (all_meet_) tried(one, stands);
}

void Dealing::tried(const UncertainCase& one, bool stands) {
  if (stands)
    stand_.push_back(one.place);
  else
    uncertain_.push_back(one);
}

// --------------------------------------------------------------------------------------------------------------- alone

void Dealing::has_run_again(const UncertainCase& one) {
  if (uncertain_.empty() || uncertain_.front().place != one.place) return;
  const Verdict before = uncertain_.front().verdict;
  uncertain_.pop_front();
  ++rerun_;
  if (before != one.verdict && ++contradicted_ == kEnough) forget_tries();
}

void Dealing::forget_tries() {
  runs_alone_ = true;
  for (const Hand& one : hands_) one.process.line().say(order::kForget);
  ended_ -= stand_.size();
  std::ranges::copy(std::exchange(stand_, {}), std::back_inserter(queue_));
  for (const UncertainCase& one : std::exchange(uncertain_, {})) queue_.push_back(one.place);
  std::ranges::sort(queue_);
}

void Dealing::lose(std::string why) {
  if (is_lost_) return;
  is_lost_ = true;
  why_lost_ = std::move(why);
  unfinished_.assign(uncertain_.begin(), uncertain_.end());
  uncertain_.clear();
  if (all_meet_) return;
  for (const Hand& one : hands_)
    if (one.broken) unfinished_.push_back(*one.broken);
}

}  // namespace wirelaw
