// SPDX-License-Identifier: Apache-2.0
// Checks of a Terminate by RFC 5040 4.8 and 5.4, RFC 5041 7.2 and RFC 5044 8.
#pragma once

#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/tracker/terminate_facts.h"

namespace wirelaw::rdmap {

// Offsets of fields in an FPDU with a Terminate.
namespace field {
constexpr OctetRange terminate(std::size_t offset, std::size_t length) {
  return ulpdu(ddp::layout::kUntagged + offset, length);
}
inline constexpr OctetRange kTerminateControl = terminate(layout::kTerminateControl, 3);
inline constexpr OctetRange kLayerAndType = terminate(layout::kTerminateControl, 1);
inline constexpr OctetRange kErrorCode = terminate(layout::kTerminateControl + 1, 1);
inline constexpr OctetRange kHeaderControl = terminate(layout::kTerminateControl + 2, 1);
inline constexpr OctetRange kSegmentLength = terminate(layout::kDdpSegmentLength, layout::kDdpSegmentLengthOctets);
// The segment length is there with M or D.
constexpr std::size_t terminated_headers(const Terminate& terminate) {
  return layout::kTerminate + (terminate.has_length || terminate.has_ddp_header ? layout::kDdpSegmentLengthOctets : 0);
}
constexpr OctetRange terminated_ddp_header(const Terminate& of) {
  return terminate(terminated_headers(of), of.ddp_header.size());
}
constexpr OctetRange terminated_rdma_header(const Terminate& of, std::size_t offset, std::size_t length) {
  return terminate(terminated_headers(of) + of.ddp_header.size() + offset, length);
}
}  // namespace field

// terminate_header.cc: figures 7 and 8
void check_terminate_is_there(Judge& judge, const TerminateSegmentFact& fact);
// Returns false if it is truncated, so that its contents cannot be judged.
bool check_terminate_header(Judge& judge, const TerminateFact& fact);
void check_terminated_headers(Judge& judge, const TerminateFact& fact);
// error_codes.cc: figure 9. A Remote Protection Error names a field that the message does not have.
bool names_absent_field(const TerminateFact& fact, const BlamedFact& blamed);
// Returns false if the code has no meaning that could be judged.
bool check_error_code(Judge& judge, const TerminateFact& fact);
void check_rdma_error(Judge& judge, const TerminateFact& fact);
// terminated_headers.cc: figure 10
void check_mapping(Judge& judge, const TerminateFact& fact);
// error_numbers.cc: RFC 5041, 7.2
bool check_ddp_code(Judge& judge, const TerminateFact& fact);
void check_ddp_error(Judge& judge, const TerminateFact& fact);
// mpa_error_codes.cc: RFC 5044, 8 and RFC 6581, 8
bool check_llp_code(Judge& judge, const TerminateFact& fact);
void check_llp_error(Judge& judge, const TerminateFact& fact);
// terminate.cc
void check_terminate_room(Judge& judge, const TerminateFact& fact);
void check_single_terminate(Judge& judge, std::uint32_t msn);
// error_surfacing.cc
void check_absent_headers(Judge& judge, const TerminateFact& fact);
void check_first_fault(Judge& judge, const TerminateFact& fact);
// read.cc
void check_read_room(Judge& judge, const TerminateFact& fact);

}  // namespace wirelaw::rdmap
