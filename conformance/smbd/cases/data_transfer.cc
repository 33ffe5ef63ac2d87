// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD] 2.2, 2.2.3, 3.1.5.5 and 3.1.5.8: one Data Transfer message with various field values. Messages that must
// end the connection are in data_refused.cc.
#include <algorithm>
#include <array>

#include "conformance/smbd/2.2-syntax/rules.h"
#include "conformance/smbd/2.2.3-data-transfer/rules.h"
#include "conformance/smbd/3.1.5.4-segments/rules.h"
#include "conformance/smbd/3.1.5.8-receiving-data/rules.h"
#include "conformance/smbd/cases/turns.h"
#include "conformance/smbd/tracker/connection.h"

namespace wirelaw::smbd {
namespace {

constexpr Octet kNotZero = 0xee;

// ---------------------------------------------------------------------------------------------- messages with data

// Returns true if the IUT can receive this many octets; otherwise the case is skipped.
bool fits(Probe& peer, std::size_t octets) {
  if (octets <= peer.most_to_send()) return true;
  peer.skip(fmt::format("a message of {} octets is above its MaxReceiveSize of {}", octets, peer.most_to_send()));
  return false;
}

void send_fitting(Probe& peer, const DataTransfer& message) {
  if (fits(peer, encode(message).size())) send_one(peer, message);
}

// The message at this offset, with zeros before it.
void send_at(Probe& peer, Octets message, std::uint32_t offset) {
  const OctetBuffer padding(offset - describe(MessageType::data_transfer).octets);
  DataTransfer at = peer.segment(message);
  at.data_offset = offset;
  at.padding = padding;
  send_fitting(peer, at);
}

void send_with_padding(Probe& peer, const OctetBuffer& message) {
  const std::array<Octet, 4> padding{kNotZero, kNotZero, kNotZero, kNotZero};
  DataTransfer padded = peer.segment(message);
  padded.padding = padding;
  send_fitting(peer, padded);
}

// Sends the message with this many octets after it.
void send_followed(Probe& peer, const OctetBuffer& message, std::size_t octets) {
  const OctetBuffer trailing(octets, kNotZero);
  DataTransfer followed = peer.segment(message);
  followed.trailing = trailing;
  send_fitting(peer, followed);
}

void send_with_reserved(Probe& peer, const OctetBuffer& message) {
  DataTransfer reserved = peer.segment(message);
  reserved.reserved = 0xffff;
  send_fitting(peer, reserved);
}

constexpr TurnRow kTaken[] = {
    {"data/{}-takes-data-at-offset-32",
     {&rule<"SMBD-2.2.3-17">, &rule<"SMBD-3.1.5.4-15">, &rule<"SMBD-2.2.3-19">},
     "The IUT reads data that begin at octet 32 from there.",
     96,
     [](Probe& peer, const OctetBuffer& message) { send_at(peer, message, 32); }},
    {"data/{}-takes-data-at-the-end-of-the-largest-message",
     {&rule<"SMBD-2.2.3-17">, &rule<"SMBD-3.1.5.4-15">, &rule<"SMBD-2.2.3-19">},
     "The IUT reads data that begin as far after the header as MaxReceiveSize allows from there.",
     16,
     [](Probe& peer, const OctetBuffer& message) {
       const auto size = static_cast<std::uint32_t>(message.size());
       if (fits(peer, kUsualDataOffset + message.size()))
         send_at(peer, message, (peer.most_to_send() - size) / kDataAlignment * kDataAlignment);
     }},
    {"data/{}-ignores-padding", {&rule<"SMBD-2.2.3-16">}, "The IUT ignores nonzero padding.", 100, send_with_padding},
    {"data/{}-ignores-reserved",
     {&rule<"SMBD-2.2.3-7">, &rule<"SMBD-2.2-6">},
     "The IUT ignores Reserved in a message with data.",
     100,
     send_with_reserved},
    {"data/{}-ignores-octets-behind-the-data",
     {&rule<"SMBD-2.2-9">, &rule<"SMBD-2.2.3-19">, &rule<"SMBD-2.2-10">},
     "The IUT ignores four octets after the data.",
     100,
     [](Probe& peer, const OctetBuffer& message) { send_followed(peer, message, 4); }},
    {"data/{}-ignores-octets-up-to-its-receive-size",
     {&rule<"SMBD-2.2-9">, &rule<"SMBD-2.2.3-19">, &rule<"SMBD-2.2-10">},
     "The IUT ignores as many octets after the data as MaxReceiveSize allows.",
     64,
     [](Probe& peer, const OctetBuffer& message) {
       if (fits(peer, kUsualDataOffset + message.size())) send_followed(peer, message, room_of(peer) - message.size());
     }},
};

// The specification does not define the reaction, so a receiver may accept or refuse the message.
constexpr TurnRow kOpen[] = {
    {"data/{}-takes-or-refuses-undefined-flags",
     {&rule<"SMBD-3.1.5.8-21">},
     "The IUT accepts a message that sets all the Flags bits without a meaning, or ends the connection (SMBD/A23).",
     100,
     [](Probe& peer, const OctetBuffer& message) {
       DataTransfer flagged = peer.segment(message);
       flagged.flags = static_cast<std::uint16_t>(~flag::kResponseRequested);
       send_fitting(peer, flagged);
     }},
};

// -------------------------------------------------------------------------------------------------- empty messages

// An empty message that requests a response, which shows that it was accepted.
struct EmptyRow {
  std::string_view id;
  std::initializer_list<const Rule*> rules;
  std::string_view purpose;
  void (*vary)(DataTransfer& message);
};

constexpr std::array<Octet, 4> kBehind{kNotZero, kNotZero, kNotZero, kNotZero};

constexpr EmptyRow kEmpty[] = {
    {"data/{}-takes-an-empty-message",
     {&rule<"SMBD-2.2.3-18">},
     "The IUT answers a message without data that asks for a response.",
     nullptr},
    {"data/{}-ignores-reserved-of-an-empty-message",
     {&rule<"SMBD-2.2.3-7">, &rule<"SMBD-2.2-6">},
     "The IUT ignores Reserved in a message without data.",
     [](DataTransfer& message) { message.reserved = 0xffff; }},
    {"data/{}-ignores-octets-behind-an-empty-message",
     {&rule<"SMBD-2.2-9">, &rule<"SMBD-2.2-10">},
     "The IUT ignores octets after a message without data.",
     [](DataTransfer& message) { message.trailing = kBehind; }},
};

void takes_empty(Probe& peer, const EmptyRow& row) {
  peer.show_alive();
  DataTransfer message = peer.empty(flag::kResponseRequested);
  if (row.vary != nullptr) {
    show_response(peer);
    row.vary(message);
  }
  peer.stimulates(**row.rules.begin());
  send_one(peer, message);
  if (!peer.ok()) return;
  const Response response = peer.next();
  // A silent IUT may have accepted it. Another rule judges the missing response.
  if (row.vary == nullptr && response.kind == Response::Kind::nothing)
    return peer.inconclusive("a message that asks for a response was not answered");
  if (peer.require_each(list(row.rules), response.is_message(), "a message in answer", to_text(response), row.purpose))
    peer.expect_alive(**row.rules.begin(), row.purpose);
}

// Sends a message of a single octet and then ordinary ones. The first message is judged, so a control has no data.
void passes_messages_on(Probe& peer) {
  const Rule* const rules[] = {&rule<"SMBD-3.1.5.8-21">, &rule<"SMBD-3.1.5.8-15">, &rule<"SMBD-2.2.3-13">};
  for (const std::size_t octets : {1u, 100u, 100u}) {
    peer.send_message(peer.begin_turn(octets));
    if (!peer.expect_taken(rules, "a message in one segment")) return;
  }
}
void listener_passes_messages_on(ReadyListener& listener) {
  show_response(listener);
  passes_messages_on(listener);
}
void initiator_passes_messages_on(CaseRun& run) {
  InitiatorProbe initiator(run, {.octets = 1, .count = kTurns});
  initiator.negotiate();
  passes_messages_on(initiator);
}

// Messages without data do not reach the upper layer or its next message.
void keeps_empty_messages_to_itself(Probe& peer) {
  peer.take_turn();
  const OctetBuffer message = peer.begin_turn();
  for (int i = 0; i < 3; ++i) send_one(peer, peer.empty());
  peer.send_message(message);
  const Rule* const rules[] = {&rule<"SMBD-2.2.3-18">, &rule<"SMBD-3.1.5.8-15">};
  if (peer.expect_taken(rules, "after three messages without data")) peer.expect_alive(rule<"SMBD-2.2.3-18">);
}

// -------------------------------------------------------------------------------------- what an established one sends

// Looks at each message of it until one of its upper layer is complete.
void sends_data_transfers_only(Probe& peer) {
  if (peer.iut() == Role::responder) peer.send_message(peer.begin_turn());
  for (bool complete = false; peer.ok() && !complete;) {
    const Response response = peer.next();
    if (!peer.ok()) return;
    if (!response.is_message()) return peer.inconclusive("its application sends no message");
    const auto message = response.transfer();
    const bool negotiates = is_request(response.octets) || is_response(response.octets);
    peer.require(rule<"SMBD-3.1.5.4-1">, message && !negotiates, "a Data Transfer",
                 negotiates ? "a negotiate message" : to_text(response), "after the negotiation");
    complete = message && !message->is_empty() && message->remaining_data_length == 0;
  }
}

const CaseRow kRows[] = {
    {"data/{}-passes-messages-on",
     {&rule<"SMBD-3.1.5.8-21">, &rule<"SMBD-3.1.5.8-15">, &rule<"SMBD-2.2.3-13">},
     "The IUT delivers messages of one segment to its upper layer, including one of a single octet.",
     {.responder = run_of<ReadyListener>([](auto& peer) { listener_passes_messages_on(peer); }),
      .initiator = initiator_passes_messages_on},
     Service::echo},
};

}  // namespace

std::vector<Case> data_transfer_cases() {
  std::vector<Case> cases = cases_of(kRows, kRoleWords);
  for (const TurnRow& row : kTaken) add_turn(cases, row, IsTaken{});
  for (const TurnRow& row : kOpen) add_turn(cases, row, IsTakenOrRefused{});
  for (const EmptyRow& row : kEmpty)
    add_case(cases, {row.id, row.rules, row.purpose, with_each([&row](Probe& peer) { takes_empty(peer, row); })},
             kRoleWords);
  add_each(cases,
           {"data/{}-keeps-empty-messages-to-itself",
            {&rule<"SMBD-2.2.3-18">, &rule<"SMBD-3.1.5.8-15">},
            "The IUT delivers no message without data to its upper layer, and none of it before the next message.",
            with_each(keeps_empty_messages_to_itself)});
  add_each(cases, {"data/{}-sends-data-transfers-only",
                   {&rule<"SMBD-3.1.5.4-1">},
                   "The IUT sends only Data Transfers after the negotiation.",
                   with_each(sends_data_transfers_only)});
  return cases;
}

}  // namespace wirelaw::smbd
