// SPDX-License-Identifier: Apache-2.0
// The checks of DDP, in the order in which an observer calls them.
#include "conformance/rdmap/ddp/checks.h"

namespace wirelaw::rdmap {

void blame_stray(Judge& judge, const Rule& rule, const Stray& stray, OctetRange where, std::string_view why) {
  Message at = stray.message;
  at.octets = stray.octets;
  const Elsewhere there(judge, at);
  judge.require(rule, false, where, expected(stray.due), actual(stray.at), why);
}

void check_message_order(Judge& judge, const MessageOrderFact& fact) {
  if (fact.order == MessageOrder::headless) return check_headless(judge, *fact.stray);
  if (fact.order == MessageOrder::gap) return check_gap(judge, fact);
  if (!fact.tagged) check_last_is_highest(judge, fact);
  if (fact.order != MessageOrder::last_not_highest) check_order(judge, fact);
}

void check_ddp_segment(Judge& judge, const SegmentFacts& segment) {
  const ddp::Header& header = segment.header;
  check_ddp_control(judge, header, segment.version);
  if (segment.given_up) check_message_order(judge, *segment.given_up);
  if (segment.previous) check_previous_ended(judge, header, *segment.previous);
  if (segment.after_last) check_after_last(judge, header, *segment.after_last);
  if (segment.msn) check_msn(judge, header.qn, *segment.msn);
  if (segment.among) check_among(judge, *segment.among);
  if (segment.shared) (header.tagged ? check_shared_tagged : check_shared_untagged)(judge, *segment.shared);
  if (segment.offset == Offset::start) check_start(judge, header);
  if (segment.offset == Offset::next) check_next(judge, header);
  if (segment.length) check_length(judge, header.tagged, *segment.length);
  if (segment.segments) check_empty_message(judge, *segment.segments);
  if (segment.order) check_message_order(judge, *segment.order);
}

}  // namespace wirelaw::rdmap
