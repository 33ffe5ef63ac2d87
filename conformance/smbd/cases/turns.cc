// SPDX-License-Identifier: Apache-2.0
#include "conformance/smbd/cases/turns.h"

#include <algorithm>
#include <array>

#include "conformance/smbd/3.1.5.8-receiving-data/rules.h"

namespace wirelaw::smbd {
namespace {

constexpr std::size_t kUnfinished = 8;

}  // namespace

bool is_blind(const Probe& peer) {
  return peer.iut() == Role::responder && !peer.foresees_answers();
}

std::uint32_t room_of(const Probe& peer) {
  return peer.most_to_send() - kUsualDataOffset;
}

DataTransfer first_segment(Probe& peer, Octets message, std::size_t octets) {
  const Octets data = message.first(std::min({octets, message.size(), std::size_t{room_of(peer)}}));
  return peer.segment(data, static_cast<std::uint32_t>(message.size() - data.size()));
}

void show_response(Probe& peer) {
  send_one(peer, peer.empty(flag::kResponseRequested));
  if (peer.ok() && !peer.next().is_message()) peer.inconclusive("a message that asks for a response was not answered");
}

void send_one(Probe& peer, const DataTransfer& message) {
  if (peer.await_credits(1)) peer.send(message);
}

void send_cut(Probe& peer, Octets message, std::initializer_list<std::size_t> sizes) {
  for (const std::size_t size : sizes) {
    if (!peer.may_send()) return;
    const DataTransfer segment = first_segment(peer, message, size);
    message = message.subspan(segment.data_length);
    peer.send(segment);
  }
  peer.send_message(message);
}

void send_row(Probe& peer, const TurnRow& row) {
  const OctetBuffer message = peer.begin_turn(row.octets);
  peer.stimulates(**row.rules.begin());
  if (peer.ok()) row.send(peer, message);
}

void IsTaken::operator()(Probe& peer, const TurnRow& row) const {
  send_row(peer, row);
  if (peer.expect_taken(list(row.rules), row.purpose)) peer.expect_alive(**row.rules.begin(), row.purpose);
}

void add_each(std::vector<Case>& cases, CaseRow row) {
  add_case(cases, {row.id, row.rules, row.purpose, {.responder = row.run.responder}, kAnswering}, kRoleWords);
  row.run.responder = {};
  add_case(cases, row, kRoleWords);
}

bool takes_ordinary_message(CaseRun& run) {
  InitiatorProbe peer(run);
  peer.negotiate();
  peer.take_turn();
  return peer.ok();
}

EndingMessage::EndingMessage(Probe& peer) : peer_(peer) {
  data_ = is_blind(peer) ? OctetBuffer(kUnfinished) : peer.begin_turn();
}

DataTransfer EndingMessage::message() const {
  if (!is_blind(peer_)) return peer_.segment(data_);
  DataTransfer first = peer_.segment(data_, kUnfinished);
  first.flags = flag::kResponseRequested;
  return first;
}

bool expect_end(Probe& peer, RuleList rules, bool whole, std::string_view explanation) {
  if (!peer.ok()) return false;
  const Instant deadline = peer.in(peer.run().answer_time());
  bool answered = false, passed = false, over = false;
  while (peer.ok() && !passed && !over) {
    const Response response = peer.next(deadline);
    const auto message = response.transfer();
    answered |= message.has_value();
    passed = message && !message->is_empty() && !peer.shows_nothing(message->buffer);
    over = !message;
  }
  if (!peer.ok()) return false;
  if (whole && !is_blind(peer))
    peer.run().require(rule<"SMBD-3.1.5.8-4">, !passed, "no octet of the message reaches the upper layer",
                       "the upper layer answers", explanation);
  const std::string_view actual = passed     ? "the message reaches the upper layer"
                                  : answered ? "messages, and no end of the connection"
                                             : "nothing";
  return peer.require_each(rules, peer.ended() && !passed, "the connection's end", actual, explanation);
}

}  // namespace wirelaw::smbd
