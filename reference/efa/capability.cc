// SPDX-License-Identifier: Apache-2.0
#include "reference/efa/capability.h"

#include <array>

namespace wirelaw::efa {
namespace {

using enum ExtraKind;

constexpr std::array<ExtraInfo, 7> kExtras{{
    {Extra::rdma_read, "rdma_read", feature, "1.10.0", "4.1", "RDMA-Read based data transfer"},
    {Extra::delivery_complete, "delivery_complete", feature, "1.12.0", "4.2", "delivery complete"},
    {Extra::constant_header_length, "constant_header_length", request, "1.13.0", "4.3",
     "keep packet header length constant"},
    {Extra::connid_header, "connid_header", request, "1.14.0", "4.4", "sender connection ID in packet header"},
    {Extra::runting_read, "runting_read", feature, "1.16.0", "4.5", "runting read message protocol"},
    {Extra::rdma_write, "rdma_write", feature, "1.18.0", "4.6", "RDMA-Write based data transfer"},
    {Extra::read_nack, "read_nack", feature, "1.20.0", "4.7", "read nack packets"},
}};

}  // namespace

std::span<const ExtraInfo> all_extras() {
  return kExtras;
}

const ExtraInfo* find_extra(unsigned id) {
  return id < kExtras.size() ? &kExtras[id] : nullptr;
}

}  // namespace wirelaw::efa
