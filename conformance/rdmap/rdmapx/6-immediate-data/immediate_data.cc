// SPDX-License-Identifier: Apache-2.0
// RFC 7306, section 6: Immediate Data. What a trace shows of it are its fields (header_extensions.cc).
#include "conformance/rdmap/rdmapx/extensions.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {

namespace {

constexpr Section kUlp = Section{"RFC 7306 6.1"}.by(Observable::api);
constexpr Section kMessage = Section{"RFC 7306 6.3"}.by(Observable::none);
constexpr Section kMessageAtVerbs = kMessage.by(Observable::api);
constexpr Section kSection6_4 = Section{"RFC 7306 6.4"}.by(Observable::api);

constinit const Rule kPassedUp =
    kUlp.must("RDMAPX-6.1-1", "The eight octets are passed to the ULP, with an event where it asked for one.",
              "The receiver's completion carries them");
constinit const Rule kUntagged =
    kMessage.must("RDMAPX-6.3-1", "Immediate Data is untagged.", "RDMAPX-4.1-5 and RDMAPX-4.1-6 judge the same bit");
constinit const Rule kBuffer = kMessage.must("RDMAPX-6.3-2", "Immediate Data takes one untagged buffer.",
                                             "On the wire that is one MSN, which DDP's numbering judges");
constinit const Rule kDeliveredInOrder =
    kMessageAtVerbs.must("RDMAPX-6.3-3", "Immediate Data is delivered to the ULP in the order in which it was sent.",
                         "The receiver's completions show it");
constinit const Rule kQueue = kMessage.must("RDMAPX-6.3-4", "Immediate Data is on queue 0.",
                                            "RDMAPX-4.1-9 and RDMAPX-4.1-10 judge the same field");
constinit const Rule kEightOctets = kMessage.must("RDMAPX-6.3-5", "DDP is asked to transmit eight octets.",
                                                  "RDMAPX-4.2-1, -2, -5 and -6 judge the same length");
constinit const Rule kIssuedInOrder =
    kMessageAtVerbs.must("RDMAPX-6.3-6", "Immediate Data is issued in the order in which the ULP submitted it.",
                         "The application knows that order");
constinit const Rule kAsASend = kSection6_4.must(
    "RDMAPX-6.4-1", "Immediate Data is ordered and completes as a Send does.", "The completions of both sides show it");

constexpr Breach kBreaches[] = {
    {Deviation::immediate_value_wrong, kPassedUp, {.given = "verbs pair"}},
    {Deviation::solicited_not_told, kPassedUp, {.given = "verbs"}},
    {Deviation::receives_reordered, kDeliveredInOrder, {.given = "verbs pair"}},
    {Deviation::work_reordered, kIssuedInOrder, {.given = "verbs pair"}},
    {Deviation::completions_reordered, kAsASend, {.given = "verbs pair"}},
};

}  // namespace

SectionRules immediate_data_rules() {
  static constexpr const Rule* kRules[] = {&kPassedUp, &kUntagged,    &kBuffer,        &kDeliveredInOrder,
                                           &kQueue,    &kEightOctets, &kIssuedInOrder, &kAsASend};
  return {kRules, kBreaches};
}

}  // namespace wirelaw::rdmap
