// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.7.1: the connection below is lost.
#include "conformance/section.h"
#include "conformance/smbd/breaches.h"
#include "conformance/smbd/rules.h"

namespace wirelaw::smbd {
namespace {

constexpr Section kSection{"[MS-SMBD] 3.1.7.1"};
constexpr Section kApi = kSection.by(Observable::api);
constexpr Section kStimulus = kSection.by(Observable::stimulus);

}  // namespace

constinit const Rule kLossNotified = kApi.must(
    "SMBD-3.1.7.1-1", "The upper layer is told of a lost connection, whoever ended it.", "the upper layer sees it");
constinit const Rule kLossNamesConnection = kApi.must("SMBD-3.1.7.1-2", "It is told which.", "the upper layer sees it");
constinit const Rule kEndpointEnded =
    kStimulus.must("SMBD-3.1.7.1-3", "The endpoint below is ended.", "SMBD/A46; S-13, S-17");
constinit const Rule kConnectionEnded =
    kStimulus.must("SMBD-3.1.7.1-4", "The connection is forgotten: a new one owes nothing to it.", "S-13");

namespace {

using enum Deviation;
constexpr auto kBreaches =
    breach_table(broken_by(kLossNotified, {loss_not_reported}), broken_by(kLossNamesConnection, {loss_not_reported}),
                 broken_by(kEndpointEnded, {endpoint_left_open}), broken_by(kConnectionEnded, kNoMessageArrives),
                 broken_by(kConnectionEnded, {response_short, response_status_not_zero, response_twice,
                                              response_missing, response_behind_data, begins_with_a_message}),
                 broken_by(kConnectionEnded, {remaining_at_end, negotiates_again, ignores_granted_credits},
                           {.who = wirelaw::Role::responder}));

}  // namespace

SectionRules loss_rules() {
  static constexpr const Rule* kRules[] = {&kLossNotified, &kLossNamesConnection, &kEndpointEnded, &kConnectionEnded};
  return {.rules = kRules, .breaches = kBreaches};
}

}  // namespace wirelaw::smbd
