// SPDX-License-Identifier: Apache-2.0
// Instructions of exchange between VMs (RFC 3018 6) that allocate, read, write and compare memory. They have no session
// and no REQ_ID yet.
#pragma once

#include <cstdint>
#include <optional>

#include "reference/octets/octets.h"
#include "reference/umsp/address.h"
#include "reference/umsp/draft.h"
#include "reference/umsp/management.h"

namespace wirelaw::umsp {

// An address of local memory in a field of 2, 4 or 8 octets, or complete in 16 (6).
struct MemoryAddress {
  std::uint64_t value = 0;
  std::uint8_t octets = 4;  // 2, 4 or 8
};
void put(OctetBuffer& out, MemoryAddress address);

// 6.1.1: an address of 2 octets has a length field of 2 octets, any other address one of 4 octets.
Draft req_data(MemoryAddress from, std::uint32_t octets);
Draft req_data(const Address& from, std::uint32_t octets);
// 6.1.3, 6.2.1: two octets of data to an address of 2 octets, else a multiple of four.
Draft write_data(MemoryAddress to, Octets data);
Draft write_data(const Address& to, Octets data);
Draft compare_data(MemoryAddress with, Octets data);
Draft compare_data(const Address& with, Octets data);
// 6.1.4, 6.2.2: 1 to 262132 octets. An address of 2 octets is written in 4.
Draft write_ext(MemoryAddress to, Octets data);
Draft compare_ext(MemoryAddress with, Octets data);
// 6.4
Draft mem_alloc(std::uint32_t octets);
Draft free_memory(MemoryAddress at);
Draft mvcode(VmKind vm, Octets code);
Draft mvrun(VmKind vm, Octets code);
// 6.3.1. An address of 2 octets is written in 4; parameters in words of four octets.
Draft jump_to(MemoryAddress to, Octets parameters = {}, std::optional<VmKind> sender = {});
Draft call_to(MemoryAddress to, Octets parameters = {}, std::optional<VmKind> sender = {});
// 6.5.1: the mask has as many octets as the data.
Draft synchronize(MemoryAddress at, Octets initial, Octets mask);
// The address in an ADDRESS instruction; nothing unless it has 4 or 8 octets.
std::optional<MemoryAddress> address_in(const Instruction& address);

}  // namespace wirelaw::umsp
