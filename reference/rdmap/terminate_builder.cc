// SPDX-License-Identifier: Apache-2.0
#include "reference/rdmap/terminate_builder.h"

#include <algorithm>

namespace wirelaw::rdmap {

using enum Deviation;

namespace {

struct HeaderRow {
  Layer layer;
  std::uint8_t etype;
  bool ddp_header;   // and the DDP segment length
  bool rdma_header;  // where the offender is a Read Request
};
// Figure 10. The RDMA header of an RDMAP operation error: no by the figure, yes by 7.1, case 3, which is the stronger.
// What is not here has no headers.
constexpr HeaderRow kHeaders[] = {
    {Layer::rdma, 1, true, true},
    {Layer::rdma, 2, true, true},
    {Layer::ddp, 1, true, false},
    {Layer::ddp, 2, true, false},
};

// A message of another version, or with an opcode that cannot be there, is not known to be a Read Request.
bool layout_known(const ErrorCode& error) {
  return error != error::kInvalidVersion && error != error::kUnexpectedOpcode;
}

void apply_faults(const Deviations& deviations, Terminate& terminate, std::size_t payload_octets) {
  if (deviations.has(terminate_layer_wrong)) terminate.error.layer = 3;
  if (deviations.has(terminate_layer_swapped) && terminate.error.layer < 2) terminate.error.layer ^= 1;
  if (deviations.has(terminate_type_wrong)) terminate.error.etype ^= 3;
  if (deviations.has(terminate_code_wrong)) terminate.error.code = 0x7f;
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
  if (deviations.has(terminate_length_wrong)) ++terminate.ddp_segment_length;
  if (deviations.has(terminate_length_of_payload))
    terminate.ddp_segment_length = static_cast<std::uint16_t>(payload_octets);
}

}  // namespace

Offender offender_of(Octets ulpdu, const ddp::Header& header) {
  Offender offender{.header_octets = header.octets(), .segment_length = static_cast<std::uint16_t>(ulpdu.size())};
  std::copy_n(ulpdu.begin(), offender.header_octets, offender.header.begin());
  return offender;
}

void build_terminate(const ErrorCode& error, const Offender* offender, const Deviations& deviations, OctetBuffer& out) {
  const auto* const row = std::ranges::find_if(kHeaders, [&](const HeaderRow& one) {
    return static_cast<std::uint8_t>(one.layer) == error.layer && one.etype == error.etype;
  });
  const bool headers = offender != nullptr && row != std::end(kHeaders);
  OctetBuffer ddp_header;
  OctetBuffer rdma_header;
  Terminate terminate{.error = error};
  std::size_t payload_octets = 0;
  if (headers && row->ddp_header) {
    ddp_header.assign(offender->ddp_header().begin(), offender->ddp_header().end());
    if (deviations.has(terminate_header_altered)) ddp_header.back() ^= 1;
    terminate.has_length = terminate.has_ddp_header = true;
    terminate.ddp_segment_length = offender->segment_length;
    terminate.ddp_header = ddp_header;
    payload_octets = offender->segment_length - offender->header_octets;
  }
  if (headers && row->rdma_header && offender->read && layout_known(error)) {
    encode(deviations.has(terminate_read_not_updated) && offender->original_read ? *offender->original_read
                                                                                 : *offender->read,
           rdma_header);
    terminate.has_rdma_header = true;
    terminate.rdma_header = rdma_header;
  }
  apply_faults(deviations, terminate, payload_octets);

  const std::size_t begin = out.size();
  encode(terminate, out);
  if (deviations.has(terminate_tail)) out.insert(out.end(), 4, 0xee);
  if (deviations.has(terminate_cut) && out.size() - begin > 4) out.resize(out.size() - 4);
}

}  // namespace wirelaw::rdmap
