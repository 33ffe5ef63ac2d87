// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.4.1: how the initiator begins.
#include "conformance/section.h"
#include "conformance/smbd/breaches.h"
#include "conformance/smbd/rules.h"

namespace wirelaw::smbd {
namespace {

constexpr Section kSection{"[MS-SMBD] 3.1.4.1"};
constexpr Section kInitiatorStimulus = kSection.of(wirelaw::Role::initiator).by(Observable::stimulus);
constexpr Section kInitiatorApi = kSection.of(wirelaw::Role::initiator).by(Observable::api);
constexpr Section kInitiatorNotJudged = kSection.of(wirelaw::Role::initiator).by(Observable::none);

}  // namespace

constinit const Rule kNewConnection =
    kInitiatorStimulus.must("SMBD-3.1.4.1-1", "Each request of the upper layer makes a connection of its own.");
constinit const Rule kBeginsActive = kInitiatorStimulus.must(
    "SMBD-3.1.4.1-2", "The role is ACTIVE: a Negotiate Response is expected, and nothing else.");
constinit const Rule kNewEndpoint = kInitiatorApi.must(
    "SMBD-3.1.4.1-3", "An endpoint of the RDMA provider is made for the connection.", "seen at the verbs");
constinit const Rule kDeterminesLimits =
    kInitiatorStimulus.must("SMBD-3.1.4.1-4",
                            "Credits to grant and to ask for, sizes and keep-alive interval have their initial values "
                            "before the request is sent.");
constinit const Rule kReadWriteSizeBeginsZero =
    kInitiatorApi.must("SMBD-3.1.4.1-5", "MaxReadWriteSize is 0 until the response says otherwise.",
                       "3.1.4.7 returns it to the upper layer");
constinit const Rule kKeepaliveBeginsNone = kInitiatorStimulus.must(
    "SMBD-3.1.4.1-6",
    "KeepaliveRequested begins as NONE: the first message of the established connection does not ask for a response.");
constinit const Rule kProtocolBeginsZero = kInitiatorNotJudged.must(
    "SMBD-3.1.4.1-7", "Connection.Protocol begins as 0.", "a value that nothing reads before it is set");
constinit const Rule kSendCreditsBeginZero = kInitiatorStimulus.must(
    "SMBD-3.1.4.1-8",
    "The initiator begins without send credits: nothing but the request is sent before credits are granted.",
    "in a trace: SMBD-3.1.5.1-1 and -3");
constinit const Rule kReceiveCreditsBeginZero =
    kInitiatorStimulus.must("SMBD-3.1.4.1-9", "The initiator begins with no credit granted to its peer.");
constinit const Rule kReassemblyBeginsZero =
    kInitiatorStimulus.must("SMBD-3.1.4.1-10", "Nothing remains to be put together at the beginning.");
constinit const Rule kQueueBeginsEmpty =
    kInitiatorStimulus.must("SMBD-3.1.4.1-11", "Nothing waits to be sent at the beginning.");
constinit const Rule kReassemblyBufferBeginsEmpty =
    kInitiatorStimulus.must("SMBD-3.1.4.1-12", "The reassembly buffer begins empty.");
constinit const Rule kNoTokenAtFirst =
    kInitiatorApi.must("SMBD-3.1.4.1-13", "No token counts as invalidated at the beginning.", "an upper layer sees it");
constinit const Rule kNotImmediateAtFirst =
    kInitiatorStimulus.must("SMBD-3.1.4.1-14", "Nothing is to be sent at once at the beginning.");
constinit const Rule kInitiatorsTimer =
    kInitiatorStimulus.must("SMBD-3.1.4.1-15", "The Negotiation Timer of the initiator runs for 120 seconds.");
constinit const Rule kInitiatorPostsReceive = kInitiatorStimulus.must(
    "SMBD-3.1.4.1-16", "A receive of at least 512 octets is posted before the connection is requested.",
    "SMBD/A21: a response with octets behind it, up to 512, is taken");
constinit const Rule kRequestsConnection =
    kInitiatorStimulus.must("SMBD-3.1.4.1-17", "A connection to the given peer is requested.");
constinit const Rule kConnectErrorReturned = kInitiatorApi.must(
    "SMBD-3.1.4.1-18", "The error of a request that fails is returned to the upper layer.", "the upper layer sees it");
constinit const Rule kSendsRequest =
    kInitiatorStimulus.must("SMBD-3.1.4.1-19", "Once connected, the initiator sends a Negotiate Request.");
constinit const Rule kSuccessReturned =
    kInitiatorApi.must("SMBD-3.1.4.1-20", "A successful negotiation returns the connection to the upper layer.",
                       "the upper layer sees it");
constinit const Rule kFailureReturned = kInitiatorApi.must(
    "SMBD-3.1.4.1-21", "A failed negotiation returns an error to the upper layer.", "the upper layer sees it");

namespace {

using enum Deviation;
constexpr auto kBreaches = breach_table(
    broken_by(kNewConnection, kNoMessageArrives),
    broken_by(kBeginsActive, {data_before_response}, {.who = wirelaw::Role::initiator}),
    broken_by(kBeginsActive, {request_twice, accepts_failure_status, bad_negotiation_ignored}),
    broken_by(kDeterminesLimits, {request_credits_zero, request_receive_size_low, request_fragmented_size_low}),
    broken_by(kKeepaliveBeginsNone, {flag_without_cause}), broken_by(kSendCreditsBeginZero, kNoMessageArrives),
    broken_by(kSendCreditsBeginZero, {request_twice, data_before_response}),
    broken_by(kReceiveCreditsBeginZero, {grants_nothing, data_before_response}),
    broken_by(kReassemblyBeginsZero, kNoMessageArrives), broken_by(kQueueBeginsEmpty, {begins_with_a_message}),
    broken_by(kReassemblyBufferBeginsEmpty, kNoMessageArrives),
    broken_by(kNotImmediateAtFirst, {begins_with_a_message}), broken_by(kInitiatorsTimer, kNoMessageArrives),
    broken_by(kInitiatorsTimer,
              {request_twice, data_before_response, negotiation_never_times_out, negotiation_times_out_early},
              {.severity = Severity::warning}),
    broken_by(kInitiatorPostsReceive, kNoMessageArrives),
    broken_by(kInitiatorPostsReceive, {refuses_trailing_octets, first_receive_small}),
    broken_by(kRequestsConnection,
              {request_short, request_version_two, request_big_endian, request_missing, data_before_request}),
    broken_by(kSendsRequest,
              {request_short, request_version_two, request_big_endian, request_missing, data_before_request}),
    broken_by(kSuccessReturned, {arrival_not_reported}), broken_by(kNoTokenAtFirst, {token_at_first}),
    broken_by(kReadWriteSizeBeginsZero, {read_write_size_at_first, parameters_wrong}),
    broken_by(kFailureReturned, {accepts_failure_status, bad_negotiation_ignored, end_not_reported}));

}  // namespace

SectionRules connecting_rules() {
  static constexpr const Rule* kRules[] = {
      &kNewConnection,           &kBeginsActive,         &kNewEndpoint,        &kDeterminesLimits,
      &kReadWriteSizeBeginsZero, &kKeepaliveBeginsNone,  &kProtocolBeginsZero, &kSendCreditsBeginZero,
      &kReceiveCreditsBeginZero, &kReassemblyBeginsZero, &kQueueBeginsEmpty,   &kReassemblyBufferBeginsEmpty,
      &kNoTokenAtFirst,          &kNotImmediateAtFirst,  &kInitiatorsTimer,    &kInitiatorPostsReceive,
      &kRequestsConnection,      &kConnectErrorReturned, &kSendsRequest,       &kSuccessReturned,
      &kFailureReturned};
  return {.rules = kRules, .breaches = kBreaches};
}

}  // namespace wirelaw::smbd
