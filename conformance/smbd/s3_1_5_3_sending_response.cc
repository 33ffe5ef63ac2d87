// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.5.3: the fields of a Negotiate Response.
#include <algorithm>
#include <iterator>
#include <utility>

#include "conformance/section.h"
#include "conformance/smbd/fields.h"
#include "conformance/smbd/rules.h"

namespace wirelaw::smbd {
namespace {

constexpr Section kSection{"[MS-SMBD] 3.1.5.3"};
constexpr Section kListener = kSection.of(wirelaw::Role::responder);
constexpr Section kListenerStimulus = kSection.of(wirelaw::Role::responder).by(Observable::stimulus);
constexpr Section kListenerNotJudged = kSection.of(wirelaw::Role::responder).by(Observable::none);
constexpr Section kListenerByAbsence = kSection.of(wirelaw::Role::responder).resting_on(Evidence::absence);
constexpr Section kListenerApi = kSection.of(wirelaw::Role::responder).by(Observable::api);

}  // namespace

constinit const Rule kResponseMinVersion = kListener.must("SMBD-3.1.5.3-1", "MinVersion is 0x0100.");
constinit const Rule kResponseMaxVersion = kListener.must("SMBD-3.1.5.3-2", "MaxVersion is 0x0100.");
constinit const Rule kResponseReserved = kListener.must("SMBD-3.1.5.3-3", "Reserved is zero.", "SMBD/A3");
constinit const Rule kResponseStatus =
    kListenerStimulus.must("SMBD-3.1.5.3-4", "Status is what the processing of the request gave.");
constinit const Rule kResponseIsSecond = kListenerNotJudged.must(
    "SMBD-3.1.5.3-5", "The response is the second message on the connection.", "judged by SMBD-2.2.2-1 and -2");
constinit const Rule kFailureIsZero =
    kListener.must("SMBD-3.1.5.3-6", "Where Status is not zero, every field but the versions and Status is zero.");
constinit const Rule kNegotiatesVersion1 =
    kListener.must("SMBD-3.1.5.3-7", "NegotiatedVersion of a success is Connection.Protocol, 0x0100.", "SMBD/A7");
constinit const Rule kFailureEnds =
    kListenerByAbsence.should("SMBD-3.1.5.3-8", "After a failure response the connection is ended gracefully.",
                              "SMBD/A31: either side may close first; SMBD/A28: within 5 seconds");
constinit const Rule kFailureIsLast = kListener.must("SMBD-3.1.5.3-9", "Nothing is sent behind a failure response.",
                                                     "the connection was never established: 3.1.5.1");
constinit const Rule kResponseCreditTarget =
    kListenerNotJudged.should("SMBD-3.1.5.3-10", "CreditsRequested is SendCreditTarget.",
                              "SMBD/A37: a value of the listener's own, which nothing else shows");
constinit const Rule kResponseGrants = kListenerStimulus.must(
    "SMBD-3.1.5.3-11", "CreditsGranted is the number of receives posted.", "that so many are taken, a case shows");
constinit const Rule kResponseReadWrite = kListenerNotJudged.must(
    "SMBD-3.1.5.3-12", "MaxReadWriteSize is the connection's.", "SMBD/A33; that it is kept to: SMBD-2.2.2-12");
constinit const Rule kResponsePreferred = kListenerNotJudged.must(
    "SMBD-3.1.5.3-13", "PreferredSendSize is MaxSendSize.", "that it is kept to: SMBD-3.1.5.4-12");
constinit const Rule kResponseReceive = kListenerNotJudged.must(
    "SMBD-3.1.5.3-14", "MaxReceiveSize is the connection's.", "that such messages are taken: SMBD-2.2.2-19");
constinit const Rule kResponseFragmented = kListenerNotJudged.must(
    "SMBD-3.1.5.3-15", "MaxFragmentedSize is MaxFragmentedRecvSize.", "that such messages are taken: SMBD-2.2.2-20");
constinit const Rule kFailurePosted =
    kListenerStimulus.must("SMBD-3.1.5.3-16", "A failure response is given to the provider.");
constinit const Rule kResponsePosted =
    kListenerStimulus.must("SMBD-3.1.5.3-17", "A response of success is given to the provider.");
constinit const Rule kResponseResultReturned =
    kListenerApi.must("SMBD-3.1.5.3-18", "The provider's result is returned to the caller.", "the upper layer sees it");

namespace {

using enum Deviation;
constexpr auto kBreaches =
    breach_table(broken_by(kResponsePosted, {sizes_signed}),
                 broken_by(kResponseMinVersion, {response_min_version_zero, failure_versions_zero}),
                 broken_by(kResponseMaxVersion, {response_max_version_two, failure_versions_zero}),
                 broken_by(kResponseReserved, {response_reserved_set, failure_reserved_set}),
                 broken_by(kResponseStatus, {response_big_endian, failure_status_other, failure_is_no_error}),
                 broken_by(kFailureIsZero, {response_status_not_zero, failure_fields_set}),
                 broken_by(kNegotiatesVersion1, {response_negotiated_zero, response_negotiated_two}),
                 broken_by(kFailureEnds, {failure_keeps_connection}, {.severity = Severity::warning}),
                 broken_by(kFailurePosted, {failure_not_sent, bad_negotiation_ignored}),
                 broken_by(kResponseGrants, {response_credits_granted_zero, response_credits_granted_unposted,
                                             response_big_endian, data_short, grants_nothing, no_empty_grant,
                                             refuses_empty_messages, ignores_granted_credits}),
                 broken_by(kResponsePosted, {response_short, response_status_not_zero, response_missing,
                                             response_behind_data, refuses_reserved_bits}));

}  // namespace

SectionRules sending_response_rules() {
  static constexpr const Rule* kRules[] = {
      &kResponseMinVersion, &kResponseMaxVersion, &kResponseReserved,      &kResponseStatus,  &kResponseIsSecond,
      &kFailureIsZero,      &kNegotiatesVersion1, &kFailureEnds,           &kFailureIsLast,   &kResponseCreditTarget,
      &kResponseGrants,     &kResponseReadWrite,  &kResponsePreferred,     &kResponseReceive, &kResponseFragmented,
      &kFailurePosted,      &kResponsePosted,     &kResponseResultReturned};
  return {.rules = kRules, .breaches = kBreaches};
}

void judge_response_versions(Judge& judge, const NegotiateResponse& response) {
  judge.require(kResponseMinVersion, response.min_version == kVersion1, in_response(Field::min_version),
                expected(hex(kVersion1)), actual(hex(response.min_version)));
  judge.require(kResponseMaxVersion, response.max_version == kVersion1, in_response(Field::max_version),
                expected(hex(kVersion1)), actual(hex(response.max_version)));
}

void judge_response_reserved(Judge& judge, const NegotiateResponse& response) {
  judge.require(kResponseReserved, response.reserved == 0, in_response(Field::reserved), expected(0),
                actual(hex(response.reserved)));
}

void judge_failure_fields(Judge& judge, const NegotiateResponse& response) {
  const std::pair<Field, std::uint32_t> fields[] = {{Field::negotiated_version, response.negotiated_version},
                                                    {Field::credits_requested, response.credits_requested},
                                                    {Field::credits_granted, response.credits_granted},
                                                    {Field::max_read_write_size, response.max_read_write_size},
                                                    {Field::preferred_send_size, response.preferred_send_size},
                                                    {Field::max_receive_size, response.max_receive_size},
                                                    {Field::max_fragmented_size, response.max_fragmented_size}};
  const auto* const set = std::ranges::find_if(fields, [](const auto& one) { return one.second != 0; });
  const bool is_zero = set == std::end(fields);
  judge.require(kFailureIsZero, is_zero, is_zero ? octets(0, 0) : in_response(set->first),
                expected([&] { return fmt::format("{} 0, as Status is not zero", describe(set->first).name); }),
                actual([&] { return fmt::format("{} {}", describe(set->first).name, set->second); }),
                "of a failure, all fields but the versions and Status are zero");
}

void judge_negotiated_version(Judge& judge, const NegotiateResponse& response) {
  judge.require(kNegotiatesVersion1, response.negotiated_version == kVersion1, in_response(Field::negotiated_version),
                expected(hex(kVersion1)), actual(hex(response.negotiated_version)));
}

void judge_failure_is_last(Judge& judge, bool last) {
  judge.require(kFailureIsLast, last, octets(0, judge.message().octets.size()), expected("the end of the connection"),
                actual("another message"));
}

}  // namespace wirelaw::smbd
