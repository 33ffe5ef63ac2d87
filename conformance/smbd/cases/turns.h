// SPDX-License-Identifier: Apache-2.0
// Shared by the cases about data: turns whose message is sent in an unusual way, and messages that must end the
// connection.
#pragma once

#include <initializer_list>
#include <string_view>

#include "conformance/smbd/cases/case_file.h"

namespace wirelaw::smbd {

inline RuleList list(const std::initializer_list<const Rule*>& rules) {
  return {rules.begin(), rules.size()};
}

// Returns true for a listener whose application is unknown: no upper-layer message is sent to it.
bool is_blind(const Probe& peer);

// The octets of data that a message to the IUT can hold.
std::uint32_t room_of(const Probe& peer);

// A segment with the first `octets` of the message; the rest follows.
DataTransfer first_segment(Probe& peer, Octets message, std::size_t octets);
// Sends a message that requests a response. If it is not answered, the case is inconclusive.
void show_response(Probe& peer);
// Waits for a credit, and sends.
void send_one(Probe& peer, const DataTransfer& message);
// Sends the message in segments of these sizes, limited to what the IUT accepts, and the rest in segments of the
// largest size.
void send_cut(Probe& peer, Octets message, std::initializer_list<std::size_t> sizes);

// ------------------------------------------------------------------------------- messages that are sent in another way

// A row: a turn with a message of `octets`, and the way to send it.
struct TurnRow {
  std::string_view id;
  std::initializer_list<const Rule*> rules;
  std::string_view purpose;
  std::size_t octets;
  void (*send)(Probe& peer, const OctetBuffer& message);
};
void send_row(Probe& peer, const TurnRow& row);

// The bodies of such cases. The IUT first accepts an ordinary message. If the connection continues, it accepts another
// one at the end.
struct IsTaken {
  void operator()(Probe& peer, const TurnRow& row) const;
};
struct IsTakenOrRefused {
  template <class PeerProbe>
  void operator()(PeerProbe& peer, const TurnRow& row) const {
    send_row(peer, row);
    if (!peer.expect_taken_or_refused(list(row.rules), row.purpose)) return;
    const Rule& rule = **row.rules.begin();
    peer.ended() ? peer.expect_served_anew(rule, row.purpose) : peer.expect_alive(rule, row.purpose);
  }
};

// Adds cases for both roles: a listener's application must answer; an initiator's application shows what it accepts.
void add_each(std::vector<Case>& cases, CaseRow row);

// The number of turns that an initiator's application is triggered to begin. The last one shows that the one before was
// accepted.
inline constexpr unsigned kTurns = 4;

// Returns true if an initiator accepts a message of ordinary size on a separate connection; otherwise the case is
// inconclusive.
bool takes_ordinary_message(CaseRun& run);

// A case for both roles. The row must outlive it.
template <class Body>
void add_turn(std::vector<Case>& cases, const TurnRow& row, Body body) {
  const auto of_listener = [&row, body](ReadyListener& peer) {
    peer.take_turn();
    body(peer, row);
  };
  const auto of_initiator = [&row, body](CaseRun& run) {
    if (!takes_ordinary_message(run)) return;
    InitiatorProbe peer(run, {.octets = row.octets, .count = kTurns});
    peer.negotiate();
    body(peer, row);
  };
  add_each(cases, {row.id, row.rules, row.purpose, {run_of<ReadyListener>(of_listener), of_initiator}});
}

// ------------------------------------------------------------------------------------ messages that end the connection

// The data of the message or segment that must end the connection. If the IUT's application shows nothing, the data
// belongs to a message that is never finished, so that nothing reaches the application; a requested response then shows
// if it was accepted.
class EndingMessage {
 public:
  explicit EndingMessage(Probe& peer);
  DataTransfer message() const;

 private:
  Probe& peer_;
  OctetBuffer data_;
};

// Expects that the connection ends and that nothing reaches the upper layer before. `whole`: the message would have
// reached it.
bool expect_end(Probe& peer, RuleList rules, bool whole, std::string_view explanation);

// Expects that the same message without the fault is served: on this connection or, if that would leave a message
// unfinished, on another one.
template <class PeerProbe>
void show_unspoilt(PeerProbe& peer) {
  peer.show_alive();
  if (!peer.ok() || !is_blind(peer)) return;
  PeerProbe other(peer.run());
  const EndingMessage unspoilt(other);
  send_one(other, unspoilt.message());
  if (other.ok() && !other.next().is_message())
    peer.inconclusive("a segment that asks for a response was not answered");
  if (!other.ok()) peer.inconclusive("a valid segment was not served");
}

}  // namespace wirelaw::smbd
