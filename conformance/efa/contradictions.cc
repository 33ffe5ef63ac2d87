// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/contradictions.h"

#include <algorithm>

namespace wirelaw::efa {
namespace {

constexpr std::size_t kMost = 64;  // findings that wait

// Rules that are broken by two packets with one message ID, and by nothing else.
constexpr std::string_view kOfOneMessage[] = {"EFA-3.2-1",  "EFA-3.2-40", "EFA-3.2-43", "EFA-3.2-44",
                                              "EFA-3.2-45", "EFA-4.2-6",  "EFA-4.5-4",  "EFA-4.5-5",
                                              "EFA-4.5-6",  "EFA-4.5-7",  "EFA-4.5-9",  "EFA-4.5-10"};

// Those among them that a duplicate of one packet also breaks. UDP may have duplicated it long before.
constexpr std::string_view kOfOnePacketTwice[] = {"EFA-3.2-1", "EFA-3.2-43", "EFA-4.5-9"};

bool is_of_one_message(const Rule& rule, bool may_double) {
  return std::ranges::find(kOfOneMessage, rule.id) != std::end(kOfOneMessage) &&
         !(may_double && std::ranges::find(kOfOnePacketTwice, rule.id) != std::end(kOfOnePacketTwice));
}

// The packet with that ID before this one was sent when the other side had shown its connid.
bool began_with_peer(const Party& self, std::uint32_t msg_id) {
  return !self.id_before_peer || static_cast<std::int32_t>(msg_id - *self.id_before_peer) > 0;
}

}  // namespace

void Contradictions::note_ids(std::span<const HeldBack> all_held, const SeenPacket& seen, TraceState& state,
                              std::optional<std::uint32_t> connid) {
  Party& self = state.party(seen.sender());
  if (!connid) {
    self.has_one_connid = false;
  } else {
    if (!self.connid_with_ids) self.connid_with_ids = connid;
    self.has_one_connid = self.has_one_connid && connid == self.connid_with_ids;
  }
  if (all_held.empty()) [[likely]]
    return;
  const bool may_settle = self.has_one_connid && state.party(other(seen.sender())).shown_connid &&
                          began_with_peer(self, seen.packet.msg_id);
  const bool may_double = state.may_double() || seen.message.ip_version != 0;
  for (const HeldBack& held : all_held)
    if (may_settle && is_of_one_message(*held.rule, may_double) && waiting_.size() < kMost)
      waiting_.push_back({seen.sender(), held});
}

// Notes the connid that a side uses: it shows if that side is still the endpoint to which the contradictory packets
// went, or another one.
void Contradictions::note_peer(Judge& judge, Side sender, TraceState& state, std::uint32_t connid) {
  Party& self = state.party(sender);
  Party& peer = state.party(other(sender));
  const auto waits = [&](const Waiting& one) { return one.sender == other(sender); };
  if (self.shown_connid == connid) {
    for (const Waiting& one : waiting_)
      if (waits(one))
        judge.settle(one.held, "both sides have shown the same connids before and since: neither has been replaced");
  } else {
    self.shown_connid = connid;
    if (peer.message_ids.any()) peer.id_before_peer = peer.message_ids.newest();
  }
  std::erase_if(waiting_, waits);
}

void Contradictions::settle(Judge& judge, std::span<const HeldBack> all_held, const SeenPacket& seen, TraceState& state,
                            std::optional<std::uint32_t> connid) {
  if (beginnings_ != state.beginnings()) {
    waiting_.clear();
    beginnings_ = state.beginnings();
  }
  if (seen.layout.ordered()) note_ids(all_held, seen, state, connid);
  if (connid) note_peer(judge, seen.sender(), state, *connid);
}

}  // namespace wirelaw::efa
