// SPDX-License-Identifier: Apache-2.0
// RFC 7306, section 8: errors, and the Terminates that answer them.
#include "conformance/rdmap/extensions.h"

namespace wirelaw::rdmap {

RuleList extension_error_rules() {
  static constexpr auto local = [](std::string_view id, Observable observable, std::string_view summary,
                                   std::string_view note = {}) {
    return extension_rule(id, Level::must, "RFC 7306 8.1", observable, summary, note);
  };
  static constexpr auto remote = [](std::string_view id, Observable observable, std::string_view summary,
                                    std::string_view note = {}) {
    return extension_rule(id, Level::must, "RFC 7306 8.2", observable, summary, note);
  };
  static constinit const Rule kOwnErrors =
      local("RDMAPX-8.1-1", Observable::api,
            "An error found while one of these messages is created sends a Terminate in its place, without headers.",
            "A-20: only the application can bring such an error about");
  static constinit const Rule kOnIncoming =
      local("RDMAPX-8.1-2", Observable::stimulus, "An error on one of these messages sends a Terminate.");
  static constinit const Rule kContents = local(
      "RDMAPX-8.1-3", Observable::stimulus,
      "The Terminate for one of these messages has type, code and terminated DDP header, no RDMA header.", "A-36");
  static constinit const Rule kFields =
      remote("RDMAPX-8.2-1", Observable::stimulus, "DDP validates all fields of the segments of these messages.");
  static constinit const Rule kOpcode = remote(
      "RDMAPX-8.2-2", Observable::stimulus, "The opcode is validated: unknown to a receiver, it is answered by 0/2/06.",
      "A-10: so answers a receiver that does not know these messages");
  static constinit const Rule kVersion =
      remote("RDMAPX-8.2-3", Observable::stimulus, "The RDMAP version of these messages is validated.");
  static constinit const Rule kAlignment =
      remote("RDMAPX-8.2-4", Observable::stimulus, "That the target of an Atomic Request is aligned is validated.");
  static constinit const Rule kAlignmentCode = remote(
      "RDMAPX-8.2-5", Observable::stimulus, "A target that is not aligned is answered by a Terminate with 0/2/07.");
  static constexpr const Rule* kRules[] = {&kOwnErrors, &kOnIncoming, &kContents,  &kFields,
                                           &kOpcode,    &kVersion,    &kAlignment, &kAlignmentCode};
  return kRules;
}

}  // namespace wirelaw::rdmap
