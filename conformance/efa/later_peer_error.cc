// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.10 of later documents: PEER_ERROR, by which one side gives up an operation that is under way. Nothing
// of the operation follows from that side, and nothing is demanded of either any more.
#include <algorithm>

#include "conformance/efa/later.h"
#include "reference/efa/peer_error.h"

namespace wirelaw::efa {

namespace {

constexpr Section kSection{"EFA RDM v4 4.10 (main)"};
constexpr Section kSectionAbsence = kSection.resting_on(Evidence::absence);
constexpr std::size_t kMostGivenUp = 64;  // message IDs of one side that are remembered

}  // namespace

constinit const Rule kErrorAnnounced = kSection.must_not(
    "EFA-4.10-1", "A PEER_ERROR is not sent to a peer that has not announced ID 9.",
    "EFA/A-93: before the peer's HANDSHAKE it is warned of, as an application may declare its peers to be equal");
constinit const Rule kRefKindAssigned = kSection.must("EFA-4.10-2", "ref_kind of a PEER_ERROR is 0, 1 or 2.");
constinit const Rule kErrorNamesOperation = kSectionAbsence.must(
    "EFA-4.10-3", "op_id of a PEER_ERROR with ref_kind OPE_INDEX is that of an operation of the side that gets it.");
constinit const Rule kErrorOfMessages = kSectionAbsence.must(
    "EFA-4.10-4",
    "What a PEER_ERROR with ref_kind OPE_INDEX gives up is a message whose data is read, of the side that reads it, or "
    "goes by CTS, of the side that sends it.",
    "EFA/A-94: not a write, a read or an atomic");
constinit const Rule kErrorNamesMessage = kSectionAbsence.must(
    "EFA-4.10-5", "op_id of a PEER_ERROR with ref_kind MSG_ID is that of a message of its sender, of which data came.");
constinit const Rule kSkippedIsNew = kSection.must(
    "EFA-4.10-6",
    "op_id of a PEER_ERROR with ref_kind MSG_ID_SKIP is that of a message of which nothing was sent, or that "
    "waits for its first CTS.",
    "EFA/A-95: a packet that the device has not delivered may be in a capture of its sender: warned of");
constinit const Rule kNothingFollowsError =
    kSection.resting_on(Evidence::order)
        .must_not("EFA-4.10-7", "Nothing of an operation follows the PEER_ERROR by which its sender gives it up.");
constinit const Rule kErrorEndsOnce = kSectionAbsence.must(
    "EFA-4.10-8", "An operation is given up by one PEER_ERROR, and not behind the EOR or READ_NACK that answered it.",
    "EFA/A-71");

constexpr Breach kBreaches[] = {
    {Deviation::peer_error_unannounced, kErrorAnnounced},
    {Deviation::peer_error_undefined_kind, kRefKindAssigned},
    {Deviation::peer_error_wrong_op_id, kErrorNamesOperation, {.who = kResponder}},
    {Deviation::eor_early, kErrorEndsOnce, {.who = kResponder}},
    {Deviation::peer_error_and_eor, kNothingFollowsError, {.who = kResponder}},
};

SectionRules later_peer_error_rules() {
  static constexpr const Rule* kRules[] = {&kErrorAnnounced,      &kRefKindAssigned,   &kErrorNamesOperation,
                                           &kErrorOfMessages,     &kErrorNamesMessage, &kSkippedIsNew,
                                           &kNothingFollowsError, &kErrorEndsOnce};
  return {kRules, kBreaches};
}

namespace {

void judge_announced(Judge& judge, const SeenPacket& seen, const TraceState& state) {
  const Party& peer = state.party(other(seen.sender()));
  const auto want = expected("bit 9 of extra_info");
  const auto got = actual(seen.layout.name);
  if (peer.extras_known)
    judge.require(kErrorAnnounced, peer.announced(Extra::peer_error), octets(0, 1), want, got,
                  [&] { return fmt::format("the peer's extra_info is 0x{:x}", peer.extra_info); });
  else if (state.complete() && !peer.handshake && !state.has_homogeneous_peers())
    judge.advise(
        kErrorAnnounced, false, octets(0, 1), want, got,
        "the peer's HANDSHAKE had not come, unless it was not captured, or its peers are homogeneous: say so by "
        "--feature homogeneous_peers");
}

// A message that is given up by `side` this way: of the side that reads its data, or that sends it by CTS.
bool is_of_kind(const Exchange& one, Side side) {
  if (one.request->purpose != Purpose::message) return false;
  return side == one.source() ? one.goes_by_cts() : one.request->behind == Array::read_iov;
}

bool answered(const Exchange& one) {
  return one.eors > 0 || one.nacks > (one.continued ? 1u : 0u);
}

// False where the operation has ended before.
bool judge_first_end(Judge& judge, const SeenPacket& seen, const Exchange& one) {
  const bool again = one.given_up == seen.sender();
  const bool late = one.given_up.has_value() ? false : seen.sender() == one.sink() && answered(one);
  const auto want = expected("an operation under way");
  const auto got = actual(seen.packet.op_id);
  if (again && seen.doubled)
    advise(judge, kErrorEndsOnce, false, seen, Field::op_id, want, got, "the same packet came before");
  else
    require(judge, kErrorEndsOnce, !again && !late, seen, Field::op_id, want, got,
            again ? "a PEER_ERROR has given it up before, unless what used its ID again was not captured"
                  : "it was answered by EOR or READ_NACK before, unless what used its ID again was not captured");
  return !again && !late;
}

void give_up(Judge& judge, const SeenPacket& seen, Exchange& one) {
  if (!judge_first_end(judge, seen, one)) return;
  require(judge, kNothingFollowsError, true, seen, Field::op_id, expected(""), actual(""));
  one.given_up = seen.sender();
  one.latest = seen.mark();
  one.done = one.unsettled = true;  // its IDs are free, and nothing is demanded of it any more
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
      require(judge, kErrorNamesOperation, false, seen, Field::op_id, expected("an operation of the peer"),
              actual(seen.packet.op_id), "no packet has given an operation that ID, or it was not captured");
    return;
  }
  require(judge, kErrorNamesOperation, true, seen, Field::op_id, expected(""), actual(""));
  if (read && by_cts && sent != received) {  // either may be meant
    sent->unsettled = received->unsettled = true;
    return;
  }
  if (found->unsettled && !found->given_up) return;
  if (require(judge, kErrorOfMessages, read || by_cts, seen, Field::op_id,
              expected("a message whose data is read, or goes by CTS"),
              actual([&] { return std::string(found->request->name); }), [&] {
                return fmt::format("packet {} of the flow began that operation, unless a later one was not captured",
                                   found->begun.index + 1);
              }))
    give_up(judge, seen, *found);
  else
    found->unsettled = true;
}

void note_given_up_id(Party& party, std::uint32_t id) {
  if (party.given_up.size() >= kMostGivenUp) party.given_up.erase(party.given_up.begin());
  party.given_up.push_back(id);
  // It has its place in the order of messages.
  party.message_ids.add(id);
  party.rtm_ids.add(id);
}

void judge_skipped(Judge& judge, const SeenPacket& seen, TraceState& state) {
  Party& party = state.party(seen.sender());
  const std::uint32_t id = seen.packet.op_id;
  const bool again = std::ranges::count(party.given_up, id) > 0;
  if (again) {
    if (seen.doubled)
      advise(judge, kErrorEndsOnce, false, seen, Field::op_id, expected("an ID that is in use"), actual(id),
             "the same packet came before");
    else
      require(judge, kErrorEndsOnce, false, seen, Field::op_id, expected("an ID that is in use"), actual(id),
              "a PEER_ERROR has given it up before");
    return;
  }
  require(judge, kErrorEndsOnce, true, seen, Field::op_id, expected(""), actual(""));
  Exchange* const found = state.exchanges().by_msg_id(seen.sender(), id);
  const bool waits_for_cts = found != nullptr && found->goes_by_cts() && found->grants == 0;
  advise(judge, kSkippedIsNew, !party.message_ids.has(id) || waits_for_cts, seen, Field::op_id,
         expected("a message that was not sent"), actual(id), "a packet with that message ID has been sent");
  if (found != nullptr) return give_up(judge, seen, *found);
  note_given_up_id(party, id);
  if (!party.first_message_id) party.first_message_id = seen.mark();
}

void judge_message(Judge& judge, const SeenPacket& seen, TraceState& state) {
  const std::uint32_t id = seen.packet.op_id;
  Exchange* const found = state.exchanges().by_msg_id(seen.sender(), id);
  const bool known = found != nullptr || state.party(seen.sender()).message_ids.has(id);
  if (known || state.complete())
    require(judge, kErrorNamesMessage, known, seen, Field::op_id, expected("msg_id of a message that has begun"),
            actual(id), "no message with that ID was seen, unless it was not captured");
  if (found != nullptr) return give_up(judge, seen, *found);
  if (!known) note_given_up_id(state.party(seen.sender()), id);
}

}  // namespace

