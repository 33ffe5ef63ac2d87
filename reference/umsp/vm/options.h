// SPDX-License-Identifier: Apache-2.0
// The configuration of a virtual machine: its type, the form of its node's addresses, its contents, and limits for its
// peers.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "reference/endpoint.h"
#include "reference/umsp/address.h"
#include "reference/umsp/vm/object.h"
#include "reference/umsp/vm/offered.h"

namespace wirelaw::umsp {

struct VmOptions {
  // 9. The VM runs code of this type, and of a version up to this one.
  std::uint16_t vm_type = offered::kVmType;
  std::uint16_t vm_version = offered::kVmVersion;

  // The node's address format, which gives the length of local addresses. If `node` is set, a complete address must
  // have it.
  AddressFormat format = kIpv4Memory32;
  std::optional<OctetBuffer> node = {};
  bool complete_addresses = true;  // accepts addresses of sixteen octets (S6, 5.3.4)

  // The memory of each task, and of the zero-session. An area is omitted if it does not fit into the address space, or
  // overlaps an earlier one.
  std::uint64_t region_address = offered::kRegionAddress;
  OctetBuffer region = offered::region();
  std::uint64_t procedures_address = offered::kEchoAddress;  // echo, and sum after it
  std::uint64_t pointers_address = offered::kPointersAddress;
  std::size_t pointers_octets = offered::kPointersOctets;
  std::uint64_t heap_address = offered::kHeapAddress;  // first address of allocated memory

  std::vector<Object> objects = permanent_objects();
  std::vector<Procedure> procedures = offered_procedures();  // for each object that NEW and SYS_NEW make

  // Limits in octets.
  std::size_t task_octets = std::size_t{1} << 20;    // allocated by one task: memory, code, objects, parameters
  std::size_t all_octets = std::size_t{16} << 20;    // allocated by all tasks
  std::size_t queued_octets = std::size_t{4} << 20;  // responses and requests not fetched yet
  std::uint32_t buffer_octets = 1u << 20;            // granted to one chain (7.4)
  // Limits in numbers.
  std::size_t allocations = 1024;  // per task
  std::size_t objects_made = 256;  // per task
  std::size_t pending = 256;       // threads, watched data, and responses not fetched yet
  std::size_t tasks = 1024;

  // 7.4: advance() runs up to this number of operations of all threads, in turns; a thread ends after a maximum number.
  std::size_t operations_in_a_row = 4096;
  std::size_t operations_in_turn = 32;
  std::size_t operations_of_thread = 100'000;
  // Time that a thread waits for another node: timeouts are up to the VM (6).
  Instant patience = std::chrono::seconds(10);

  bool messages = false;  // refusals contain a readable _MSG
};

}  // namespace wirelaw::umsp
