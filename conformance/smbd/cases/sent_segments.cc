// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD] 2.2.1, 3.1.1.1, 3.1.4.2 and 3.1.5.4: the segments that the IUT sends. Their fields are judged in every
// trace. An echo shows their contents, and that they all arrive. An initiator's application sends what the trigger asks
// for, and continues once it gets the same data back.
#include <fmt/format.h>

#include <algorithm>

#include "conformance/smbd/2.2-syntax/rules.h"
#include "conformance/smbd/2.2.1-negotiate-request/rules.h"
#include "conformance/smbd/3.1.1.1-connection/rules.h"
#include "conformance/smbd/3.1.4.2-send/rules.h"
#include "conformance/smbd/3.1.5.1-sending/rules.h"
#include "conformance/smbd/3.1.5.4-segments/rules.h"
#include "conformance/smbd/cases/turns.h"
#include "conformance/smbd/tracker/connection.h"

namespace wirelaw::smbd {
namespace {

// --------------------------------------------------------------------------------------------------- of given sizes

// A message of this many octets, and the tester's MaxReceiveSize.
struct Sent {
  std::string_view id;
  std::string_view purpose;
  std::uint32_t receive_size;
  std::uint32_t octets;
  Service needs = kAnswering;
};
constexpr Sent kSent[] = {
    {"data/{}-sends-one-full-segment",
     "The IUT sends a message that fills one segment of the smallest size in that segment.", 128, 104, Service::echo},
    {"data/{}-sends-one-octet-more-than-a-segment",
     "The IUT also sends the last octet of a message that is one octet longer than a segment.", 128, 105,
     Service::echo},
    {"data/{}-sends-a-message-of-our-receive-size", "The IUT sends a message that fills a receive of 1364 octets.",
     1364, 1340, Service::echo},
    {"data/{}-sends-many-small-segments", "The IUT sends a message of about 4096 octets in segments of 128.",
     kSmallReceiveSize, 4096},
    {"data/{}-sends-several-segments", "The IUT sends a message of about 8191 octets in segments of 1364.", 1364, 8191},
    {"data/{}-sends-1000-segments", "The IUT sends a message about as long as every peer accepts in segments of 128.",
     kSmallReceiveSize, 131'072},
};
constexpr std::initializer_list<const Rule*> kRulesOfSent = {&rule<"SMBD-3.1.5.4-22">, &rule<"SMBD-3.1.5.4-8">,
                                                             &rule<"SMBD-3.1.5.4-18">, &rule<"SMBD-3.1.5.4-20">,
                                                             &rule<"SMBD-3.1.5.4-10">, &rule<"SMBD-3.1.4.2-4">};

NegotiateRequest request_for(std::uint32_t receive_size) {
  NegotiateRequest request = ListenerProbe::good_request();
  request.max_receive_size = receive_size;
  return request;
}
NegotiateResponse response_for(std::uint32_t receive_size) {
  NegotiateResponse response = InitiatorProbe::good_response();
  response.max_receive_size = receive_size;
  return response;
}

// The received part of an upper-layer message.
struct Collected {
  std::size_t segments = 0;
  OctetBuffer octets;
  bool whole = false;
};
Collected collect(Probe& peer) {
  Collected all;
  peer.release_last_credit(true);
  const Instant deadline = peer.in(peer.run().answer_time());
  while (peer.ok() && !all.whole) {
    const Response response = peer.next(deadline);
    const auto segment = response.transfer();
    if (!segment) break;
    if (segment->is_empty() || is_request(response.octets) || is_response(response.octets)) continue;
    ++all.segments;
    all.octets.insert(all.octets.end(), segment->buffer.begin(), segment->buffer.end());
    all.whole = segment->remaining_data_length == 0;
  }
  peer.release_last_credit(false);
  return all;
}

// Expects that the complete message has arrived: the answer to `asked`. Only the length of an initiator's message is
// known, so the tester sends it back.
bool expect_all_of_it(Probe& peer, const OctetBuffer* asked, std::size_t octets, const Collected& all) {
  if (!peer.ok()) return false;
  if (all.segments == 0) {
    peer.inconclusive("its application sends no message");
    return false;
  }
  const std::string why = fmt::format("{} segments", all.segments);
  if (!peer.require(rule<"SMBD-3.1.5.4-22">, all.whole, "segments until RemainingDataLength is 0", "no more segments",
                    why))
    return false;
  const Rule* const lengths[] = {&rule<"SMBD-3.1.5.4-8">, &rule<"SMBD-3.1.5.4-18">};
  const bool fits = asked == nullptr ? all.octets.size() == octets : peer.may_answer_by(*asked, all.octets.size());
  if (!peer.require_each(lengths, fits, fmt::format("{} octets in all", octets), fmt::format("{}", all.octets.size()),
                         why))
    return false;
  const Rule* const contents[] = {&rule<"SMBD-3.1.5.4-20">, &rule<"SMBD-3.1.5.4-10">, &rule<"SMBD-3.1.4.2-4">};
  return asked == nullptr ||
         peer.require_each(contents, peer.answers(*asked, all.octets), "the octets of the message", "others", why);
}

void listener_sends(ListenerProbe& peer, const Sent& row) {
  peer.negotiate(request_for(row.receive_size));
  show_response(peer);
  const OctetBuffer message = peer.begin_turn(row.octets, AnswerLength::alike);
  peer.send_message(message);
  if (expect_all_of_it(peer, &message, message.size(), collect(peer)))
    peer.expect_alive(rule<"SMBD-3.1.5.4-20">, row.purpose);
}

void initiator_sends(CaseRun& run, const Sent& row) {
  InitiatorProbe peer(run, {.octets = row.octets, .count = kTurns});
  if (!peer.sends_as_asked()) return;
  peer.negotiate(response_for(row.receive_size));
  const Collected all = collect(peer);
  if (!expect_all_of_it(peer, nullptr, row.octets, all)) return;
  peer.send_message(all.octets);
  const Collected next = collect(peer);
  if (next.segments == 0 && !peer.ended()) return peer.inconclusive("its application does not continue");
  const Rule* const contents[] = {&rule<"SMBD-3.1.5.4-20">, &rule<"SMBD-3.1.5.4-10">, &rule<"SMBD-3.1.4.2-4">};
  peer.require_each(contents, next.segments > 0, "its next message, as it gets back what it has sent",
                    "the connection's end", row.purpose);
}

// ---------------------------------------------------------------------------------------------- within what was agreed

bool expect_within(Probe& peer, const Rule& rule, std::uint32_t most, std::string_view explanation) {
  return peer.require(rule, peer.longest_seen() <= most, fmt::format("messages of {} octets at most", most),
                      fmt::format("{}", peer.longest_seen()), explanation);
}

constexpr std::size_t kSeveral = 1000;  // octets of a message with several segments of minimum size

// Takes several turns, and judges the sizes of their segments.
void keeps_to_sizes(Probe& peer) {
  for (int i = 0; i < 3; ++i) {
    peer.take_turn(kSeveral, 0, AnswerLength::alike);
    expect_within(peer, rule<"SMBD-3.1.1.1-6">, kLeastMaxReceiveSize, "as our MaxReceiveSize was negotiated");
  }
}

// Two connections at once: one allows larger segments than the other.
void keeps_to_sizes_of_each(Probe& large, Probe& small) {
  large.take_turn(kSeveral);
  small.take_turn(kSeveral, 0, AnswerLength::alike);
  if (!small.ok()) return;
  large.take_turn(kSeveral);
  expect_within(small, rule<"SMBD-3.1.1.1-5">, kSmallReceiveSize, "the other connection has another MaxReceiveSize");
  expect_within(large, rule<"SMBD-3.1.1.1-5">, Probe::kReceiveSize, "the other connection has another MaxReceiveSize");
}

void initiator_keeps_to_preferred(CaseRun& run) {
  InitiatorProbe initiator(run, {.octets = 3 * Probe::kReceiveSize, .count = kTurns});
  initiator.negotiate();
  initiator.take_turn();
  const std::uint32_t preferred = initiator.request().preferred_send_size;
  if (preferred >= Probe::kReceiveSize)
    return initiator.skip("its PreferredSendSize does not exceed the tester's MaxReceiveSize");
  expect_within(initiator, rule<"SMBD-2.2.1-13">, preferred, "its own PreferredSendSize");
}

// ------------------------------------------------------------------------------------------- messages that are too
// long

constexpr std::uint32_t kTooLong = kLeastMaxFragmentedSize + 1;

// Expects that no octet of it comes. The application may handle the error in any way.
template <class PeerProbe>
void expect_nothing_of_it(PeerProbe& peer) {
  const Collected all = collect(peer);
  peer.require(rule<"SMBD-3.1.4.2-2">, all.segments == 0, "no part of a message of 131,073 octets",
               fmt::format("{} segments", all.segments), "our MaxFragmentedSize is 131,072");
  peer.expect_served_anew(rule<"SMBD-3.1.4.2-2">, "after a message that cannot be sent");
}

void listener_sends_nothing_too_long(ListenerProbe& peer) {
  NegotiateRequest request = ListenerProbe::good_request();
  request.max_fragmented_size = kLeastMaxFragmentedSize;
  peer.negotiate(request);
  if (peer.ok() && peer.most_fragmented() < kTooLong)
    return peer.skip("its own MaxFragmentedSize does not allow a message that is too long to be echoed");
  peer.take_turn(kLeastMaxFragmentedSize);
  peer.send_message(peer.begin_turn(kTooLong));
  expect_nothing_of_it(peer);
}

void initiator_sends_nothing_too_long(CaseRun& run) {
  NegotiateResponse response = InitiatorProbe::good_response();
  response.max_fragmented_size = kLeastMaxFragmentedSize;
  {
    InitiatorProbe longest(run, {.octets = kLeastMaxFragmentedSize, .count = 2});
    longest.negotiate(response);
    const OctetBuffer message = longest.begin_turn();
    if (message.size() != kLeastMaxFragmentedSize)
      longest.inconclusive("its application does not send messages of 131,072 octets");
    longest.send_message(message);
    longest.begin_turn();
    if (!longest.ok()) return;
  }
  InitiatorProbe peer(run, {.octets = kTooLong});
  peer.negotiate(response);
  expect_nothing_of_it(peer);
}

// -------------------------------------------------------------------------------------------------- several at once

constexpr unsigned kAtOnce = 4;
constexpr std::initializer_list<const Rule*> kRulesOfOrder = {&rule<"SMBD-3.1.1.1-2">, &rule<"SMBD-3.1.5.1-2">,
                                                              &rule<"SMBD-3.1.5.1-8">};

void advise_all(Probe& peer, bool holds, std::string_view actual, std::string_view explanation) {
  for (const Rule* demand : kRulesOfOrder)
    peer.advise(*demand, holds, "messages in the order in which the upper layer gave them", actual, explanation);
}

// Returns true if there is an answer to each message, in any order. Sets `in_order` if the answers have the order of
// the messages.
bool are_answers(Probe& peer, const std::vector<OctetBuffer>& messages, std::vector<OctetBuffer> come, bool& in_order) {
  in_order = true;
  for (const OctetBuffer& message : messages) {
    const auto found = std::ranges::find_if(come, [&](const OctetBuffer& one) { return peer.is_answer(message, one); });
    if (found == come.end()) return false;
    in_order = in_order && found == come.begin();
    come.erase(found);
  }
  return come.empty();
}

// Sends one message, and grants a credit if the IUT would have none left for an answer.
OctetBuffer ask(Probe& peer, std::size_t octets, bool answerable) {
  OctetBuffer message = peer.begin_turn(octets);
  if (!peer.await_credits(1)) return message;
  DataTransfer asking = peer.segment(message);
  asking.credits_granted = answerable || peer.credits() == 1 ? 1 : 0;
  peer.send(asking);
  return message;
}

// Its answers wait for credits.
void listener_answers_in_order(Probe& peer) {
  peer.grant_nothing();
  const OctetBuffer first = ask(peer, 40, true);
  if (const auto answer = peer.receive_message(); peer.ok() && (!answer || !peer.answers(first, *answer)))
    return peer.inconclusive("a valid message was not answered");
  std::vector<OctetBuffer> sent, come;
  for (unsigned i = 0; i < kAtOnce; ++i) sent.push_back(ask(peer, 40 + i, false));
  peer.stimulates(rule<"SMBD-3.1.1.1-2">);
  DataTransfer rest = peer.empty();
  rest.credits_granted = Probe::kTarget / 2;
  send_one(peer, rest);
  while (peer.ok() && come.size() < sent.size()) {
    auto message = peer.receive_message();
    if (!message) break;
    come.push_back(std::move(*message));
  }
  if (!peer.ok()) return;
  bool in_order = false;
  if (!peer.require(rule<"SMBD-2.2-3">, are_answers(peer, sent, come, in_order), "an answer to each of four messages",
                    fmt::format("{} messages", come.size())))
    return;
  advise_all(peer, in_order, "another order", "or the application answers in another order than it was asked");
}

// Its messages wait for credits; each is sent back in the order in which they come.
void initiator_sends_in_order(CaseRun& run) {
  if (!takes_ordinary_message(run)) return;
  InitiatorProbe peer(run, {.octets = 40, .count = kAtOnce, .parallel = true});
  if (!peer.sends_as_asked()) return;
  peer.grant_nothing();
  NegotiateResponse response = InitiatorProbe::good_response();
  response.credits_granted = 1;
  peer.negotiate(response);
  std::vector<OctetBuffer> come;
  const auto take = [&] {
    if (auto message = peer.receive_message()) come.push_back(std::move(*message));
  };
  take();
  if (peer.ok() && come.empty()) return peer.inconclusive("its application sends no message");
  peer.stimulates(rule<"SMBD-3.1.1.1-2">);
  DataTransfer rest = peer.empty();
  rest.credits_granted = Probe::kTarget / 2;
  send_one(peer, rest);
  for (unsigned i = 1; i < kAtOnce; ++i) take();
  if (!peer.require(rule<"SMBD-2.2-3">, come.size() == kAtOnce, "four messages", fmt::format("{}", come.size())))
    return;
  for (unsigned i = 0; i + 1 < kAtOnce && !peer.ended(); ++i) peer.send_message(come[i]);
  const Instant deadline = peer.in(peer.run().silence_time());
  while (peer.ok() && peer.next(deadline).is_message()) continue;
  advise_all(peer, !peer.ended(), "the connection's end", "or the application waits for answers in another order");
}

const CaseRow kRows[] = {
    {"data/{}-keeps-to-the-least-sizes",
     {&rule<"SMBD-3.1.1.1-6">},
     "The IUT sends segments of the negotiated size in message after message.",
     {.responder =
          [](CaseRun& run) {
            ListenerProbe peer(run);
            peer.negotiate(request_for(kLeastMaxReceiveSize));
            keeps_to_sizes(peer);
          },
      .initiator =
          [](CaseRun& run) {
            InitiatorProbe peer(run, {.octets = kSeveral, .count = kTurns});
            peer.negotiate(response_for(kLeastMaxReceiveSize));
            keeps_to_sizes(peer);
          }},
     kAnswering},
    {"data/{}-keeps-to-the-sizes-of-each-connection",
     {&rule<"SMBD-3.1.1.1-5">},
     "The IUT honours the sizes of each of two connections.",
     {.responder =
          [](CaseRun& run) {
            ListenerProbe large(run), small(run);
            large.negotiate();
            small.negotiate(request_for(kSmallReceiveSize));
            keeps_to_sizes_of_each(large, small);
          },
      .initiator =
          [](CaseRun& run) {
            const TriggerRequest trigger{.octets = kSeveral, .count = kTurns};
            InitiatorProbe large(run, trigger);
            large.negotiate();
            InitiatorProbe small(run, trigger);
            small.negotiate(response_for(kSmallReceiveSize));
            keeps_to_sizes_of_each(large, small);
          }},
     kAnswering},
    {"data/initiator-keeps-to-its-preferred-size",
     {&rule<"SMBD-2.2.1-13">},
     "The IUT sends no message above its PreferredSendSize, even if its receiver could accept one.",
     {.initiator = initiator_keeps_to_preferred}},
    {"data/{}-sends-nothing-too-long",
     {&rule<"SMBD-3.1.4.2-2">},
     "The IUT sends no part of a message above the MaxFragmentedSize of its receiver.",
     {.responder = run_of<ListenerProbe>([](auto& peer) { listener_sends_nothing_too_long(peer); }),
      .initiator = initiator_sends_nothing_too_long},
     Service::echo},
    {"data/{}-sends-in-order",
     {&rule<"SMBD-2.2-3">, &rule<"SMBD-3.1.1.1-2">, &rule<"SMBD-3.1.5.1-2">, &rule<"SMBD-3.1.5.1-8">},
     "The IUT sends all messages that wait for credits in the order in which the upper layer gave them.",
     {.responder = run_of<ReadyListener>([](auto& peer) { listener_answers_in_order(peer); }),
      .initiator = initiator_sends_in_order},
     kAnswering},
};

}  // namespace

std::vector<Case> sent_segment_cases() {
  std::vector<Case> cases = cases_of(kRows, kRoleWords);
  for (const Sent& row : kSent)
    add_case(cases,
             {row.id,
              kRulesOfSent,
              row.purpose,
              {run_of<ListenerProbe>([&row](ListenerProbe& peer) { listener_sends(peer, row); }),
               [&row](CaseRun& run) { initiator_sends(run, row); }},
              row.needs},
             kRoleWords);
  return cases;
}

}  // namespace wirelaw::smbd
