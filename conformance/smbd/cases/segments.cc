// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD] 2.2.3 and 3.1.5.8: how upper-layer messages are put together from segments. Those that the IUT sends are
// in sent_segments.cc.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "conformance/smbd/2.2-syntax/rules.h"
#include "conformance/smbd/2.2.1-negotiate-request/rules.h"
#include "conformance/smbd/2.2.2-negotiate-response/rules.h"
#include "conformance/smbd/2.2.3-data-transfer/rules.h"
#include "conformance/smbd/3.1.5.4-segments/rules.h"
#include "conformance/smbd/3.1.5.8-receiving-data/rules.h"
#include "conformance/smbd/cases/turns.h"

namespace wirelaw::smbd {
namespace {

constexpr std::uint32_t kMost = 16 << 20;  // octets of one message that a case sends
constexpr Octet kNotZero = 0xee;
constexpr std::array<Octet, 12> kPadding{};
constexpr std::string_view kTooShort = "the message of its application is too short to be split";
constexpr std::array<Octet, 4> kBehind{kNotZero, kNotZero, kNotZero, kNotZero};

// ------------------------------------------------------------------------------------------------ segments to be taken

// Sends data at offsets 24 and 32 alternately, with extra octets after every third segment.
void send_at_several_offsets(Probe& peer, const OctetBuffer& message) {
  constexpr std::size_t kData = 40;
  Octets left = message;
  for (unsigned i = 0; !left.empty() && peer.may_send(); ++i) {
    DataTransfer segment = first_segment(peer, left, kData);
    left = left.subspan(segment.data_length);
    if (i % 2 == 1) {
      segment.data_offset = kUsualDataOffset + kDataAlignment;
      segment.padding = kPadding;
    }
    if (i % 3 == 2) segment.trailing = kBehind;
    peer.send(segment);
  }
}

constexpr TurnRow kTaken[] = {
    {"data/{}-takes-two-segments",
     {&rule<"SMBD-3.1.5.8-15">, &rule<"SMBD-3.1.5.8-16">, &rule<"SMBD-3.1.5.8-21">},
     "The IUT reassembles a message in two segments.",
     100,
     [](Probe& peer, const OctetBuffer& message) { send_cut(peer, message, {60}); }},
    {"data/{}-takes-many-segments",
     {&rule<"SMBD-3.1.5.8-15">, &rule<"SMBD-3.1.5.8-16">, &rule<"SMBD-3.1.5.8-21">},
     "The IUT reassembles a message of about 1000 octets in segments of 10.",
     1000,
     [](Probe& peer, const OctetBuffer& message) { peer.send_message(message, 10); }},
    {"data/{}-takes-segments-of-varying-length",
     {&rule<"SMBD-3.1.5.8-15">, &rule<"SMBD-2.2-10">, &rule<"SMBD-3.1.5.4-15">},
     "The IUT reassembles a message whose segments have different lengths.",
     1000,
     [](Probe& peer, const OctetBuffer& message) {
       send_cut(peer, message, {1, 100, 7, 64, 8, 3, 1, 90});
     }},
    {"data/{}-takes-segments-at-several-offsets",
     {&rule<"SMBD-3.1.5.8-15">, &rule<"SMBD-2.2.3-17">, &rule<"SMBD-3.1.5.4-15">, &rule<"SMBD-2.2.3-19">},
     "The IUT reassembles a message whose segments have their data at different offsets, with octets after them.",
     1000,
     send_at_several_offsets},
    {"data/{}-takes-131072-segments-of-one-octet",
     {&rule<"SMBD-3.1.5.8-15">, &rule<"SMBD-3.1.5.8-16">, &rule<"SMBD-2.2-10">},
     "The IUT reassembles the longest message that every peer must accept from segments of one octet.",
     kLeastMaxFragmentedSize,
     [](Probe& peer, const OctetBuffer& message) { peer.send_message_packed(message, 1); }},
};

// -------------------------------------------------------------------- what a receiver makes of it, the text leaves
// open

// DataLength 0, as a first segment (SMBD/A14).
void send_empty_first(Probe& peer, const OctetBuffer& message) {
  DataTransfer nothing = peer.segment({}, static_cast<std::uint32_t>(message.size()));
  send_one(peer, nothing);
  peer.send_message(message);
}

struct Part {
  std::size_t octets;
  std::int32_t beyond;  // octets that it announces in addition to those that remain
};
// Sends segments with wrong values of the remaining length, and the rest in one segment.
template <std::size_t N>
void send_parts(Probe& peer, Octets message, const Part (&parts)[N]) {
  std::size_t octets = 0;
  for (const Part& part : parts) octets += part.octets;
  if (message.size() <= octets) return peer.inconclusive(std::string(kTooShort));
  for (const Part& part : parts) {
    if (!peer.may_send()) return;
    const auto remaining = static_cast<std::int32_t>(message.size() - part.octets);
    peer.send(peer.segment(message.first(part.octets), static_cast<std::uint32_t>(remaining + part.beyond)));
    message = message.subspan(part.octets);
  }
  if (peer.may_send()) peer.send(peer.segment(message));
}

constexpr TurnRow kOpen[] = {
    {"data/{}-takes-or-refuses-an-empty-first-segment",
     {&rule<"SMBD-3.1.5.8-21">, &rule<"SMBD-3.1.5.8-15">},
     "The IUT accepts a first segment without data that others follow, or ends the connection (SMBD/A14).",
     100,
     send_empty_first},
    {"data/{}-takes-or-refuses-more-remaining-than-announced",
     {&rule<"SMBD-3.1.5.8-21">, &rule<"SMBD-3.1.5.8-15">},
     "The IUT accepts a second segment that leaves more octets than the first announced, or ends the connection "
     "(SMBD/A15).",
     100,
     [](Probe& peer, const OctetBuffer& message) {
       send_parts(peer, message, {{30, 0}, {30, 40}});
     }},
    {"data/{}-takes-or-refuses-more-data-than-announced",
     {&rule<"SMBD-3.1.5.8-21">, &rule<"SMBD-3.1.5.8-15">},
     "The IUT accepts a last segment that is longer than the first announced, or ends the connection (SMBD/A16).",
     100,
     [](Probe& peer, const OctetBuffer& message) {
       send_parts(peer, message, {{60, -10}});
     }},
};

// ------------------------------------------------------------------------------------------- segments to be refused

// A correct first segment, then a message that ends the connection. If the IUT's application is unknown, the data of
// neither reach it.
struct Spoilt {
  std::string_view id;
  std::initializer_list<const Rule*> rules;
  std::string_view purpose;
  bool whole;  // the received message would reach the upper layer, and an echo would show it
  DataTransfer (*second)(Probe& peer, Octets rest);
  std::uint32_t announced_more = 0;  // octets, by the first segment, than there are
};

constexpr Spoilt kSpoilt[] = {
    {"data/{}-refuses-an-end-before-what-was-announced",
     {&rule<"SMBD-3.1.5.8-17">},
     "The IUT ends the connection after a last segment that leaves octets missing from a message that its upper layer "
     "waits for.",
     true,
     [](Probe& peer, Octets rest) { return peer.segment(rest); },
     1},
    {"data/{}-refuses-an-early-end",
     {&rule<"SMBD-3.1.5.8-17">},
     "The IUT ends the connection after a last segment that leaves octets missing that the first announced.",
     true,
     [](Probe& peer, Octets rest) { return peer.segment(rest.first(rest.size() - 1)); }},
    {"data/{}-refuses-an-empty-message-between-segments",
     {&rule<"SMBD-3.1.5.8-17">},
     "The IUT ends the connection after a message without data and with RemainingDataLength 0 between two segments "
     "(SMBD/A13).",
     false,
     [](Probe& peer, Octets) { return peer.empty(flag::kResponseRequested); }},
    {"data/{}-refuses-a-later-announcement-above-its-fragmented-size",
     {&rule<"SMBD-3.1.5.8-6">},
     "The IUT ends the connection after a second segment with DataLength plus RemainingDataLength above "
     "MaxFragmentedSize.",
     false,
     [](Probe& peer, Octets rest) {
       DataTransfer second = peer.segment(rest, peer.most_fragmented());
       second.flags = flag::kResponseRequested;
       return second;
     }},
};

template <class PeerProbe>
void refuses(PeerProbe& peer, const Spoilt& row) {
  constexpr std::size_t kOctets = 100;
  constexpr std::size_t kFirst = 60;
  show_unspoilt(peer);
  if (!is_blind(peer)) peer.take_turn(kOctets, kFirst);
  const OctetBuffer message = is_blind(peer) ? OctetBuffer(kOctets) : peer.begin_turn(kOctets);
  if (peer.ok() && message.size() <= kFirst) peer.inconclusive(std::string(kTooShort));
  if (!peer.ok()) return;
  DataTransfer first = first_segment(peer, message, kFirst);
  first.remaining_data_length += row.announced_more;
  send_one(peer, first);
  peer.stimulates(**row.rules.begin());
  send_one(peer, row.second(peer, Octets(message).subspan(kFirst)));
  expect_end(peer, list(row.rules), row.whole, row.purpose);
  peer.expect_served_anew(**row.rules.begin(), row.purpose);
}

void add(std::vector<Case>& cases, const Spoilt& row) {
  CaseRow one{row.id, row.rules, row.purpose, with_each([&row](auto& peer) { refuses(peer, row); })};
  if (row.whole) one.rules.push_back(&rule<"SMBD-3.1.5.8-4">);
  row.whole ? add_each(cases, std::move(one)) : add_case(cases, one, kRoleWords);
}

// Each segment passes the checks of 3.1.5.8 and announces one more octet, so the message exceeds MaxFragmentedSize. The
// specification defines no check for that (SMBD/A16). The IUT may continue or end the connection, but must not hang.
template <class PeerProbe>
void outlives_too_many_octets(PeerProbe& peer) {
  constexpr std::uint32_t kBeyond = 4;  // segments
  show_unspoilt(peer);
  if (peer.ok() && peer.most_fragmented() > kMost) peer.skip("its MaxFragmentedSize is more than this case sends");
  if (peer.ok() && peer.most_to_send() <= kUsualDataOffset)
    peer.inconclusive("its MaxReceiveSize has no room for data");
  if (!peer.ok()) return;
  const std::uint32_t room = std::min(room_of(peer), peer.most_fragmented() / 2);
  const OctetBuffer data(room, Octet{0x77});
  std::uint32_t left = peer.most_fragmented();
  peer.stimulates(rule<"SMBD-3.1.5.8-11">);
  for (std::uint32_t beyond = 0; beyond < kBeyond && peer.may_send();) {
    left -= std::min(left, room);
    if (left == 0) ++beyond;
    DataTransfer segment = peer.segment(data, std::max(left, 1u));
    if (beyond == kBeyond) segment.flags = flag::kResponseRequested;
    peer.send(segment);
  }
  const Response response = peer.next();
  constexpr std::string_view kWhy = "segments that together are longer than its MaxFragmentedSize";
  peer.require(rule<"SMBD-3.1.5.8-11">, response.kind != Response::Kind::nothing, "an answer, or the connection's end",
               to_text(response), kWhy);
  peer.expect_served_anew(rule<"SMBD-3.1.5.8-11">, kWhy);
}

// ------------------------------------------------------------------------------------------- when a message is passed
// on

// Expects that nothing of the message is delivered before its end, and all of it then.
void passes_on_at_the_end(Probe& peer) {
  peer.take_turn();
  const OctetBuffer message = peer.begin_turn();
  if (!peer.ok()) return;
  const DataTransfer first = first_segment(peer, message, 60);
  send_one(peer, first);
  bool passed = false;
  const Instant deadline = peer.in(peer.run().silence_time());
  for (auto response = peer.next(deadline); response.is_message() && !passed; response = peer.next(deadline))
    passed = !response.transfer() || !response.transfer()->is_empty();
  if (!peer.require(rule<"SMBD-2.2.3-14">, !passed && !peer.ended(), "no sign of the message before its last segment",
                    passed ? "an answer" : "the connection's end"))
    return;
  peer.send_message(Octets(message).subspan(first.data_length));
  if (peer.expect_taken(rule<"SMBD-2.2.3-13">, "the last segment completes the message"))
    peer.expect_alive(rule<"SMBD-2.2.3-13">);
}

// A message of several segments, then one of a single segment, then another of several.
void begins_anew(Probe& peer) {
  peer.take_turn(100, 60);
  peer.send_message(peer.begin_turn());
  if (!peer.expect_taken(rule<"SMBD-3.1.5.8-22">, "a message of one segment after one of two")) return;
  peer.send_message(peer.begin_turn(), 40);
  peer.expect_taken(rule<"SMBD-3.1.5.8-22">, "a message of several segments after it");
}

// -------------------------------------------------------------------------------------------------- the longest
// messages

// An initiator must be triggered to send messages as long as its own request allows. A separate connection, on which an
// ordinary message is accepted, shows that limit.
template <class Body>
void with_announced(CaseRun& run, const NegotiateResponse& response, Body body) {
  std::uint32_t octets = 0;
  {
    InitiatorProbe first(run);
    first.negotiate();
    first.show_alive();
    if (!first.ok()) return;
    octets = body.octets(first);
  }
  InitiatorProbe peer(run, {.octets = octets, .count = kTurns});
  peer.negotiate(response);
  body.judge(peer, octets);
}

// A listener gets a message of exactly this length, or the case is skipped: some applications accept only some lengths.
OctetBuffer begin_exact_turn(Probe& peer, std::uint32_t octets) {
  OctetBuffer message = peer.begin_turn(octets);
  if (peer.iut() == Role::responder && message.size() != octets)
    peer.skip(fmt::format("its application accepts no message of {} octets, but one of {}", octets, message.size()));
  return message;
}

// A message in one segment of MaxReceiveSize, three times.
struct LargestSegment {
  const Rule& rule;

