// SPDX-License-Identifier: Apache-2.0
#include "reference/efa/capability.h"

#include <array>

namespace wirelaw::efa {
namespace {

using enum ExtraKind;
using enum Revision;

constexpr std::array<ExtraInfo, 10> kExtras{{
    {Extra::rdma_read, "rdma_read", feature, "1.10.0", "4.1", "RDMA-Read based data transfer"},
    {Extra::delivery_complete, "delivery_complete", feature, "1.12.0", "4.2", "delivery complete", v2023_10, v2_6},
    {Extra::constant_header_length, "constant_header_length", request, "1.13.0", "4.3",
     "keep packet header length constant"},
    {Extra::connid_header, "connid_header", request, "1.14.0", "4.4", "sender connection ID in packet header", v2023_10,
     v2_6},
    {Extra::runting_read, "runting_read", feature, "1.16.0", "4.5", "runting read message protocol", v2023_10, v2_6},
    {Extra::rdma_write, "rdma_write", feature, "1.18.0", "4.6", "RDMA-Write based data transfer"},
    {Extra::read_nack, "read_nack", feature, "1.20.0", "4.7", "read nack packets", v2023_10, v2_6},
    {Extra::user_recv_qp, "user_recv_qp", feature_and_request, "1.22.0", "4.8", "user receive queue pair", v2_6},
    {Extra::unsolicited_write_recv, "unsolicited_write_recv", feature, "2.1.0", "4.9",
     "unsolicited receives of RDMA writes with immediate", v2_6},
    {Extra::peer_error, "peer_error", feature, "", "4.10", "peer error packets", main},
}};

}  // namespace

std::span<const ExtraInfo> all_extras() {
  return kExtras;
}

const ExtraInfo* find_extra(unsigned id) {
  return id < kExtras.size() ? &kExtras[id] : nullptr;
}

std::uint64_t extras_of(Revision revision) {
  std::uint64_t bits = 0;
  for (const ExtraInfo& extra : kExtras)
    if (extra.first <= revision) bits |= extra_bits({extra.id});
  return bits;
}

std::uint64_t baseline_of(Revision revision) {
  std::uint64_t bits = 0;
  for (const ExtraInfo& extra : kExtras)
    if (extra.baseline && *extra.baseline <= revision) bits |= extra_bits({extra.id});
  return bits;
}

}  // namespace wirelaw::efa
