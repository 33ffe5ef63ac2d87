// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 9 and 10: the search for resources, and security.
#include "conformance/umsp/9-search/search.h"

#include "conformance/umsp/9-search/rules.h"
#include "conformance/umsp/section_tables.h"

namespace wirelaw::umsp {
namespace {

// ------------------------------------------------------------------------------------------------------------ lists
constexpr std::uint16_t kReserved = 0xffff;     // a VM type or version
constexpr std::uint16_t kLastNameless = 49151;  // the highest VM type without a name

struct Vm {
  std::uint16_t type = 0;
  std::uint16_t version = 0;
  friend constexpr auto operator<=>(const Vm&, const Vm&) = default;
};
std::string to_string(Vm vm) {
  return fmt::format("VM type {}, version {}", vm.type, vm.version);
}

// The list of VMs at the end of the operands, with the place of each in the instruction.
class VmList {
 public:
  explicit VmList(const SeenInstruction& seen) : place_(seen.operand(Operand::vm_type)) {
    if (const auto octets = seen.octets_of(Operand::vm_type)) octets_ = *octets;
  }
  std::size_t size() const { return octets_.size() / kOctets; }
  Vm operator[](std::size_t index) const {
    const Octets at = octets_.subspan(index * kOctets, kOctets);
    return {static_cast<std::uint16_t>(number_of(at.first(2))), static_cast<std::uint16_t>(number_of(at.last(2)))};
  }
  OctetRange where(std::size_t index) const { return octets(place_.offset + index * kOctets, kOctets); }

