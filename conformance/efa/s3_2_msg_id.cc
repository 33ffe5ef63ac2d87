// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2: message IDs of RTM and RTA packets, each side's for itself.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

namespace {

constexpr Section kSection{"EFA RDM v4 3.2, msg_id", kRequester};

}  // namespace

constinit const Rule kMessageIdIsNew = kSection.resting_on(Evidence::absence)
                                           .must_not("EFA-3.2-1", "No two messages of a sender have the same msg_id.",
                                                     "A-19: RTM and RTA may be counted apart; several packets of a "
                                                     "medium or runting message have that of the message");

constexpr Breach kBreaches[] = {
    {Deviation::msg_id_repeats, kMessageIdIsNew},
    {Deviation::msg_id_repeats, kMessageIdIsNew, {.who = kResponder}},
    {Deviation::msg_id_repeats, kMessageIdIsNew, {.severity = Severity::warning}},
    {Deviation::msg_id_repeats, kMessageIdIsNew, {.who = kResponder, .severity = Severity::warning}},
    {Deviation::medium_segment_twice, kMessageIdIsNew, {.severity = Severity::warning}},
    {Deviation::medium_segment_twice, kMessageIdIsNew, {.who = kResponder, .severity = Severity::warning}},
};

SectionRules s3_2_msg_id_rules() {
  static constexpr const Rule* kRules[] = {&kMessageIdIsNew};
  return {kRules, kBreaches};
}

namespace {

// The packet is a further segment of the message that has the ID, or says that it follows a READ_NACK: whether it does
// is judged elsewhere (4.7).
bool goes_on(const SeenPacket& seen, TraceState& state) {
  if (seen.packet.has(flag::kReadNack)) return true;
  const Transfer transfer = seen.layout.transfer;
  if (transfer != Transfer::medium && transfer != Transfer::runting_read) return false;
  const Exchange* const known = state.exchanges().by_msg_id(seen.sender(), seen.packet.msg_id);
  if (known == nullptr) return !state.complete();  // what began it may have been passed over
  return !known->done && known->request->transfer == transfer;
}

// Adds the ID; its place among those of its kind.
MessageIds::Place add_msg_id(const SeenPacket& seen, Party& party) {
  const std::uint32_t id = seen.packet.msg_id;
  if (const auto place = party.message_ids.add(id); place == MessageIds::Place::ahead)
    party.skipped = seen.mark();
  else if (party.message_ids.gaps() == 0)
    party.skipped.reset();
  if (!party.first_message_id) party.first_message_id = seen.mark();
  return (seen.layout.purpose == Purpose::atomic ? party.rta_ids : party.rtm_ids).add(id);
}

}  // namespace

void note_msg_id(const SeenPacket& seen, TraceState& state) {
  add_msg_id(seen, state.party(seen.sender()));
}

void judge_msg_id(Judge& judge, const SeenPacket& seen, TraceState& state) {
  Party& party = state.party(seen.sender());
  const std::uint32_t id = seen.packet.msg_id;
  if (add_msg_id(seen, party) != MessageIds::Place::repeated) {
    require(judge, kMessageIdIsNew, true, seen, Field::msg_id, expected(""), actual(""));
    return;
  }
  // The peer may have taken another's place (4.4) before the trace began.
  if (id == 0 && !state.from_start()) party.counts_anew = true;
  if (party.counts_anew || goes_on(seen, state)) return;
  const auto want = expected("an ID that no message has");
  if (seen.doubled)
    advise(judge, kMessageIdIsNew, false, seen, Field::msg_id, want, actual(id),
           "the packet has been sent twice, or UDP has doubled it");
  else
    require(judge, kMessageIdIsNew, false, seen, Field::msg_id, want, actual(id),
            "it has been used, and nothing shows that another endpoint took the place of either");
}

}  // namespace wirelaw::efa
