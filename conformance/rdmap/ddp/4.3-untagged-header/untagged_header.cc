// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 4.3: the header of untagged segments, and the numbers of their messages.
#include "conformance/rdmap/ddp/4.3-untagged-header/rules.h"
#include "conformance/rdmap/ddp/checks.h"

namespace wirelaw::rdmap {

void check_msn(Judge& judge, std::uint32_t qn, const MsnFact& fact) {
  const std::uint32_t due = fact.msn.due;
  const Rule& of_msn = fact.is_first ? rule<"DDP-4.3-8"> : due == 0 ? rule<"DDP-4.3-9"> : rule<"DDP-4.3-7">;
  judge.require(of_msn, fact.msn.holds(), field::kMsn, expected(due), actual(fact.msn.seen), [&] {
    if (fact.is_first) return fmt::format("the first message of queue {}", qn);
    return fmt::format("the message before it on queue {} had {}", qn, due - 1);
  });
}

void check_shared_untagged(Judge& judge, const SharedFact& fact) {
  judge.require(rule<"DDP-4.3-5">, fact.qn.holds(), field::kQn, expected(fact.qn.due), actual(fact.qn.seen),
                "every other field continues the open message of the other queue");
  judge.require(rule<"DDP-4.3-10">, fact.msn.holds(), field::kMsn, expected(fact.msn.due), actual(fact.msn.seen),
                "the MO continues the open message");
  const auto& control = fact.rsvd_ulp;
  const auto& rest = fact.rsvd_ulp_rest;
  judge.require(rule<"DDP-4.3-4">, control.holds() && rest.holds(),
                control.holds() ? field::kInvalidateStag : field::kRdmapControl,
                expected([&] { return fmt::format("{:02x} {:08x}", control.due, rest.due); }),
                actual([&] { return fmt::format("{:02x} {:08x}", control.seen, rest.seen); }),
                "differs from the message's first segment");
}

void check_start(Judge& judge, const ddp::Header& header) {
  judge.require(rule<"DDP-4.3-11">, true, field::kMo, expected(header.mo), actual(header.mo));
}

void check_headless(Judge& judge, const Stray& stray) {
  blame_stray(judge, rule<"DDP-4.3-11">, stray, field::kMo, "the message ended without its first octets");
}

}  // namespace wirelaw::rdmap
