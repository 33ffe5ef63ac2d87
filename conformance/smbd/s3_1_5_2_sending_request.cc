// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.5.2: the fields of a Negotiate Request.
#include "conformance/section.h"
#include "conformance/smbd/breaches.h"
#include "conformance/smbd/fields.h"
#include "conformance/smbd/rules.h"

namespace wirelaw::smbd {
namespace {

constexpr Section kSection{"[MS-SMBD] 3.1.5.2"};
constexpr Section kInitiator = kSection.of(wirelaw::Role::initiator);
constexpr Section kInitiatorStimulus = kSection.of(wirelaw::Role::initiator).by(Observable::stimulus);
constexpr Section kInitiatorApi = kSection.of(wirelaw::Role::initiator).by(Observable::api);
constexpr Section kInitiatorNotJudged = kSection.of(wirelaw::Role::initiator).by(Observable::none);

}  // namespace

constinit const Rule kRequestMinVersion = kInitiator.must("SMBD-3.1.5.2-1", "MinVersion is 0x0100.", "SMBD/A25");
constinit const Rule kRequestMaxVersion = kInitiator.must("SMBD-3.1.5.2-2", "MaxVersion is 0x0100.", "SMBD/A25");
constinit const Rule kRequestReserved = kInitiator.must("SMBD-3.1.5.2-3", "Reserved is zero.", "SMBD/A3");
constinit const Rule kRequestCreditTarget =
    kInitiatorStimulus.should("SMBD-3.1.5.2-4", "CreditsRequested is SendCreditTarget.", "SMBD/A37");
constinit const Rule kRequestPreferred = kInitiatorStimulus.must("SMBD-3.1.5.2-5", "PreferredSendSize is MaxSendSize.",
                                                                 "a local value; that it is kept to: SMBD-3.1.5.4-12");
constinit const Rule kRequestReceive =
    kInitiatorStimulus.must("SMBD-3.1.5.2-6", "MaxReceiveSize is the connection's.",
                            "a local value; that such messages are taken: SMBD-2.2.1-14");
constinit const Rule kRequestFragmented =
    kInitiatorStimulus.must("SMBD-3.1.5.2-7", "MaxFragmentedSize is MaxFragmentedRecvSize.",
                            "a local value; that such messages are taken: SMBD-2.2.1-15");
constinit const Rule kRequestPosted =
    kInitiatorStimulus.must("SMBD-3.1.5.2-8", "The request is given to the provider.");
constinit const Rule kRequestResultReturned =
    kInitiatorApi.must("SMBD-3.1.5.2-9", "The provider's result is returned to the caller.", "the upper layer sees it");
constinit const Rule kRequestIsFirst = kInitiatorNotJudged.must(
    "SMBD-3.1.5.2-10", "The request is the first message on the connection.", "judged by SMBD-2.2.1-1");

namespace {

using enum Deviation;
constexpr auto kBreaches = breach_table(
    broken_by(kRequestMinVersion, {request_min_version_zero, request_version_two}),
    broken_by(kRequestMaxVersion, {request_max_version_two, request_version_two}),
    broken_by(kRequestReserved, {request_reserved_set}),
    broken_by(kRequestCreditTarget, {credits_requested_zero, requests_what_is_missing},
              {.severity = Severity::warning}),
    broken_by(kRequestPreferred, {data_length_beyond, segment_above_preferred_size, request_twice, negotiates_again}),
    broken_by(kRequestReceive, kNoMessageArrives),
    broken_by(kRequestReceive, {fragments_swapped, fragment_repeated, fragment_missing, receives_small,
                                data_before_response, delivers_fragments, fragments_left_behind}),
    broken_by(kRequestFragmented, {data_before_response}, {.who = wirelaw::Role::initiator}),
    broken_by(kRequestFragmented, {fragments_swapped, fragment_missing, receives_small, delivers_fragments,
                                   fragments_left_behind, grant_replaces_credits}),
    broken_by(kRequestPosted,
              {request_short, request_version_two, request_big_endian, request_missing, data_before_request}));

}  // namespace

SectionRules sending_request_rules() {
  static constexpr const Rule* kRules[] = {
      &kRequestMinVersion, &kRequestMaxVersion, &kRequestReserved, &kRequestCreditTarget,   &kRequestPreferred,
      &kRequestReceive,    &kRequestFragmented, &kRequestPosted,   &kRequestResultReturned, &kRequestIsFirst};
  return {.rules = kRules, .breaches = kBreaches};
}

void judge_request_versions(Judge& judge, const NegotiateRequest& request) {
  judge.require(kRequestMinVersion, request.min_version == kVersion1, in_request(Field::min_version),
                expected(hex(kVersion1)), actual(hex(request.min_version)));
  judge.require(kRequestMaxVersion, request.max_version == kVersion1, in_request(Field::max_version),
                expected(hex(kVersion1)), actual(hex(request.max_version)));
}

void judge_request_reserved(Judge& judge, const NegotiateRequest& request) {
  judge.require(kRequestReserved, request.reserved == 0, in_request(Field::reserved), expected(0),
                actual(hex(request.reserved)));
}

}  // namespace wirelaw::smbd
