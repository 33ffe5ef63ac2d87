// SPDX-License-Identifier: Apache-2.0
// The rules of MPA that observers and cases judge, by name. Each is declared in the file of its section.
#pragma once

#include "conformance/rule.h"

namespace wirelaw::rdmap::mpa_rule {

// above_mpa.cc
extern const Rule kOneUlpdu, kNotAbove64768;

// fpdu.cc
extern const Rule kWholeFpdus, kUlpduLengthCounts, kPadZero, kPadCount, kPadIgnored, kCrcNotChecked;

// marker_format.cc
extern const Rule kMarkerReservedZero, kMarkerReservedIgnored, kMarkerLowBitsZero, kMarkerLowBitsIgnored;

// markers.cc
extern const Rule kMarkersWhenAsked, kMarkerInterval, kMarkerPointer, kZeroBetween, kFirstMarker, kSamePoint;

// crc.cc
extern const Rule kCrcByDefault, kGoesOn, kCrc32c, kOctetOrder, kCoversMarkers, kCoversMarkerBehind,
    kCoversMarkerBefore, kBadCrcInvalid;

// fpdu_size.cc
extern const Rule kWithMarkers, kWithoutMarkers;

// tcp.cc
extern const Rule kFpduAligned, kUnalignedTaken, kBoundariesByLength;

// identification.cc
extern const Rule kWholeFirst;

// start_frames.cc
extern const Rule kRequestKey, kRequestKeyChecked, kReplyKey, kReplyKeyChecked, kNoMarkersUnasked, kRejectNotChecked,
    kRejectZero, kReservedZero, kReservedNotChecked, kRevisionKnown, kRevisionChecked, kPrivateDataThere, kAtMost512,
    kTooLongRefused, kMismatchRefused;

// mpa_startup.cc
extern const Rule kRequestSent, kReplyAfterRequest, kBadRequestCloses, kAcceptableAccepted, kInitiatorWaits,
    kBadReplyCloses, kNoFpduAfterRejecting, kNoFpduWhenRejected, kInitiatorsDetected, kEntersFullOperation,
    kResponderWaits, kRequestTimeout, kStartupTimeout;

// setup.cc
extern const Rule kOneInitiator;

// mpa_teardown.cc
extern const Rule kEndsWithTcp;

// errors.cc
extern const Rule kCrcErrorDetected, kMarkerErrorDetected, kBadStartFrameCloses, kNothingAfterError;

// ready_to_receive.cc
extern const Rule kReadyFirst, kNegotiatedKind;

// enhanced_frames.cc
extern const Rule kRevision2, kRevision1Accepted, kDataThere;

// ird_and_ord.cc
extern const Rule kResponderOrd, kResponderIrd, kInsufficientIrd, kRepliesNoIrd, kRepliesNoOrd;

// peer_to_peer.cc
extern const Rule kRequestFlagsZero, kReplyFlagsZero, kRequestOffers, kPeerToPeerKept, kClientServerKept, kReplyOffers,
    kNoMatch, kFlagsIgnored;

// interoperability.cc
extern const Rule kEnhancedAnswered, kUnenhancedAnswered, kUnenhancedAccepted, kEnhancedRefused, kInputsChecked;

}  // namespace wirelaw::rdmap::mpa_rule
