// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/rules.h"

#include <array>

#include "conformance/rdmap/messages.h"

namespace wirelaw::rdmap {

std::span<const RuleList> rdmap_rules() {
  static const std::array kRules{transport_rules(),
                                 control_field_rules(),
                                 message_definition_rules(),
                                 write_header_rules(),
                                 read_request_header_rules(),
                                 read_response_header_rules(),
                                 send_header_rules(),
                                 send_invalidate_header_rules(),
                                 write_rules(),
                                 read_rules(),
                                 send_rules(),
                                 ordering_rules(),
                                 initialization_rules(),
                                 rdmap_security_rules()};
  return kRules;
}

}  // namespace wirelaw::rdmap
