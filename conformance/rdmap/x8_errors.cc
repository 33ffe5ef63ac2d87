// SPDX-License-Identifier: Apache-2.0
// RFC 7306, section 8: errors, and the Terminates that answer them.
#include "conformance/rdmap/extensions.h"

namespace wirelaw::rdmap {

RuleList extension_error_rules() {
  static constexpr auto local = [](std::string_view id, Observable observable, std::string_view summary,
                                   std::string_view note = {}) {
    return extension_rule(id, Level::must, "RFC 7306 8.1", observable, summary, note);
  };
  static constinit const Rule kOwnErrors =
      local("RDMAPX-8.1-1", Observable::api,
            "An error found while one of these messages is created sends a Terminate in its place, without headers.",
            "A-20: only the application can bring such an error about");
  static constexpr const Rule* kRules[] = {&kOwnErrors};
  return kRules;
}

}  // namespace wirelaw::rdmap
