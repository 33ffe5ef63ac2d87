// SPDX-License-Identifier: Apache-2.0
// Traces for RFC 3018, sections 8 and 9: conforming ones, and one that breaks each rule.
#include "corpora/traces/umsp_samples.h"

namespace wirelaw::corpora {
namespace {

using umsp::HeadCode;
using umsp::Instruction;
using umsp::Opcode;
using umsp::Pck;

// ----------------------------------------------------------------------------------------------- extension headers
bool is_obligatory(HeadCode code) {
  return code == HeadCode::data || code == HeadCode::life_time;
}

// A NOP with an extension header; `wrong_hob` inverts its HOB.
void nop(UmspTraceBuilder& builder, HeadCode code, OctetBuffer data, bool wrong_hob = false) {
  builder.open_session();
  builder.notify(Side::a, Opcode::nop, {},
                 {{.code = code, .data = std::move(data), .hob = is_obligatory(code) != wrong_hob}});
}

OctetBuffer zeros(std::size_t count) {
  return OctetBuffer(count, 0);
}
OctetBuffer text(std::string_view text) {
  return UmspOctets().text(text);
}

UmspExtension life_time() {
  return {.code = HeadCode::life_time, .data = UmspOctets().u16(1000)};
}

// A WRITE of 28 octets in fragments of eight, without its SESSION_ID (7.3): side a's first or second one.
void fragment(UmspTraceBuilder& builder, std::uint16_t number, std::vector<UmspExtension> extensions) {
  const OctetBuffer octets = number == 0
                                 ? UmspOctets().u8(static_cast<std::uint8_t>(Opcode::write_4)).u8(0x66).u32(16).u16(0)
                                 : UmspOctets().u64(7);
  if (number == 0) extensions.push_back({.code = HeadCode::begin_frg});
  builder.chained(Side::a, Opcode::nop, {1, number}, octets, std::move(extensions));
}

// ---------------------------------------------------------------------------------------------------------- search
void vm_req(UmspTraceBuilder& builder, OctetBuffer operands, const UmspTraceBuilder::Edit& edit = {}) {
  builder.open();
  builder.say(Side::a, Opcode::vm_req, std::move(operands), {}, edit);
}

// 0x0100, TCP alone, and these VMs.
UmspOctets vms(std::initializer_list<std::pair<std::uint16_t, std::uint16_t>> list) {
  UmspOctets octets;
  octets.u16(0x0100).u16(0);
  for (const auto& [type, version] : list) octets.u16(type).u16(version);
  return octets;
}
void vm_notif(UmspTraceBuilder& builder, OctetBuffer operands, std::vector<UmspExtension> extensions = {},
              const UmspTraceBuilder::Edit& edit = {}) {
  builder.open();
  builder.say(Side::b, Opcode::vm_notif, std::move(operands), std::move(extensions), edit);
}
void notice(UmspTraceBuilder& builder, std::initializer_list<std::pair<std::uint16_t, std::uint16_t>> list) {
  vm_notif(builder, vms(list));
}

UmspExtension name(std::string_view what) {
  return {.code = HeadCode::name, .data = text(what), .hob = false};
}

// A VM_REQ in seventeen fragments.
void long_vm_req(UmspTraceBuilder& builder) {
  UmspTraceBuilder one;
  UmspOctets list;
  for (unsigned vm = 0; vm < 65535; ++vm) list.u16(static_cast<std::uint16_t>(1 + vm / 30'000)).u16(1);
  one.say(Side::a, Opcode::vm_req, list);
  const OctetBuffer octets = one.last().octets;
  constexpr std::size_t kPiece = 16'384;
  builder.open();
  for (std::size_t at = 0; at < octets.size(); at += kPiece)
    builder.octets(Side::a, {octets.begin() + static_cast<std::ptrdiff_t>(at),
                             octets.begin() + static_cast<std::ptrdiff_t>(std::min(at + kPiece, octets.size()))});
}

constexpr UmspSample kSamples[] = {
    {{},
     "Each extension header of section 8, as it is meant.",
     [](UmspTraceBuilder& builder) {
       nop(builder, HeadCode::alignment, zeros(14));
       nop(builder, HeadCode::msg, text("a message"));
       nop(builder, HeadCode::name, text("a name"));
       nop(builder, HeadCode::data, text("data"));
       nop(builder, HeadCode::life_time, UmspOctets().u32(1000));
       fragment(builder, 0, {life_time()});
       fragment(builder, 1, {});
       builder.chained(Side::a, Opcode::nop, {2, 0}, {}, {{.code = HeadCode::begin_sq}, life_time()});
       builder.chained(Side::a, Opcode::nop, {2, 1}, {}, {life_time(), {.code = HeadCode::end_chain}});
     },
     "umsp-common-extension-headers"},
    {"UMSP-8.1-4", "_ALIGNMENT of eight words.",
     [](UmspTraceBuilder& builder) { nop(builder, HeadCode::alignment, zeros(16)); }},
    {"UMSP-8.1-5", "_ALIGNMENT with HOB 1.",
     [](UmspTraceBuilder& builder) { nop(builder, HeadCode::alignment, zeros(2), true); }},
    {"UMSP-8.1-6", "_ALIGNMENT with an octet that is not zero.",
     [](UmspTraceBuilder& builder) { nop(builder, HeadCode::alignment, UmspOctets().u16(1)); }},
    {"UMSP-8.2-1", "_MSG in another alphabet.",
     [](UmspTraceBuilder& builder) { nop(builder, HeadCode::msg, UmspOctets().u16(0xc3a4).text("tt")); }},
    {"UMSP-8.2-4", "_MSG without text.", [](UmspTraceBuilder& builder) { nop(builder, HeadCode::msg, {}); }},
    {"UMSP-8.2-5", "_MSG with HOB 1.",
     [](UmspTraceBuilder& builder) { nop(builder, HeadCode::msg, text("text"), true); }},
    {"UMSP-8.3-3", "_NAME of 256 octets.",
     [](UmspTraceBuilder& builder) { nop(builder, HeadCode::name, OctetBuffer(256, 'n')); }},
    {"UMSP-8.3-4", "_NAME with HOB 1.",
     [](UmspTraceBuilder& builder) { nop(builder, HeadCode::name, text("name"), true); }},
    {"UMSP-8.3-5", "_NAME in another alphabet.",
     [](UmspTraceBuilder& builder) { nop(builder, HeadCode::name, UmspOctets().u16(0xc3a4).text("me")); }},
    {"UMSP-8.4-1", "_DATA with VM_REQ.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.say(Side::a, Opcode::vm_req, {}, {{.code = HeadCode::data, .data = text("data")}});
     }},
    {"UMSP-8.4-2",
     "_DATA with FREE.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.request(Side::a, Opcode::free, UmspOctets().u32(16), {{.code = HeadCode::data, .data = text("data")}});
       builder.respond(Side::b);
     },
     {},
     Severity::warning},
    {"UMSP-8.4-5", "_DATA without data.", [](UmspTraceBuilder& builder) { nop(builder, HeadCode::data, {}); }},
    {"UMSP-8.4-7", "_DATA with HOB 0.",
     [](UmspTraceBuilder& builder) { nop(builder, HeadCode::data, text("data"), true); }},
    {"UMSP-8.5-2", "_LIFE_TIME of three words.",
     [](UmspTraceBuilder& builder) { nop(builder, HeadCode::life_time, zeros(6)); }},
    {"UMSP-8.5-3", "_LIFE_TIME with HOB 0.",
     [](UmspTraceBuilder& builder) { nop(builder, HeadCode::life_time, UmspOctets().u16(1000), true); }},
    {"UMSP-8.5-14", "_LIFE_TIME in the first instruction of a transaction.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.chained(Side::a, Opcode::nop, {1, 0}, {},
                       {{.code = HeadCode::begin_tr, .data = UmspOctets().u8(0x40).u8(1)},
                        life_time(),
                        {.code = HeadCode::end_chain}});
     }},
    {"UMSP-8.5-14", "_LIFE_TIME in the second instruction of a transaction.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.chained(Side::a, Opcode::nop, {1, 0}, {},
                       {{.code = HeadCode::begin_tr, .data = UmspOctets().u8(0x40).u8(1)}});
       builder.chained(Side::a, Opcode::nop, {1, 1}, {}, {life_time(), {.code = HeadCode::end_chain}});
     },
     "second"},
    {"UMSP-8.5-15", "_LIFE_TIME with the second fragment.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       fragment(builder, 0, {});
       fragment(builder, 1, {life_time()});
     }},
    {"UMSP-8.5-16", "_LIFE_TIME is left in an instruction that is fragmented.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       // WRITE with EXT 1; _LIFE_TIME with HSL, HOB and a word of DATA; the address.
       builder.chained(Side::a, Opcode::nop, {1, 0},
                       UmspOctets().u8(static_cast<std::uint8_t>(Opcode::write_4)).u8(0x6a).u32(0x01cc'03e8).u16(0),
                       {{.code = HeadCode::begin_frg}});
     }},

    {{},
     "A node asks for VMs, and is answered with one, with a group, and with one that is named.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.ask(Side::a, Opcode::vm_req, UmspOctets().u16(1).u16(1).u16(2).u16(0xffff).u16(0xffff).u16(0xffff));
       builder.ask(Side::b, Opcode::vm_notif, vms({{1, 1}}));
       builder.ask(Side::b, Opcode::vm_notif, vms({{0, 5}, {1, 1}, {2, 7}}));
       builder.say(Side::a, Opcode::vm_req, {}, {name("mine")});
       builder.say(Side::b, Opcode::vm_notif, vms({{49'152, 1}}), {name("mine")});
     },
     "umsp-search"},
    {"UMSP-9-9", "A group with two VMs of one type.",
     [](UmspTraceBuilder& builder) {
       notice(builder, {{0, 5}, {1, 1}, {1, 2}});
     }},
    {"UMSP-9-22", "A VM of type 49151 with a name.",
     [](UmspTraceBuilder& builder) {
       vm_notif(builder, vms({{49'151, 1}}), {name("mine")});
     }},
    {"UMSP-9.1-2", "VM_REQ with PCK 11.",
     [](UmspTraceBuilder& builder) {
       vm_req(builder, {}, [](Instruction& one) { one.header.pck = Pck::own_session; });
     }},
    {"UMSP-9.1-3", "VM_REQ with CHN 1.",
     [](UmspTraceBuilder& builder) { vm_req(builder, {}, [](Instruction& one) { one.header.chn = true; }); }},
    {"UMSP-9.1-6", "VM_REQ with 65535 words of operands.", long_vm_req},
    {"UMSP-9.1-8", "VM_REQ for VM type 0.",
     [](UmspTraceBuilder& builder) { vm_req(builder, UmspOctets().u16(0).u16(1)); }},
    {"UMSP-9.1-9", "VM_REQ for VM version 0.",
     [](UmspTraceBuilder& builder) { vm_req(builder, UmspOctets().u16(1).u16(0)); }},
    {"UMSP-9.1-15", "VM_REQ whose types fall.",
     [](UmspTraceBuilder& builder) { vm_req(builder, UmspOctets().u16(2).u16(1).u16(1).u16(1)); }},
    {"UMSP-9.1-17", "VM_REQ for VM type 65535, version 1.",
     [](UmspTraceBuilder& builder) { vm_req(builder, UmspOctets().u16(0xffff).u16(1)); }},
    {"UMSP-9.2-1", "VM_NOTIF with PCK 11.",
     [](UmspTraceBuilder& builder) {
       vm_notif(builder, vms({{1, 1}}), {}, [](Instruction& one) { one.header.pck = Pck::own_session; });
     }},
    {"UMSP-9.2-2", "VM_NOTIF with CHN 1.",
     [](UmspTraceBuilder& builder) {
       vm_notif(builder, vms({{1, 1}}), {}, [](Instruction& one) { one.header.chn = true; });
     }},
    {"UMSP-9.2-6", "VM_NOTIF without a VM.", [](UmspTraceBuilder& builder) { notice(builder, {}); }},
    {"UMSP-9.2-8", "VM_NOTIF with transport 0x0104.",
     [](UmspTraceBuilder& builder) { vm_notif(builder, UmspOctets().u16(0x0104).u16(0).u16(1).u16(1)); }},
    {"UMSP-9.2-14", "VM_NOTIF whose reserved operand is not 0.",
     [](UmspTraceBuilder& builder) { vm_notif(builder, UmspOctets().u16(0x0100).u16(1).u16(1).u16(1)); }},
    {"UMSP-9.2-16", "VM_NOTIF about VM version 65535.",
     [](UmspTraceBuilder& builder) {
       notice(builder, {{1, 0xffff}});
     }},
    {"UMSP-9.2-21",
     "VM_NOTIF with a REQ_ID that no VM_REQ has.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.ask(Side::a, Opcode::vm_req, {});
       builder.ask(Side::b, Opcode::vm_notif, vms({{1, 1}}), {}, UmspTraceBuilder::kReqId + 1);
     },
     {},
     Severity::warning},
    {"UMSP-9.2-22",
     "VM_NOTIF with ASK 1, without a VM_REQ that has it.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.say(Side::a, Opcode::vm_req, {});
       builder.ask(Side::b, Opcode::vm_notif, vms({{1, 1}}));
     },
     {},
     Severity::warning},
    {"UMSP-9.2-26", "VM_NOTIF about two VMs that are no group.",
     [](UmspTraceBuilder& builder) {
       notice(builder, {{1, 1}, {2, 1}});
     }},
    {"UMSP-9.2-27", "VM_NOTIF about a group whose types fall.",
     [](UmspTraceBuilder& builder) {
       notice(builder, {{0, 5}, {2, 1}, {1, 1}});
     }},
};

}  // namespace

std::span<const UmspSample> umsp_extension_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora
