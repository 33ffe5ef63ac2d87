// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 5.2: messages are cut into segments. Judged in the account of messages: untagged_messages.cc and
// tagged_messages.cc.
#include "conformance/rdmap/ddp/checks.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {

constexpr Section kSection{"RFC 5041 5.2"};
constexpr Section kAtVerbs = kSection.by(Observable::api);
constexpr Section kNotJudged = kSection.by(Observable::none);

constinit const Rule kSegments = kNotJudged.must("DDP-5.2-1", "DDP cuts a message into segments with a header each.",
                                                 "what a segment that is none would be is judged by DDP-4.4-1");
constinit const Rule kFitsMulpdu =
    kNotJudged.must("DDP-5.2-2", "No segment is larger than the MULPDU.",
                    "RDMAP/A-24: MPA's MULPDU follows from TCP's segment size, and its rules judge the FPDUs by it");
constinit const Rule kMessageBelow4Gib = kSection.must("DDP-5.2-3", "A ULP message is shorter than 2^32 octets.");
constinit const Rule kSendsAll =
    kAtVerbs.must("DDP-5.2-4", "DDP sends all data of a ULP message.",
                  "how long the message was meant to be is known to verbs; of a Read Response, RDMAP-4.4 judges it");
constinit const Rule kMoIsOffset =
    kSection.must("DDP-5.2-6",
                  "The MO of an untagged segment is the offset of its first octet in the message: each octet is sent "
                  "once, none is left out.",
                  "RDMAP/A-23: decided when the message has ended, since segments may come in another order");
constinit const Rule kToIsOffset = kSection.must(
    "DDP-5.2-7", "The TO of a tagged segment is that of the message's first octet, moved on by the octets before it.",
    "RDMAP/A-23, RDMAP/A-25: decided when the message has ended; the TO of a segment without payload means nothing");
constinit const Rule kUlpSaysWhere =
    kAtVerbs.must("DDP-5.2-8", "The ULP gives DDP the STag and the first TO.",
                  "between RDMAP and DDP of one implementation; a Write goes where its work request says");
constinit const Rule kZeroLengthTakesOneSegment =
    kSection.must("DDP-5.2-9", "A message of no octets takes exactly one segment.");
constinit const Rule kControlOfZeroLength =
    kNotJudged.must("DDP-5.2-10", "The control field and RsvdULP of a tagged segment without payload are valid.",
                    "judged by DDP-4.1 and RDMAP-4.1");

constexpr Breach kBreaches[] = {
    {Deviation::write_cut, kSendsAll, {.given = "verbs pair"}},
    {Deviation::mo_wrong, kMoIsOffset},
    {Deviation::to_wrong, kUlpSaysWhere, {.given = "verbs pair"}},
    {Deviation::zero_length_in_two, kZeroLengthTakesOneSegment},
};

SectionRules ddp_segmentation_rules() {
  static constexpr const Rule* kRules[] = {
      &kSegments,   &kFitsMulpdu,   &kMessageBelow4Gib,          &kSendsAll,           &kMoIsOffset,
      &kToIsOffset, &kUlpSaysWhere, &kZeroLengthTakesOneSegment, &kControlOfZeroLength};
  return {kRules, kBreaches};
}

}  // namespace wirelaw::rdmap
