// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD] 2.2.3, 3.1.5.1, 3.1.5.8 and 3.1.5.9: credits, in both directions.
#include <fmt/format.h>

#include <algorithm>

#include "conformance/smbd/2.2-syntax/rules.h"
#include "conformance/smbd/2.2.2-negotiate-response/rules.h"
#include "conformance/smbd/2.2.3-data-transfer/rules.h"
#include "conformance/smbd/3.1.1.1-connection/rules.h"
#include "conformance/smbd/3.1.5.1-sending/rules.h"
#include "conformance/smbd/3.1.5.2-sending-request/rules.h"
#include "conformance/smbd/3.1.5.3-sending-response/rules.h"
#include "conformance/smbd/3.1.5.6-receiving-request/rules.h"
#include "conformance/smbd/3.1.5.7-receiving-response/rules.h"
#include "conformance/smbd/3.1.5.8-receiving-data/rules.h"
#include "conformance/smbd/3.1.5.9-credits/rules.h"
#include "conformance/smbd/3.1.7.2-arrival/rules.h"
#include "conformance/smbd/cases/case_file.h"

namespace wirelaw::smbd {
namespace {

constexpr std::uint32_t kSmall = kSmallReceiveSize;                      // our MaxReceiveSize
constexpr std::uint32_t kPart = kSmall - kUsualDataOffset;               // octets of data in each
constexpr std::size_t kParts = 10;                                       // a message has at least this many segments
constexpr std::size_t kMessage = kPart * kParts;                         // its octets
constexpr std::chrono::nanoseconds kPromptly = std::chrono::seconds(5);  // SMBD/A28

// The terms negotiated in a case: the credits that the tester requests from the IUT, and those that it grants at first.
struct Terms {
  std::uint16_t wanted = Probe::kTarget;
  std::uint16_t given = Probe::kTarget;
  std::uint32_t receive_size = Probe::kReceiveSize;
};

void negotiate_by(ListenerProbe& listener, const Terms& terms) {
  listener.keep_to(terms.wanted, terms.given);
  NegotiateRequest request = ListenerProbe::good_request();
  request.credits_requested = terms.wanted;
  request.max_receive_size = terms.receive_size;
  listener.negotiate(request);
}

void negotiate_by(InitiatorProbe& initiator, const Terms& terms) {
  initiator.keep_to(terms.wanted, terms.given);
  NegotiateResponse response = InitiatorProbe::good_response();
  response.credits_requested = terms.wanted;
  response.credits_granted = terms.given;
  response.max_receive_size = terms.receive_size;
  initiator.negotiate(response);
}

// The initiator's application has a message of kMessage octets for each turn.
struct LongInitiator : InitiatorProbe {
  explicit LongInitiator(CaseRun& run) : InitiatorProbe(run, {.octets = kMessage, .count = 8}) {}
};
constexpr std::size_t kManySegments = 30'000;  // octets
// Messages that fill receives.
struct FullInitiator : InitiatorProbe {
  explicit FullInitiator(CaseRun& run) : InitiatorProbe(run, {.octets = kManySegments, .count = 4}) {}
};
// It has three messages at once.
struct ParallelInitiator : InitiatorProbe {
  explicit ParallelInitiator(CaseRun& run) : InitiatorProbe(run, {.octets = 100, .count = 3, .parallel = true}) {}
};

template <class Body>
RoleRuns with_both(Body body) {
  return with_each<ListenerProbe, LongInitiator>(body);
}

// Credits of ours are there; an initiator grants them with a message of its application, which is left to be answered.
OctetBuffer await_first_credits(Probe& peer) {
  OctetBuffer left;
  if (peer.iut() == Role::initiator) left = peer.begin_turn();
  peer.await_credits(1);
  return left;
}
// Expects that the message is then answered and accepted.
void expect_alive_by(Probe& peer, const OctetBuffer& left, Probe::Rules rules, std::string_view explanation) {
  peer.send_message(left);
  static_cast<void>(left.empty() ? peer.expect_alive(rules, explanation) : peer.expect_taken(rules, explanation));
}

// Spends all credits of the tester at once, with empty messages.
void spend_all(Probe& peer) {
  for (std::uint32_t left = peer.credits(); peer.ok() && left > 0; --left) peer.send(peer.empty());
}

// ---------------------------------------------------------------------------------------------- what the IUT grants

// The first message that grants something; promptly (SMBD/A28).
Response await_grant(Probe& peer) {
  const Instant deadline = peer.in(kPromptly);
  while (peer.ok()) {
    Response response = peer.next(deadline);
    if (!response.is_message() || peer.credits() > 0) return response;
  }
  return {};
}

template <class Peer>
void grants_when_all_are_spent(Peer& peer) {
  negotiate_by(peer, {});
  const OctetBuffer left = await_first_credits(peer);
  for (int i = 0; i < 3; ++i) {
    spend_all(peer);
    const Response response = await_grant(peer);
    peer.require_each(
        {&rule<"SMBD-3.1.5.8-8">, &rule<"SMBD-3.1.5.8-7">, &rule<"SMBD-3.1.5.9-1">, &rule<"SMBD-3.1.5.1-5">,
         &rule<"SMBD-3.1.5.9-11">, &rule<"SMBD-3.1.5.9-9">, &rule<"SMBD-3.1.5.9-10">},
        response.is_message(), "a message that grants credits", to_text(response), "every credit has been spent");
  }
  // The granted credits can be used.
  expect_alive_by(peer, left, {&rule<"SMBD-3.1.5.9-13">, &rule<"SMBD-2.2.3-2">},
                  "after its credits were used up three times");
}

// Credits that come while there are others are added to them by us: an IUT that has granted more than it has posted
// does not receive all of it.
template <class Peer>
void receives_what_it_has_granted(Peer& peer) {
  negotiate_by(peer, {});
  const OctetBuffer left = await_first_credits(peer);
  for (int i = 0; i < 4; ++i) {
    for (std::uint32_t few = std::min(peer.credits(), 3u); peer.ok() && few > 1; --few) peer.send(peer.empty());
    if (!peer.await_credits(1)) return;
    peer.send(peer.empty(flag::kResponseRequested));
    peer.pass(peer.run().silence_time());
  }
  if (!peer.await_credits(1)) return;
  spend_all(peer);
  const Response response = await_grant(peer);
  peer.require_each({&rule<"SMBD-3.1.5.9-13">, &rule<"SMBD-2.2.3-2">, &rule<"SMBD-3.1.5.9-9">}, response.is_message(),
                    "the IUT receives as many messages as it granted", to_text(response),
                    "all credits are used at once");
  expect_alive_by(peer, left, {&rule<"SMBD-3.1.5.9-13">, &rule<"SMBD-2.2.3-2">, &rule<"SMBD-3.1.5.9-9">},
                  "after as many messages as the IUT granted");
}

// Those of the response are counted from none.
void receives_what_its_response_grants(ListenerProbe& listener) {
  negotiate_by(listener, {});
  spend_all(listener);
  const Response response = await_grant(listener);
  listener.require_each(
      {&rule<"SMBD-3.1.7.2-12">, &rule<"SMBD-3.1.5.6-25">, &rule<"SMBD-2.2.2-10">, &rule<"SMBD-3.1.5.3-11">},
      response.is_message(), "the IUT receives as many messages as it granted", to_text(response),
      "the credits of its response are used at once");
  listener.expect_alive(rule<"SMBD-3.1.5.6-25">, "after as many messages as its response granted");
}

// Sends messages of the largest size that the IUT accepts.
template <class Peer>
void receives_at_full_length(Peer& peer) {
  negotiate_by(peer, {});
  const std::size_t room = peer.most_to_send() - kUsualDataOffset;
  for (int i = 0; i < 2; ++i) {
    peer.send_message(peer.begin_turn(std::min({3 * room, std::size_t{peer.most_fragmented()}, peer.longest_turn()})));
    peer.expect_taken(rule<"SMBD-3.1.5.9-4">, "messages of its MaxReceiveSize");
  }
}

// ------------------------------------------------------------------------------------------------- how many are wanted

constexpr std::uint16_t kFew = 2;
constexpr std::uint16_t kMore = 32;

// The total that the IUT grants if this many credits are requested from the beginning.
template <class Peer>
std::uint32_t granted_for(CaseRun& run, std::uint16_t wanted) {
  Peer other(run);
  negotiate_by(other, {.wanted = wanted});
  static_cast<void>(await_first_credits(other));
  return other.ok() ? other.credits() : 0;
}

// Messages that request a response and this many credits. Each is one more opportunity to grant.
template <class Peer>
void ask_for(Peer& peer, std::uint16_t wanted) {
  peer.keep_to(wanted, Probe::kTarget);
  for (int i = 0; i < 4; ++i) {
    if (!peer.await_credits(1)) return;
    peer.send(peer.empty(flag::kResponseRequested));
    peer.pass(peer.run().silence_time());
  }
}

template <class Peer>
void grants_more_when_more_are_wanted(Peer& peer) {
  const std::uint32_t more = granted_for<Peer>(peer.run(), kMore);
  if (!peer.ok()) return;
  if (more <= kFew) return peer.skip("the IUT grants no more than two credits, however many are requested");
  negotiate_by(peer, {.wanted = kFew});
  const OctetBuffer left = await_first_credits(peer);
  ask_for(peer, kMore);
  peer.require_each({&rule<"SMBD-3.1.5.8-9">, &rule<"SMBD-3.1.5.9-10">}, peer.credits() > kFew,
                    "more credits than before", fmt::format("{} in all", peer.credits()),
                    "CreditsRequested has risen from 2 to 32");
  expect_alive_by(peer, left, {&rule<"SMBD-3.1.5.8-9">}, "with more credits than before");
}

template <class Peer>
void grants_less_when_less_are_wanted(Peer& peer) {
  negotiate_by(peer, {.wanted = kMore});
  const OctetBuffer left = await_first_credits(peer);
  ask_for(peer, 1);
  spend_all(peer);
  const std::size_t before = peer.seen().size();
  const Response response = await_grant(peer);
  std::uint16_t most = 0;
  for (std::size_t i = before; i < peer.seen().size(); ++i) most = std::max(most, peer.seen()[i].credits_granted);
  peer.require(rule<"SMBD-3.1.5.8-8">, response.is_message(), "a message that grants a credit", to_text(response),
               "the last credit was spent");
  peer.advise(rule<"SMBD-3.1.5.9-8">, most <= 1, "a grant of one credit", fmt::format("of {}", most),
              "CreditsRequested has fallen from 32 to 1 (SMBD/A9)");
  expect_alive_by(peer, left, {&rule<"SMBD-3.1.5.8-9">}, "with one credit at a time");
}

// SMBD/A37: CreditsRequested is a local value that may change. A sender that always requests exactly the missing number
// treats it as an increment.
template <class Peer>
void asks_for_all_that_it_wants(Peer& peer) {
  negotiate_by(peer, {.given = 8});
  const std::uint32_t wanted =
      peer.iut() == Role::initiator ? peer.request().credits_requested : peer.response().credits_requested;
  const OctetBuffer left = await_first_credits(peer);
  if (peer.iut() == Role::initiator) peer.send(peer.empty());
  std::uint16_t least = 0xffff;
  for (std::uint16_t given = 8; peer.ok() && given < wanted; given = static_cast<std::uint16_t>(given * 2)) {
    peer.keep_to(Probe::kTarget, static_cast<std::uint16_t>(std::min<std::uint32_t>(given, wanted)));
    if (!peer.await_credits(1)) return;
    peer.send(peer.empty(flag::kResponseRequested));
    const auto answer = peer.next().transfer();
    if (!answer) return peer.inconclusive("a message that asks for a response was not answered");
    least = std::min(least, answer->credits_requested);
  }
  if (least == 0xffff) return peer.skip("the IUT requests too few credits to be granted only some of them");
  for (const Rule* demand : {&rule<"SMBD-2.2.3-1">, &rule<"SMBD-3.1.5.1-9">})
    peer.advise(*demand, least >= wanted, fmt::format("CreditsRequested {}, as in its negotiate message", wanted),
                fmt::format("{}", least), "while it was granted more and more of them");
  if (peer.iut() == Role::initiator)
    peer.advise(rule<"SMBD-3.1.5.2-4">, least >= wanted, fmt::format("CreditsRequested {}, as in its request", wanted),
                fmt::format("{}", least), "the same target for both");
  expect_alive_by(peer, left, {&rule<"SMBD-3.1.5.1-9">}, "with all the credits that it requests");
}

// ------------------------------------------------------------------------------------------------- few in both
// directions

constexpr std::uint16_t kCounts[] = {1, 2, 3};

template <class Peer>
void takes_turns_with(Peer& peer, std::uint16_t count) {
  peer.credits_are_due(count == 1 ? rule<"SMBD-3.1.5.9-6"> : rule<"SMBD-3.1.5.8-8">);
  negotiate_by(peer, {.wanted = count, .given = count, .receive_size = kSmall});
  const std::string why = fmt::format("with at most {} credits in either direction", count);
  for (int i = 0; i < 2 && peer.ok(); ++i) {
    peer.send_message(peer.begin_turn(kMessage, AnswerLength::alike), kPart);
    peer.expect_taken(
        {&rule<"SMBD-3.1.5.1-18">, &rule<"SMBD-3.1.5.1-7">, &rule<"SMBD-3.1.5.1-16">, &rule<"SMBD-2.2-3">}, why);
  }
  const std::vector<DataTransfer>& seen = peer.seen();
  const auto grants = [](const DataTransfer& one) { return one.credits_granted; };
  // If each side has had at most one credit, each message has spent the last one.
  if (count > 1 || seen.empty() || std::ranges::max(seen, {}, grants).credits_granted > 1) return;
  peer.run().require(rule<"SMBD-3.1.5.9-6">, std::ranges::min(seen, {}, grants).credits_granted > 0,
                     "a grant in each message", "a message without a grant", "it never has more than one credit");
}

// ------------------------------------------------------------------------------------------------ waiting for a grant

struct Heard {
  OctetBuffer data;
  std::size_t messages = 0;
  bool whole = false;
};
// Collects messages until the IUT is silent. The IUT has the answer time to begin.
void listen(Probe& peer, Heard& heard) {
  auto patience = std::max(peer.run().answer_time(), peer.run().silence_time());
  while (peer.ok() && !heard.whole) {
    const Response response = peer.next(peer.in(patience));
    const auto part = response.transfer();
    if (!part) return;
    patience = peer.run().silence_time();
    ++heard.messages;
    if (part->is_empty()) continue;
    heard.data.insert(heard.data.end(), part->buffer.begin(), part->buffer.end());
    heard.whole = part->remaining_data_length == 0;
  }
}

void give(Probe& peer, std::uint16_t credits) {
  if (!peer.await_credits(1)) return;
  DataTransfer message = peer.empty();
  message.credits_granted = credits;
  peer.send(message);
}

// Puts a long message on its way with only a few credits. For a listener, returns the request that it answers.
template <class Peer>
OctetBuffer begin_with(Peer& peer, std::uint16_t credits) {
  peer.grant_nothing();
  if constexpr (Peer::kIut == Role::responder) {
    negotiate_by(peer, {.receive_size = kSmall});
    OctetBuffer message = peer.begin_turn(kMessage, AnswerLength::alike);
    // It still has the credits that the first exchange granted.
    give(peer, static_cast<std::uint16_t>(credits - std::min<std::uint32_t>(credits, peer.iut_credits())));
    peer.send_message(message);
    return message;
  } else {
    negotiate_by(peer, {.given = credits, .receive_size = kSmall});
    return {};
  }
}

template <class Peer>
void waits_for_credits(Peer& peer) {
  constexpr std::uint16_t kThree = 3;
  if (!peer.sends_as_asked()) return;
  const OctetBuffer message = begin_with(peer, kThree);
  Heard heard;
  listen(peer, heard);
  // It sends when its application does, for which there is no time limit.
  if (Peer::kIut == Role::initiator && heard.messages == 0)
    return peer.inconclusive("the initiator's application sends no message");
  peer.require_each({&rule<"SMBD-3.1.5.1-18">, &rule<"SMBD-3.1.5.1-7">}, heard.messages <= kThree,
                    "at most three messages", fmt::format("{}", heard.messages), "three credits were granted");
  const std::uint32_t target =
      Peer::kIut == Role::responder ? peer.request().credits_requested : peer.response().credits_requested;
  if (heard.messages > 0 && !heard.whole && peer.credits() >= target)
    peer.advise(rule<"SMBD-3.1.5.9-6">, heard.messages >= kThree, "three messages, the last of which grants a credit",
                fmt::format("{}", heard.messages),
                "the IUT keeps its last credit, because its peer has all the credits that it requests (SMBD/A10)");
  peer.require_each({&rule<"SMBD-2.2-3">, &rule<"SMBD-3.1.5.1-16">}, heard.messages > 0,
                    "messages while there are credits", "none", "three credits were granted");
  if constexpr (Peer::kIut == Role::initiator)
    peer.require(rule<"SMBD-3.1.5.7-17">, heard.messages > 0 && heard.messages <= kThree, "one to three messages",
                 fmt::format("{}", heard.messages), "the response has granted three credits");
  peer.stimulates(rule<"SMBD-3.1.5.8-14">);
  give(peer, kThree);
  const std::size_t before = heard.messages;
  listen(peer, heard);
  peer.require(rule<"SMBD-3.1.5.1-7">, heard.messages <= 2 * kThree, "at most six messages",
               fmt::format("{}", heard.messages), "three credits were granted twice");
  for (int i = 0; i < 20 && peer.ok() && !heard.whole; ++i) {
    give(peer, Probe::kTarget);
    listen(peer, heard);
  }
  peer.require_each({&rule<"SMBD-3.1.5.8-14">, &rule<"SMBD-3.1.5.1-18">}, heard.messages > before,
                    "more of the message", "nothing", "credits were granted while it waits");
  const bool whole =
      heard.whole && (message.empty() ? heard.data.size() == kMessage : peer.may_answer_by(message, heard.data.size()));
  peer.require_each({&rule<"SMBD-3.1.5.8-14">, &rule<"SMBD-3.1.1.1-6">}, whole, "the whole message",
                    fmt::format("{} of its {} octets", heard.data.size(), message.empty() ? kMessage : message.size()),
                    "credits were granted for all of it");
}

// It grants none even when the peer requests a response.
void is_silent_without_credits(ListenerProbe& listener) {
  listener.grant_nothing();
  negotiate_by(listener, {});
  if (listener.ok() && listener.credits() < 2)
    return listener.skip("the IUT has granted one credit, which may not be spent without a grant");
  listener.stimulates(rule<"SMBD-3.1.5.1-18">);
  listener.send(listener.empty(flag::kResponseRequested));
  const Response early = listener.next(listener.in(listener.run().silence_time()));
  if (!listener.require(rule<"SMBD-3.1.5.1-18">, early.kind == Response::Kind::nothing, "silence", to_text(early),
                        "the IUT was never granted a credit"))
    return;
  give(listener, 2);
  const Response answer = listener.next();
  listener.require(rule<"SMBD-3.1.5.1-18">, answer.is_message(), "the answer that waited", to_text(answer),
                   "credits were granted");
}

// It has many credits when it gets one more.
template <class Peer>
void adds_up_grants(Peer& peer) {
  constexpr std::size_t kByOne = 2;  // messages that it can send if it uses the one credit for all
  if (!peer.sends_as_asked()) return;
  negotiate_by(peer, {.receive_size = kSmall});
  peer.take_turn(kMessage, 0, AnswerLength::alike);
  const OctetBuffer message = peer.begin_turn(kMessage, AnswerLength::alike);
  peer.grant_nothing();
  give(peer, 1);
  peer.send_message(message);
  Heard heard;
  listen(peer, heard);
  peer.require_each({&rule<"SMBD-3.1.5.8-13">, &rule<"SMBD-2.2.3-2">}, heard.messages > kByOne,
                    "a message of many segments", fmt::format("{} segments", heard.messages),
                    "it had many credits when one more was granted");
}

// Three messages wait at the same time.
void answers_in_order(ListenerProbe& listener) {
  negotiate_by(listener, {});
  listener.grant_nothing();
  std::vector<OctetBuffer> messages;
  for (std::size_t octets = 100; octets < 103; ++octets) {
    messages.push_back(listener.begin_turn(octets));
    listener.send_message(messages.back());
  }
  Response early = listener.next(listener.in(listener.run().silence_time()));
  listener.require(rule<"SMBD-3.1.5.1-18">, !early.is_message(), "silence", to_text(early), "it has no credits");
  give(listener, Probe::kTarget);
  for (const OctetBuffer& message : messages) {
    const auto echo = listener.receive_message();
    listener.require_each(
        {&rule<"SMBD-3.1.1.1-2">, &rule<"SMBD-3.1.5.1-8">, &rule<"SMBD-3.1.5.1-2">, &rule<"SMBD-3.1.5.8-14">},
        echo && *echo == message, fmt::format("the echo of {} octets", message.size()),
        echo ? fmt::format("one of {}", echo->size()) : "nothing", "three messages waited for credits");
  }
}

// Its application gives up if the first echo is not that of its first message.
void sends_in_order(ParallelInitiator& initiator) {
  negotiate_by(initiator, {.given = 1});
  initiator.grant_nothing();
  const auto first = initiator.receive_message();
  if (!first) return initiator.inconclusive("the initiator's application sends no message");
  give(initiator, Probe::kTarget);
  std::vector<OctetBuffer> messages{*first};
  while (initiator.ok() && messages.size() < 3) {
    auto message = initiator.receive_message();
    if (!message) break;
    messages.push_back(std::move(*message));
  }
  initiator.require(rule<"SMBD-3.1.5.8-14">, messages.size() == 3, "the messages that waited",
                    fmt::format("{} of 2", messages.size() - 1), "credits were granted");
  initiator.grant_nothing();
  for (std::size_t i = 0; i < messages.size(); ++i) {
    initiator.send_message(messages[i]);
    if (i + 1 == messages.size()) return;
    const bool stays = initiator.pass(initiator.run().silence_time());
    initiator.require_each({&rule<"SMBD-3.1.1.1-2">, &rule<"SMBD-3.1.5.1-8">, &rule<"SMBD-3.1.5.1-2">}, stays,
                           "it waits for the next echo", "the connection's end",
                           "the echoes come in the order of the messages");
  }
}

// A second after the IUT's last grant, it has only the credits that the tester knows of. It sends a long answer with
// those, and its first segment grants at most what was spent (SMBD/A9).
void grants_nothing_at_the_target(Probe& peer) {
  const std::size_t octets = std::min(kManySegments, peer.longest_turn());
  peer.take_turn(octets);
  if (!peer.pass(std::chrono::milliseconds(1500))) return;
  peer.grant_nothing();
  const std::size_t before = peer.seen().size();
  peer.take_turn(octets);
  if (!peer.ok()) return;
  std::uint32_t granted = 0;
  for (std::size_t i = before; i < peer.seen().size(); ++i) granted += peer.seen()[i].credits_granted;
  peer.advise(rule<"SMBD-3.1.5.9-2">, granted == 0 || peer.credits() <= Probe::kTarget,
              fmt::format("{} credits at most", Probe::kTarget),
              fmt::format("{}, of which {} were granted by its last message", peer.credits(), granted));
}

const CaseRow kRows[] = {
    {"credits/{}-grants-nothing-at-the-target",
     {&rule<"SMBD-3.1.5.9-2">},
     "The IUT grants no credits while its peer has as many as it requests.",
     with_each<ListenerProbe, FullInitiator>([](auto& peer) {
       peer.negotiate();
       grants_nothing_at_the_target(peer);
     }),
     kAnswering},
    {"credits/{}-grants-when-all-are-spent",
     {&rule<"SMBD-3.1.5.8-8">, &rule<"SMBD-3.1.5.8-7">, &rule<"SMBD-3.1.5.9-1">, &rule<"SMBD-3.1.5.1-5">,
      &rule<"SMBD-3.1.5.9-11">, &rule<"SMBD-3.1.5.9-9">, &rule<"SMBD-3.1.5.9-10">, &rule<"SMBD-3.1.5.9-13">,
      &rule<"SMBD-2.2.3-2">},
     "The IUT sends an empty message that grants credits when all are spent and it has nothing to send.",
     with_both([](auto& peer) { grants_when_all_are_spent(peer); })},
    {"credits/{}-receives-what-it-has-granted",
     {&rule<"SMBD-3.1.5.9-13">, &rule<"SMBD-2.2.3-2">, &rule<"SMBD-3.1.5.9-9">},
     "The IUT receives as many messages together as it has granted in total.",
     with_both([](auto& peer) { receives_what_it_has_granted(peer); })},
    {"credits/listener-receives-what-its-response-grants",
     {&rule<"SMBD-3.1.7.2-12">, &rule<"SMBD-3.1.5.6-25">, &rule<"SMBD-2.2.2-10">, &rule<"SMBD-3.1.5.3-11">},
     "The IUT receives as many messages together as its response has granted.",
     with<receives_what_its_response_grants>()},
    {"credits/{}-receives-at-full-length",
     {&rule<"SMBD-3.1.5.9-4">},
     "The IUT accepts a message of MaxReceiveSize for each credit.",
     with_each<ListenerProbe, FullInitiator>([](auto& peer) { receives_at_full_length(peer); }),
     kAnswering},
    {"credits/{}-grants-more-when-more-are-wanted",
     {&rule<"SMBD-3.1.5.8-9">, &rule<"SMBD-3.1.5.9-10">},
     "The IUT grants more credits if CreditsRequested rises during the connection.",
     with_both([](auto& peer) { grants_more_when_more_are_wanted(peer); })},
    {"credits/{}-grants-less-when-less-are-wanted",
     {&rule<"SMBD-3.1.5.8-8">, &rule<"SMBD-3.1.5.9-8">, &rule<"SMBD-3.1.5.8-9">},
     "The IUT grants no more credits than requested if CreditsRequested falls during the connection.",
     with_both([](auto& peer) { grants_less_when_less_are_wanted(peer); })},
    {.id = "credits/{}-asks-for-all-that-it-wants",
     .rules = {&rule<"SMBD-2.2.3-1">, &rule<"SMBD-3.1.5.1-9">},
     .purpose = "The IUT does not lower CreditsRequested by the credits that it was granted.",
     .run = with_both([](auto& peer) { asks_for_all_that_it_wants(peer); }),
     .also_initiator = {&rule<"SMBD-3.1.5.2-4">}},
    {.id = "credits/{}-waits-for-credits",
     .rules = {&rule<"SMBD-3.1.5.1-18">, &rule<"SMBD-3.1.5.1-7">, &rule<"SMBD-2.2-3">, &rule<"SMBD-3.1.5.1-16">,
               &rule<"SMBD-3.1.5.8-14">, &rule<"SMBD-3.1.1.1-6">, &rule<"SMBD-3.1.5.9-6">},
     .purpose =
         "The IUT waits in the middle of a message when its credits are spent, and continues when more are granted.",
     .run = with_both([](auto& peer) { waits_for_credits(peer); }),
     .needs = kAnswering,
     .also_initiator = {&rule<"SMBD-3.1.5.7-17">}},
    {"credits/listener-is-silent-without-credits",
     {&rule<"SMBD-3.1.5.1-18">},
     "The IUT sends nothing before its first credit, and then sends what waited.",
     with<is_silent_without_credits>()},
    {"credits/{}-adds-up-grants",
     {&rule<"SMBD-3.1.5.8-13">, &rule<"SMBD-2.2.3-2">},
     "The IUT adds granted credits to those that it has.",
     with_both([](auto& peer) { adds_up_grants(peer); }),
     kAnswering},
    {"credits/listener-answers-in-order",
     {&rule<"SMBD-3.1.1.1-2">, &rule<"SMBD-3.1.5.1-8">, &rule<"SMBD-3.1.5.1-2">, &rule<"SMBD-3.1.5.8-14">,
      &rule<"SMBD-3.1.5.1-18">},
     "The IUT sends messages that waited for credits in their order.",
     with<answers_in_order>(),
     Service::echo},
    {"credits/initiator-sends-in-order",
     {&rule<"SMBD-3.1.1.1-2">, &rule<"SMBD-3.1.5.1-8">, &rule<"SMBD-3.1.5.1-2">, &rule<"SMBD-3.1.5.8-14">},
     "The IUT sends messages that waited for credits in their order.",
     with<sends_in_order>(),
     Service::echo},
};

}  // namespace

std::vector<Case> credits_cases() {
  std::vector<Case> cases = cases_of(kRows, kRoleWords);
  for (const std::uint16_t& count : kCounts) {
    std::vector<const Rule*> rules{&rule<"SMBD-3.1.5.1-18">, &rule<"SMBD-3.1.5.1-7">, &rule<"SMBD-3.1.5.1-16">,
                                   &rule<"SMBD-2.2-3">};
    if (count == 1) rules.push_back(&rule<"SMBD-3.1.5.9-6">);
    const auto body = [count](auto& peer) { takes_turns_with(peer, count); };
    add_case(cases,
             {kept(fmt::format("credits/{{}}-serves-with-{}", count)), std::move(rules),
              kept(fmt::format("{} credit{} in either direction {} enough for messages of many segments.", count,
                               count == 1 ? "" : "s", count == 1 ? "is" : "are")),
              with_both(body), kAnswering},
             kRoleWords);
  }
  return cases;
}

}  // namespace wirelaw::smbd
