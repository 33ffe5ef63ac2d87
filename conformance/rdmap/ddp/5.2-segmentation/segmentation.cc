// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 5.2: how a message is divided into segments.
#include "conformance/rdmap/ddp/5.2-segmentation/rules.h"
#include "conformance/rdmap/ddp/checks.h"

namespace wirelaw::rdmap {

void check_next(Judge& judge, const ddp::Header& header) {
  if (header.tagged)
    judge.require(rule<"DDP-5.2-7">, true, field::kTo, expected(header.to), actual(header.to));
  else
    judge.require(rule<"DDP-5.2-6">, true, field::kMo, expected(header.mo), actual(header.mo));
}

void check_length(Judge& judge, bool tagged, std::uint64_t length) {
  judge.require(rule<"DDP-5.2-3">, length <= 0xffffffff, tagged ? field::kUlpduLength : field::kMo,
                expected("less than 2^32"), actual(length),
                tagged ? "octets of the message so far" : "MO and payload together");
}

void check_empty_message(Judge& judge, std::uint32_t segments) {
  judge.require(rule<"DDP-5.2-9">, segments == 1, field::kDdpControl, expected(1), actual(segments),
                "segments without payload");
}

void check_gap(Judge& judge, const MessageOrderFact& fact) {
  if (fact.tagged)
    blame_stray(judge, rule<"DDP-5.2-7">, *fact.stray, field::kTo,
                "the message, or one that lacks its last segment, leaves octets out or sends them twice");
  else
    blame_stray(judge, rule<"DDP-5.2-6">, *fact.stray, field::kMo, "the message ended with octets missing or doubled");
}

}  // namespace wirelaw::rdmap
