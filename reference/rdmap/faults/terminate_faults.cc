// SPDX-License-Identifier: Apache-2.0
#include "reference/rdmap/faults/terminate_faults.h"

#include <optional>

namespace wirelaw::rdmap {

using enum Deviation;

namespace {

void error_faults(const Deviations& deviations, ErrorCode& error) {
  if (deviations.has(terminate_layer_wrong)) error.layer = 3;
  if (deviations.has(terminate_layer_swapped) && error.layer < 2) error.layer ^= 1;
  if (deviations.has(terminate_type_wrong)) error.etype ^= 3;
  if (deviations.has(terminate_code_wrong)) error.code = 0x7f;
}

void header_faults(const Deviations& deviations, Terminate& terminate) {
  if (deviations.has(terminate_no_headers)) {
    terminate.has_length = terminate.has_ddp_header = terminate.has_rdma_header = false;
    terminate.ddp_header = terminate.rdma_header = {};
  }
  if (deviations.has(terminate_read_missing)) {
    terminate.has_rdma_header = false;
    terminate.rdma_header = {};
  }
  if (deviations.has(terminate_r_set)) terminate.has_rdma_header = true;
  if (deviations.has(terminate_d_clear)) terminate.has_ddp_header = false;
  if (deviations.has(terminate_reserved_set)) terminate.reserved = 0x1fff;
}

// Uses the request as received, without the progress of its answer.
Offender with_original_read(Offender offender) {
  if (offender.original_read) offender.read = offender.original_read;
  return offender;
}

}  // namespace

OctetBuffer build_faulty_terminate(const Deviations& deviations, const ErrorCode& error, const Offender* offender) {
  std::optional<Offender> original;
  if (offender != nullptr && deviations.has(terminate_read_not_updated))
    offender = &original.emplace(with_original_read(*offender));
  const OctetBuffer honest = build_terminate(error, offender);
  Terminate terminate = *decode_terminate(honest);

  error_faults(deviations, terminate.error);
  OctetBuffer ddp_header(terminate.ddp_header.begin(), terminate.ddp_header.end());
  if (deviations.has(terminate_header_altered) && !ddp_header.empty()) ddp_header.back() ^= 1;
  terminate.ddp_header = ddp_header;
  if (deviations.has(terminate_length_wrong)) ++terminate.ddp_segment_length;
  if (deviations.has(terminate_length_of_payload) && terminate.has_ddp_header)
    terminate.ddp_segment_length = static_cast<std::uint16_t>(offender->segment_length - offender->header_octets);
  header_faults(deviations, terminate);

  OctetBuffer message;
  encode(terminate, message);
  if (deviations.has(terminate_tail)) message.insert(message.end(), 4, 0xee);
  if (deviations.has(terminate_cut) && message.size() > 4) message.resize(message.size() - 4);
  return message;
}

}  // namespace wirelaw::rdmap
