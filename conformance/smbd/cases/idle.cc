// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD] 3.1.2, 3.1.5.5, 3.1.5.8 and 3.1.6: keep-alives, and the two timers. Cases that depend on the IUT's timers
// need their values: the parameters `keepalive` and `negotiation`.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "conformance/smbd/2.2.3-data-transfer/rules.h"
#include "conformance/smbd/3.1.1.1-connection/rules.h"
#include "conformance/smbd/3.1.2-timers/rules.h"
#include "conformance/smbd/3.1.4.1-connecting/rules.h"
#include "conformance/smbd/3.1.5.1-sending/rules.h"
#include "conformance/smbd/3.1.5.5-receiving/rules.h"
#include "conformance/smbd/3.1.5.6-receiving-request/rules.h"
#include "conformance/smbd/3.1.5.7-receiving-response/rules.h"
#include "conformance/smbd/3.1.5.8-receiving-data/rules.h"
#include "conformance/smbd/3.1.6-timer-events/rules.h"
#include "conformance/smbd/3.1.7.2-arrival/rules.h"
#include "conformance/smbd/cases/case_file.h"

namespace wirelaw::smbd {
namespace {

using std::chrono::nanoseconds;
using std::chrono::seconds;

constexpr seconds kListenersTime{5};     // 3.1.7.2
constexpr seconds kInitiatorsTime{120};  // 3.1.4.1
constexpr seconds kAnswerTime{5};        // limit for the answer to a keep-alive: SMBD/A28, SMBD/A29
constexpr seconds kBeside{20};           // time of a case in addition to the IUT's timer

// Returns this many tenths of a time that is a parameter of the IUT. The case is skipped if the user has not given it,
// or does not allow the case that long.
std::optional<seconds> time_of(Probe& peer, std::string_view name, unsigned tenths = 10) {
  const std::string_view text = peer.run().parameter(name);
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value == 0) {
    peer.skip(fmt::format("needs the parameter {}, in seconds", name));
    return std::nullopt;
  }
  const seconds whole = seconds(value) * tenths / 10 + kBeside;
  if (whole <= peer.run().deadline()) return seconds(value);
  peer.skip(
      fmt::format("takes {} seconds, as the parameter {} states: raise --deadline accordingly", whole.count(), name));
  return std::nullopt;
}

// The IUT has credits, and nothing to do: an initiator waits for the echo of its message, which is left to the case.
OctetBuffer settle(Probe& peer) {
  OctetBuffer left;
  if (peer.iut() == Role::initiator) left = peer.begin_turn();
  if (peer.await_credits(1)) peer.send(peer.empty());
  peer.pass(peer.run().silence_time());
  return left;
}

// It serves on.
void expect_alive_by(Probe& peer, const OctetBuffer& left, Probe::Rules rules, std::string_view explanation) {
  peer.send_message(left);
  static_cast<void>(left.empty() ? peer.expect_alive(rules, explanation) : peer.expect_taken(rules, explanation));
}

// Waits for the next message that requests a response; accepts others.
Response await_question(Probe& peer, nanoseconds time) {
  const Instant until = peer.in(time);
  while (peer.ok()) {
    Response response = peer.next(until);
    const auto message = response.transfer();
    if (!message || message->requests_response()) return response;
  }
  return {};
}

// ---------------------------------------------------------------------------------------------- who is asked, answers

void answers_when_asked(Probe& peer) {
  const OctetBuffer left = settle(peer);
  for (int i = 0; i < 3; ++i) {
    if (!peer.await_credits(1)) return;
    peer.stimulates(rule<"SMBD-3.1.5.8-11">);
    peer.send(peer.empty(flag::kResponseRequested));
    const Response response = peer.next(peer.in(kAnswerTime));
    peer.require_each({&rule<"SMBD-3.1.5.8-11">, &rule<"SMBD-3.1.5.8-10">, &rule<"SMBD-3.1.5.1-4">,
                       &rule<"SMBD-3.1.6-9">, &rule<"SMBD-2.2.3-5">},
                      response.is_message(), "a message within 5 seconds", to_text(response),
                      "an empty message asks for a response");
    peer.pass(peer.run().silence_time());
  }
  expect_alive_by(peer, left, {&rule<"SMBD-3.1.5.8-11">}, "after it has answered three times");
}

// Expects one answer and messages that grant credits. Because the tester does not ask again, no endless exchange begins
// (SMBD/A4).
void answers_once(Probe& peer) {
  constexpr std::size_t kMost = 3;
  const OctetBuffer left = settle(peer);
  if (!peer.await_credits(1)) return;
  const std::size_t before = peer.seen().size();
  peer.send(peer.empty(flag::kResponseRequested));
  peer.pass(4 * peer.run().silence_time());
  const std::size_t answers = peer.seen().size() - before;
  peer.require_each({&rule<"SMBD-3.1.5.8-11">, &rule<"SMBD-3.1.5.1-17">}, answers >= 1 && answers <= kMost,
                    "an answer, and no endless exchange", fmt::format("{} messages", answers),
                    "one message has asked for a response");
  expect_alive_by(peer, left, {&rule<"SMBD-3.1.5.1-17">}, "after one answer");
}

// SMBD/A4: its answers may ask, its other messages have no reason to.
void asks_for_nothing(Probe& peer) {
  const OctetBuffer left = settle(peer);
  peer.send_message(left);
  if (!left.empty()) peer.expect_taken(rule<"SMBD-3.1.5.1-16">, "a valid message");
  if (peer.foresees_answers() && peer.iut() == Role::responder)
    for (int i = 0; i < 2; ++i) peer.take_turn();
  for (std::uint32_t count = peer.credits(); peer.ok() && count > 1; --count) peer.send(peer.empty());
  peer.pass(peer.run().silence_time());
  if (peer.ok() && peer.seen().empty()) return peer.inconclusive("it has sent no message");
  const bool asked = std::ranges::any_of(peer.seen(), [](const auto& one) { return one.requests_response(); });
  const Rule& begins = peer.iut() == Role::initiator ? rule<"SMBD-3.1.4.1-6"> : rule<"SMBD-3.1.7.2-10">;
  peer.require_each({&begins, &rule<"SMBD-3.1.5.1-13">, &rule<"SMBD-3.1.1.1-4">}, !asked,
                    "no message that asks for a response", "a message that does", "it has not been idle");
}

// ------------------------------------------------------------------------------------------------------ the idle timer

void asks_when_idle(Probe& peer) {
  const auto time = time_of(peer, "keepalive");
  if (!time) return;
  const OctetBuffer left = settle(peer);
  const Response question = await_question(peer, *time + kAnswerTime);
  const Rule& started = peer.iut() == Role::initiator ? rule<"SMBD-3.1.5.7-23"> : rule<"SMBD-3.1.5.6-23">;
  peer.require_each({&rule<"SMBD-3.1.2-3">, &rule<"SMBD-3.1.2-4">, &rule<"SMBD-3.1.6-4">, &rule<"SMBD-3.1.6-7">,
                     &rule<"SMBD-3.1.6-8">, &rule<"SMBD-3.1.5.1-10">, &started},
                    question.is_message(), "a message that asks for a response", to_text(question),
                    fmt::format("its interval is {} seconds", time->count()));
  // It was answered: the connection stays.
  const bool stays = peer.pass(2 * kAnswerTime);
  peer.require(rule<"SMBD-3.1.5.5-4">, stays, "the connection stays", "its end", "its keep-alive was answered");
  expect_alive_by(peer, left, {&rule<"SMBD-3.1.5.5-4">}, "after its keep-alive was answered");
}

void ends_when_unanswered(Probe& peer) {
  const auto time = time_of(peer, "keepalive", 20);
  if (!time) return;
  static_cast<void>(settle(peer));
  peer.leave_keepalives_alone();
  peer.grant_nothing();
  const Response question = await_question(peer, *time + kAnswerTime);
  if (peer.ok() && !question.is_message()) return peer.inconclusive("it has not asked for a response");
  const Instant asked = peer.now();
  const std::size_t before = peer.seen().size();
  const bool stays = peer.pass(*time + kAnswerTime);
  if (!peer.ok()) return;
  const bool repeated = std::any_of(peer.seen().begin() + static_cast<std::ptrdiff_t>(before), peer.seen().end(),
                                    [](const DataTransfer& one) { return one.requests_response(); });
  static_cast<void>(peer.run().require(rule<"SMBD-3.1.5.1-11">, !repeated, "one message that asks for a response",
                                       "more of them", "the first was not answered"));
  peer.advise(rule<"SMBD-3.1.2-5">, !stays, "the connection's end", "nothing", "its keep-alive was not answered");
  peer.advise(rule<"SMBD-3.1.5.1-12">, peer.now() - asked < *time,
              "a time limit for the answer that differs from its interval", "its interval",
              "its keep-alive was not answered");
  peer.require_each({&rule<"SMBD-3.1.6-5">, &rule<"SMBD-3.1.6-4">}, !stays, "the connection's end", "nothing",
                    "its keep-alive was not answered");
}

// A message at six tenths of its interval: it asks an interval after that, and not before.
void receiving_restarts(Probe& peer) {
  const auto time = time_of(peer, "keepalive", 22);
  if (!time) return;
  const OctetBuffer left = settle(peer);
  peer.leave_keepalives_alone();
  const nanoseconds part = *time * 6 / 10;
  for (int i = 0; i < 2; ++i) {
    const Response early = await_question(peer, part);
    peer.require_each({&rule<"SMBD-3.1.2-6">, &rule<"SMBD-3.1.5.5-3">}, early.kind == Response::Kind::nothing,
                      "no keep-alive before its interval has passed", to_text(early),
                      "the last message came less than an interval before");
    if (peer.await_credits(1)) peer.send(peer.empty());
  }
  const Response early = await_question(peer, *time * 8 / 10);
  peer.require_each({&rule<"SMBD-3.1.2-6">, &rule<"SMBD-3.1.5.5-3">}, early.kind == Response::Kind::nothing,
                    "no keep-alive before its interval has passed", to_text(early),
                    "the last message came less than an interval before");
  const Response question = await_question(peer, *time * 2 / 10 + kAnswerTime);
  peer.require(rule<"SMBD-3.1.5.5-3">, question.is_message(), "a message that asks for a response", to_text(question),
               "an interval after the last message");
  peer.send(peer.empty());
  expect_alive_by(peer, left, {&rule<"SMBD-3.1.5.5-3">}, "after its keep-alive was answered");
}

// ------------------------------------------------------------------------------------------------ the Negotiation
// Timer

// Ending the connection is a SHOULD (3.1.6.1), so a connection that stays proves nothing about the timer.
void expect_end_by_timer(Probe& peer, const Response& response, const Rule& ends, Probe::Rules timer,
                         std::string_view explanation) {
  for (const Rule* const demand : timer)
    peer.advise(*demand, response.ended(), "the connection's end", to_text(response), explanation);
  peer.require(ends, response.ended(), "the connection's end", to_text(response), explanation);
}

void ends_without_a_request(ListenerProbe& listener) {
  const Response response = listener.next(listener.in(kListenersTime + listener.run().answer_time()));
  expect_end_by_timer(listener, response, rule<"SMBD-3.1.6-1">,
                      {&rule<"SMBD-3.1.7.2-3">, &rule<"SMBD-3.1.2-1">, &rule<"SMBD-3.1.2-2">},
                      "no Negotiate Request comes for 5 seconds");
  listener.expect_served_anew(rule<"SMBD-3.1.2-2">, "a new connection with a request");
}

void waits_for_a_request(ListenerProbe& listener) {
  listener.pass(kListenersTime * 8 / 10);
  listener.send_request(ListenerProbe::good_request());
  const Response response = listener.await_response();
  listener.require(rule<"SMBD-3.1.7.2-3">, listener.most_to_send() > 0, "a response of success", to_text(response),
                   "a request 4 seconds after the connection");
  listener.expect_alive(rule<"SMBD-3.1.7.2-3">, "a request 4 seconds after the connection");
}

void ends_without_a_response(InitiatorProbe& initiator) {
  const auto time = time_of(initiator, "negotiation");
  if (!time) return;
  const Response response = initiator.next(initiator.in(*time + initiator.run().answer_time()));
  expect_end_by_timer(initiator, response, rule<"SMBD-3.1.6-2">,
                      {&rule<"SMBD-3.1.4.1-15">, &rule<"SMBD-3.1.2-1">, &rule<"SMBD-3.1.2-2">},
                      fmt::format("no Negotiate Response comes for {} seconds", time->count()));
  initiator.expect_served_anew(rule<"SMBD-3.1.2-2">, "a new connection with a response");
}

// The specification allows 120 seconds. An initiator that gives up earlier may do so for its upper layer, so that is a
// warning.
void waits_for_a_response(InitiatorProbe& initiator) {
  const auto time = time_of(initiator, "negotiation");
  if (!time) return;
  const bool waits = initiator.pass(kInitiatorsTime * 9 / 10);
  if (!initiator.advise(rule<"SMBD-3.1.4.1-15">, waits, "the connection stays", "its end",
                        "no Negotiate Response comes for 108 seconds"))
    return;
  initiator.negotiate();
  initiator.expect_alive(rule<"SMBD-3.1.4.1-15">, "a response 108 seconds after the request");
}

// The timer was for the negotiation, and it is over.
void outlives(Probe& peer, nanoseconds time, const Rule& rule) {
  const OctetBuffer left = settle(peer);
  const bool stays = peer.pass(time);
  peer.require(rule, stays, "the connection stays", "its end", "the negotiation succeeded long ago");
  expect_alive_by(peer, left, {&rule}, "after the time limit of the negotiation");
}

const CaseRow kRows[] = {
    {"idle/{}-answers-when-asked",
     {&rule<"SMBD-3.1.5.8-11">, &rule<"SMBD-3.1.5.8-10">, &rule<"SMBD-3.1.5.1-4">, &rule<"SMBD-3.1.6-9">,
      &rule<"SMBD-2.2.3-5">},
     "The IUT answers an empty message that asks for a response promptly.",
     with_each([](Probe& peer) { answers_when_asked(peer); })},
    {"idle/{}-answers-once",
     {&rule<"SMBD-3.1.5.8-11">, &rule<"SMBD-3.1.5.1-17">},
     "The IUT does not begin an endless exchange after one message that asks for a response.",
     with_each([](Probe& peer) { answers_once(peer); })},
    {.id = "idle/{}-asks-for-nothing-at-first",
     .rules = {&rule<"SMBD-3.1.1.1-4">, &rule<"SMBD-3.1.5.1-13">, &rule<"SMBD-3.1.5.1-16">},
     .purpose = "The IUT asks for no response while it is not idle.",
     .run = with_each([](Probe& peer) { asks_for_nothing(peer); }),
     .also_responder = {&rule<"SMBD-3.1.7.2-10">},
     .also_initiator = {&rule<"SMBD-3.1.4.1-6">}},
    {.id = "idle/{}-asks-a-silent-peer",
     .rules = {&rule<"SMBD-3.1.2-3">, &rule<"SMBD-3.1.2-4">, &rule<"SMBD-3.1.6-4">, &rule<"SMBD-3.1.6-7">,
               &rule<"SMBD-3.1.6-8">, &rule<"SMBD-3.1.5.1-10">, &rule<"SMBD-3.1.5.5-4">},
     .purpose = "The IUT asks for a response after its keep-alive interval, and keeps the connection when one comes.",
     .run = with_each([](Probe& peer) { asks_when_idle(peer); }),
     .also_responder = {&rule<"SMBD-3.1.5.6-23">},
     .also_initiator = {&rule<"SMBD-3.1.5.7-23">}},
    {"idle/{}-ends-when-its-question-is-unanswered",
     {&rule<"SMBD-3.1.6-5">, &rule<"SMBD-3.1.6-4">, &rule<"SMBD-3.1.5.1-11">, &rule<"SMBD-3.1.2-5">,
      &rule<"SMBD-3.1.5.1-12">},
     "The IUT asks for a response once, and ends the connection if none comes.",
     with_each([](Probe& peer) { ends_when_unanswered(peer); })},
    {"idle/{}-restarts-its-timer-on-receipt",
     {&rule<"SMBD-3.1.2-6">, &rule<"SMBD-3.1.5.5-3">},
     "The IUT delays its keep-alive by an interval for each message that it receives.",
     with_each([](Probe& peer) { receiving_restarts(peer); })},
    {"idle/listener-ends-without-a-request",
     {&rule<"SMBD-3.1.6-1">, &rule<"SMBD-3.1.7.2-3">, &rule<"SMBD-3.1.2-1">, &rule<"SMBD-3.1.2-2">},
     "The IUT ends the connection if no request comes for 5 seconds.",
     with<ends_without_a_request>()},
    {"idle/listener-waits-for-a-request",
     {&rule<"SMBD-3.1.7.2-3">},
     "The IUT accepts a request that comes 4 seconds after the connection.",
     with<waits_for_a_request>()},
    {"idle/initiator-ends-without-a-response",
     {&rule<"SMBD-3.1.6-2">, &rule<"SMBD-3.1.4.1-15">, &rule<"SMBD-3.1.2-1">, &rule<"SMBD-3.1.2-2">},
     "The IUT ends the connection if no response comes for 120 seconds.",
     with<ends_without_a_response>()},
    {"idle/initiator-waits-for-a-response",
     {&rule<"SMBD-3.1.4.1-15">},
     "The IUT accepts a response that comes 108 seconds after the request.",
     with<waits_for_a_response>()},
    {"idle/listener-outlives-the-negotiation",
     {&rule<"SMBD-3.1.5.6-22">},
     "The IUT does not end an established connection because of its negotiation timer.",
     with<ReadyListener>([](ReadyListener& peer) { outlives(peer, 2 * kListenersTime, rule<"SMBD-3.1.5.6-22">); })},
    {"idle/initiator-outlives-the-negotiation",
     {&rule<"SMBD-3.1.5.7-22">},
     "The IUT does not end an established connection because of its negotiation timer.",
     with<ReadyInitiator>([](ReadyInitiator& peer) {
       if (const auto time = time_of(peer, "negotiation")) outlives(peer, *time + kAnswerTime, rule<"SMBD-3.1.5.7-22">);
     })},
};

}  // namespace

std::vector<Case> idle_cases() {
  return cases_of(kRows, kRoleWords);
}

}  // namespace wirelaw::smbd
