// SPDX-License-Identifier: Apache-2.0
#include "reference/rdmap/terminate_builder.h"

#include <algorithm>

namespace wirelaw::rdmap {

namespace {

struct HeaderRow {
  Layer layer;
  std::uint8_t etype;
  bool ddp_header;   // with the DDP segment length
  bool rdma_header;  // if the offender is a Read Request
};
// Figure 10. The figure excludes the RDMA header for an RDMAP operation error, while 7.1, case 3, requires it, and
// takes precedence. Errors that are not listed here carry no headers.
constexpr HeaderRow kHeaders[] = {
    {Layer::rdma, 1, true, true},
    {Layer::rdma, 2, true, true},
    {Layer::ddp, 1, true, false},
    {Layer::ddp, 2, true, false},
};

// A message with another version, or with an invalid opcode, may not be a Read Request (RDMAP/A-21).
bool layout_known(const ErrorCode& error) {
  return error != error::kInvalidVersion && error != error::kUnexpectedOpcode;
}

}  // namespace

Offender offender_of(Octets ulpdu, const ddp::Header& header) {
  Offender offender{.header_octets = header.octets(), .segment_length = static_cast<std::uint16_t>(ulpdu.size())};
  std::copy_n(ulpdu.begin(), offender.header_octets, offender.header.begin());
  return offender;
}

OctetBuffer build_terminate(const ErrorCode& error, const Offender* offender) {
  const auto* const row = std::ranges::find_if(kHeaders, [&](const HeaderRow& one) {
    return static_cast<std::uint8_t>(one.layer) == error.layer && one.etype == error.etype;
  });
  const bool headers = offender != nullptr && row != std::end(kHeaders);
  OctetBuffer request;
  Terminate terminate{.error = error};
  if (headers && row->ddp_header) {
    terminate.has_length = terminate.has_ddp_header = true;
    terminate.ddp_segment_length = offender->segment_length;
    terminate.ddp_header = offender->ddp_header();
  }
  if (headers && row->rdma_header && offender->read && layout_known(error)) {
    encode(*offender->read, request);
    terminate.has_rdma_header = true;
    terminate.rdma_header = request;
  }
  OctetBuffer message;
  encode(terminate, message);
  return message;
}

}  // namespace wirelaw::rdmap
