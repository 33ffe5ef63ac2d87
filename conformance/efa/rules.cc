// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/rules.h"

#include "conformance/efa/later.h"

namespace wirelaw::efa {

std::span<const SectionRules> rule_sections() {
  static const SectionRules kSections[] = {s1_3_rules(),
                                           s1_4_rules(),
                                           s2_1_handshake_rules(),
                                           s2_1_handshake_format_rules(),
                                           s2_1_extras_rules(),
                                           s2_2_rules(),
                                           s2_3_rules(),
                                           s3_1_rules(),
                                           s3_2_msg_id_rules(),
                                           s3_2_eager_rules(),
                                           s3_2_medium_rules(),
                                           s3_2_longcts_rules(),
                                           s3_2_cts_rules(),
                                           s3_2_ctsdata_rules(),
                                           s3_2_end_rules(),
                                           s3_3_general_rules(),
                                           s3_3_write_rules(),
                                           s3_3_read_rules(),
                                           s3_3_readrsp_rules(),
                                           s3_3_atomic_rules(),
                                           s3_3_atomrsp_rules(),
                                           s4_1_rules(),
                                           s4_1_eor_rules(),
                                           s4_2_rules(),
                                           s4_3_rules(),
                                           s4_4_rules(),
                                           s4_5_rules(),
                                           s4_6_rules(),
                                           s4_7_rules(),
                                           later_handshake_rules(),
                                           later_read_nack_rules(),
                                           later_peer_error_rules()};
  return kSections;
}

}  // namespace wirelaw::efa
