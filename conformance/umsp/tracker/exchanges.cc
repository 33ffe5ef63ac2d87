// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/tracker/exchanges.h"

#include "conformance/umsp/tracker/pair.h"
#include "conformance/umsp/tracker/requests.h"

namespace wirelaw::umsp {
namespace {

// The identifier that the requester has assigned to the session, which the response contains; empty if it is unknown.
std::optional<std::uint32_t> own_name(const Seen& seen) {
  if (seen.is_sessionless()) return kZeroSession;
  if (seen.session == nullptr) return std::nullopt;
  return seen.session->half(seen.message.sender).id;
}

// The octets that the request names by their number, or the value of which it traces (SYN).
std::optional<std::uint64_t> octets_asked_for(const Seen& seen) {
  if (const auto length = seen.value(Operand::length)) return length;
  const Located* const traced = seen.operands.find(Operand::initial_data);
  return traced != nullptr ? std::optional<std::uint64_t>(traced->length) : std::nullopt;
}

void take_request(const Seen& seen) {
  const auto session = own_name(seen);
  if (!session) return;  // a guess, which is noted with the responses
  std::optional<Asked> asked;
  if (seen.layout != nullptr && !seen.header().chn && !seen.operands.flaw) {
    asked = Asked{.opcode = seen.instruction.opcode(),
                  .index = seen.message.index,
                  .length = octets_asked_for(seen),
                  .object = static_cast<std::uint32_t>(seen.value(Operand::object_number).value_or(0))};
  }
  Connection& connection = seen.connection;
  if (!connection.exchanges.ask(seen.message.sender, *session, seen.header().req_id, asked) &&
      connection.partial.empty())
    connection.partial = "more requests wait than are looked after";
}

// Returns true if the request of the response would be known, provided that it came on this connection.
bool knows_exchanges(const Seen& seen) {
  return knows_requests(seen) && seen.session != nullptr && seen.session->from_start &&
         seen.connection.exchanges.is_complete(other(seen.message.sender));
}

// Takes the answered request of this connection, or of another one of the two nodes.
Answered take_answered(const Seen& seen, std::uint32_t session) {
  const Side asker = other(seen.message.sender);
  Answered answered = seen.connection.exchanges.answer(asker, session, seen.header().req_id);
  if (answered.waited) return answered;
  const bool is_elsewhere = look_elsewhere(seen.connection, [&](Connection& there, bool is_turned) {
    answered = there.exchanges.answer(turned(asker, is_turned), session, seen.header().req_id);
    return answered.waited;
  });
  if (is_elsewhere && answered.asked) answered.asked->is_elsewhere = true;
  return answered;
}

// RSP_P answers requests of the protocol layer; of the VMs' requests it answers only chains (4.1, 7.5).
bool answers_layer(const Seen& seen) {
  if (!seen.is(Opcode::rsp_p)) return false;
  const ObservedRequest* const request = find_answered(seen);
  return request == nullptr || !request->chained || class_of(request->opcode) == OpcodeClass::management;
}

// A SESSION_OPEN or SESSION_ACCEPT may assign an identifier that its sender has assigned to another session before. As
// long as that session exists, its open requests may still be answered.
void begin_anew(const Seen& seen) {
  const bool assigns = (seen.is(Opcode::session_open) || seen.is(Opcode::session_accept)) && seen.header().ask;
  if (!assigns || seen.header().req_id == kZeroSession) return;
  const auto known = seen.connection.find_session_number(seen.message.sender, seen.header().req_id);
  // Another step in the handshake of this session.
  if (known && &seen.connection.sessions.at(*known) == seen.session) return;
  if (!known || seen.connection.sessions.at(*known).stage == SessionStage::over)
    seen.connection.exchanges.forget(seen.message.sender, seen.header().req_id);
}

ExchangeFact follow_requests(const Seen& seen) {
  begin_anew(seen);
  if (!seen.header().ask || (!seen.is_of(OpcodeClass::exchange) && !seen.is(Opcode::rsp_p))) return {};
  if (seen.layout == nullptr || !seen.layout->response) {
    take_request(seen);  // any response may answer an OPCODE that is not assigned
    return {};
  }
  if (answers_layer(seen)) return {};
  const std::optional<std::uint32_t> session = seen.is_sessionless() ? kZeroSession : seen.membership.session_id;
  if (!session) return {};
  const Answered answered = take_answered(seen, *session);
  if (!seen.is_of(OpcodeClass::exchange) || was_guessed(seen)) return {};
  ExchangeFact fact{.asked = answered.asked};
  if (!seen.is(Opcode::rsp) && (answered.waited || knows_exchanges(seen))) fact.is_awaited = answered.waited;
  fact.is_certain = fact.is_awaited == false && seen.session != nullptr && is_all_seen(seen.connection, *seen.session);
  return fact;
}

}  // namespace

ExchangeFact follow_exchange(const Seen& seen) {
  ExchangeFact fact = follow_requests(seen);
  const auto& format = seen.connection.management.of(seen.message.sender).jcp_format;
  if (format && seen.is_request_of_vm()) fact.address_octets = field_octets(format->memory_octets());
  return fact;
}

}  // namespace wirelaw::umsp
