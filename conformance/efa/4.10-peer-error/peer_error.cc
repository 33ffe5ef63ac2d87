// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.10 of later documents: one side gives up an operation in progress by PEER_ERROR. That side sends
// nothing more for the operation, and nothing more is required of either side.
#include "conformance/efa/4.10-peer-error/peer_error.h"

#include <algorithm>

#include "conformance/efa/4.10-peer-error/rules.h"
#include "conformance/efa/due.h"
#include "conformance/efa/packet_checks.h"
#include "reference/efa/peer_error.h"

namespace wirelaw::efa {

namespace {

constexpr std::size_t kMostGivenUp = 64;  // message IDs of one side that are remembered

void judge_announced(Judge& judge, const SeenPacket& seen, const TraceState& state) {
  const Party& peer = state.party(other(seen.sender()));
  const auto want = expected("bit 9 of extra_info");
  const auto got = actual(seen.layout.name);
  if (peer.extras_known)
    judge.require(rule<"EFA-4.10-1">, peer.announced(Extra::peer_error), octets(0, 1), want, got,
                  [&] { return fmt::format("the peer's extra_info is 0x{:x}", peer.extra_info); });
  else if (state.complete() && !peer.handshake && !state.has_homogeneous_peers())
    judge.advise(
        rule<"EFA-4.10-1">, false, octets(0, 1), want, got,
        "the peer's HANDSHAKE had not come, unless it was not captured, or its peers are homogeneous: say so by "
        "--feature homogeneous_peers");
}

// A message that is given up by `side` this way: of the side that reads its data, or that sends it by CTS.
bool is_of_kind(const Exchange& one, Side side) {
  if (one.request->purpose != Purpose::message) return false;
  return side == one.source() ? one.goes_by_cts() : one.request->behind == Array::read_iov;
}

bool answered(const Exchange& one) {
  return one.eors > 0 || one.course.has_open_refusal();
}

// Returns false if the operation had already ended.
bool judge_first_end(Judge& judge, const SeenPacket& seen, const Exchange& one) {
  const bool again = one.given_up() == seen.sender();
  const bool late = one.given_up() ? false : seen.sender() == one.sink() && answered(one);
  const auto want = expected("an operation under way");
  const auto got = actual(seen.packet.op_id);
  if (again && seen.doubled)
    advise(judge, rule<"EFA-4.10-8">, false, seen, Field::op_id, want, got, "the same packet came before");
  else
    require(judge, rule<"EFA-4.10-8">, !again && !late, seen, Field::op_id, want, got,
            again ? "a PEER_ERROR has given it up before, unless what used its ID again was not captured"
                  : "it was answered by EOR or READ_NACK before, unless what used its ID again was not captured");
  return !again && !late;
}

void give_up(Judge& judge, const SeenPacket& seen, Exchange& one) {
  if (!judge_first_end(judge, seen, one)) return;
  require(judge, rule<"EFA-4.10-7">, true, seen, Field::op_id, expected(""), actual(""));
  one.give_up(seen.sender());  // its IDs are free, and nothing more is required of it
  one.latest = seen.mark();
}

void judge_operation(Judge& judge, const SeenPacket& seen, TraceState& state) {
  const Side getter = other(seen.sender());
  Exchange* const sent = state.exchanges().by_send_id(getter, seen.packet.op_id);
  Exchange* const received = state.exchanges().by_recv_id(getter, seen.packet.op_id);
  const bool read = sent != nullptr && is_of_kind(*sent, seen.sender());
  const bool by_cts = received != nullptr && is_of_kind(*received, seen.sender());
  Exchange* const found = read ? sent : by_cts ? received : sent != nullptr ? sent : received;
  if (found == nullptr) {
    if (state.complete())
      require(judge, rule<"EFA-4.10-3">, false, seen, Field::op_id, expected("an operation of the peer"),
              actual(seen.packet.op_id), "no packet has given an operation that ID, or it was not captured");
    return;
  }
  require(judge, rule<"EFA-4.10-3">, true, seen, Field::op_id, expected(""), actual(""));
  if (read && by_cts && sent != received) {  // either may be meant
    sent->contradict();
    received->contradict();
    return;
  }
  if (found->is_unsettled() && !found->given_up()) return;
  if (require(judge, rule<"EFA-4.10-4">, read || by_cts, seen, Field::op_id,
              expected("a message whose data is read, or goes by CTS"),
              actual([&] { return std::string(found->request->name); }), [&] {
                return fmt::format("packet {} of the flow began that operation, unless a later one was not captured",
                                   found->begun.index + 1);
              }))
    give_up(judge, seen, *found);
  else
    found->contradict();
}

void note_given_up_id(Party& party, const SeenPacket& seen, bool awaited) {
  const std::uint32_t id = seen.packet.op_id;
  if (party.given_up.size() >= kMostGivenUp) party.given_up.erase(party.given_up.begin());
  party.given_up.push_back({id, seen.mark(), seen.at(Field::op_id), awaited});
  // It has its place in the order of messages.
  party.message_ids.add(id);
  party.rtm_ids.add(id);
}

void judge_skipped(Judge& judge, const SeenPacket& seen, TraceState& state) {
  Party& party = state.party(seen.sender());
  const std::uint32_t id = seen.packet.op_id;
  const bool again = std::ranges::count(party.given_up, id, &Party::GivenUp::msg_id) > 0;
  if (again) {
    if (seen.doubled)
      advise(judge, rule<"EFA-4.10-8">, false, seen, Field::op_id, expected("an ID that is in use"), actual(id),
             "the same packet came before");
    else
      require(judge, rule<"EFA-4.10-8">, false, seen, Field::op_id, expected("an ID that is in use"), actual(id),
              "a PEER_ERROR has given it up before");
    return;
  }
  require(judge, rule<"EFA-4.10-8">, true, seen, Field::op_id, expected(""), actual(""));
  Exchange* const found = state.exchanges().by_msg_id(seen.sender(), id);
  const bool waits_for_cts = found != nullptr && found->goes_by_cts() && !found->is_granted();
  advise(judge, rule<"EFA-4.10-6">, !party.message_ids.has(id) || waits_for_cts, seen, Field::op_id,
         expected("a message that was not sent"), actual(id), "a packet with that message ID has been sent");
  if (found != nullptr) return give_up(judge, seen, *found);
  note_given_up_id(party, seen, false);
  if (!party.first_message_id) party.first_message_id = seen.mark();
}

void judge_message(Judge& judge, const SeenPacket& seen, TraceState& state) {
  const std::uint32_t id = seen.packet.op_id;
  Exchange* const found = state.exchanges().by_msg_id(seen.sender(), id);
  const bool known = found != nullptr || state.party(seen.sender()).message_ids.has(id);
  if (known) require(judge, rule<"EFA-4.10-5">, true, seen, Field::op_id, expected(""), actual(""));
  if (found != nullptr) return give_up(judge, seen, *found);
  if (!known) note_given_up_id(state.party(seen.sender()), seen, state.complete());
}

}  // namespace

void judge_peer_error(Judge& judge, const SeenPacket& seen, TraceState& state) {
  state.note_peer_error();
  judge_announced(judge, seen, state);
  if (!require(judge, rule<"EFA-4.10-2">, seen.packet.ref_kind < kRefKinds.size(), seen, Field::ref_kind,
               expected("0, 1 or 2"), actual(seen.packet.ref_kind)))
    return;
  switch (static_cast<RefKind>(seen.packet.ref_kind)) {
    case RefKind::ope_index:
      return judge_operation(judge, seen, state);
    case RefKind::msg_id:
      return judge_message(judge, seen, state);
    case RefKind::msg_id_skip:
      return judge_skipped(judge, seen, state);
  }
}

// ------------------------------------------------------------------------------------------------ what follows it

namespace {

// The exchange of the packet, if packets of its type belong to exchanges that may be given up.
Exchange* exchange_of(const SeenPacket& seen, TraceState& state) {
  Exchanges& exchanges = state.exchanges();
  const Side peer = other(seen.sender());
  switch (seen.type()) {
    case PacketType::cts:
    case PacketType::eor:
    case PacketType::read_nack:
    case PacketType::receipt:
      return exchanges.by_send_id(peer, seen.packet.send_id);
    case PacketType::ctsdata:
      return exchanges.by_recv_id(peer, seen.packet.recv_id);
    default:
      return seen.layout.purpose == Purpose::message ? exchanges.by_msg_id(seen.sender(), seen.packet.msg_id) : nullptr;
  }
}

// A packet that may have been sent before the PEER_ERROR, which overtook it, is not judged: SRD keeps no order. Data
// that could be read and could not is contradictory in either order.
void judge_nothing_follows(Judge& judge, const SeenPacket& seen, const Mark& given_up, std::string_view of) {
  const bool may_be_overtaken = !TraceState::is_past_transit(given_up.time_ns, seen.message.time_ns);
  if (may_be_overtaken && seen.type() != PacketType::eor) return;
  const auto why = [&] { return fmt::format("{} was given up by PEER_ERROR in packet {}", of, given_up.index + 1); };
  if (seen.doubled)
    judge.advise(rule<"EFA-4.10-7">, false, octets(0, 1), expected("nothing of it"), actual(seen.layout.name), why);
  else
    judge.require(rule<"EFA-4.10-7">, false, octets(0, 1), expected("nothing of it"), actual(seen.layout.name), why);
}

}  // namespace

bool is_given_up(Judge& judge, const SeenPacket& seen, TraceState& state) {
  if (seen.type() == PacketType::peer_error) return false;
  Party& party = state.party(seen.sender());
  const auto given_up = seen.layout.ordered()
                            ? std::ranges::find(party.given_up, seen.packet.msg_id, &Party::GivenUp::msg_id)
                            : party.given_up.end();
  if (given_up != party.given_up.end()) {
    if (!TraceState::is_past_transit(given_up->mark.time_ns, seen.message.time_ns)) given_up->awaited = false;
    judge_nothing_follows(judge, seen, given_up->mark, "its message ID");
    return true;
  }
  const Exchange* const one = exchange_of(seen, state);
  if (one == nullptr || !one->given_up()) return false;
  if (one->given_up() == seen.sender()) judge_nothing_follows(judge, seen, one->latest, "its operation");
  return true;
}

void finish_peer_errors(Judge& judge, Side side, const TraceState& state) {
  for (const Party::GivenUp& one : state.party(side).given_up) {
    if (!one.awaited) continue;
    judge.at(marked(one.mark, side));
    judge_due(judge, state.is_stale(one.mark), rule<"EFA-4.10-5">, false, one.where,
              expected("msg_id of a message that has begun"), actual(one.msg_id),
              "no message with that ID was seen, unless it was not captured");
  }
}

}  // namespace wirelaw::efa
