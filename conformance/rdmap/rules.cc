// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/rdmap/messages.h"
#include "conformance/rdmap/rdmap/terminate_seen.h"
#include "conformance/rdmap/rdmapx/extensions.h"

namespace wirelaw::rdmap {

// RFC 5040, RFC 7306, RFC 5042.
std::span<const SectionRules> rdmap_rules() {
  static const std::array kRules{transport_rules(),
                                 control_field_rules(),
                                 message_definition_rules(),
                                 write_header_rules(),
                                 read_request_header_rules(),
                                 read_response_header_rules(),
                                 send_header_rules(),
                                 send_invalidate_header_rules(),
                                 terminate_header_rules(),
                                 terminate_code_rules(),
                                 terminate_mapping_rules(),
                                 write_rules(),
                                 read_rules(),
                                 send_rules(),
                                 terminate_message_rules(),
                                 ordering_rules(),
                                 initialization_rules(),
                                 teardown_rules(),
                                 error_management_rules(),
                                 error_surfacing_rules(),
                                 rdmap_security_rules(),
                                 extension_field_rules(),
                                 atomic_operation_rules(),
                                 atomic_message_rules(),
                                 atomicity_rules(),
                                 immediate_data_rules(),
                                 extension_ordering_rules(),
                                 extension_error_rules(),
                                 security_rules()};
  return kRules;
}

}  // namespace wirelaw::rdmap
