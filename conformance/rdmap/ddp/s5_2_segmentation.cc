// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 5.2: messages are cut into segments. Judged in the account of messages: untagged_messages.cc and
// tagged_messages.cc.
#include "conformance/rdmap/ddp/checks.h"

namespace wirelaw::rdmap {
namespace {

constexpr Rule segmentation_rule(std::string_view id, Level level, Observable observable, std::string_view summary,
                                 std::string_view note = {}) {
  return ddp_rule(id, level, "RFC 5041 5.2", observable, summary, note);
}

}  // namespace

constinit const Rule kMessageBelow4Gib =
    segmentation_rule("DDP-5.2-3", Level::must, Observable::trace, "A ULP message is shorter than 2^32 octets.");
constinit const Rule kMoIsOffset =
    segmentation_rule("DDP-5.2-6", Level::must, Observable::trace,
                      "The MO of an untagged segment is the offset of its first octet in the message: each octet is "
                      "sent once, none is left out.",
                      "A-23: decided when the message has ended, since segments may come in another order");
constinit const Rule kToIsOffset = segmentation_rule(
    "DDP-5.2-7", Level::must, Observable::trace,
    "The TO of a tagged segment is that of the message's first octet, moved on by the octets before it.",
    "A-23, A-25: decided when the message has ended; the TO of a segment without payload means nothing");
constinit const Rule kZeroLengthTakesOneSegment =
    segmentation_rule("DDP-5.2-9", Level::must, Observable::trace, "A message of no octets takes exactly one segment.");

RuleList ddp_segmentation_rules() {
  static constinit const Rule kSegments = segmentation_rule(
      "DDP-5.2-1", Level::must, Observable::none, "DDP cuts a message into segments with a header each.",
      "what a segment that is none would be is judged by DDP-4.4-1");
  static constinit const Rule kFitsMulpdu =
      segmentation_rule("DDP-5.2-2", Level::must, Observable::none, "No segment is larger than the MULPDU.",
                        "A-24: MPA's MULPDU follows from TCP's segment size, and its rules judge the FPDUs by it");
  static constinit const Rule kSendsAll = segmentation_rule(
      "DDP-5.2-4", Level::must, Observable::api, "DDP sends all data of a ULP message.",
      "how long the message was meant to be is known to verbs; of a Read Response, RDMAP-4.4 judges it");
  static constinit const Rule kUlpSaysWhere =
      segmentation_rule("DDP-5.2-8", Level::must, Observable::api, "The ULP gives DDP the STag and the first TO.",
                        "between RDMAP and DDP of one implementation; a Write goes where its work request says");
  static constinit const Rule kControlOfZeroLength =
      segmentation_rule("DDP-5.2-10", Level::must, Observable::none,
                        "The control field and RsvdULP of a tagged segment without payload are valid.",
                        "judged by DDP-4.1 and RDMAP-4.1");
  static constexpr const Rule* kRules[] = {
      &kSegments,   &kFitsMulpdu,   &kMessageBelow4Gib,          &kSendsAll,           &kMoIsOffset,
      &kToIsOffset, &kUlpSaysWhere, &kZeroLengthTakesOneSegment, &kControlOfZeroLength};
  return kRules;
}

}  // namespace wirelaw::rdmap
