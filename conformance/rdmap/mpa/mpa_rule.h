// SPDX-License-Identifier: Apache-2.0
// The rules of MPA that observers and cases judge, by name. Each is declared in the file of its section.
#pragma once

#include "conformance/rule.h"

namespace wirelaw::rdmap::mpa_rule {

// s3_ddp.cc
extern const Rule kOneUlpdu, kNotAbove64768;

// s4_1_fpdu.cc
extern const Rule kWholeFpdus, kUlpduLengthCounts, kPadZero, kPadCount, kPadIgnored, kCrcNotChecked;

// s4_2_marker_format.cc
extern const Rule kMarkerReservedZero, kMarkerReservedIgnored, kMarkerLowBitsZero, kMarkerLowBitsIgnored;

// s4_3_markers.cc
extern const Rule kMarkersWhenAsked, kMarkerInterval, kMarkerPointer, kZeroBetween, kFirstMarker, kSamePoint;

// s4_4_crc.cc
extern const Rule kCrcByDefault, kGoesOn, kCrc32c, kOctetOrder, kCoversMarkers, kCoversMarkerBehind,
    kCoversMarkerBefore, kBadCrcInvalid;

// s4_5_size.cc
extern const Rule kWithMarkers, kWithoutMarkers;

// s5_tcp.cc
extern const Rule kFpduAligned, kUnalignedTaken, kBoundariesByLength;

// s6_identification.cc
extern const Rule kWholeFirst;

// s7_1_1_start_frame.cc
extern const Rule kRequestKey, kRequestKeyChecked, kReplyKey, kReplyKeyChecked, kNoMarkersUnasked, kRejectNotChecked,
    kRejectZero, kReservedZero, kReservedNotChecked, kRevisionKnown, kRevisionChecked, kPrivateDataThere, kAtMost512,
    kTooLongRefused, kMismatchRefused;

// s7_1_2_startup.cc
extern const Rule kRequestSent, kReplyAfterRequest, kBadRequestCloses, kAcceptableAccepted, kInitiatorWaits,
    kBadReplyCloses, kNoFpduAfterRejecting, kNoFpduWhenRejected, kInitiatorsDetected, kEntersFullOperation,
    kResponderWaits, kRequestTimeout, kStartupTimeout;

// s7_1_setup.cc
extern const Rule kOneInitiator;

// s7_2_teardown.cc
extern const Rule kEndsWithTcp;

// s8_errors.cc
extern const Rule kCrcErrorDetected, kMarkerErrorDetected, kBadStartFrameCloses, kNothingAfterError;

// ece_5_ready_to_receive.cc
extern const Rule kReadyFirst, kNegotiatedKind;

// ece_6_frames.cc
extern const Rule kRevision2, kRevision1Accepted, kDataThere;

// ece_9_1_ird_ord.cc
extern const Rule kResponderOrd, kResponderIrd, kInsufficientIrd, kRepliesNoIrd, kRepliesNoOrd;

// ece_9_2_peer_to_peer.cc
extern const Rule kRequestFlagsZero, kReplyFlagsZero, kRequestOffers, kPeerToPeerKept, kClientServerKept, kReplyOffers,
    kNoMatch, kFlagsIgnored;

// ece_10_interoperability.cc
extern const Rule kEnhancedAnswered, kUnenhancedAnswered, kUnenhancedAccepted, kEnhancedRefused, kInputsChecked;

}  // namespace wirelaw::rdmap::mpa_rule
