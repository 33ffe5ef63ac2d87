// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/cases.h"

#include "conformance/rdmap/ddp/cases.h"
#include "conformance/rdmap/mpa/cases.h"
#include "conformance/rdmap/probes/driven.h"
#include "conformance/rdmap/rdmap/section_cases.h"
#include "conformance/rdmap/rdmap/terminate_cases.h"

namespace wirelaw::rdmap {

const CaseSuite& suite() {
  static const CaseSuite kSuite{
      control_field_cases(),
      write_cases(),
      read_cases(),
      send_cases(),
      ordering_cases(),
      initialization_cases(),
      validation_cases(),
      terminate_header_cases(),
      terminate_message_cases(),
      teardown_cases(),
      error_cases(),
      error_surfacing_cases(),
      extension_cases(),
      extension_refusal_cases(),
      shared_stag_cases(),
      security_cases(),
      ddp_control_cases(),
      ddp_tagged_cases(),
      ddp_data_transfer_cases(),
      ddp_version_cases(),
      ddp_validation_cases(),
      mpa_framing_cases(),
      mpa_marker_cases(),
      mpa_start_frame_cases(),
      mpa_startup_cases(),
      mpa_enhanced_cases(),
      verbs_cases(),
  };
  return kSuite;
}

}  // namespace wirelaw::rdmap
