// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 2.1: extra features are used only where the peer has announced them.
#include "conformance/efa/later.h"

namespace wirelaw::efa {

namespace {

constexpr Section kSection{"EFA RDM v4 2.1"};
constexpr Section kTable2_1{"EFA RDM v4 2.1, table 2.1", kRequester};
constexpr Section kTable2_1OfResponder = kTable2_1.of(kResponder);
constexpr Section kSectionApiOfRequester = kSection.by(Observable::api).of(kRequester);
constexpr Section kSectionApi = kSection.by(Observable::api);

}  // namespace

constinit const Rule kBaselineFirst =
    kSection.resting_on(Evidence::absence)
        .must("EFA-2.1-20", "Until the peer's HANDSHAKE has come, only packets of baseline features are sent to it.",
              "EFA/A-18, EFA/A-35, EFA/A-40, EFA/A-88");
constinit const Rule kReadAnnounced =
    kTable2_1.resting_on(Evidence::absence)
        .must_not("EFA-2.1-21", "LONGREAD requests are not sent to a peer that has not announced RDMA read.",
                  "EFA/A-18, EFA/A-50");
constinit const Rule kDeliveryAnnounced =
    kTable2_1.resting_on(Evidence::absence)
        .must_not("EFA-2.1-22",
                  "Delivery complete requests are not sent to a peer that has not announced delivery complete.",
                  "EFA/A-18");
constinit const Rule kRuntingAnnounced =
    kTable2_1.resting_on(Evidence::absence)
        .must_not("EFA-2.1-23", "RUNTREAD requests are not sent to a peer that has not announced runting read.",
                  "EFA/A-18, EFA/A-50");
constinit const Rule kNackAnnounced =
    kTable2_1OfResponder.resting_on(Evidence::absence)
        .must_not("EFA-2.1-24", "A READ_NACK is not sent to a peer that has not announced read nack.", "EFA/A-18");
constinit const Rule kRequesterAborts = kSectionApiOfRequester.must(
    "EFA-2.1-25",
    "Where the application needs an extra feature that the peer does not have, its call ends with an error.",
    "the completion of the call shows it; in a trace nothing is sent");
constinit const Rule kRequestMayBeIgnored = kSectionApi.must(
    "EFA-2.1-26", "An endpoint whose extra request is not complied with carries on without, or ends with an error.",
    "what it does with a packet that came is in its completions");

// The endpoints of the tests may follow 2.6, for all that they show (EFA/A-90): warnings.
constexpr Breach kBreaches[] = {
    {Deviation::extras_before_handshake, kBaselineFirst, {.who = kRequester, .severity = Severity::warning}},
    {Deviation::extras_before_handshake,
     kBaselineFirst,
     {.who = kRequester, .severity = Severity::warning, .given = kStimulus}},
    {Deviation::extras_not_announced, kDeliveryAnnounced, {.severity = Severity::warning}},
    {Deviation::nack_not_announced, kNackAnnounced, {.severity = Severity::warning}},
    {Deviation::connid_needed, kRequestMayBeIgnored},
};

SectionRules s2_1_extras_rules() {
  static constexpr const Rule* kRules[] = {&kBaselineFirst, &kReadAnnounced,   &kDeliveryAnnounced,  &kRuntingAnnounced,
                                           &kNackAnnounced, &kRequesterAborts, &kRequestMayBeIgnored};
  return {kRules, kBreaches};
}

namespace {

struct FeatureRow {
  Extra extra;
  const Rule* rule;
};
constexpr FeatureRow kFeatures[] = {
    {Extra::rdma_read, &kReadAnnounced},
    {Extra::delivery_complete, &kDeliveryAnnounced},
    {Extra::runting_read, &kRuntingAnnounced},
    {Extra::read_nack, &kNackAnnounced},
};

}  // namespace

namespace {

// The peer's HANDSHAKE does not announce what the packet uses.
bool lacks(const Party& peer, const Layout& layout) {
  const std::uint64_t needed = layout.extras & ~baseline_of(Revision::main);
  return peer.extras_known && (needed & ~peer.extra_info) != 0;
}

}  // namespace

void judge_extras(Judge& judge, const SeenPacket& seen, TraceState& state) {
  if (seen.type() == PacketType::peer_error) return;  // judge_peer_error()
  Party& party = state.party(seen.sender());
  const Party& peer = state.party(other(seen.sender()));
  if (!peer.handshake) {
    const bool extra_in_all = (seen.layout.extras & ~baseline_of(Revision::main)) != 0;
    auto& early = extra_in_all ? party.early_extra : party.early_baseline;
    if (!early) early = Party::Early{seen.mark(), &seen.layout, false};
    return;
  }
  if (!peer.extras_known) return;
  const auto got = actual(seen.layout.name);
  for (const FeatureRow& row : kFeatures) {
    if ((seen.layout.extras & extra_bits({row.extra})) == 0) continue;
    const bool announced = peer.announced(row.extra);
    const auto want = expected([&] { return fmt::format("bit {} of extra_info", static_cast<unsigned>(row.extra)); });
    const auto why = [&] {
      return fmt::format("the peer's extra_info is 0x{:x}, and nothing shows another endpoint in its place",
                         peer.extra_info);
    };
    // In a runting read, only the bit that is its own is beyond doubt (EFA/A-50).
    if (row.extra == Extra::rdma_read && seen.layout.transfer == Transfer::runting_read)
      judge.advise(*row.rule, announced, octets(0, 1), want, got, why);
    else if (const auto baseline = find_extra(static_cast<unsigned>(row.extra))->baseline)
      require_before(*baseline, party.document, judge, *row.rule, announced, octets(0, 1), want, got, why);
    else
      judge.require(*row.rule, announced, octets(0, 1), want, got, why);
  }
}

void judge_early_extras(Judge& judge, Side side, TraceState& state, bool at_end) {
  Party& party = state.party(side);
  const Party& peer = state.party(other(side));
  if (party.early_judged || !state.complete() || !party.first) return;
  const auto& early = party.early_extra;
  const bool is_known = peer.handshake && (!early || party.handshake);
  if (!is_known && !at_end) return;
  if (!early && party.early_baseline) return;  // finish_early_extras()
  party.early_judged = true;
  judge.at(marked(early ? early->mark : *party.first, side));
  const auto want = expected("a packet of a baseline feature");
  const auto got = actual([&] { return early->layout->name; });
  if (!early)
    judge.require(kBaselineFirst, true, {}, want, got);
  else if (lacks(peer, *early->layout))
    judge.require(kBaselineFirst, false, octets(0, 1), want, got,
                  "the peer's HANDSHAKE, which came later, does not announce what it uses");
  else if (state.has_homogeneous_peers())
    judge.require(kBaselineFirst, true, {}, want, got);
  else if (!peer.handshake)
    judge.advise(kBaselineFirst, false, octets(0, 1), want, got, "no HANDSHAKE of the peer was seen");
  else if (party.document.may_have(Revision::v2_6))
    judge.advise(kBaselineFirst, false, octets(0, 1), want, got,
                 "the peer's HANDSHAKE had not come; an application may have declared its peers homogeneous, as "
                 "libfabric 2.2 and later let it: if it has, say so by --feature homogeneous_peers");
  else
    judge.require(kBaselineFirst, false, octets(0, 1), want, got,
                  "the peer's HANDSHAKE had not come, or an earlier one was not captured, and this endpoint's document "
                  "is older than homogeneous peers");
}

// At the end, when the sender's own HANDSHAKE has shown what can be known of its document.
void finish_early_extras(Judge& judge, Side side, const TraceState& state) {
  const Party& party = state.party(side);
  const auto& early = party.early_baseline;
  if (!state.complete() || party.early_extra || !early || state.has_homogeneous_peers()) return;
  judge.at(marked(early->mark, side));
  const auto want = expected("a packet of a baseline feature");
  const auto got = actual([&] { return early->layout->name; });
  if (state.party(other(side)).handshake)
    require_before(Revision::v2_6, party.document, judge, kBaselineFirst, false, octets(0, 1), want, got,
                   "the peer's HANDSHAKE had not come");
  else if (!party.document.has(Revision::v2_6))
    judge.advise(kBaselineFirst, false, octets(0, 1), want, got, "no HANDSHAKE of the peer was seen");
}

}  // namespace wirelaw::efa
