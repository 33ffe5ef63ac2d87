// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/claim_rows.h"

#include <algorithm>
#include <span>

#include "conformance/efa/3.2-end/end.h"
#include "conformance/efa/3.3-atomrsp/atomrsp.h"
#include "conformance/efa/3.3-read/read.h"
#include "conformance/efa/3.3-readrsp/readrsp.h"
#include "conformance/efa/3.3-write/write.h"
#include "conformance/efa/4.1-eor/eor.h"
#include "conformance/efa/4.10-peer-error/peer_error.h"
#include "conformance/efa/4.2-delivery-complete/delivery_complete.h"
#include "conformance/efa/4.5-runting-read/runting_read.h"
#include "conformance/efa/4.7-read-nack/read_nack.h"
#include "conformance/efa/packet_checks.h"

namespace wirelaw::efa {
namespace {

// In the order of the sections.
const std::span<const ClaimRow> kSections[] = {kEndClaims,   kReadClaims,     kReadrspClaims, kAtomrspClaims,
                                               kWriteClaims, kEorClaims,      kReceiptClaims, kRuntClaims,
                                               kNackClaims,  kPeerErrorClaims};

}  // namespace

void check_claim(Judge& judge, const ClaimFact& fact) {
  const auto section = std::ranges::find_if(
      kSections, [&](const auto& rows) { return std::ranges::find(rows, fact.claim, &ClaimRow::claim) != rows.end(); });
  const ClaimRow& row = *std::ranges::find(*section, fact.claim, &ClaimRow::claim);
  const auto filled = [&](std::string_view text) {
    return fmt::format(fmt::runtime(text), fmt::arg("got", fact.got), fmt::arg("due", fact.due),
                       fmt::arg("request", fact.request == nullptr ? "" : fact.request->name));
  };
  judge.at(fact.message());
  judge_due(judge, fact.is_certain, *row.rule, fact.holds, fact.place(), expected([&] { return filled(row.due); }),
            actual([&] { return filled(row.got); }),
            [&] { return filled(fact.is_served && !row.why_served.empty() ? row.why_served : row.why); });
}

}  // namespace wirelaw::efa
