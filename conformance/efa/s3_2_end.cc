// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2: what only the end of a flow shows. A capture may have missed packets, and whoever took it may have
// stopped early: exchanges are looked at only where time went on for long without them (EFA/A-68, EFA/A-85).
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

namespace {

constexpr Section kMsgId{"EFA RDM v4 3.2, msg_id", kRequester};
constexpr Section kMediumMessage{"EFA RDM v4 3.2, Medium message", kRequester};
constexpr Section kLongCtsMessage{"EFA RDM v4 3.2, Long-CTS message"};

}  // namespace

constinit const Rule kMessageIdsFollow =
    kMsgId.resting_on(Evidence::absence)
        .must("EFA-3.2-2", "Message IDs are given in the order of sending, none left out.",
              "EFA/A-19, EFA/A-68, EFA/A-85");
constinit const Rule kMessageIdWraps =
    kMsgId.resting_on(Evidence::absence)
        .must("EFA-3.2-3", "After msg_id 4294967295 comes 0.", "EFA/A-41, EFA/A-68, EFA/A-85");
constinit const Rule kMessageIdsBeginAtZero = kMsgId.resting_on(Evidence::absence)
                                                  .should("EFA-3.2-4", "The first msg_id is 0.",
                                                          "EFA/A-20: not stated, and what all deployed endpoints do; "
                                                          "judged where the peer's HANDSHAKE comes behind it");
constinit const Rule kMediumIsComplete =
    kMediumMessage.resting_on(Evidence::absence)
        .must("EFA-3.2-48", "All segments of a medium message are sent.",
              "EFA/A-68, EFA/A-85; where the length is that of the message (EFA/A-03)");
constinit const Rule kCtsComesAgain =
    kLongCtsMessage.resting_on(Evidence::absence)
        .must("EFA-3.2-111", "When all that was allowed has come, and the message goes on, another CTS is sent.",
              "EFA/A-68, EFA/A-85");
constinit const Rule kAllowedDataComes =
    kLongCtsMessage.resting_on(Evidence::absence)
        .must("EFA-3.2-148", "The sender sends all the data that a CTS has allowed.", "EFA/A-68, EFA/A-85");

constexpr Breach kBreaches[] = {
    {Deviation::msg_id_skips, kMessageIdsFollow, {.severity = Severity::warning}},
    {Deviation::msg_id_skips, kMessageIdsFollow, {.who = kResponder, .severity = Severity::warning}},
    {Deviation::peer_error_wrong_op_id, kMessageIdsFollow, {.who = kRequester, .severity = Severity::warning}},
    {Deviation::msg_id_skips_zero, kMessageIdWraps, {.severity = Severity::warning}},
    {Deviation::msg_id_starts_at_one, kMessageIdsBeginAtZero, {.who = kResponder, .severity = Severity::warning}},
    {Deviation::medium_segment_missing, kMediumIsComplete, {.severity = Severity::warning}},
    {Deviation::cts_not_again, kCtsComesAgain, {.who = kResponder, .severity = Severity::warning}},
    {Deviation::cts_recv_id_changes, kCtsComesAgain, {.who = kResponder, .severity = Severity::warning}},
    {Deviation::data_beyond_window, kAllowedDataComes, {.who = kResponder, .given = kStimulus}},
    {Deviation::longcts_length_long, kAllowedDataComes, {.who = kRequester, .severity = Severity::warning}},
    {Deviation::ctsdata_missing, kAllowedDataComes, {.who = kRequester, .severity = Severity::warning}},
    {Deviation::ctsdata_missing, kAllowedDataComes, {.who = kResponder, .given = kStimulus}},
    {Deviation::ctsdata_twice, kAllowedDataComes, {.who = kResponder, .given = kStimulus}},
};

SectionRules s3_2_end_rules() {
  static constexpr const Rule* kRules[] = {&kMessageIdsFollow, &kMessageIdWraps, &kMessageIdsBeginAtZero,
                                           &kMediumIsComplete, &kCtsComesAgain,  &kAllowedDataComes};
  return {kRules, kBreaches};
}

