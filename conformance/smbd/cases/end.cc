// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD] 3.1.7.1: a connection is lost in any phase, and the next one does not depend on it.
#include <fmt/format.h>

#include <algorithm>

#include "conformance/smbd/3.1.4.1-connecting/rules.h"
#include "conformance/smbd/3.1.4.2-send/rules.h"
#include "conformance/smbd/3.1.5.4-segments/rules.h"
#include "conformance/smbd/3.1.7.1-loss/rules.h"
#include "conformance/smbd/3.1.7.2-arrival/rules.h"
#include "conformance/smbd/cases/case_file.h"

namespace wirelaw::smbd {
namespace {

using Leaving = Probe::Leaving;

constexpr std::uint32_t kAnnounced = 5000;  // octets of a message that is never completed
constexpr std::size_t kMany = 20'000;       // octets of a message with many segments

struct ManyInitiator : InitiatorProbe {
  explicit ManyInitiator(CaseRun& run) : InitiatorProbe(run, {.octets = kMany, .count = 4}) {}
};

// The first part of a message.
void send_a_part(Probe& peer) {
  const OctetBuffer part(10, Octet{0x55});
  if (peer.await_credits(1)) peer.send(peer.segment(part, kAnnounced));
}

// ---------------------------------------------------------------------------------------------------------- phases

// Cases that end an established connection.
struct Phase {
  std::string_view words;  // "before-its-request"
  std::string_view text;
  void (*reach)(Probe& peer);
};

// Cases that end the negotiation, for each role; nullptr if there is none.
struct EarlyPhase {
  std::string_view words, text;
  void (*listener)(ListenerProbe& peer);
  void (*initiator)(InitiatorProbe& peer);
};
constexpr EarlyPhase kEarly[] = {
    {"before-the-negotiation", "before the negotiation", [](ListenerProbe&) {}, nullptr},
    {"behind-the-request", "right after the Negotiate Request",
     [](ListenerProbe& peer) { peer.send_request(ListenerProbe::good_request()); }, [](InitiatorProbe&) {}},
    {"behind-the-response", "right after the Negotiate Response", [](ListenerProbe& peer) { peer.negotiate(); },
     [](InitiatorProbe& peer) { peer.negotiate(); }},
};

constexpr Phase kEstablished[] = {
    {"between-messages", "between two messages", [](Probe& peer) { peer.show_alive(); }},
    {"within-a-message", "in the middle of a message", [](Probe& peer) { send_a_part(peer); }},
    {"while-an-answer-is-due", "while an answer to a keep-alive is due",
     [](Probe& peer) {
       if (peer.await_credits(1)) peer.send(peer.empty(flag::kResponseRequested));
     }},
};

struct Manner {
  Leaving how;
  std::string_view words, text;
};
constexpr Manner kManners[] = {{Leaving::closes, "a-close", "closed in order"},
                               {Leaving::terminates, "a-terminate", "ended by a Terminate"},
                               {Leaving::resets, "a-reset", "reset"}};

// Its side of the connection is ended too, and another connection is served.
template <class Peer>
void lose(Peer& peer, Leaving how, std::string_view explanation) {
  peer.stimulates(rule<"SMBD-3.1.7.1-4">);
  peer.leave(how);
  if (how != Leaving::resets) {
    const bool stays = peer.pass(peer.run().answer_time());
    peer.require(rule<"SMBD-3.1.7.1-3">, !stays, "the end of its direction too", "nothing", explanation);
  }
  peer.expect_served_anew(rule<"SMBD-3.1.7.1-4">, explanation);
}

// -------------------------------------------------------------------------------------------------- what is forgotten

void leave_in_disorder(Probe& peer) {
  send_a_part(peer);
  if (peer.await_credits(1)) peer.send(peer.empty(flag::kResponseRequested));
  peer.leave(Leaving::closes);
}

// An empty message that grants nothing and asks nothing.
bool is_idle_talk(const DataTransfer& one) {
  return one.is_empty() && one.credits_granted == 0 && !one.requests_response();
}

void expect_fresh(Probe& peer, Probe::Rules nothing_waits, Probe::Rules nothing_remains, const Rule& no_keepalive) {
  constexpr std::string_view kWhy = "the first messages of a new connection";
  const OctetBuffer message = peer.begin_turn();
  peer.send_message(message);
  peer.expect_taken(nothing_remains, kWhy);
  const auto& seen = peer.seen();
  if (!peer.ok()) return;
  peer.require_each(nothing_waits, std::ranges::none_of(seen, is_idle_talk), "messages for a reason",
                    "an empty message that grants no credit and asks for no response", kWhy);
  peer.require(no_keepalive, !seen.front().requests_response(), "no message that asks for a response",
               "a message that does", kWhy);
}

void begins_afresh_as_listener(ReadyListener& listener) {
  leave_in_disorder(listener);
  ListenerProbe next(listener.run());
  next.negotiate();
  expect_fresh(next, {&rule<"SMBD-3.1.7.2-13">, &rule<"SMBD-3.1.7.1-4">},
               {&rule<"SMBD-3.1.7.2-14">, &rule<"SMBD-3.1.7.1-4">, &rule<"SMBD-3.1.7.2-1">}, rule<"SMBD-3.1.7.2-10">);
}

void begins_afresh_as_initiator(ReadyInitiator& initiator) {
  leave_in_disorder(initiator);
  InitiatorProbe next(initiator.run());
  next.negotiate();
  expect_fresh(next, {&rule<"SMBD-3.1.4.1-11">, &rule<"SMBD-3.1.4.1-14">, &rule<"SMBD-3.1.7.1-4">},
               {&rule<"SMBD-3.1.4.1-10">, &rule<"SMBD-3.1.4.1-12">, &rule<"SMBD-3.1.7.1-4">, &rule<"SMBD-3.1.4.1-1">},
               rule<"SMBD-3.1.4.1-6">);
}

// ------------------------------------------------------------------------------------------------------- sends that
// fail

// The peer goes away while messages of the IUT are on their way or wait for credits.
template <class Peer>
void ends_while_sending(Peer& peer) {
  peer.grant_nothing();
  if constexpr (Peer::kIut == Role::responder) {
    NegotiateRequest request = ListenerProbe::good_request();
    request.max_receive_size = kSmallReceiveSize;
    peer.negotiate(request);
    const OctetBuffer message = peer.begin_turn(std::min(kMany, peer.longest_turn()), AnswerLength::alike);
    const std::uint32_t room = peer.most_to_send() - kUsualDataOffset;
    DataTransfer grant = peer.empty();
    grant.credits_granted = 2;
    if (peer.await_credits(1)) peer.send(grant);
    peer.send_message(message, room);
  } else {
    NegotiateResponse response = InitiatorProbe::good_response();
    response.max_receive_size = kSmallReceiveSize;
    response.credits_granted = 2;
    peer.negotiate(response);
  }
  const Response first = peer.next();
  if (!first.is_message()) return peer.inconclusive("it sends nothing");
  peer.stimulates(rule<"SMBD-3.1.4.2-5">);
  peer.leave(Leaving::terminates);
  const bool stays = peer.pass(peer.run().answer_time());
  peer.require_each({&rule<"SMBD-3.1.4.2-5">, &rule<"SMBD-3.1.5.4-25">, &rule<"SMBD-3.1.7.1-3">}, !stays,
                    "the connection's end", "nothing", "the connection ends while messages wait to be sent");
  peer.expect_served_anew(rule<"SMBD-3.1.7.1-4">, "a new connection after one on which messages could not be sent");
}

const CaseRow kRows[] = {
    {"end/listener-begins-afresh",
     {&rule<"SMBD-3.1.7.1-4">, &rule<"SMBD-3.1.7.2-13">, &rule<"SMBD-3.1.7.2-14">, &rule<"SMBD-3.1.7.2-1">,
      &rule<"SMBD-3.1.7.2-10">},
     "The IUT serves a new connection without anything left from one that ended with a message and a keep-alive in "
     "progress.",
     with<begins_afresh_as_listener>(),
     kAnswering},
    {"end/initiator-begins-afresh",
     {&rule<"SMBD-3.1.7.1-4">, &rule<"SMBD-3.1.4.1-11">, &rule<"SMBD-3.1.4.1-14">, &rule<"SMBD-3.1.4.1-10">,
      &rule<"SMBD-3.1.4.1-12">, &rule<"SMBD-3.1.4.1-1">, &rule<"SMBD-3.1.4.1-6">},
     "The IUT serves a new connection without anything left from one that ended with a message and a keep-alive in "
     "progress.",
     with<begins_afresh_as_initiator>()},
    {"end/{}-ends-where-its-messages-cannot-be-sent",
     {&rule<"SMBD-3.1.4.2-5">, &rule<"SMBD-3.1.5.4-25">, &rule<"SMBD-3.1.7.1-3">, &rule<"SMBD-3.1.7.1-4">},
     "The IUT ends only the connection whose messages it can no longer send.",
     with_each<ListenerProbe, ManyInitiator>([](auto& peer) { ends_while_sending(peer); }),
     kAnswering},
};

CaseRow row_of(const Manner& manner, std::string_view words, std::string_view text, RoleRuns run) {
  return {kept(fmt::format("end/{{}}-survives-{}-{}", manner.words, words)),
          manner.how == Leaving::resets ? std::vector<const Rule*>{&rule<"SMBD-3.1.7.1-4">}
                                        : std::vector<const Rule*>{&rule<"SMBD-3.1.7.1-4">, &rule<"SMBD-3.1.7.1-3">},
          kept(fmt::format("The IUT ends a connection that is {} {}, and serves another one.", manner.text, text)),
          std::move(run)};
}

}  // namespace

std::vector<Case> end_cases() {
  std::vector<Case> cases = cases_of(kRows, kRoleWords);
  for (const Manner& manner : kManners) {
    for (const EarlyPhase& phase : kEarly) {
      const auto body = [&manner, &phase](auto& peer, auto reach) {
        reach(peer);
        lose(peer, manner.how, phase.text);
      };
      RoleRuns run = with<ListenerProbe>([=, &phase](ListenerProbe& peer) { body(peer, phase.listener); });
      if (phase.initiator != nullptr)
        run.initiator = run_of<InitiatorProbe>([=, &phase](InitiatorProbe& peer) { body(peer, phase.initiator); });
      add_case(cases, row_of(manner, phase.words, phase.text, run), kRoleWords);
    }
    for (const Phase& phase : kEstablished)
      add_case(cases, row_of(manner, phase.words, phase.text, with_each([&manner, &phase](auto& peer) {
                               phase.reach(peer);
                               lose(peer, manner.how, phase.text);
                             })),
               kRoleWords);
  }
  return cases;
}

}  // namespace wirelaw::smbd
