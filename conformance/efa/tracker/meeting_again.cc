// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <utility>

#include "conformance/efa/tracker/follow.h"

namespace wirelaw::efa {
namespace {

// Returns true if the ID has been used, or is so much older than the newest that it must have been. If the flow was not
// seen from its start, IDs before the first one seen count as used.
bool is_used(const MessageIds& ids, std::uint32_t id, bool from_start) {
  const std::uint32_t back = ids.newest() - id;
  if (ids.has(id)) return true;
  if (!ids.any() || back >= 0x8000'0000u) return false;
  return back >= MessageIds::kWindow || (!from_start && !ids.spans(id));
}

bool is_greeted_since(const Party& party, std::uint64_t index) {
  return party.greeted_again && party.greeted_again->index > index;
}

}  // namespace

std::optional<MeetingAgainFact> follow_meeting_again(const SeenPacket& seen, TraceState& state) {
  Party& party = state.party(seen.sender());
  const std::uint32_t id = seen.packet.msg_id;
  const bool is_known = state.from_start() || state.has_met_again();
  if (is_known && !state.party(other(seen.sender())).handshake) return std::nullopt;
  // Two endpoints that meet again may well begin with the same message as before.
  if (state.may_be_copy(seen) || party.counts_anew) return std::nullopt;
  // Packets overtake each other, the first of a side as well.
  const auto& first = party.first_message_id;
  if (first && !TraceState::is_past_transit(first->time_ns, seen.message.time_ns)) return std::nullopt;
  if (!is_used(party.ids_of(seen.layout.purpose), id, is_known) || continues_message(seen, state, is_known))
    return std::nullopt;
  if (const auto said = said_connid(seen.packet); said && party.connid && *said != *party.connid) return std::nullopt;
  const std::array<bool, 2> greeted{is_greeted_since(state.party(Side::a), party.latest_ordered),
                                    is_greeted_since(state.party(Side::b), party.latest_ordered)};
  // An endpoint that meets its peer sends a raw address until it has received the other side's HANDSHAKE, and begins
  // with ID 0, although the device may deliver another ID first.
  const bool begins = seen.packet.has(flag::kRawAddress) && (id == 0 || party.stopped_addresses);
  if (!begins && !(id == 0 && greeted[seen.sender() == Side::a ? 1 : 0])) return std::nullopt;
  const auto unproven = take_meeting_again(state);
  state.meet_again(
      {{.side = seen.sender(), .msg_id = id, .repeated = seen.mark(), .may_be_doubled = seen.doubled}, greeted});
  return unproven;
}

std::optional<MeetingAgainFact> take_meeting_again(TraceState& state) {
  auto again = std::exchange(state.meeting_again(), std::nullopt);
  if (!again) return std::nullopt;
  const MessageIds& own = state.party(again->side).message_ids;
  const MessageIds& others = state.party(other(again->side)).message_ids;
  const bool greeted = again->greeted[0] && again->greeted[1];
  again->counts_on = again->other_counted && others.any() && !others.spans(0);
  if (!greeted || again->counts_on || !own.spans(0)) {
    // It is unknown which message IDs the side has used (EFA/A-87).
    state.party(again->side).message_ids = {};
    state.party(again->side).first_message_id.reset();
    return again;
  }
  // A packet that continued the earlier IDs, too long before to have been in transit, is not of the new meeting.
  const auto& address = state.address_again();
  const bool is_of_former =
      address && address->continues_ids && TraceState::is_past_transit(address->mark.time_ns, again->repeated.time_ns);
  if (!is_of_former) state.address_again().reset();
  return std::nullopt;
}

}  // namespace wirelaw::efa
