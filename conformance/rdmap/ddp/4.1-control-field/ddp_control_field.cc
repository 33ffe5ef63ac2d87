// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 4.1: the DDP control field. What L means shows only in the run of segments: untagged_messages.cc
// and tagged_messages.cc judge it.
#include "conformance/rdmap/ddp/checks.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {

constexpr Section kSection{"RFC 5041 4.1"};
constexpr Section kNotJudged = kSection.by(Observable::none);

constinit const Rule kLastSegmentHasL = kSection.must(
    "DDP-4.1-3", "The last segment of every message has L set.",
    "RDMAP/A-38: seen where the next message of the queue, or the next tagged message, begins without it");
constinit const Rule kNoOtherSegmentHasL =
    kSection.must_not("DDP-4.1-4", "No segment but the last of a message has L set.",
                      "seen in untagged messages, which have numbers: one that goes on behind its L");
constinit const Rule kLastSegmentIsPostedLast = kSection.must(
    "DDP-4.1-5", "The segment with L is posted after all other segments of its message.", "seen in untagged messages");
constinit const Rule kLastSegmentHasHighestMo =
    kSection.must("DDP-4.1-6", "The segment with L of an untagged message has its highest MO.", "RDMAP/A-23");
constinit const Rule kDeliveredInOrder =
    kNotJudged.must("DDP-4.1-9",
                    "A message whose last segment has come is delivered once it and all before it have been placed, "
                    "and those have been delivered.",
                    "judged as DDP-5.4-1");
constinit const Rule kReservedIsZero =
    kSection.must("DDP-4.1-10", "The four reserved bits of the control field are sent as zero.");
constinit const Rule kVersionIsOne =
    kSection.must("DDP-4.1-12", "DV is one.",
                  "RDMAP/A-11: on a stream of MPA revision 0, or whose start was not seen, the value is not judged");
constinit const Rule kVersionIsConstant =
    kSection.must("DDP-4.1-13", "DV is the same in every segment that a side sends on a stream.");

constexpr Breach kBreaches[] = {
    {Deviation::last_missing, kLastSegmentHasL},
    {Deviation::messages_interleaved, kLastSegmentHasL, {.who = wirelaw::Role::responder}},
    {Deviation::response_last_missing, kLastSegmentHasL},
    {Deviation::last_early, kNoOtherSegmentHasL},
    {Deviation::ddp_reserved_set, kReservedIsZero},
    {Deviation::ddp_version_zero, kVersionIsOne},
    {Deviation::ddp_version_two, kVersionIsOne},
};

SectionRules ddp_control_rules() {
  static constexpr const Rule* kRules[] = {
      &kLastSegmentHasL, &kNoOtherSegmentHasL, &kLastSegmentIsPostedLast, &kLastSegmentHasHighestMo, &kDeliveredInOrder,
      &kReservedIsZero,  &kVersionIsOne,       &kVersionIsConstant};
  return {kRules, kBreaches};
}

namespace {

void judge_version(Judge& judge, Seen& seen) {
  const ddp::Header& header = seen.header;
  const Agreed& agreed = seen.connection.agreement;
  const bool first = !seen.from.version;
  if (first) seen.from.version = header.version;
  const bool changed = header.version != *seen.from.version;
  if (header.version != ddp::kVersion)
    seen.blame(header.tagged ? error::kDdpTaggedVersion : error::kDdpUntaggedVersion);
  // Once a side has changed its version, that is its fault, whatever the value.
  if (!first && !judge.require(kVersionIsConstant, !changed, field::kDdpControl, expected(*seen.from.version),
                               actual(header.version), "the segments before it had another version"))
    return;
  if (!agreed.assumed && agreed.revision > 0)
    judge.require(kVersionIsOne, header.version == ddp::kVersion, field::kDdpControl, expected(ddp::kVersion),
                  actual(header.version));
}

}  // namespace

void judge_ddp_control(Judge& judge, Seen& seen) {
  judge.require(kReservedIsZero, seen.header.reserved == 0, field::kDdpControl, expected(0),
                actual(seen.header.reserved), "bits 2 to 5 of the octet");
  judge_version(judge, seen);
}

}  // namespace wirelaw::rdmap
