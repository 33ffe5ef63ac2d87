// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 9 and 10: the search of resources; security.
#include "conformance/section.h"
#include "conformance/umsp/requests.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {
namespace {

constexpr std::string_view kAboveTheWire = "what VMs and applications do is not on the wire";
constexpr std::string_view kPermission = "a permission";
constexpr std::string_view kRegistry = "a registry's affair";

// ---------------------------------------------------------------------------------------------------------------- 9
constexpr Section kSection{"RFC 3018 9"};
constexpr Section kReceiver = kSection.by(Observable::stimulus);
constexpr Section kInside = kSection.by(Observable::api);
constexpr Section kForm = kSection.by(Observable::none);
constexpr std::string_view kInLists = "judged where a VM is named: 5.3, 6, UMSP-9.1-8, UMSP-9.1-9, UMSP-9.2-16";

constinit const Rule kVmTypes = kForm.must("UMSP-9-1", "The type of a VM is 1 to 65534.", kInLists);
constinit const Rule kVmVersions = kForm.must("UMSP-9-2", "The version of a VM is 1 to 65534.", kInLists);
constinit const Rule kUpwardCompatible =
    kInside.must("UMSP-9-3", "A VM executes code for all smaller versions of its type.", kAboveTheWire);
constinit const Rule kStandardTypes = kForm.must("UMSP-9-4", "Types 1 to 1023 are of standard VMs.", kRegistry);
constinit const Rule kRegisteredTypes =
    kForm.must("UMSP-9-5", "Types 1024 to 49151 are of VMs that users have registered.", kRegistry);
constinit const Rule kFreeTypes = kForm.may("UMSP-9-6", "Types 49152 to 65534 are free.", kPermission);
constinit const Rule kReservedNumbers =
    kSection.must_not("UMSP-9-7", "No VM has type or version 0 or 65535: they are reserved.",
                      "65535 in SESSION_OPEN is judged here; otherwise 5.3, 6, UMSP-9.1-8, UMSP-9.1-9, UMSP-9.2-16");
constinit const Rule kGroupSharesMemory =
    kInside.must("UMSP-9-8", "The VMs of a group have one memory and one control of jobs in common.", kAboveTheWire);
constinit const Rule kGroupOfTypes = kSection.must("UMSP-9-9", "The VMs of a group have different types.");
constinit const Rule kGroupSize =
    kForm.must("UMSP-9-10", "A group has 65534 VMs at most.", "an instruction with more breaks UMSP-9.2-6");
constinit const Rule kGroupsDiffer =
    kForm.may("UMSP-9-11", "One number means different groups on different nodes.", kPermission);
constinit const Rule kGroupNumber =
    kForm.must("UMSP-9-12", "A group has a number of 2 octets.", "the version of VM type 0 has no more");
constinit const Rule kGroupNumberKept =
    kInside.must_not("UMSP-9-13", "The number of a group does not change while its node has a session.",
                     "two notices cannot be known to be about one group");
constinit const Rule kGroupNumberConfigured =
    kForm.should("UMSP-9-14", "The number of a group changes when its node is configured anew alone.", "configuration");
constinit const Rule kGroupIsTypeZero =
    kForm.must("UMSP-9-15", "A group is named by VM type 0 and its number as version.", "a definition");
constinit const Rule kGroupsOptional = kForm.may("UMSP-9-16", "A node need not have groups.", kPermission);
constinit const Rule kBothTransports =
    kReceiver.must("UMSP-9-17", "VM_REQ and VM_NOTIF are taken over TCP and over UDP.", "UMSP/B1");
constinit const Rule kBroadcastTaken =
    kForm.must("UMSP-9-18", "VM_REQ and VM_NOTIF are taken by broadcast.",
               "a broadcast is a datagram like others where a node takes it: UMSP-9-17");
constinit const Rule kUnaskedNotice = kForm.may("UMSP-9-19", "A node sends VM_NOTIF without being asked.", kPermission);
constinit const Rule kSameTransport =
    kReceiver.resting_on(Evidence::absence)
        .must("UMSP-9-20", "An answer to VM_REQ goes over TCP or UDP as the request did.");
constinit const Rule kSoughtByName =
    kReceiver.must("UMSP-9-21", "Groups, and VMs of the types 49152 to 65534, can be sought by name.");
constinit const Rule kNoName = kSection.must_not("UMSP-9-22", "VMs of the types 1 to 49151 have no name.");

// -------------------------------------------------------------------------------------------------------------- 9.1
constexpr Section kReq{"RFC 3018 9.1"};
constexpr Section kReqReceiver = kReq.by(Observable::stimulus);
constexpr Section kReqForm = kReq.by(Observable::none);

constinit const Rule kVmAnswered =
    kReqReceiver.resting_on(Evidence::absence)
        .must("UMSP-9.1-1", "VM_REQ for a VM that the node has is answered by VM_NOTIF.");
constinit const Rule kReqPck = kReq.must("UMSP-9.1-2", "VM_REQ has PCK 00.");
constinit const Rule kReqChn = kReq.must("UMSP-9.1-3", "VM_REQ has CHN 0.");
constinit const Rule kReqAskTaken =
    kReqReceiver.must("UMSP-9.1-4", "A receiver takes VM_REQ with ASK 0 and with ASK 1.", "UMSP/B2");
constinit const Rule kReqExtTaken =
    kReqReceiver.must("UMSP-9.1-5", "A receiver takes VM_REQ with and without extension headers.");
constinit const Rule kReqLength = kReq.must("UMSP-9.1-6", "VM_REQ has 0 to 65534 words of operands.", "UMSP/A27");
constinit const Rule kReqOperands =
    kReqForm.must("UMSP-9.1-7", "Operands of VM_REQ are pairs of VM type and VM version.", "each word is one");
constinit const Rule kReqTypeNotZero = kReq.must_not("UMSP-9.1-8", "No VM type in VM_REQ is 0.");
constinit const Rule kReqVersionNotZero = kReq.must_not("UMSP-9.1-9", "No VM version in VM_REQ is 0.");
constinit const Rule kGreatestVersion = kReqReceiver.must(
    "UMSP-9.1-10", "VM version 65535 asks for the greatest: the answer names the version that this is.");
constinit const Rule kReqName =
    kReqForm.must("UMSP-9.1-11", "_NAME in VM_REQ is the name of the VM or group that is sought.", "a permission");
constinit const Rule kAllVms = kReqReceiver.must("UMSP-9.1-12", "VM_REQ without operands asks for all VMs.");
constinit const Rule kOneVm = kReqReceiver.must("UMSP-9.1-13", "VM_REQ with one VM asks for that.");
constinit const Rule kGroupWithAll =
    kReqReceiver.must("UMSP-9.1-14", "VM_REQ with several VMs asks for a group that has all of them.");
constinit const Rule kReqRises = kReq.must("UMSP-9.1-15", "Types and versions in VM_REQ rise.");
constinit const Rule kZeroSessionVm = kReqForm.must(
    "UMSP-9.1-16", "VM type and version 65535 ask for the VM that works without sessions.", "a definition");
constinit const Rule kReqTypeReserved =
    kReq.must_not("UMSP-9.1-17", "VM type 65535 comes with VM version 65535 alone.");
constinit const Rule kNameAnsweredApart =
    kReqReceiver.resting_on(Evidence::absence)
        .must("UMSP-9.1-18", "_NAME of VM_REQ gets an answer apart from that to its operands.");

// -------------------------------------------------------------------------------------------------------------- 9.2
constexpr Section kNotif{"RFC 3018 9.2"};
constexpr Section kNotifReceiver = kNotif.by(Observable::stimulus);
constexpr Section kNotifInside = kNotif.by(Observable::api);
constexpr Section kNotifForm = kNotif.by(Observable::none);
constexpr std::string_view kOtherConnection = "warns: VM_REQ may have come on another connection";

constinit const Rule kNotifPck = kNotif.must("UMSP-9.2-1", "VM_NOTIF has PCK 00.");
constinit const Rule kNotifChn = kNotif.must("UMSP-9.2-2", "VM_NOTIF has CHN 0.");
constinit const Rule kNotifAskTaken =
    kNotifReceiver.must("UMSP-9.2-3", "A receiver takes VM_NOTIF with ASK 0 and with ASK 1.", "UMSP/B2");
constinit const Rule kNotifUnanswered = kNotifReceiver.must_not("UMSP-9.2-4", "VM_NOTIF gets no response.");
constinit const Rule kNotifExtTaken =
    kNotifReceiver.must("UMSP-9.2-5", "A receiver takes VM_NOTIF with and without extension headers.");
constinit const Rule kNotifLength = kNotif.must("UMSP-9.2-6", "VM_NOTIF has 2 to 65534 words of operands.", "UMSP/A27");
constinit const Rule kNotifMost =
    kNotifForm.must("UMSP-9.2-7", "VM_NOTIF has 65534 words of operands at most.", "UMSP-9.2-6 judges both ends");
constinit const Rule kTransportKnown =
    kNotif.must("UMSP-9.2-8", "The transport in VM_NOTIF is 0x0100, 0x0101, 0x0102 or 0x0103.");
constinit const Rule kSingleTcp = kNotifReceiver.must("UMSP-9.2-9", "0x0100: one TCP connection, on port 2110.");
constinit const Rule kSeveralTcp = kNotifReceiver.must("UMSP-9.2-10", "0x0101: several TCP connections, on port 2110.");
constinit const Rule kSingleTcpAndUdp =
    kNotifReceiver.must("UMSP-9.2-11", "0x0102: one TCP connection, and UDP that is received on port 2110.");
constinit const Rule kSeveralTcpAndUdp =
    kNotifReceiver.must("UMSP-9.2-12", "0x0103: several TCP connections, and UDP that is received on port 2110.");
constinit const Rule kPortOfConnection =
    kNotifForm.must("UMSP-9.2-13", "A TCP connection has port 2110 on one side at least.",
                    "UMSP/B29; flows are recognised by it, or are what the user says that they are");
constinit const Rule kNotifReserved = kNotif.must("UMSP-9.2-14", "The reserved operand of VM_NOTIF is 0.");
constinit const Rule kNotifReservedIgnored =
    kNotifReceiver.must_not("UMSP-9.2-15", "A receiver does not look at the reserved operand.");
constinit const Rule kNotifNumbers =
    kNotif.must("UMSP-9.2-16", "The VMs in VM_NOTIF have types and versions from 1 to 65534.");
constinit const Rule kNotifOperands =
    kNotifForm.must("UMSP-9.2-17", "VM_NOTIF names VMs in pairs of type and version, one at least.",
                    "each word is one; none: UMSP-9.2-6");
constinit const Rule kNotifNameTaken =
    kNotifForm.must("UMSP-9.2-18", "A receiver takes _NAME for the name of the VM or group in the operands.",
                    "what a node makes of a name that it was notified of is its own");
constinit const Rule kOneNoticeEach =
    kNotifReceiver.resting_on(Evidence::absence).must("UMSP-9.2-19", "Several VMs or groups have a VM_NOTIF each.");
constinit const Rule kOneNoticeEachTransport =
    kNotifForm.must("UMSP-9.2-20", "Several transports have a VM_NOTIF each.",
                    "VM_NOTIF has room for one, and which ones a node provides is its own");
constinit const Rule kNotifReqId =
    kNotif.resting_on(Evidence::absence)
        .must("UMSP-9.2-21", "REQ_ID of VM_NOTIF is that of the VM_REQ that it answers.", kOtherConnection);
constinit const Rule kNotifAsk =
    kNotif.resting_on(Evidence::absence)
        .must("UMSP-9.2-22", "VM_NOTIF that answers no VM_REQ has ASK 0.", kOtherConnection);
constinit const Rule kGroupAnswered =
    kNotifReceiver.resting_on(Evidence::absence)
        .must("UMSP-9.2-23", "VM_REQ for a group is answered by a VM_NOTIF of several VMs.");
constinit const Rule kGroupFirst =
    kNotifForm.must("UMSP-9.2-24", "VM_NOTIF about a group names the group first, as VM type 0.",
                    "several VMs behind another type break UMSP-9.2-26");
constinit const Rule kGroupMembers = kNotifInside.must(
    "UMSP-9.2-25", "The other VMs of VM_NOTIF are those of the group.", "what a group has is the node's");
constinit const Rule kOneVmAlone =
    kNotif.must("UMSP-9.2-26", "VM_NOTIF that does not name a group names one VM alone.");
constinit const Rule kNotifRises = kNotif.must("UMSP-9.2-27", "Types and versions in VM_NOTIF rise.");
constinit const Rule kAnyTransportTaken =
    kNotifReceiver.must("UMSP-9.2-28", "A receiver takes VM_NOTIF about another transport than it came over.");

// --------------------------------------------------------------------------------------------------------------- 10
constexpr Section kSecurity = Section{"RFC 3018 10"}.by(Observable::none);
constexpr std::string_view kForExpansions = "a recommendation for expansions of the protocol";

constinit const Rule kSpecialChain = kSecurity.must(
    "UMSP-10-1", "A chain of special processing has the header that says so in its first instruction.", kForExpansions);
constinit const Rule kSpecialInNops =
    kSecurity.may("UMSP-10-2", "Instructions of such a chain may be in NOPs.", kPermission);
constinit const Rule kVmLimitsCost = kSecurity.must("UMSP-10-3", "A VM limits what JUMP and CALL cost its node.",
                                                    "an amount of resources is not judged");

// ------------------------------------------------------------------------------------------------------------ lists
constexpr std::uint16_t kReserved = 0xffff;     // a VM type or version
constexpr std::uint16_t kLastNameless = 49151;  // of VM types

struct Vm {
  std::uint16_t type = 0;
  std::uint16_t version = 0;
  friend constexpr auto operator<=>(const Vm&, const Vm&) = default;
};
std::string to_string(Vm vm) {
  return fmt::format("VM type {}, version {}", vm.type, vm.version);
}

// The list at the end of the operands, and where each VM of it is in the instruction.
class VmList {
 public:
  explicit VmList(const Seen& seen) : place_(seen.operand(Operand::vm_type)) {
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

// Gives whether it rises.
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
  return judge.require(kReqTypeNotZero, vm.type != 0, type, expected("1 or more"), actual(vm.type)) &&
         judge.require(kReqVersionNotZero, vm.version != 0, version, expected("1 or more"), actual(vm.version)) &&
         judge.require(kReqTypeReserved, vm.type != kReserved || vm.version == kReserved, version,
                       expected("version 65535"), actual(vm.version));
}

void judge_vm_req(Judge& judge, const Seen& seen) {
  const VmList list(seen);
  for (std::size_t index = 0; index < list.size(); ++index)
    if (!judge_vm_asked(judge, list[index], list.where(index))) return;
  judge_rising(judge, kReqRises, list);
}

bool is_group(const VmList& list) {
  return list[0].type == 0;
}

bool judge_numbers(Judge& judge, const VmList& list) {
  for (std::size_t index = is_group(list) ? 1 : 0; index < list.size(); ++index) {
    const Vm vm = list[index];
    const bool holds = vm.type != 0 && vm.type != kReserved && vm.version != 0 && vm.version != kReserved;
    if (!judge.require(kNotifNumbers, holds, list.where(index), expected("1 to 65534 each"),
                       actual([&] { return to_string(vm); })))
      return false;
  }
  return true;
}

void judge_group(Judge& judge, const VmList& list) {
  if (!judge_rising(judge, kNotifRises, list)) return;
  for (std::size_t index = 2; index < list.size(); ++index)
    if (!judge.require(kGroupOfTypes, list[index - 1].type != list[index].type, list.where(index),
                       expected("another type"), actual([&] { return to_string(list[index]); })))
      return;
}

void judge_vms(Judge& judge, const Seen& seen) {
  const VmList list(seen);
  if (list.size() == 0 || !judge_numbers(judge, list)) return;
  if (is_group(list)) return judge_group(judge, list);
  judge.require(kOneVmAlone, list.size() == 1, list.where(0), expected("one VM, or VM type 0 in front"),
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
    judge.require(kNoName, !named || list[0].type > kLastNameless,
                  named ? seen.extension(name) : seen.operand(Operand::vm_type),
                  expected("no _NAME of a VM of types 1 to 49151"), actual("_NAME"));
}

// VM_REQs without ASK leave nothing to repeat.
void judge_what_is_answered(Judge& judge, const Seen& seen) {
  if (!seen.header().ask || !knows_requests(seen)) return;
  const OctetRange where = seen.field(HeaderField::req_id);
  const auto found = [&] { return hex(seen.header().req_id); };
  constexpr std::string_view kNone = "no such VM_REQ came on a connection of the two nodes";
  if (!judge.advise(kNotifAsk, has_request(seen, Opcode::vm_req), where, expected("ASK 0"), actual("ASK 1"), kNone))
    return;
  const ObservedRequest* const request = find_answered(seen);
  if (request != nullptr && !request->is_certain) return;
  judge.advise(kNotifReqId, request != nullptr && request->opcode == static_cast<std::uint8_t>(Opcode::vm_req), where,
               expected("the REQ_ID of a VM_REQ"), actual(found()), kNone);
}

void judge_vm_notif(Judge& judge, const Seen& seen) {
  const std::uint64_t transport = seen.value(Operand::transport).value_or(0);
  judge.require(kTransportKnown, transport >= 0x0100 && transport <= 0x0103, seen.operand(Operand::transport),
                expected("0x0100 to 0x0103"), actual(hex(static_cast<std::uint16_t>(transport))));
  const std::uint64_t reserved = seen.value(Operand::reserved).value_or(0);
  judge.require(kNotifReserved, reserved == 0, seen.operand(Operand::reserved), expected(0),
                actual(hex(static_cast<std::uint16_t>(reserved))));
  judge_vms(judge, seen);
  judge_what_is_answered(judge, seen);
}

constexpr InstructionRules kInstructions[] = {
    {.first = Opcode::vm_req, .pck = &kReqPck, .chn = &kReqChn, .opr_length = &kReqLength, .judge = judge_vm_req},
    {.first = Opcode::vm_notif,
     .pck = &kNotifPck,
     .chn = &kNotifChn,
     .opr_length = &kNotifLength,
     .judge = judge_vm_notif},
};

}  // namespace

void judge_vm_of_session(Judge& judge, const Seen& seen, Operand type, Operand version) {
  for (const Operand operand : {type, version}) {
    const auto value = seen.value(operand);
    if (!value) continue;
    judge.require(kReservedNumbers, *value != kReserved, seen.operand(operand), expected("0 to 65534"), actual(*value));
  }
}

UmspSection search_rules() {
  static constexpr const Rule* kRules[] = {&kVmTypes,
                                           &kVmVersions,
                                           &kUpwardCompatible,
                                           &kStandardTypes,
                                           &kRegisteredTypes,
                                           &kFreeTypes,
                                           &kReservedNumbers,
                                           &kGroupSharesMemory,
                                           &kGroupOfTypes,
                                           &kGroupSize,
                                           &kGroupsDiffer,
                                           &kGroupNumber,
                                           &kGroupNumberKept,
                                           &kGroupNumberConfigured,
                                           &kGroupIsTypeZero,
                                           &kGroupsOptional,
                                           &kBothTransports,
                                           &kBroadcastTaken,
                                           &kUnaskedNotice,
                                           &kSameTransport,
                                           &kSoughtByName,
                                           &kNoName,
                                           &kVmAnswered,
                                           &kReqPck,
                                           &kReqChn,
                                           &kReqAskTaken,
                                           &kReqExtTaken,
                                           &kReqLength,
                                           &kReqOperands,
                                           &kReqTypeNotZero,
                                           &kReqVersionNotZero,
                                           &kGreatestVersion,
                                           &kReqName,
                                           &kAllVms,
                                           &kOneVm,
                                           &kGroupWithAll,
                                           &kReqRises,
                                           &kZeroSessionVm,
                                           &kReqTypeReserved,
                                           &kNameAnsweredApart,
                                           &kNotifPck,
                                           &kNotifChn,
                                           &kNotifAskTaken,
                                           &kNotifUnanswered,
                                           &kNotifExtTaken,
                                           &kNotifLength,
                                           &kNotifMost,
                                           &kTransportKnown,
                                           &kSingleTcp,
                                           &kSeveralTcp,
                                           &kSingleTcpAndUdp,
                                           &kSeveralTcpAndUdp,
                                           &kPortOfConnection,
                                           &kNotifReserved,
                                           &kNotifReservedIgnored,
                                           &kNotifNumbers,
                                           &kNotifOperands,
                                           &kNotifNameTaken,
                                           &kOneNoticeEach,
                                           &kOneNoticeEachTransport,
                                           &kNotifReqId,
                                           &kNotifAsk,
                                           &kGroupAnswered,
                                           &kGroupFirst,
                                           &kGroupMembers,
                                           &kOneVmAlone,
                                           &kNotifRises,
                                           &kAnyTransportTaken,
                                           &kSpecialChain,
                                           &kSpecialInNops,
                                           &kVmLimitsCost};
  return {.rules = {.rules = kRules}, .instructions = kInstructions};
}

}  // namespace wirelaw::umsp
