// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/sessions.h"

namespace wirelaw::umsp {
namespace {

std::size_t index_of(Side side) {
  return side == Side::a ? 0 : 1;
}

// The half of a session that an instruction of the handshake says of its sender.
void take_half(const Seen& seen, SessionHalf& half) {
  if (const auto profile = seen.value(Operand::sender_profile)) half.profile = static_cast<std::uint32_t>(*profile);
  if (const auto type = seen.value(Operand::sender_vm_type)) half.vm_type = static_cast<std::uint16_t>(*type);
  if (const auto version = seen.value(Operand::sender_vm_version))
    half.vm_version = static_cast<std::uint16_t>(*version);
  if (const auto window = seen.value(Operand::window)) half.window = static_cast<std::uint16_t>(*window);
}

void name_half(Connection& connection, Side side, std::uint64_t number, SessionHalf& half, std::uint32_t id) {
  half.id = id;
  if (id != kZeroSession) connection.session_by_id[index_of(side)][id] = number;
}

void forget(Connection& connection, std::uint64_t number) {
  const auto found = connection.sessions.find(number);
  if (found == connection.sessions.end()) return;
  for (const Side side : {Side::a, Side::b})
    if (const auto& id = found->second.half(side).id) {
      auto& ids = connection.session_by_id[index_of(side)];
      if (const auto named = ids.find(*id); named != ids.end() && named->second == number) ids.erase(named);
    }
  connection.sessions.erase(found);
}

void begin_session(const Seen& seen) {
  Connection& connection = seen.connection;
  if (connection.sessions.size() >= kMostSessions) {
    forget(connection, connection.sessions.begin()->first);
    if (connection.partial.empty()) connection.partial = "more sessions than are looked after";
  }
  const std::uint64_t number = connection.next_session++;
  Session& session = connection.sessions[number];
  session.from_start = true;
  session.initiator = session.latest_open = seen.message.sender;
  session.opens = 1;
  session.stage_ns = seen.message.time_ns;
  if (const auto octets = seen.octets_of(Operand::gjid))
    if (const auto gjid = decode_identifier(*octets)) session.gjid = *gjid;
  SessionHalf& half = session.half(seen.message.sender);
  take_half(seen, half);
  name_half(connection, seen.message.sender, number, half, seen.header().req_id);
}

void enter(Session& session, SessionStage stage, const Seen& seen) {
  session.stage = stage;
  session.stage_ns = seen.message.time_ns;
}

std::uint64_t number_of_session(const Seen& seen) {
  return seen.connection.session_by_id[index_of(other(seen.message.sender))][*seen.membership.session_id];
}

void answer_open(const Seen& seen, bool accepts) {
  Session& session = *seen.session;
  SessionHalf& half = session.half(seen.message.sender);
  name_half(seen.connection, seen.message.sender, number_of_session(seen), half, seen.header().req_id);
  if (accepts) return enter(session, SessionStage::open, seen);
  take_half(seen, half);
  ++session.opens;
  session.latest_open = seen.message.sender;
}

// A positive answer to SESSION_CLOSE: no code, or a basic code of 0.
bool is_positive(const Seen& seen) {
  return seen.value(Operand::basic_return_code).value_or(0) == 0;
}

}  // namespace

void follow_session(Judge&, const Seen& seen) {
  if (seen.is(Opcode::session_open) && seen.header().pck == Pck::no_session) {
    if (seen.header().ask && seen.header().req_id != kZeroSession) begin_session(seen);
    return;
  }
  if (seen.session == nullptr) return;
  Session& session = *seen.session;
  if (seen.is(Opcode::session_open)) return answer_open(seen, false);
  if (seen.is(Opcode::session_accept)) return answer_open(seen, true);
  if (seen.is(Opcode::session_reject) || seen.is(Opcode::session_abend))
    return enter(session, SessionStage::over, seen);
  if (seen.is(Opcode::session_close)) return enter(session, SessionStage::closing, seen);
  if (session.stage == SessionStage::closing && seen.is(Opcode::rsp_p) && seen.message.sender != session.initiator)
    return enter(session, is_positive(seen) ? SessionStage::closed : SessionStage::open, seen);
  const bool response = seen.layout != nullptr && seen.layout->response;
  const bool given_up = session.stage == SessionStage::closing || session.stage == SessionStage::closed;
  if (given_up && !response && seen.message.sender == session.initiator) enter(session, SessionStage::open, seen);
}

void forget_what_was_sent(Connection& connection, Side) {
  for (Direction& direction : connection.directions) {
    direction.requests.clear();
    direction.requests_known = false;
  }
  connection.management.forget();
  connection.exchanges.clear();
  connection.sessions.clear();
  for (auto& ids : connection.session_by_id) ids.clear();
}

void judge_at_end(Judge&, const Connection&) {}

}  // namespace wirelaw::umsp
