// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {

std::span<const UmspSection> sections() {
  static const UmspSection kSections[] = {address_rules(),
                                          transport_rules(),
                                          header_rules(),
                                          extension_header_rules(),
                                          operand_rules(),
                                          response_rules(),
                                          management_rules(),
                                          job_rules(),
                                          task_rules(),
                                          session_rules(),
                                          profile_rules(),
                                          closing_rules(),
                                          task_end_rules(),
                                          job_end_rules(),
                                          activity_rules(),
                                          zero_session_rules(),
                                          exchange_rules(),
                                          memory_rules(),
                                          control_rules(),
                                          memory_control_rules(),
                                          other_rules(),
                                          object_rules(),
                                          object_data_rules(),
                                          procedure_rules(),
                                          chain_rules(),
                                          transaction_rules(),
                                          fragment_rules(),
                                          buffering_rules(),
                                          acknowledgement_rules(),
                                          base_rules(),
                                          common_extension_rules(),
                                          search_rules()};
  return kSections;
}

}  // namespace wirelaw::umsp
