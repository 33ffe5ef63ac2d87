// SPDX-License-Identifier: Apache-2.0
// Every rule of SMB Direct, by the section that demands it, and the checks of those that a trace can show to be
// broken. A rule's id names its section, and the section the file: SMBD-3.1.5.4-17 is declared in s3_1_5_4_segments.cc.
// Each check judges the sender of the message that the judge is at.
#pragma once

#include "conformance/catalogue.h"
#include "conformance/judge.h"
#include "conformance/rule.h"
#include "conformance/section_rules.h"
#include "conformance/smbd/connection.h"
#include "reference/smbd/deviations.h"

namespace wirelaw::smbd {

// Of all sections, in the order of the specification.
std::span<const SectionRules> section_rules();

// s2_1_transport.cc: 2.1
extern const Rule kReliableBelow, kInOrderBelow, kWriteBelow, kReadBelow;
SectionRules transport_rules();

// s2_2_syntax.cc: 2.2
extern const Rule kTwoFirst, kNegotiatesOnce, kDataBothWays, kLittleEndian, kUnsigned, kReservedIgnored,
    kReservedNotUsed, kTrailingZero, kTrailingIgnored, kVariableLength;
SectionRules syntax_rules();
// Whether the versions of a negotiate message, both, are 0x0100 with their octets the wrong way round.
bool judge_octet_order(Judge& judge, std::uint16_t min_version, std::uint16_t max_version);
// The same of a Data Transfer.
bool judge_data_order(Judge& judge, Octets message);
// What is behind the last field of a message, which has `octets` octets.
void judge_trailing(Judge& judge, Octets trailing, std::size_t octets);
// Whether a message is not the sender's negotiate message again.
bool judge_negotiates_once(Judge& judge, const Way& from, Octets octets);

// s2_2_1_negotiate_request.cc: 2.2.1
extern const Rule kRequestFirst, kRequestMinVersionKnown, kRequestMaxVersionKnown, kRequestVersionRange,
    kRequestSupportsRange, kRequestAsksForCredits, kRequestReservedZero, kRequestMaxReceive, kWithinInitiatorsReceive,
    kRequestMaxFragmented, kRequestWhole, kRequestReservedIgnored, kRequestPreferredHonoured, kInitiatorReceivesMax,
    kInitiatorReassemblesMax;
SectionRules negotiate_request_rules();
void judge_request_first(Judge& judge, bool is_data);
// False where the request ends inside its fields.
bool judge_request_whole(Judge& judge, const Message& message);
// False where the range of versions is empty, and neither end of it can be judged.
bool judge_request_range(Judge& judge, const NegotiateRequest& request);
// What a listener insists on. False where it will not go on.
bool judge_request_values(Judge& judge, const NegotiateRequest& request);
// Whether the message as a whole fits into a receive of its receiver.
void judge_within_receive(Judge& judge, const Seen& seen);

// s2_2_2_negotiate_response.cc: 2.2.2
extern const Rule kResponseFirst, kResponseAnswers, kResponseMinVersionKnown, kResponseMaxVersionKnown,
    kResponseVersionRange, kResponseSupportsRange, kVersionWithinRange, kResponseReservedZero, kResponseAsksForCredits,
    kResponseGrantUsable, kStatusOfSuccess, kWithinReadWriteSize, kPreferredWithinReceive, kWithinListenersReceive,
    kResponseMaxReceive, kResponseMaxFragmented, kResponseWhole, kResponseReservedIgnored, kListenerReceivesMax,
    kListenerReassemblesMax, kSumWithinReadWriteSize;
SectionRules negotiate_response_rules();
void judge_response_first(Judge& judge, bool is_data);
bool judge_response_answers(Judge& judge, bool requested);
bool judge_response_whole(Judge& judge, const Message& message);
bool judge_response_range(Judge& judge, const NegotiateResponse& response);
// Of a success: what an initiator insists on, and what the request allows, where it was seen.
void judge_response_values(Judge& judge, const NegotiateResponse& response, const Negotiated* request);
// An RDMA Write or Read of the listener.
void judge_read_write_size(Judge& judge, const Way& from, std::uint64_t octets);

// s2_2_3_data_transfer.cc: 2.2.3
extern const Rule kRequestedIsTotal, kGrantedIsIncrement, kAsksForCredits, kFlagsDefined, kResponseRequestedAnswered,
    kSegmentReservedZero, kDataReservedIgnored, kDataBehindHeader, kNoDataNoOffset, kOffsetAligned, kNoDataNoLength,
    kDataWithinMessage, kZeroRemainingEnds, kRemainingMeansMore, kPaddingZeroSyntax, kPaddingIgnored, kPaddingByOffset,
    kMayBeEmpty, kBufferAsNamed, kDataHeaderWhole;
SectionRules data_transfer_rules();
bool judge_data_whole(Judge& judge, const Message& message);
// The fields that every message has.
void judge_data_fields(Judge& judge, const Seen& seen);
// Of a message with payload. False where the payload is not where it says.
bool judge_data_place(Judge& judge, const Seen& seen);

// s2_2_3_1_buffer_descriptor.cc: 2.2.3.1
extern const Rule kDescriptorOffset, kDescriptorToken, kDescriptorLength, kDescriptorsEmbedded;
SectionRules buffer_descriptor_rules();

// s3_1_1_1_connection.cc: 3.1.1.1
extern const Rule kRoleOfThree, kQueueIsFifo, kQueueKeepsToken, kKeepaliveOfThree, kLimitsArePerConnection,
    kSizesForLife;
SectionRules connection_rules();

// s3_1_2_timers.cc: 3.1.2
extern const Rule kNegotiationIsTimed, kFailureOfNegotiationDisconnects, kIdleIsTimed, kIdleAsks, kUnansweredMayEnd,
    kReceivingRestarts;
SectionRules timer_rules();

// s3_1_4_1_connecting.cc: 3.1.4.1
extern const Rule kNewConnection, kBeginsActive, kNewEndpoint, kDeterminesLimits, kReadWriteSizeBeginsZero,
    kKeepaliveBeginsNone, kProtocolBeginsZero, kSendCreditsBeginZero, kReceiveCreditsBeginZero, kReassemblyBeginsZero,
    kQueueBeginsEmpty, kReassemblyBufferBeginsEmpty, kNoTokenAtFirst, kNotImmediateAtFirst, kInitiatorsTimer,
    kInitiatorPostsReceive, kRequestsConnection, kConnectErrorReturned, kSendsRequest, kSuccessReturned,
    kFailureReturned;
SectionRules connecting_rules();

// s3_1_4_2_send.cc: 3.1.4.2
extern const Rule kLengthDetermined, kTooLongNotSent, kTooLongIsError, kFragmentsInOrder, kSendFailureEnds,
    kSendResultReturned, kTokenPassedOn;
SectionRules send_rules();

// s3_1_4_3_register.cc: 3.1.4.3
extern const Rule kRegisters, kRegistersPermissionsOnly, kRegistersOnConnection, kRegistersSeveral,
    kRegisterErrorReturned, kRegisterErrorDisables, kDescriptorsBuilt, kDescriptorsInOrder, kDescriptorsComplete;
SectionRules register_rules();

// s3_1_4_4_deregister.cc: 3.1.4.4
extern const Rule kDeregistersEach, kDeregisterErrorReturned, kAccessComplete, kNoFurtherAccess;
SectionRules deregister_rules();

// s3_1_4_5_write.cc: 3.1.4.5
extern const Rule kWritesWhatWasLent, kWriteIndexes, kWriteCounts, kWriteTrimsFirst, kWriteTrimsLast, kWriteRequested,
    kWriteResultReturned;
SectionRules write_rules();
// An RDMA operation against what its peer has lent, and the octets of it against what payloads say (SMBD/A44,
// SMBD/A45).
void judge_write(Judge& judge, Connection& connection, const Delivery& write);
void judge_use(Judge& judge, const Rule& rule, Use use, const RemoteRange& range);

// s3_1_4_6_read.cc: 3.1.4.6
extern const Rule kReadsWhatWasLent, kReadIndexes, kReadCounts, kReadTrimsFirst, kReadTrimsLast, kReadRequested,
    kReadResultReturned;
SectionRules read_rules();
void judge_read(Judge& judge, Connection& connection, const Delivery& read);

// s3_1_4_7_query.cc: 3.1.4.7
extern const Rule kQueryMaxSend, kQueryMaxFragmentedSend, kQueryMaxReceive, kQueryMaxReadWrite, kQueryKeepalive;
SectionRules query_rules();

// s3_1_5_1_sending.cc: 3.1.5.1
extern const Rule kOnlyEstablished, kAppendsNew, kNoCreditNoSend, kImmediateMakesMessage, kGrantsBeforeSending,
    kLastCreditGrants, kSpentOnce, kFirstIsTaken, kRequestsTarget, kPendingSetsFlag, kFlagSentOnce,
    kKeepaliveShortensTimer, kElseNoFlag, kTokenToProvider, kTokenMayBeIgnored, kSends, kSendingClearsImmediate,
    kDefersWithoutCredit;
SectionRules sending_rules();
void judge_only_established(Judge& judge, bool answered);
// The credit that the message spends, before it is taken from the account.
void judge_send_credit(Judge& judge, const Seen& seen);
// SMB_DIRECT_RESPONSE_REQUESTED, which is not sent again before something was received.
void judge_flag_once(Judge& judge, const Seen& seen);

// s3_1_5_2_sending_request.cc: 3.1.5.2
extern const Rule kRequestMinVersion, kRequestMaxVersion, kRequestReserved, kRequestCreditTarget, kRequestPreferred,
    kRequestReceive, kRequestFragmented, kRequestPosted, kRequestResultReturned, kRequestIsFirst;
SectionRules sending_request_rules();
void judge_request_versions(Judge& judge, const NegotiateRequest& request);
void judge_request_reserved(Judge& judge, const NegotiateRequest& request);

// s3_1_5_3_sending_response.cc: 3.1.5.3
extern const Rule kResponseMinVersion, kResponseMaxVersion, kResponseReserved, kResponseStatus, kResponseIsSecond,
    kFailureIsZero, kNegotiatesVersion1, kFailureEnds, kFailureIsLast, kResponseCreditTarget, kResponseGrants,
    kResponseReadWrite, kResponsePreferred, kResponseReceive, kResponseFragmented, kFailurePosted, kResponsePosted,
    kResponseResultReturned;
SectionRules sending_response_rules();
void judge_response_versions(Judge& judge, const NegotiateResponse& response);
void judge_response_reserved(Judge& judge, const NegotiateResponse& response);
void judge_failure_fields(Judge& judge, const NegotiateResponse& response);
void judge_negotiated_version(Judge& judge, const NegotiateResponse& response);
void judge_failure_is_last(Judge& judge, bool last);

// s3_1_5_4_segments.cc: 3.1.5.4
extern const Rule kAllAreDataTransfer, kWithinFragmentedSize, kEmptyReserved, kEmptyRemaining, kEmptyOffset,
    kEmptyLength, kEmptyEndsWithHeader, kInSegments, kSegmentAligned, kOffsetDetermined, kTooLongReturned,
    kWithinSendSize, kOffsetIs24, kSegmentsFull, kOtherValues, kLastRemainsZero, kRemainingAddsUp, kFieldsAsDetermined,
    kPaddingZero, kBufferIsData, kTokenOnce, kSegmentsUntilZero, kStrictOrder, kEmptySentByCredits, kSegmentFailureEnds,
    kSegmentResultReturned;
SectionRules segment_rules();
void judge_empty(Judge& judge, const Seen& seen);
// A message that ends with its header has no payload, whatever it says. False where it says that it has.
bool judge_length_of_none(Judge& judge, const Seen& seen);
// Sizes, alignment and padding of a segment whose payload is there.
void judge_segment(Judge& judge, const Seen& seen);
// What the segment is of the upper-layer message that has begun, or begins with it; keeps count.
void judge_fragments(Judge& judge, const Seen& seen);

// s3_1_5_5_receiving.cc: 3.1.5.5
extern const Rule kPassiveExpectsRequest, kActiveExpectsResponse, kIdleRetriggered, kKeepaliveCleared,
    kEstablishedExpectsData;
SectionRules receiving_rules();

// s3_1_5_6_receiving_request.cc: 3.1.5.6
extern const Rule kRequestLengthChecked, kShortRequestNotProcessed, kShortRequestEnds, kRangeChecked, kRangeRefused,
    kRangeElseIgnored, kZeroCreditsEnd, kSmallReceiveEnds, kReceiveIsPreferred, kReceiveFloor, kSmallFragmentedEnds,
    kRefusedWithoutResponse, kListenerSetsProtocol, kListenerTakesTarget, kListenerLowersSend, kListenerTakesFragmented,
    kGrantsAtLeastOne, kFailureIsError, kRequestIsAnswered, kSuccessStatusZero, kListenerIndicates,
    kListenersTimerCancelled, kListenersIdleTimer, kListenerEstablished, kReceivesInitialised;
SectionRules receiving_request_rules();
// Of a success.
void judge_response_limits(Judge& judge, const NegotiateResponse& response, const Negotiated* request);
void judge_failure_status(Judge& judge, const NegotiateResponse& response);
// What makes a listener refuse the request; nullptr: nothing.
const Rule* rule_that_ends(const NegotiateRequest& request);
// The listener has answered with success: whether it has accepted a request that it must refuse.
void judge_request_refused(Judge& judge, Way& listener);

// s3_1_5_7_receiving_response.cc: 3.1.5.7
extern const Rule kShortResponseEnds, kOtherVersionEnds, kResponseSmallReceiveEnds, kResponseSmallFragmentedEnds,
    kNoGrantEnds, kNoRequestedEnds, kLargePreferredEnds, kStatusChecked, kSilentAfterFailure, kResponseFailureReturned,
    kInitiatorSetsProtocol, kInitiatorTakesTarget, kInitiatorLowersReceive, kInitiatorReceiveFloor,
    kInitiatorLowersSend, kInitiatorReadWrite, kInitiatorTakesCredits, kInitiatorTakesFragmented,
    kInitiatorReceivesInitialised, kInitiatorWithoutReceivesEnds, kInitiatorWithoutReceivesReturns,
    kInitiatorsTimerCancelled, kInitiatorsIdleTimer, kInitiatorEstablished, kResponseSuccessReturned;
SectionRules receiving_response_rules();
void judge_silent_after_failure(Judge& judge, bool silent);
// What makes an initiator end the connection after a response of success; nullptr: nothing.
const Rule* rule_that_ends(const NegotiateResponse& response, const Negotiated* request);
// The initiator goes on, whatever it sends.
void judge_response_refused(Judge& judge, Way& initiator);

// s3_1_5_8_receiving_data.cc: 3.1.5.8
extern const Rule kShortDataEnds, kZeroRequestedEnds, kUnalignedEnds, kNothingAfterEnd, kDataBeyondMessageEnds,
    kTooMuchFragmentedEnds, kReceiptSpendsCredit, kGrantsPromptly, kTargetTaken, kFlagSetsPending, kFlagIsImmediate,
    kFlagIsAnswered, kGrantIsAdded, kGrantRestartsQueue, kDataIsAppended, kRemainingIsCounted, kEarlyEndEnds,
    kInvalidatedTokenKept, kInvalidatedTokenPassed, kInvalidatedTokenCleared, kMessageIsPassed, kReassemblyCleared,
    kLatestTokenCounts;
SectionRules receiving_data_rules();

// s3_1_5_9_credits.cc: 3.1.5.9
extern const Rule kCreditsManaged, kNoGrantAtTarget, kTargetMayFall, kPostsOfReceiveSize, kPeerIsNotLeftDry,
    kLastCreditPosts, kNothingPostedNothingSent, kGrantWithinTarget, kPostedIsCounted, kRaisesTowardsTarget,
    kGrantsAtLeast, kWithinReceiveMax, kReturnsWhatWasAdded;
SectionRules credit_rules();
// The credits that a message grants, before they are added to the account of its receiver and before it has spent its
// own.
void judge_grant(Judge& judge, const Seen& seen);
// CreditsGranted of any message, against what the receiver wants in all.
void judge_grant_within_target(Judge& judge, const Way& from, const Way& to, std::uint16_t granted, OctetRange where);

// s3_1_6_timer_events.cc: 3.1.6
extern const Rule kListenerGivesUp, kInitiatorGivesUp, kTimeoutIsLoss, kIdleLooks, kIdleEnds, kIdleIsLoss,
    kIdleSetsPending, kIdleSends, kIdleMessageMayBeEmpty;
SectionRules timer_event_rules();

// s3_1_7_1_loss.cc: 3.1.7.1
extern const Rule kLossNotified, kLossNamesConnection, kEndpointEnded, kConnectionEnded;
SectionRules loss_rules();

// s3_1_7_2_arrival.cc: 3.1.7.2
extern const Rule kArrivalNewConnection, kBeginsPassive, kListenersTimer, kArrivalEndpoint, kArrivalAccepted,
    kListenerBeginsWithoutCredits, kListenerPostsReceive, kNoReceiveEnds, kListenerDeterminesLimits,
    kListenerKeepaliveNone, kListenerProtocolZero, kListenerReceiveCreditsZero, kListenerQueueEmpty,
    kListenerReassemblyEmpty, kArrivalNotified;
SectionRules arrival_rules();
void judge_first_grant(Judge& judge, const Seen& seen);

}  // namespace wirelaw::smbd
