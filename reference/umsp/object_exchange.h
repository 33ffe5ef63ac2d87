// SPDX-License-Identifier: Apache-2.0
// Instructions about objects (RFC 3018 6.6). They have no session and no REQ_ID yet. Offsets are written in four
// octets, numbers in network byte order.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "reference/octets/octets.h"
#include "reference/umsp/draft.h"
#include "reference/umsp/management.h"

namespace wirelaw::umsp {

// Realization 0, with or without version 0, means any.
struct ObjectKind {
  std::uint32_t number = 0;
  std::uint16_t version = 0;
  std::uint16_t realization = 0;
  friend constexpr bool operator==(const ObjectKind&, const ObjectKind&) = default;
};
// For OBJECT, PROC_NUM and all requests that begin with these fields.
std::optional<ObjectKind> object_in(const Instruction& instruction);

// 6.6.1, 6.6.2. Data are a multiple of four octets, except those of the `ext` ones: at least 1 octet.
Draft obj_req_data(const ObjectKind& object, std::uint32_t offset, std::uint32_t octets);
Draft obj_write(const ObjectKind& object, std::uint32_t offset, Octets data);
Draft obj_write_ext(const ObjectKind& object, std::uint32_t offset, Octets data);
Draft obj_compare(const ObjectKind& object, std::uint32_t offset, Octets data);
Draft obj_compare_ext(const ObjectKind& object, std::uint32_t offset, Octets data);
// 6.6.3
Draft call_by_number(const ObjectKind& object, std::uint32_t procedure, Octets parameters = {},
                     std::optional<VmKind> sender = {});
Draft call_by_name(const ObjectKind& object, std::string_view procedure, Octets parameters = {},
                   std::optional<VmKind> sender = {});
Draft procedure_number_of(const ObjectKind& object, std::string_view procedure);
// 6.6.4: NEW, or SYS_NEW; without a _NAME if the name is empty.
Draft new_object(Opcode create_or_sys_new, VmKind vm, const ObjectKind& version, Octets data,
                 std::string_view name = {});
Draft delete_object(std::uint32_t number);
// 6.6.5
Draft seek_object(std::string_view name);
Draft name_of_object(std::uint32_t number);

}  // namespace wirelaw::umsp
