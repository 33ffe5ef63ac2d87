// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 7.1.1: the MPA Request and Reply Frames, field by field.
#include <fmt/format.h>

#include <algorithm>

#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/mpa/4.3-markers/first_octets.h"
#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/mpa/mpa_rule.h"
#include "conformance/rdmap/tracker/startup.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace mpa_rule {

constexpr Section kSection{"RFC 5044 7.1.1"};
constexpr Section kStimuli = kSection.by(Observable::stimulus);
constexpr Section kAtVerbs = kSection.by(Observable::api);
constexpr Section kInitiator = kSection.of(wirelaw::Role::initiator);
constexpr Section kInitiatorStimuli = kSection.of(wirelaw::Role::initiator).by(Observable::stimulus);
constexpr Section kResponder = kSection.of(wirelaw::Role::responder);
constexpr Section kResponderStimuli = kSection.of(wirelaw::Role::responder).by(Observable::stimulus);

constinit const Rule kRequestKey =
    kInitiator.resting_on(Evidence::order)
        .must("MPA-7.1.1-1", "The Initiator's frame begins with the key \"MPA ID Req Frame\".",
              "Octets of the ULP may come first. Where the other side has shown no MPA either, the connection "
              "may not be meant to be iWARP: warned.");
constinit const Rule kRequestKeyChecked = kResponderStimuli.must(
    "MPA-7.1.1-2", "The Responder checks the key of the Request, and closes the connection on any other.",
    "Section 7.1.2, rule 5, says the same.");
constinit const Rule kReplyKey =
    kResponder.resting_on(Evidence::order)
        .must("MPA-7.1.1-3", "The Responder's frame begins with the key \"MPA ID Rep Frame\".");
constinit const Rule kReplyKeyChecked = kInitiatorStimuli.must(
    "MPA-7.1.1-4", "The Initiator checks the key of the Reply, and closes the connection on any other.",
    "Section 7.1.2, rule 5, says the same.");
constinit const Rule kNoMarkersUnasked =
    kSection.must_not("MPA-7.1.1-5", "A side whose peer has not set M puts no markers into what it sends.");
constinit const Rule kRejectNotChecked =
    kResponderStimuli.must_not("MPA-7.1.1-6", "The Responder does not check R in a Request.");
constinit const Rule kRejectZero =
    kInitiator.must("MPA-7.1.1-7", "R is zero in a Request.", "The text says \"is set to zero\".");
constinit const Rule kReservedZero = kSection.must(
    "MPA-7.1.1-8", "The reserved bits of a start frame are zero.",
    "Four bits, as RFC 6581 has taken the fifth for S; S in a frame of revision 1 is judged as ECE-6-1 (RDMAP/A-30).");
constinit const Rule kReservedNotChecked = kStimuli.must_not(
    "MPA-7.1.1-9", "A receiver does not check the reserved bits: a frame is taken whatever they are.");
constinit const Rule kRevisionKnown = kSection.must(
    "MPA-7.1.1-10", "The revision of a start frame is 1, or 2 by RFC 6581; 0 is the RDMA Consortium's.",
    "RDMAP/A-11, RDMAP/A-30. RFC 6581 lets a sender use \"two or higher\", but nothing defines more than 2: warned.");
constinit const Rule kRevisionChecked = kStimuli.must(
    "MPA-7.1.1-11", "A receiver checks the revision, and closes the connection where it cannot interoperate with it.",
    "RDMAP/A-30: a receiver may be able to interoperate with more revisions than it need.");
constinit const Rule kRevisionReported = kAtVerbs.should(
    "MPA-7.1.1-12", "The revision that came is reported to the ULP.", "The interface to the ULP shows it.");
constinit const Rule kPrivateDataThere =
    kSection.resting_on(Evidence::absence)
        .must("MPA-7.1.1-13", "PD_Length is the length of the private data that follows it.",
              "Seen where a side ends its stream before all of it has come; what follows too short a PD_Length is "
              "taken for an FPDU that comes too early (MPA-7.1.2-6).");
