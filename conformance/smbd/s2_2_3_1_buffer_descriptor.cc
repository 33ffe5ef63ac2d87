// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 2.2.3.1: what the upper layer embeds in its payload. Where it is in the payload, only the upper
// layer knows (SMBD/A44).
#include "conformance/section.h"
#include "conformance/smbd/rules.h"

namespace wirelaw::smbd {
namespace {

constexpr Section kApi = Section{"[MS-SMBD] 2.2.3.1"}.by(Observable::api);

}  // namespace

constinit const Rule kDescriptorOffset =
    kApi.must("SMBD-2.2.3.1-1", "Offset is the provider's address of the first octet of the registered buffer.",
              "shown by an application that has its buffer written or read by the peer");
constinit const Rule kDescriptorToken =
    kApi.must("SMBD-2.2.3.1-2", "Token is the provider's steering tag of the registered buffer.", "likewise");
constinit const Rule kDescriptorLength =
    kApi.must("SMBD-2.2.3.1-3", "Length is the number of octets of the registered buffer.", "likewise");
constinit const Rule kDescriptorsEmbedded =
    kApi.may("SMBD-2.2.3.1-4", "The upper layer may embed one descriptor or several.",
             "S-12: peers have been stopped by 17 and by 31");

namespace {

using enum Deviation;
constexpr auto kBreaches = breach_table(
    broken_by(kDescriptorOffset, {refuses_empty_messages}, {.who = wirelaw::Role::responder}),
    broken_by(kDescriptorToken, {refuses_empty_messages}, {.who = wirelaw::Role::responder}),
    broken_by(kDescriptorOffset, {descriptor_token_wrong, descriptors_swapped}),
    broken_by(kDescriptorToken, {descriptor_token_wrong}), broken_by(kDescriptorsEmbedded, {descriptors_swapped}),
    broken_by(kDescriptorLength, {describes_first_part}));

}  // namespace

SectionRules buffer_descriptor_rules() {
  static constexpr const Rule* kRules[] = {&kDescriptorOffset, &kDescriptorToken, &kDescriptorLength,
                                           &kDescriptorsEmbedded};
  return {.rules = kRules, .breaches = kBreaches};
}

}  // namespace wirelaw::smbd