namespace {

void finish_first_id(Judge& judge, TraceState& state, Side side) {
  const Party& party = state.party(side);
  const Party& peer = state.party(other(side));
  // Its first packets are in the capture where what they made the peer send is.
  if (!peer.handshake || !party.first_message_id || peer.handshake->index < party.first_message_id->index) return;
  judge.at(marked(*party.first_message_id, side));
  judge.advise(kMessageIdsBeginAtZero, party.message_ids.lowest() == 0, {0, party.first_message_id->octets},
               expected(0), actual(party.message_ids.lowest()), "the lowest that was seen");
}

void finish_ids(Judge& judge, TraceState& state, Side side) {
  const Party& party = state.party(side);
  const MessageIds& ids = party.message_ids;
  if (!ids.any()) return;
  const bool apart = party.rta_ids.any() && party.rtm_ids.gaps() == 0 && party.rta_ids.gaps() == 0;
  const Mark mark = party.skipped.value_or(*party.first_message_id);
  judge.at(marked(mark, side));
  const auto missing = apart ? std::nullopt : ids.missing();
  // Of a flow that was not seen from its start, an ID may have gone by before it.
  const bool is_in_view = state.saw_beginning() || (missing && party.complete_from &&
                                                    static_cast<std::int32_t>(*missing - *party.complete_from) > 0);
  const bool due = state.partial().empty() && !party.counts_anew && state.is_long_ago(mark) && is_in_view;
  if (ids.wrapped())
    judge_due(judge, due, kMessageIdWraps, missing != 0u, {0, mark.octets}, expected("0 behind 4294967295"),
              actual("another ID"), "no message has msg_id 0");
  if (missing == 0u && ids.gaps() == 1) return;
  judge_due(judge, due, kMessageIdsFollow, apart || ids.gaps() == 0, {0, mark.octets}, expected("every ID once"),
            actual([&] {
              return missing ? fmt::format("{} missing, the latest {}", ids.gaps(), *missing)
                             : fmt::format("{} missing", ids.gaps());
            }),
            "this packet left IDs out that no later one has");
}

void finish_medium(Judge& judge, const Exchange& exchange, const TraceState& state) {
  // Where its packets do not say how long it is, it has at least what is in front of its data.
  const std::uint64_t length = std::max(exchange.length, exchange.data_end);
  if (exchange.request->transfer != Transfer::medium || length == 0) return;
  judge.at(marked(exchange.begun, exchange.requester));
  judge_due(judge, state.is_in_view(exchange.begun) && state.owes_data(exchange.requester, exchange.latest),
            kMediumIsComplete, exchange.data.octets() >= length, {0, exchange.begun.octets},
            expected([&] { return fmt::format("{} octets in its segments", length); }), actual(exchange.data.octets()),
            "this began the message");
}

void finish_long_cts(Judge& judge, const Exchange& exchange, const TraceState& state) {
  if (!exchange.goes_by_cts() || !exchange.last_data) return;
  // Data may wait for the HANDSHAKE of the one that it goes to (EFA/A-78).
  if (exchange.granted > exchange.in_request && state.party(exchange.sink()).handshake) {
    judge.at(marked(*exchange.last_data, exchange.source()));
    const bool due = !exchange.grant_beyond && state.owes_data(exchange.source(), exchange.latest);
    judge_due(judge, due, kAllowedDataComes, exchange.window() == 0 || exchange.has_all_data(),
              {0, exchange.last_data->octets},
              expected([&] { return fmt::format("{} octets in all", std::min(exchange.granted, exchange.length)); }),
              actual(exchange.data.octets()), "this is the last of its data");
  }
  if (exchange.last_grant && exchange.window() == 0) {
    judge.at(marked(*exchange.last_grant, exchange.sink()));
    judge_due(judge, state.owes_answer(exchange.sink(), exchange.latest), kCtsComesAgain, exchange.has_all_data(),
              {0, exchange.last_grant->octets}, expected("another CTS"), actual("none"), [&] {
                return fmt::format("{} of {} octets have come, and all that was allowed", exchange.data.octets(),
                                   exchange.length);
              });
  }
}

}  // namespace

void finish_messages(Judge& judge, TraceState& state) {
  for (const Side side : {Side::a, Side::b}) {
    finish_first_id(judge, state, side);
    finish_ids(judge, state, side);
  }
  for (const Exchange& exchange : state.exchanges().all()) {
    if (exchange.unsettled || exchange.may_be_none() || (!exchange.done && !state.is_stale(exchange.latest))) continue;
    if (exchange.receipts > 0) {
      finish_early_receipt(judge, exchange, state);
      if (!exchange.has_all_data()) continue;  // after a RECEIPT nobody owes the rest
    }
    finish_medium(judge, exchange, state);
    finish_long_cts(judge, exchange, state);
    finish_receipts(judge, exchange, state);
  }
}

}  // namespace wirelaw::efa
