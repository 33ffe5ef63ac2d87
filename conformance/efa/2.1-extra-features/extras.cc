// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 2.1: an endpoint uses extra features only if the peer has announced them.
#include "conformance/efa/2.1-extra-features/extras.h"

#include "conformance/efa/2.1-extra-features/rules.h"
#include "conformance/efa/packet_checks.h"

namespace wirelaw::efa {

namespace {

struct FeatureRow {
  Extra extra;
  const Rule* rule;
};
constexpr FeatureRow kFeatures[] = {
    {Extra::rdma_read, &rule<"EFA-2.1-21">},
    {Extra::delivery_complete, &rule<"EFA-2.1-22">},
    {Extra::runting_read, &rule<"EFA-2.1-23">},
    {Extra::read_nack, &rule<"EFA-2.1-24">},
};

}  // namespace

void check_extra(Judge& judge, const SeenPacket& seen, const ExtraFact& fact) {
  const auto got = actual(seen.layout.name);
  for (const FeatureRow& row : kFeatures) {
    if ((seen.layout.extras & extra_bits({row.extra})) == 0) continue;
    const bool announced = (fact.extra_info & extra_bits({row.extra})) != 0;
    const auto want = expected([&] { return fmt::format("bit {} of extra_info", static_cast<unsigned>(row.extra)); });
    const auto why = [&] {
      return fmt::format("the peer's extra_info is 0x{:x}, and nothing shows another endpoint in its place",
                         fact.extra_info);
    };
    // For a runting read, only its own bit is certain (EFA/A-50).
    const bool is_certain = row.extra != Extra::rdma_read || seen.layout.transfer != Transfer::runting_read;
    if (const auto baseline = find_extra(static_cast<unsigned>(row.extra))->baseline)
      require_before(*baseline, fact.document, judge, *row.rule, announced, octets(0, 1), want, got, why);
    else
      judge_due(judge, is_certain, *row.rule, announced, octets(0, 1), want, got, why);
  }
}

void check_early_extra(Judge& judge, Side side, const EarlyExtraFact& fact) {
  using enum EarlyExtraFact::Case;
  judge.at(marked(fact.mark, side));
  const auto want = expected("a packet of a baseline feature");
  const auto got = actual([&] { return fact.layout->name; });
  const auto where = octets(0, 1);
  if (fact.of == no_handshake)
    judge.advise(rule<"EFA-2.1-20">, false, where, want, got, "no HANDSHAKE of the peer was seen");
  else if (fact.of == baseline)
    require_before(Revision::v2_6, fact.document, judge, rule<"EFA-2.1-20">, false, where, want, got,
                   "the peer's HANDSHAKE had not come");
  else if (fact.of == maybe_homogeneous)
    judge.advise(rule<"EFA-2.1-20">, false, where, want, got,
                 "the peer's HANDSHAKE had not come; an application may have declared its peers homogeneous, as "
                 "libfabric 2.2 and later let it: if it has, say so by --feature homogeneous_peers");
  else
    judge.require(rule<"EFA-2.1-20">, fact.of == unused || fact.of == declared_homogeneous, where, want, got,
                  fact.of == lacking
                      ? "the peer's HANDSHAKE, which came later, does not announce what it uses"
                      : "the peer's HANDSHAKE had not come, or an earlier one was not captured, and this endpoint's "
                        "document is older than homogeneous peers");
}

}  // namespace wirelaw::efa
