// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 5.5: the rules of ordering that the answers of a peer show. RDMAP-5.5-<n> is rule n.
#include "conformance/rdmap/rdmap/section_cases.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace {

constexpr Section kSection = Section{"RFC 5040 5.5"}.by(Observable::none);
constexpr Section kStimuli = kSection.by(Observable::stimulus);

constinit const Rule kSendsInOrder = kSection.must(
    "RDMAP-5.5-10", "Sends are delivered to the ULP in the order in which DDP delivered them.", "judged by DDP-5.3-4");
constinit const Rule kNotBeforeDelivery = kStimuli.must_not(
    "RDMAP-5.5-12",
    "A Read Request is not processed before DDP has delivered it: what was written ahead of it is read.",
    "RDMAP/A-70b");
constinit const Rule kSendAfterDdp = kSection.must(
    "RDMAP-5.5-16", "A Send is delivered to the ULP only after DDP has delivered it to RDMAP.", "judged by DDP-5.4-1");
constinit const Rule kReadAfterDelivery =
    kSection.must("RDMAP-5.5-17", "The source is read only after DDP has delivered the request.",
                  "RDMAP/A-70b; the same as rule 12: judged by RDMAP-5.5-12");

constexpr const Rule* kRules[] = {&kSendsInOrder, &kNotBeforeDelivery, &kSendAfterDdp, &kReadAfterDelivery};

constexpr CaseRow kRows[] = {
    {"rdmap/{}-reads-what-was-written",
     {&kNotBeforeDelivery},
     "A Write and a Read Request right behind it, eight times: each Read has the octets just written.",
     with_each([](auto& peer) {
       const auto buffer =
           need(peer, targets_of(peer.run(), peer.advertisement()).read_write, "may be read and written");
       if (!buffer) return;
       for (unsigned i = 0; i < 8 && peer.ok(); ++i) {
         const OctetBuffer data = data_of(200, i);
         peer.write(data, buffer->stag, buffer->to);
         const auto got = read_back(peer, read_of(*buffer, 0, 200));
         peer.require(kNotBeforeDelivery, got && *got == data, octets_text(data), octets_text(got, peer.last()),
                      "a Read right behind a Write of the same octets");
       }
     })},
};

constexpr Breach kBreaches[] = {
    {Deviation::read_before_write, kNotBeforeDelivery},
};

}  // namespace

SectionCases ordering_cases() {
  static const std::vector<Case> kCases = cases_of(kRows);
  return {kRules, kCases, kBreaches};
}

}  // namespace wirelaw::rdmap