void judge_peer_error(Judge& judge, const SeenPacket& seen, TraceState& state) {
  state.note_peer_error();
  judge_announced(judge, seen, state);
  if (!require(judge, kRefKindAssigned, seen.packet.ref_kind < kRefKinds.size(), seen, Field::ref_kind,
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

// The exchange that the packet is of, where its type is one of an exchange that may be given up.
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

void judge_nothing_follows(Judge& judge, const SeenPacket& seen, std::string_view of) {
  const auto why = [&] { return fmt::format("{} was given up by PEER_ERROR, unless packets were reordered", of); };
  if (seen.doubled)
    judge.advise(kNothingFollowsError, false, octets(0, 1), expected("nothing of it"), actual(seen.layout.name), why);
  else
    judge.require(kNothingFollowsError, false, octets(0, 1), expected("nothing of it"), actual(seen.layout.name), why);
}

}  // namespace

bool is_given_up(Judge& judge, const SeenPacket& seen, TraceState& state) {
  if (seen.type() == PacketType::peer_error) return false;
  const Party& party = state.party(seen.sender());
  if (seen.layout.ordered() && std::ranges::count(party.given_up, seen.packet.msg_id) > 0) {
    judge_nothing_follows(judge, seen, "its message ID");
    return true;
  }
  const Exchange* const one = exchange_of(seen, state);
  if (one == nullptr || !one->given_up) return false;
  if (*one->given_up == seen.sender()) judge_nothing_follows(judge, seen, "its operation");
  return true;
}

}  // namespace wirelaw::efa
