// SPDX-License-Identifier: Apache-2.0
// RFC 7306, section 6: Immediate Data. What a trace shows of it are its fields (x4_header_extensions.cc).
#include "conformance/rdmap/extensions.h"

namespace wirelaw::rdmap {

RuleList immediate_data_rules() {
  static constexpr auto rule = [](std::string_view id, std::string_view section, Observable observable,
                                  std::string_view summary, std::string_view note = {}) {
    return extension_rule(id, Level::must, section, observable, summary, note);
  };
  static constexpr std::string_view kUlp = "RFC 7306 6.1", kMessage = "RFC 7306 6.3";
  static constinit const Rule kPassedUp =
      rule("RDMAPX-6.1-1", kUlp, Observable::api,
           "The eight octets are passed to the ULP, with an event where it asked for one.",
           "The receiver's completion carries them");
  static constinit const Rule kUntagged =
      rule("RDMAPX-6.3-1", kMessage, Observable::none, "Immediate Data is untagged.",
           "RDMAPX-4.1-5 and RDMAPX-4.1-6 judge the same bit");
  static constinit const Rule kBuffer =
      rule("RDMAPX-6.3-2", kMessage, Observable::none, "Immediate Data takes one untagged buffer.",
           "On the wire that is one MSN, which DDP's numbering judges");
  static constinit const Rule kDeliveredInOrder =
      rule("RDMAPX-6.3-3", kMessage, Observable::api,
           "Immediate Data is delivered to the ULP in the order in which it was sent.",
           "The receiver's completions show it");
  static constinit const Rule kQueue = rule("RDMAPX-6.3-4", kMessage, Observable::none, "Immediate Data is on queue 0.",
                                            "RDMAPX-4.1-9 and RDMAPX-4.1-10 judge the same field");
  static constinit const Rule kEightOctets =
      rule("RDMAPX-6.3-5", kMessage, Observable::none, "DDP is asked to transmit eight octets.",
           "RDMAPX-4.2-1, -2, -5 and -6 judge the same length");
  static constinit const Rule kIssuedInOrder =
      rule("RDMAPX-6.3-6", kMessage, Observable::api,
           "Immediate Data is issued in the order in which the ULP submitted it.", "The application knows that order");
  static constinit const Rule kAsASend =
      rule("RDMAPX-6.4-1", "RFC 7306 6.4", Observable::api, "Immediate Data is ordered and completes as a Send does.",
           "The completions of both sides show it");
  static constexpr const Rule* kRules[] = {&kPassedUp, &kUntagged,    &kBuffer,        &kDeliveredInOrder,
                                           &kQueue,    &kEightOctets, &kIssuedInOrder, &kAsASend};
  return kRules;
}

}  // namespace wirelaw::rdmap
