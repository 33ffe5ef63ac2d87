// SPDX-License-Identifier: Apache-2.0
// The account of tagged messages (RFC 5041, 4.1, 4.2, 5.2, 5.3). Tagged messages have no identifier. A segment
// continues the open message if at most one of RsvdULP, STag and TO contradicts that; otherwise the open message lacks
// its end.
#include <iterator>

#include "conformance/rdmap/ddp/4.1-control-field/rules.h"
#include "conformance/rdmap/ddp/4.2-tagged-header/rules.h"
#include "conformance/rdmap/ddp/5.2-segmentation/rules.h"
#include "conformance/rdmap/ddp/5.3-ordering/rules.h"
#include "conformance/rdmap/ddp/checks.h"

namespace wirelaw::rdmap {
namespace {

// The open message has all its octets, and these are the first of the answer to the next Read.
bool answers_the_next_read(const Seen& seen) {
  const auto& reads = seen.to.reads;
  if (reads.size() < 2) return false;
  const ReadRequest& next = std::next(reads.begin())->request;
  return next.sink_stag == seen.header.stag && next.sink_to == seen.header.to;
}

void close(Judge& judge, OpenMessage& message) {
  message.open = false;
  if (message.joined) return;
  if (message.octets == 0)
    judge.require(rule<"DDP-5.2-9">, message.segments == 1, field::kDdpControl, expected(1), actual(message.segments),
                  "segments without payload");
  if (!message.stray.there)
    judge.require(rule<"DDP-5.3-2">, true, field::kTo, expected(true), actual(true));
  else if (is_covered(message))
    blame_stray(judge, rule<"DDP-5.3-2">, message, field::kTo, "the octets between them came later");
  else
    blame_stray(judge, rule<"DDP-5.2-7">, message, field::kTo,
                "the message, or one that lacks its last segment, leaves octets out or sends them twice");
}

void begin(Judge& judge, Seen& seen) {
  OpenMessage& message = seen.from.tagged;
  // If octets are missing from the trace, the first segment seen may be any segment of its message.
  const bool joined = message.segments == 0 && !all_is_known(seen.connection);
  begin_message(judge, seen, message, seen.header.to);
  message.joined = joined;
  seen.first_segment = !joined;
  place(judge, seen, message, seen.header.to);
  if (seen.header.last) close(judge, message);
}

}  // namespace

void account_tagged(Judge& judge, Seen& seen) {
  const ddp::Header& header = seen.header;
  OpenMessage& message = seen.from.tagged;
  if (!message.open) {
    judge.require(rule<"DDP-4.1-3">, true, field::kDdpControl, expected(true), actual(true));
    return begin(judge, seen);
  }
  const bool empty = seen.payload.empty();
  const bool same_rsvd_ulp = header.rsvd_ulp == message.rsvd_ulp;
  const bool same_stag = empty || header.stag == message.stag;
  const bool in_place = empty || header.to == message.next;
  const bool complete = message.whole && message.octets >= *message.whole;
  const int contradictions = !same_rsvd_ulp + !same_stag + !in_place;
  if (contradictions > 1 || (empty && !same_rsvd_ulp) ||
      (complete && (contradictions > 0 || answers_the_next_read(seen)))) {
    if (!message.joined)
      judge.require(rule<"DDP-4.1-3">, false, field::kDdpControl,
                    expected("the rest of the tagged message that has begun"), actual("a segment of another"), [&] {
                      return fmt::format("message {} of the flow began it, and it has not ended", message.begun + 1);
                    });
    return begin(judge, seen);
  }
  seen.first_segment = false;
  if (!judge.require(rule<"DDP-4.2-4">, same_rsvd_ulp, field::kRdmapControl, expected(hex(message.rsvd_ulp)),
                     actual(hex(header.rsvd_ulp)), "differs from the message's first segment")) {
    seen.blame(error::kUnexpectedOpcode);
    if (seen.control.version != decode_control(message.rsvd_ulp).version) seen.blame(error::kInvalidVersion);
  }
  if (!judge.require(rule<"DDP-4.2-8">, same_stag, field::kStag, expected(hex(message.stag)), actual(hex(header.stag)),
                     "differs from the message's first segment")) {
    seen.blame(error::kDdpInvalidStag);
    seen.blame(error::kDdpStagNotAssociated);
    seen.blame(error::kDdpBaseOrBounds);
  }
  if (in_place && !message.stray.there && !message.joined)
    judge.require(rule<"DDP-5.2-7">, true, field::kTo, expected(header.to), actual(header.to));
  else if (!in_place)
    seen.blame(error::kDdpBaseOrBounds);
  place(judge, seen, message, empty ? message.next : header.to);
  judge.require(rule<"DDP-5.2-3">, message.octets <= 0xffffffff, field::kUlpduLength, expected("less than 2^32"),
                actual(message.octets), "octets of the message so far");
  if (header.last) close(judge, message);
}

}  // namespace wirelaw::rdmap
