// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 4.1: the DDP control field. L can be judged only over several segments.
#include "conformance/rdmap/ddp/4.1-control-field/rules.h"
#include "conformance/rdmap/ddp/checks.h"

namespace wirelaw::rdmap {

void check_ddp_control(Judge& judge, const ddp::Header& header, const VersionFact& version) {
  judge.require(rule<"DDP-4.1-10">, header.reserved == 0, field::kDdpControl, expected(0), actual(header.reserved),
                "bits 2 to 5 of the octet");
  // Once a side has changed its version, that is its fault, whatever the value.
  if (version.before &&
      !judge.require(rule<"DDP-4.1-13">, header.version == *version.before, field::kDdpControl,
                     expected(*version.before), actual(header.version), "the segments before it had another version"))
    return;
  if (version.is_agreed)
    judge.require(rule<"DDP-4.1-12">, header.version == ddp::kVersion, field::kDdpControl, expected(ddp::kVersion),
                  actual(header.version));
}

void check_previous_ended(Judge& judge, const ddp::Header& header, const PreviousFact& fact) {
  if (fact.is_ended || header.tagged) {
    judge.require(rule<"DDP-4.1-3">, fact.is_ended, field::kDdpControl,
                  expected("the rest of the tagged message that has begun"), actual("a segment of another"),
                  [&] { return fmt::format("message {} of the flow began it, and it has not ended", fact.begun + 1); });
    return;
  }
  judge.require(rule<"DDP-4.1-3">, false, field::kMsn, expected(fact.msn), actual(header.msn), [&] {
    return fmt::format("another message begins on queue {}, and message {} of the flow began one that has not ended",
                       header.qn, fact.begun + 1);
  });
}

void check_after_last(Judge& judge, const ddp::Header& header, AfterLast what) {
  const auto next = expected("the next message");
  if (what != AfterLast::missing_part)
    judge.require(rule<"DDP-4.1-4">, what != AfterLast::more, field::kMo, next, actual(header.mo),
                  "the message goes on after a segment that had L set");
  if (what != AfterLast::more)
    judge.require(rule<"DDP-4.1-5">, what != AfterLast::missing_part, field::kMo, next, actual(header.mo),
                  "octets of the message whose last segment came before");
}

void check_last_is_highest(Judge& judge, const MessageOrderFact& fact) {
  judge.require(rule<"DDP-4.1-6">, fact.order != MessageOrder::last_not_highest, field::kMo,
                expected("the highest MO of the message"), actual(fact.last_mo), "segments before it have higher ones");
}

}  // namespace wirelaw::rdmap
