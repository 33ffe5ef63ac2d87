// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2, table 3.4: medium messages, with their delivery complete form (4.2).
//
// In the document the length in their packets is that of the packet's data. Deployed senders write the length of the
// message (EFA/A-03). Either meaning is accepted as long as the sender's packets allow it.
#include "conformance/efa/3.2-medium/medium.h"

#include "conformance/efa/3.2-cts/cts.h"
#include "conformance/efa/3.2-longcts/longcts.h"
#include "conformance/efa/3.2-medium/rules.h"
#include "conformance/efa/4.2-delivery-complete/delivery_complete.h"
#include "conformance/efa/packet_checks.h"

namespace wirelaw::efa {

namespace {

// Reports a packet that leaves no meaning of the length. If the packet allows none by itself, its octets prove the
// breach; otherwise the earlier packets do, to which it may not belong.
void check_unreadable(Judge& judge, const SeenPacket& seen, const MediumFact::Length& fact) {
  const Segment segment(seen);
  const Evidence evidence = segment.has_meaning() ? Evidence::absence : Evidence::octets;
  const bool may_be_total = (fact.possible & kTotalRead) != 0;
  if (fact.alone != 0 && fact.is_first) {
    require(judge, rule<"EFA-3.2-41">, false, seen, Field::seg_length, expected([&] {
              return fact.possible == kTotalRead ? "the length of the message" : "the length of the data";
            }),
            actual(segment.length), "as in the sender's messages before");
  } else if (may_be_total && segment.length >= segment.octets && (fact.is_first || fact.total == segment.length)) {
    require(judge, rule<"EFA-3.2-42">, false, seen, Field::seg_offset,
            expected([&] { return fmt::format("an end at {} or before", segment.length); }),
            actual([&] { return fmt::format("{} octets at {}", segment.octets, segment.offset); }),
            "the message is not so long", evidence);
  } else {
    require(judge, rule<"EFA-3.2-40">, false, seen, Field::seg_length, expected([&] {
              return fact.total && may_be_total ? fmt::format("{}, as in the packets before", *fact.total)
                                                : fmt::format("{}, the length of the data", segment.octets);
            }),
            actual(segment.length), "it fits neither the packet nor the message", evidence);
  }
}

void check_length(Judge& judge, const SeenPacket& seen, const MediumFact::Length& fact) {
  if (fact.left() == 0) return check_unreadable(judge, seen, fact);
  keeps(judge, rule<"EFA-3.2-40">, rule<"EFA-3.2-41">);
  if ((fact.left() & kTotalRead) != 0) keeps(judge, rule<"EFA-3.2-42">);
}

// Checks the fields that all packets of a message must have in common.
void check_likeness(Judge& judge, const SeenPacket& seen, const MediumFact::Begun& begun) {
  const Packet& packet = seen.packet;
  if (!require(judge, rule<"EFA-3.2-44">, begun.request == &seen.layout, seen, Field::type,
               expected([&] { return begun.request->name; }), actual([&] { return seen.layout.name; }),
               "the message began with it"))
    return;
  if (seen.layout.tagged)
    require(judge, rule<"EFA-3.2-45">, packet.tag == begun.tag, seen, Field::tag,
            expected([&] { return say(hex(begun.tag)); }), actual(hex(packet.tag)), "the message began with it");
  const auto cq_data = packet.has(flag::kCqData) ? std::optional(packet.cq_data) : std::nullopt;
  const auto said = [](const std::optional<std::uint64_t>& one) { return one ? say(hex(*one)) : std::string("none"); };
  advise(judge, rule<"EFA-3.2-46">, cq_data == begun.cq_data, seen, cq_data ? Field::cq_data : Field::flags,
         expected([&] { return said(begun.cq_data); }), actual([&] { return said(cq_data); }),
         "the message began with it");
  if (begun.send_id) check_segment_send_id(judge, seen, *begun.send_id);
}

}  // namespace

void check_medium_message(Judge& judge, const SeenPacket& seen, const MediumFact& fact) {
  const Segment segment(seen);
  if (fact.is_copy)
    advise(judge, rule<"EFA-3.2-43">, false, seen, Field::seg_offset, expected("each segment once"),
           actual("the same segment again"), "it has been sent twice, or UDP has doubled it");
  if (fact.begun) check_likeness(judge, seen, *fact.begun);
  if (fact.length) check_length(judge, seen, *fact.length);
  if (fact.send_id) check_send_id(judge, seen, *fact.send_id);
  if (fact.is_followed)
    advise(judge, rule<"EFA-3.2-47">, segment.octets > 0 || segment.length == 0, seen, Field::seg_length,
           expected("at least 1 octet of data"), actual(0), "it carries nothing");
  if (fact.fresh) check_unsent(judge, seen, rule<"EFA-3.2-43">, *fact.fresh);
  if (fact.receipt) check_fresh_data(judge, seen, {.receipt = fact.receipt});
}

}  // namespace wirelaw::efa