  static std::uint32_t octets(const Probe& peer) { return std::min({room_of(peer), peer.most_fragmented(), kMost}); }
  void judge(Probe& peer, std::uint32_t octets) const {
    peer.take_turn(octets, octets / 4);
    peer.send_message(begin_exact_turn(peer, octets));
    if (!peer.expect_taken(rule, "a message of MaxReceiveSize")) return;
    peer.send_message(begin_exact_turn(peer, octets));
    peer.expect_taken(rule, "another message");
  }
};

// A message of MaxFragmentedSize, in segments of MaxReceiveSize.
struct LongestMessage {
  const Rule& rule;

  static std::uint32_t octets(const Probe& peer) { return std::min(peer.most_fragmented(), kMost); }
  void judge(Probe& peer, std::uint32_t octets) const {
    if (peer.ok() && peer.most_fragmented() > kMost) peer.skip("its MaxFragmentedSize is more than this case sends");
    const OctetBuffer message = begin_exact_turn(peer, octets);
    peer.stimulates(rule);
    peer.send_message(message);
    if (peer.expect_taken(rule, "a message of MaxFragmentedSize")) peer.expect_alive(rule);
  }
};

NegotiateRequest request_for_long() {
  NegotiateRequest request = ListenerProbe::good_request();
  request.max_fragmented_size = kMost;
  return request;
}
NegotiateResponse response_for_long() {
  NegotiateResponse response = InitiatorProbe::good_response();
  response.max_fragmented_size = kMost;
  return response;
}

template <class Body>
void of_listener(CaseRun& run, Body body) {
  ListenerProbe peer(run);
  peer.negotiate(request_for_long());
  peer.show_alive();
  if (peer.ok()) body.judge(peer, body.octets(peer));
}

const CaseRow kLongest[] = {
    {"data/listener-takes-messages-of-its-receive-size",
     {&rule<"SMBD-2.2.2-19">},
     "The IUT accepts a message of MaxReceiveSize octets in one segment.",
     {.responder = [](CaseRun& run) { of_listener(run, LargestSegment{rule<"SMBD-2.2.2-19">}); }},
     kAnswering},
    {"data/initiator-takes-messages-of-its-receive-size",
     {&rule<"SMBD-2.2.1-14">},
     "The IUT accepts a message of MaxReceiveSize octets in one segment.",
     {.initiator =
          [](CaseRun& run) { with_announced(run, response_for_long(), LargestSegment{rule<"SMBD-2.2.1-14">}); }}},
    {"data/listener-takes-messages-of-its-fragmented-size",
     {&rule<"SMBD-2.2.2-20">},
     "The IUT reassembles a message of MaxFragmentedSize octets.",
     {.responder = [](CaseRun& run) { of_listener(run, LongestMessage{rule<"SMBD-2.2.2-20">}); }},
     kAnswering},
    {"data/initiator-takes-messages-of-its-fragmented-size",
     {&rule<"SMBD-2.2.1-15">},
     "The IUT reassembles a message of MaxFragmentedSize octets.",
     {.initiator =
          [](CaseRun& run) { with_announced(run, response_for_long(), LongestMessage{rule<"SMBD-2.2.1-15">}); }}},
};

}  // namespace

std::vector<Case> segment_cases() {
  std::vector<Case> cases = cases_of(kLongest, kRoleWords);
  for (const TurnRow& row : kTaken) add_turn(cases, row, IsTaken{});
  for (const TurnRow& row : kOpen) add_turn(cases, row, IsTakenOrRefused{});
  for (const Spoilt& row : kSpoilt) add(cases, row);
  add_each(cases, {"data/{}-passes-a-message-on-at-its-end",
                   {&rule<"SMBD-2.2.3-14">, &rule<"SMBD-2.2.3-13">},
                   "The IUT delivers nothing of a message before its last segment, and then all of it.",
                   with_each(passes_on_at_the_end)});
  add_case(cases,
           {"data/{}-outlives-data-beyond-its-fragmented-size",
            {&rule<"SMBD-3.1.5.8-11">},
            "The IUT answers segments that always announce one octet more, beyond MaxFragmentedSize, or ends "
            "the connection (SMBD/A16).",
            with_each([](auto& peer) { outlives_too_many_octets(peer); })},
           kRoleWords);
  add_each(cases, {"data/{}-begins-a-message-anew",
                   {&rule<"SMBD-3.1.5.8-22">},
                   "The IUT does not mix the octets of one message into the next.",
                   with_each(begins_anew)});
  return cases;
}

}  // namespace wirelaw::smbd
