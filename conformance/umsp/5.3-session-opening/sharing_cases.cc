// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 5.3 and 5.3.1: sessions, the connections that carry them, and the window of a session.
#include <algorithm>

#include "conformance/umsp/5.3-session-opening/rules.h"
#include "conformance/umsp/probes/case_file.h"
#include "conformance/umsp/probes/initiator_work.h"

namespace wirelaw::umsp {
namespace {

void sessions_share_a_connection(ServedSession& peer) {
  const std::uint32_t ours = peer.new_session();
  const SessionOpen open = peer.good_open();
  peer.send(peer.first_open(open, ours));
  auto answer = peer.next_of({Opcode::session_open, Opcode::session_accept, Opcode::session_reject});
  if (!answer || answer->is(Opcode::session_reject)) {
    ExecutorProbe alone(peer.run());
    if (!alone.open_session()) return peer.inconclusive("a second session was not opened on any connection");
    peer.require(rule<"UMSP-5.3-12">, false, "a second session on the connection, like that on another connection",
                 to_text(answer));
    return;
  }
  const auto second = peer.finish_opening(open, ours, std::move(answer));
  if (!second) return;
  peer.expect_served(rule<"UMSP-5.3-12">, *second, "The second session on the connection is in use.");
  peer.expect_served(rule<"UMSP-5.3-12">, peer.session(), "The first session remains in use beside it.");
}

// The response may come on either connection.
void session_uses_connections(ServedSession& peer) {
  ExecutorProbe beside(peer.run());
  if (!beside.ok()) return;
  const std::uint32_t number = peer.new_request();
  Draft draft = ExecutorProbe::in(peer.session(), peer.read_draft(peer.address(), 2));
  draft.req_id = number;
  beside.send(draft);
  const auto slice = peer.run().answer_time() / 2;
  const auto is_it = [number](const Received& one) { return one.req_id() == number && !one.is_negative(); };
  bool answered = false;
  for (Line* const line : {static_cast<Line*>(&beside), static_cast<Line*>(&peer)})
    for (const Instant deadline = line->in(slice); !answered;) {
      const auto one = line->next(deadline);
      if (!one) break;
      answered = one->is_one_of({Opcode::data, Opcode::rsp}) && is_it(*one);
    }
  peer.require(rule<"UMSP-5.3-13">, answered, "DATA, as on the connection on which the session was opened", "none");
}

// A datagram before SESSION_ACCEPT is for no open session. After it, the IUT executes the same datagram.
void datagrams_wait_for_the_session(ExecutorProbe& peer) {
  ExecutorProbe datagrams(peer.run(), Route{.datagrams = true});
  const auto offered = peer.memory();
  if (!offered || !datagrams.ok()) return;
  const std::size_t size = peer.address_octets() == 2 ? 2 : 4;
  const auto shown = peer.open_session();
  if (!shown) return;
  peer.show_served(*shown);
  const OctetBuffer by_datagram = peer.fresh(size);
  datagrams.send_good(ExecutorProbe::in(*shown, peer.write_draft(offered->address, by_datagram)));
  static_cast<void>(peer.is_silent());
  if (peer.ok() && peer.read(*shown, offered->address, static_cast<std::uint32_t>(size)) != by_datagram)
    return peer.skip("the IUT accepts no datagrams in a session");

  SessionOpen open = peer.good_open();
  open.required_vm = {};
  const std::uint32_t ours = peer.new_session();
  peer.send_good(peer.first_open(open, ours));
  auto answer = peer.next_of({Opcode::session_open, Opcode::session_accept, Opcode::session_reject});
  if (!answer || !answer->is(Opcode::session_open))
    return peer.skip("no SESSION_OPEN came in answer: the session is open at once");
  const OctetBuffer early = peer.fresh(size);
  datagrams.send(
      ExecutorProbe::in({.ours = ours, .theirs = answer->req_id()}, peer.write_draft(offered->address, early)));
  static_cast<void>(peer.is_silent());
  const auto session = peer.finish_opening(open, ours, std::move(answer));
  if (!session) return;
  const auto there = peer.read(*session, offered->address, static_cast<std::uint32_t>(size));
  if (!there) return peer.inconclusive("the memory could not be read afterwards");
  peer.require(rule<"UMSP-5.3-11">, *there != early, "the datagram that came before SESSION_ACCEPT was not executed",
               "it was executed");
}

// Makes the IUT send more than fits one segment. To send it in fragments, the IUT needs REQ_BUF first (7.4).
void initiator_asks_for_a_buffer(InitiatorProbe& peer) {
  constexpr std::size_t kLong = 0x2000;
  constexpr std::size_t kWindowAt = 16;  // offset in the operands of SESSION_OPEN; two octets (5.3.1)
  if (!peer.serve_until(is_of_exchange)) return peer.inconclusive("an accepted session was not used");
  peer.end(Ending::closed);
  InitiatorProbe again(peer.run(), {.octets = kLong});
  again.before_sending([](Draft& draft) {
    if (draft.is(Opcode::session_open)) std::fill_n(draft.operands.begin() + kWindowAt, 2, Octet{0});
    return true;
  });
  const auto chain = again.serve_until([](const Received& one) {
    return one.is(Opcode::req_buf) ||
           one.instruction.find_extension(static_cast<std::uint16_t>(HeadCode::begin_frg)) != nullptr;
  });
  if (!chain) return again.skip("the IUT sends nothing in fragments");
  again.require(rule<"UMSP-5.3.1-20">, chain->is(Opcode::req_buf), "REQ_BUF before the fragments", to_text(chain));
}

const CaseRow kRows[] = {
    {"session/sessions-share-a-connection",
     {&rule<"UMSP-5.3-12">},
     "The IUT opens and serves two sessions on one TCP connection.",
     with<sessions_share_a_connection>()},
    {"session/uses-connections",
     {&rule<"UMSP-5.3-13">},
     "The IUT serves a session on another TCP connection of the two nodes.",
     with<session_uses_connections>()},
    {"session/datagrams-wait-for-it",
     {&rule<"UMSP-5.3-11">},
     "The IUT executes a datagram of a session once the session is open.",
     with<datagrams_wait_for_the_session>()},
    {"session/initiator-asks-for-a-buffer",
     {&rule<"UMSP-5.3.1-20">},
     "The IUT asks for a buffer before it sends fragments to a side without a window.",
     with<initiator_asks_for_a_buffer>()},
};

}  // namespace

std::vector<Case> sharing_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::umsp
