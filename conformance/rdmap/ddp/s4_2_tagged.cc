// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 4.2: the header of tagged segments.
#include "conformance/rdmap/ddp/checks.h"

namespace wirelaw::rdmap {
namespace {

constexpr Rule tagged_rule(std::string_view id, Level level, Observable observable, std::string_view summary,
                           std::string_view note = {}) {
  return ddp_rule(id, level, "RFC 5041 4.2", observable, summary, note);
}

}  // namespace

constinit const Rule kTaggedHeaderIsWhole =
    tagged_rule("DDP-4.2-1", Level::must, Observable::trace,
                "A tagged segment has the whole tagged header of 14 octets (figure 4).");
constinit const Rule kSameRsvdUlpTagged = tagged_rule("DDP-4.2-4", Level::must, Observable::trace,
                                                      "RsvdULP is the same in each segment of a tagged message.");
constinit const Rule kSameStag = tagged_rule("DDP-4.2-8", Level::must, Observable::trace,
                                             "The STag is the same in each segment of a tagged message.",
                                             "A-25: the STag of a segment without payload means nothing");

RuleList ddp_tagged_rules() {
  static constinit const Rule kRsvdUlpIsTheUlps =
      tagged_rule("DDP-4.2-2", Level::must, Observable::api, "DDP sends the RsvdULP that its ULP has given it.",
                  "what RDMAP meant by it is known to verbs alone");
  static constinit const Rule kRsvdUlpHandedUp =
      tagged_rule("DDP-4.2-3", Level::must, Observable::api, "DDP hands RsvdULP up with the message.",
                  "between DDP and RDMAP of one implementation");
  static constinit const Rule kStagIsValid = tagged_rule(
      "DDP-4.2-5", Level::must, Observable::api, "The STag is valid for this stream.",
      "which STags were advertised is the ULP's; what a receiver makes of a wrong one is judged by DDP-7.1");
  static constinit const Rule kStagIsTheUlps =
      tagged_rule("DDP-4.2-6", Level::must, Observable::api, "DDP sends the STag that its ULP has given it.",
                  "seen through verbs; that of a Read Response is judged by RDMAP-4.4");
  static constinit const Rule kStagHandedUp =
      tagged_rule("DDP-4.2-7", Level::must, Observable::api, "DDP hands the STag up with the message.",
                  "between DDP and RDMAP of one implementation");
  static constexpr const Rule* kRules[] = {&kTaggedHeaderIsWhole, &kRsvdUlpIsTheUlps, &kRsvdUlpHandedUp,
                                           &kSameRsvdUlpTagged,   &kStagIsValid,      &kStagIsTheUlps,
                                           &kStagHandedUp,        &kSameStag};
  return kRules;
}

}  // namespace wirelaw::rdmap