constinit const Rule kAtMost512 = kSection.must("MPA-7.1.1-14", "There are at most 512 octets of private data.");
constinit const Rule kTooLongRefused =
    kStimuli.must("MPA-7.1.1-15", "A receiver closes the connection on a PD_Length above 512.",
                  "Section 7.1.2, rule 9, says the same.");
constinit const Rule kMismatchRefused = kStimuli.must(
    "MPA-7.1.1-16", "A receiver closes the connection where the private data is not as long as PD_Length says.",
    "Of data that is too short only where the stream ends. Section 7.1.2, rule 9, says the same; rule 10 leaves the "
    "time to the implementation, so that silence is warned of.");
constinit const Rule kPrivateDataPassed =
    kAtVerbs.should("MPA-7.1.1-17", "PD_Length and private data are passed to the ULP.",
                    "RDMAP/V-06: the events of librdmacm show it.");
constinit const Rule kErrorReported = kAtVerbs.must(
    "MPA-7.1.1-18", "What makes a receiver close the connection at start-up is reported locally as an error.",
    "An event of librdmacm shows it to an initiator; a responder's application does not know of the connection yet.");

}  // namespace mpa_rule

using namespace mpa_rule;

namespace {

constexpr const Rule* kRules[] = {&kRequestKey,         &kRequestKeyChecked, &kReplyKey,        &kReplyKeyChecked,
                                  &kNoMarkersUnasked,   &kRejectNotChecked,  &kRejectZero,      &kReservedZero,
                                  &kReservedNotChecked, &kRevisionKnown,     &kRevisionChecked, &kRevisionReported,
                                  &kPrivateDataThere,   &kAtMost512,         &kTooLongRefused,  &kMismatchRefused,
                                  &kPrivateDataPassed,  &kErrorReported};

bool responds(const Connection& connection, const Direction& from) {
  const auto& peers = connection.of(other(from.side)).start;
  return peers && peers->decoded().kind() == mpa::FrameKind::request;
}

void judge_private_data_length(Judge& judge, std::size_t length) {
  judge.require(kAtMost512, length <= mpa::kMaxPrivateData, field::kPrivateDataLength, expected("at most 512"),
                actual(length));
}

constexpr Breach kBreaches[] = {
    {Deviation::key_wrong, kRequestKey},
    {Deviation::accepts_bad_key, kRequestKeyChecked},
    {Deviation::key_wrong, kReplyKey},
    {Deviation::accepts_bad_key, kReplyKeyChecked},
    {Deviation::markers_unasked, kNoMarkersUnasked},
    {Deviation::closes_on_rejected_bit_in_request, kRejectNotChecked},
    {Deviation::rejected_bit_in_request, kRejectZero},
    {Deviation::start_reserved_set, kReservedZero},
    {Deviation::closes_on_reserved_bits, kReservedNotChecked},
    {Deviation::revision_zero, kRevisionKnown},
    {Deviation::revision_three, kRevisionKnown, {.severity = Severity::warning}},
    {Deviation::accepts_any_revision, kRevisionChecked, {.severity = Severity::warning}},
    {Deviation::dies_of_bad_start, kRevisionChecked},
    {Deviation::private_data_too_long, kAtMost512},
    {Deviation::accepts_long_private_data, kTooLongRefused},
    {Deviation::accepts_octets_behind_request, kMismatchRefused, {.severity = Severity::warning}},
    {Deviation::dies_of_bad_start, kMismatchRefused, {.who = wirelaw::Role::responder}},
    {Deviation::dies_of_bad_start, kMismatchRefused, {.who = wirelaw::Role::initiator, .severity = Severity::warning}},
    {Deviation::private_data_not_passed, kPrivateDataPassed, {.given = "verbs pair"}},
    {Deviation::start_error_not_reported, kErrorReported, {.given = "verbs"}},
};

}  // namespace

