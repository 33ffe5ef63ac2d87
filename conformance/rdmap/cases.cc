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
      {.cases = control_field_cases()},
      {.cases = write_cases()},
      {.cases = read_cases()},
      {.cases = send_cases()},
      {.cases = ordering_cases()},
      {.cases = initialization_cases()},
      {.cases = validation_cases()},
      {.cases = terminate_header_cases()},
      {.cases = terminate_message_cases()},
      {.cases = teardown_cases()},
      {.cases = error_cases()},
      {.cases = error_surfacing_cases()},
      {.cases = extension_cases()},
      {.cases = extension_refusal_cases()},
      {.cases = shared_stag_cases()},
      {.cases = security_cases()},
      {.cases = ddp_control_cases()},
      {.cases = ddp_tagged_cases()},
      {.cases = ddp_data_transfer_cases()},
      {.cases = ddp_version_cases()},
      {.cases = ddp_validation_cases()},
      {.cases = mpa_framing_cases()},
      {.cases = mpa_marker_cases()},
      {.cases = mpa_start_frame_cases()},
      {.cases = mpa_startup_cases()},
      {.cases = mpa_enhanced_cases()},
      {.cases = verbs_cases()},
  };
  return kSuite;
}

}  // namespace wirelaw::rdmap
