// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2: what only the end of a flow shows. A capture may have missed packets, and whoever took it may have
// stopped early: these are warnings, and exchanges are looked at only where the flow went on for long without them.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

constinit const Rule kMessageIdsFollow{"EFA-3.2-2",
                                       Level::must,
                                       Role::initiator,
                                       "EFA RDM v4 3.2, msg_id",
                                       Observable::trace,
                                       "Message IDs are given in the order of sending, none left out.",
                                       "A-19, A-68: a warning at the end, as a capture may have missed a packet"};
constinit const Rule kMessageIdWraps{"EFA-3.2-3",       Level::must,
                                     Role::initiator,   "EFA RDM v4 3.2, msg_id",
                                     Observable::trace, "After msg_id 4294967295 comes 0.",
                                     "A-41, A-68"};
constinit const Rule kMessageIdsBeginAtZero{
    "EFA-3.2-4",
    Level::should,
    Role::initiator,
    "EFA RDM v4 3.2, msg_id",
    Observable::trace,
    "The first msg_id is 0.",
    "A-20: not stated, and what all deployed endpoints do; judged where the peer's HANDSHAKE comes behind it"};
constinit const Rule kMediumIsComplete{"EFA-3.2-48",
                                       Level::must,
                                       Role::initiator,
                                       "EFA RDM v4 3.2, Medium message",
                                       Observable::trace,
                                       "All segments of a medium message are sent.",
                                       "A-68; where the length is that of the message (A-03)"};
constinit const Rule kCtsComesAgain{"EFA-3.2-111",
                                    Level::must,
                                    Role::any,
                                    "EFA RDM v4 3.2, Long-CTS message",
                                    Observable::trace,
                                    "When all that was allowed has come, and the message goes on, another CTS is sent.",
                                    "A-68"};
constinit const Rule kAllowedDataComes{"EFA-3.2-148",
                                       Level::must,
                                       Role::any,
                                       "EFA RDM v4 3.2, Long-CTS message",
                                       Observable::trace,
                                       "The sender sends all the data that a CTS has allowed.",
                                       "A-68"};

RuleList s3_2_end_rules() {
  static constexpr const Rule* kRules[] = {&kMessageIdsFollow, &kMessageIdWraps, &kMessageIdsBeginAtZero,
                                           &kMediumIsComplete, &kCtsComesAgain,  &kAllowedDataComes};
  return kRules;
}

namespace {

void finish_first_id(Judge& judge, Conversation& conversation, Side side) {
  const Party& party = conversation.party(side);
  const Party& peer = conversation.party(other(side));
  // Its first packets are in the capture where what they made the peer send is.
  if (!peer.handshake || !party.first_message_id || peer.handshake->index < party.first_message_id->index) return;
  judge.at(marked(*party.first_message_id, side));
  judge.advise(kMessageIdsBeginAtZero, party.message_ids.lowest() == 0, {0, party.first_message_id->octets},
               expected(0), actual(party.message_ids.lowest()), "the lowest that was seen");
}

void finish_ids(Judge& judge, Conversation& conversation, Side side) {
  const Party& party = conversation.party(side);
  const MessageIds& ids = party.message_ids;
  if (!ids.any()) return;
  const bool apart = party.rta_ids.any() && party.rtm_ids.gaps() == 0 && party.rta_ids.gaps() == 0;
  const Mark mark = party.skipped.value_or(*party.first_message_id);
  judge.at(marked(mark, side));
  const auto missing = apart ? std::nullopt : ids.missing();
  if (ids.wrapped())
    judge.advise(kMessageIdWraps, missing != 0u, {0, mark.octets}, expected("0 behind 4294967295"),
                 actual("another ID"), "no message has msg_id 0");
  if (missing == 0u && ids.gaps() == 1) return;
  judge.advise(kMessageIdsFollow, apart || ids.gaps() == 0, {0, mark.octets}, expected("every ID once"), actual([&] {
                 return missing ? fmt::format("{} missing, the latest {}", ids.gaps(), *missing)
                                : fmt::format("{} missing", ids.gaps());
               }),
               "this packet left IDs out that no later one has");
}

void finish_medium(Judge& judge, const Exchange& exchange) {
  if (exchange.request->transfer != Transfer::medium || exchange.length == 0) return;
  judge.at(marked(exchange.begun, exchange.requester));
  judge.advise(kMediumIsComplete, exchange.has_all_data(), {0, exchange.begun.octets},
               expected([&] { return fmt::format("{} octets in its segments", exchange.length); }),
               actual(exchange.data.octets()), "this began the message");
}

void finish_long_cts(Judge& judge, const Exchange& exchange) {
  if (!exchange.goes_by_cts() || !exchange.last_data) return;
  if (exchange.granted > exchange.in_request) {
    judge.at(marked(*exchange.last_data, exchange.source()));
    judge.advise(kAllowedDataComes, exchange.window() == 0 || exchange.has_all_data(), {0, exchange.last_data->octets},
                 expected([&] { return fmt::format("{} octets in all", std::min(exchange.granted, exchange.length)); }),
                 actual(exchange.data.octets()), "this is the last of its data");
  }
  if (exchange.last_grant && exchange.window() == 0) {
    judge.at(marked(*exchange.last_grant, exchange.sink()));
    judge.advise(kCtsComesAgain, exchange.has_all_data(), {0, exchange.last_grant->octets}, expected("another CTS"),
                 actual("none"), [&] {
                   return fmt::format("{} of {} octets have come, and all that was allowed", exchange.data.octets(),
                                      exchange.length);
                 });
  }
}

}  // namespace

void finish_messages(Judge& judge, Conversation& conversation) {
  for (const Side side : {Side::a, Side::b}) {
    finish_first_id(judge, conversation, side);
    finish_ids(judge, conversation, side);
  }
  for (const Exchange& exchange : conversation.exchanges().all()) {
    if (exchange.unsettled || exchange.may_be_none() || (!exchange.done && !conversation.is_stale(exchange.latest)))
      continue;
    finish_medium(judge, exchange);
    finish_long_cts(judge, exchange);
    finish_receipts(judge, exchange);
  }
}

}  // namespace wirelaw::efa