SectionRules s7_1_1_start_frame_rules() {
  return {kRules, kBreaches};
}

void judge_key(Judge& judge, mpa::FrameKind kind) {
  judge.require(kind == mpa::FrameKind::request ? kRequestKey : kReplyKey, true, field::kKey, expected(""), actual(""));
}

void judge_wrong_key(Judge& judge, const Connection& connection, const Direction& from, bool certain) {
  const auto got = actual([&] {
    const Octets there = judge.message().octets;
    return fmt::format("{:02x}", fmt::join(there.first(std::min(there.size(), field::kKey.length)), " "));
  });
  // What is close to a key was meant to be one. Anything else may be the last that the ULP said before it had read what
  // the other side sent.
  const bool near = beginning_of(judge.message().octets) == Beginning::near;
  const Evidence evidence = near ? Evidence::octets : Evidence::order;
  constexpr std::string_view kCrossed = "or the ULP's last octets, sent before the other side's start frame had come";
  const std::string_view why = near ? std::string_view{} : kCrossed;
  if (responds(connection, from)) {
    judge.require(kReplyKey, false, field::kKey, expected(mpa::kReplyKey), got, why, evidence);
  } else if (certain) {
    judge.require(kRequestKey, false, field::kKey, expected(mpa::kRequestKey), got, why, evidence);
  } else if (from.side == Side::a) {  // who has made the connection; who has accepted it is no initiator
    judge.advise(kRequestKey, false, field::kKey, expected(mpa::kRequestKey), got,
                 "nothing in this connection begins an MPA start frame: it may not be meant to be iWARP");
  }
}

void judge_start_fields(Judge& judge, const mpa::StartFrame& frame) {
  if (frame.kind() == mpa::FrameKind::request)
    judge.require(kRejectZero, !frame.rejected, field::kFlags, expected("R=0"), actual("R=1"));
  judge.require(kReservedZero, frame.reserved == 0, field::kFlags, expected("0x00"), actual(hex(frame.reserved)));
  if (judge.require(kRevisionKnown, frame.revision >= mpa::kRevision1, field::kRevision, expected("1 or 2"),
                    actual(frame.revision), "revision 0 is that of the RDMA Consortium"))
    judge.advise(kRevisionKnown, frame.revision <= mpa::kRevision2, field::kRevision, expected("1 or 2"),
                 actual(frame.revision), "no specification defines this revision");
  judge_private_data_length(judge, frame.private_data_length);
  judge.require(kPrivateDataThere, true, field::kPrivateDataLength, expected(0), actual(0));
}

// The stream has ended before its start frame was whole.
void judge_cut_start_frame(Judge& judge, const Connection& connection, const Direction& from) {
  const Direction& to = connection.of(other(from.side));
  if (from.held.size() < mpa::layout::kStartFrame) return;
  const auto frame = mpa::decode_start_frame(from.held);
  if (frame) return;
  const std::size_t length = frame.error().needed - mpa::layout::kStartFrame;
  if (length > mpa::kMaxPrivateData) return judge_private_data_length(judge, length);
  if (!from.closed || from.reset || to.closed || to.reset) return;
  judge.require(kPrivateDataThere, false, field::kPrivateDataLength, expected(length),
                actual(from.held.size() - mpa::layout::kStartFrame),
                "the stream ends inside the private data, and nothing is seen that would have made it end",
                evidence_of_lack(connection, from));
}

bool judge_unasked_markers(Judge& judge, Octets octets) {
  const bool there = is_zero_marker(octets) && looks_like_fpdu(octets.subspan(mpa::kMarkerOctets));
  judge.require(kNoMarkersUnasked, !there, wirelaw::octets(0, mpa::kMarkerOctets),
                expected("the first FPDU: the peer has not set M"), actual("a marker, and the first FPDU behind it"));
  return there;
}

}  // namespace wirelaw::rdmap