 private:
  static constexpr std::size_t kOctets = 4;
  Octets octets_;
  OctetRange place_;
};

// Returns true if the list is in ascending order.
bool judge_rising(Judge& judge, const Rule& rule, const VmList& list) {
  for (std::size_t index = 1; index < list.size(); ++index) {
    const auto say_previous = [&] { return fmt::format("no less than {}", to_string(list[index - 1])); };
    const auto say_this = [&] { return to_string(list[index]); };
    if (!judge.require(rule, list[index - 1] <= list[index], list.where(index), expected(say_previous),
                       actual(say_this)))
      return false;
  }
  return true;
}

bool judge_vm_asked(Judge& judge, Vm vm, OctetRange where) {
  const OctetRange type = octets(where.offset, 2);
  const OctetRange version = octets(where.offset + 2, 2);
  return judge.require(rule<"UMSP-9.1-8">, vm.type != 0, type, expected("1 or more"), actual(vm.type)) &&
         judge.require(rule<"UMSP-9.1-9">, vm.version != 0, version, expected("1 or more"), actual(vm.version)) &&
         judge.require(rule<"UMSP-9.1-17">, vm.type != kReserved || vm.version == kReserved, version,
                       expected("version 65535"), actual(vm.version));
}

void judge_vm_req(Judge& judge, const SeenInstruction& seen) {
  const VmList list(seen);
  for (std::size_t index = 0; index < list.size(); ++index)
    if (!judge_vm_asked(judge, list[index], list.where(index))) return;
  judge_rising(judge, rule<"UMSP-9.1-15">, list);
}

bool is_group(const VmList& list) {
  return list[0].type == 0;
}

bool judge_numbers(Judge& judge, const VmList& list) {
  for (std::size_t index = is_group(list) ? 1 : 0; index < list.size(); ++index) {
    const Vm vm = list[index];
    const bool holds = vm.type != 0 && vm.type != kReserved && vm.version != 0 && vm.version != kReserved;
    if (!judge.require(rule<"UMSP-9.2-16">, holds, list.where(index), expected("1 to 65534 each"),
                       actual([&] { return to_string(vm); })))
      return false;
  }
  return true;
}

void judge_group(Judge& judge, const VmList& list) {
  if (!judge_rising(judge, rule<"UMSP-9.2-27">, list)) return;
  for (std::size_t index = 2; index < list.size(); ++index)
    if (!judge.require(rule<"UMSP-9-9">, list[index - 1].type != list[index].type, list.where(index),
                       expected("another type"), actual([&] { return to_string(list[index]); })))
      return;
}

void judge_vms(Judge& judge, const SeenInstruction& seen) {
  const VmList list(seen);
  if (list.size() == 0 || !judge_numbers(judge, list)) return;
  if (is_group(list)) return judge_group(judge, list);
  judge.require(rule<"UMSP-9.2-26">, list.size() == 1, list.where(0), expected("one VM, or VM type 0 in front"),
                actual([&] { return fmt::format("{} VMs", list.size()); }));
  const std::size_t name = [&] {
    std::size_t index = 0;
    for (const ExtensionHeader& one : seen.instruction.extensions) {
      if (one.head_code == static_cast<std::uint16_t>(HeadCode::name)) break;
      ++index;
    }
    return index;
  }();
  const bool named = name < seen.instruction.extensions.size();
  if (list.size() == 1)
    judge.require(rule<"UMSP-9-22">, !named || list[0].type > kLastNameless,
                  named ? seen.extension(name) : seen.operand(Operand::vm_type),
                  expected("no _NAME of a VM of types 1 to 49151"), actual("_NAME"));
}

bool names_type(const VmList& list, std::uint16_t type) {
  for (std::size_t index = 0; index < list.size(); ++index)
    if (list[index].type == type) return true;
  return false;
}

// A node answers a request for one VM with a VM of that type, alone or in a group, and a request for several with a
// group that has all of them.
void judge_vms_answered(Judge& judge, const SeenInstruction& seen, const std::vector<std::uint16_t>& asked) {
  const VmList list(seen);
  if (asked.empty() || list.size() == 0) return;
  const bool for_group = asked.size() > 1;
  const auto got = actual([&] { return to_string(list[0]); });
  if (for_group && !judge.require(rule<"UMSP-9.2-23">, is_group(list) && list.size() > 1, list.where(0),
                                  expected("a group of the VMs that were asked for"), got))
    return;
  for (const std::uint16_t type : asked)
    if (!judge.require(for_group ? rule<"UMSP-9.1-14"> : rule<"UMSP-9.1-13">, names_type(list, type), list.where(0),
                       expected([&] { return fmt::format("VM type {}, as VM_REQ asks", type); }), got,
                       "it answers by the REQ_ID of that VM_REQ", Evidence::absence))
      return;
}

// A VM_REQ with ASK 0 has no REQ_ID to repeat.
void judge_what_is_answered(Judge& judge, const SeenInstruction& seen) {
  if (!seen.before.notification) return;
  const auto& [has_request, request, is_over_other_transport] = *seen.before.notification;
  const OctetRange where = seen.field(HeaderField::req_id);
  constexpr std::string_view kNone = "no such VM_REQ came on a connection of the two nodes";
  if (!judge.advise(rule<"UMSP-9.2-22">, has_request, where, expected("ASK 0"), actual("ASK 1"), kNone)) return;
  if (request != nullptr && !request->is_certain) return;
  judge.advise(rule<"UMSP-9-20">, !is_over_other_transport, where, expected("TCP or UDP, as VM_REQ had"),
               actual(seen.in_datagram ? "UDP" : "TCP"));
  if (judge.advise(rule<"UMSP-9.2-21">,
                   request != nullptr && request->opcode == static_cast<std::uint8_t>(Opcode::vm_req), where,
                   expected("the REQ_ID of a VM_REQ"), actual(hex(seen.header().req_id)), kNone))
    judge_vms_answered(judge, seen, request->vm_types);
}

void judge_vm_notif(Judge& judge, const SeenInstruction& seen) {
  const std::uint64_t transport = seen.value(Operand::transport).value_or(0);
  judge.require(rule<"UMSP-9.2-8">, transport >= 0x0100 && transport <= 0x0103, seen.operand(Operand::transport),
                expected("0x0100 to 0x0103"), actual(hex(static_cast<std::uint16_t>(transport))));
  const std::uint64_t reserved = seen.value(Operand::reserved).value_or(0);
  judge.require(rule<"UMSP-9.2-14">, reserved == 0, seen.operand(Operand::reserved), expected(0),
                actual(hex(static_cast<std::uint16_t>(reserved))));
  judge_vms(judge, seen);
  judge_what_is_answered(judge, seen);
}

constexpr InstructionRules kInstructions[] = {
    {.first = Opcode::vm_req,
     .pck = &rule<"UMSP-9.1-2">,
     .chn = &rule<"UMSP-9.1-3">,
     .opr_length = &rule<"UMSP-9.1-6">,
     .judge = judge_vm_req},
    {.first = Opcode::vm_notif,
     .pck = &rule<"UMSP-9.2-1">,
     .chn = &rule<"UMSP-9.2-2">,
     .opr_length = &rule<"UMSP-9.2-6">,
     .judge = judge_vm_notif},
};

}  // namespace

void judge_vm_of(Judge& judge, const SeenInstruction& seen, Operand type, Operand version) {
  for (const Operand operand : {type, version}) {
    const auto value = seen.value(operand);
    if (!value) continue;
    judge.require(rule<"UMSP-9-7">, *value != kReserved, seen.operand(operand), expected("0 to 65534"), actual(*value));
  }
}

SectionTables search_tables() {
  return {.instructions = kInstructions};
}

}  // namespace wirelaw::umsp
