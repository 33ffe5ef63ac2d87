// SPDX-License-Identifier: Apache-2.0
#include "corpora/traces/umsp_builder.h"

#include <algorithm>
#include <utility>

namespace wirelaw::corpora {

using umsp::Header;
using umsp::Opcode;
using umsp::Pck;

umsp::Identifier UmspTraceBuilder::job() {
  constexpr Octet kNode[] = {192, 0, 2, 2};
  return *umsp::make_identifier(umsp::kIpv4Memory32, kNode, kControlTask);
}

umsp::Identifier UmspTraceBuilder::task(Side side) {
  const Octet node[] = {192, 0, 2, static_cast<Octet>(side == Side::a ? 1 : 2)};
  return *umsp::make_identifier(umsp::kIpv4Memory32, node, side == Side::a ? kTaskOfA : kTaskOfB);
}

void UmspTraceBuilder::add(TraceMessage message) {
  message.pause_ns += std::exchange(pause_ns_, 0);
  messages_.push_back(std::move(message));
}

void UmspTraceBuilder::open() {
  constexpr std::uint16_t kSegment = 1460;
  for (const Side side : {Side::a, Side::b})
    add({.sender = side, .octets = {}, .event = StreamEvent::opened, .mss = kSegment});
}

void UmspTraceBuilder::octets(Side side, OctetBuffer octets) {
  add({.sender = side, .octets = std::move(octets)});
}

void UmspTraceBuilder::gap(Side side, std::uint64_t missing) {
  add({.sender = side, .octets = {}, .event = StreamEvent::gap, .missing = missing});
}

void UmspTraceBuilder::close(Side side) {
  add({.sender = side, .octets = {}, .event = StreamEvent::closed});
}

void UmspTraceBuilder::send(Side side, Header header, OctetBuffer operands, std::vector<UmspExtension> extensions,
                            const Edit& edit) {
  umsp::Instruction instruction = umsp::make_instruction(header.opcode, operands);
  header.extended |= instruction.header.extended;
  header.opr_length = instruction.header.opr_length;
  header.ext = false;
  instruction.header = header;
  for (UmspExtension& one : extensions)
    umsp::add_extension(instruction, umsp::make_extension(static_cast<std::uint16_t>(one.code), one.hob, one.data));
  if (edit) edit(instruction);
  octets(side, umsp::encode(instruction));
}

void UmspTraceBuilder::ask(Side side, Opcode opcode, OctetBuffer operands, std::vector<UmspExtension> extensions,
                           std::uint32_t req_id, const Edit& edit) {
  send(side, {.opcode = static_cast<std::uint8_t>(opcode), .ask = true, .req_id = req_id}, std::move(operands),
       std::move(extensions), edit);
}

void UmspTraceBuilder::say(Side side, Opcode opcode, OctetBuffer operands, std::vector<UmspExtension> extensions,
                           const Edit& edit) {
  send(side, {.opcode = static_cast<std::uint8_t>(opcode)}, std::move(operands), std::move(extensions), edit);
}

void UmspTraceBuilder::control_req(const Edit& edit) {
  // The job's life is not limited; version 1.
  ask(Side::a, Opcode::control_req, UmspOctets().u16(0).u8(1).u8(0).u32(kTaskOfA), {}, kReqId, edit);
}

void UmspTraceBuilder::control_confirm(const Edit& edit) {
  ask(Side::b, Opcode::control_confirm, UmspOctets().identifier(job()), {}, kReqId, edit);
}

OctetBuffer UmspTraceBuilder::open_operands() {
  constexpr std::uint16_t kVm = 49'200, kVersion = 1, kWindow = 16;  // kWindow: in blocks of 256 octets
  return UmspOctets()
      .u16(kVm)
      .u16(kVersion)
      .u32(kRequiredProfile)
      .u16(kVm)
      .u16(kVersion)
      .u32(kOwnProfile)
      .u16(kWindow)
      .identifier(job())
      .u32(kTaskOfA);
}

void UmspTraceBuilder::session_open(const Edit& edit) {
  ask(Side::a, Opcode::session_open, open_operands(), {}, kSessionOfA, edit);
}

void UmspTraceBuilder::session_accept(const Edit& edit) {
  send(Side::b,
       {.opcode = static_cast<std::uint8_t>(Opcode::session_accept),
        .ask = true,
        .pck = Pck::own_session,
        .session_id = kSessionOfA,
        .req_id = kSessionOfB},
       {}, {}, edit);
}

void UmspTraceBuilder::open_session() {
  open();
  session_open();
  session_accept();
}

OctetBuffer UmspTraceBuilder::open_operands_of(Side side, std::uint32_t profile) {
  constexpr std::size_t kProfile = 12, kLtid = 27;  // offsets in the operands
  OctetBuffer operands = open_operands();
  const OctetBuffer own = UmspOctets().u32(profile);
  const OctetBuffer ltid = UmspOctets().u32(side == Side::a ? kTaskOfA : kTaskOfB);
  std::ranges::copy(own, operands.begin() + kProfile);
  std::ranges::copy(ltid, operands.begin() + kLtid);
  return operands;
}

void UmspTraceBuilder::open_again(Side side, OctetBuffer operands, const Edit& edit) {
  request(side, Opcode::session_open, std::move(operands), {}, side == Side::a ? kSessionOfA : kSessionOfB, edit);
}

void UmspTraceBuilder::accept(Side side, const Edit& edit) {
  request(side, Opcode::session_accept, {}, {}, side == Side::a ? kSessionOfA : kSessionOfB, edit);
}

void UmspTraceBuilder::negotiate_session(std::uint32_t profile_of_b) {
  open();
  session_open();
  open_again(Side::b, open_operands_of(Side::b, profile_of_b));
  accept(Side::a);
}

Header UmspTraceBuilder::in_session(Side side, Opcode opcode) {
  return {.opcode = static_cast<std::uint8_t>(opcode),
          .pck = Pck::own_session,
          .session_id = side == Side::a ? kSessionOfB : kSessionOfA};
}

void UmspTraceBuilder::request(Side side, Opcode opcode, OctetBuffer operands, std::vector<UmspExtension> extensions,
                               std::uint32_t req_id, const Edit& edit) {
  Header header = in_session(side, opcode);
  header.ask = true;
  header.req_id = req_id;
  send(side, header, std::move(operands), std::move(extensions), edit);
}

void UmspTraceBuilder::notify(Side side, Opcode opcode, OctetBuffer operands, std::vector<UmspExtension> extensions,
                              const Edit& edit) {
  send(side, in_session(side, opcode), std::move(operands), std::move(extensions), edit);
}

void UmspTraceBuilder::respond(Side side, Opcode opcode, OctetBuffer operands, std::uint32_t req_id, const Edit& edit) {
  request(side, opcode, std::move(operands), {}, req_id, edit);
}

void UmspTraceBuilder::chained(Side side, Opcode opcode, umsp::ChainPlace place, OctetBuffer operands,
                               std::vector<UmspExtension> extensions, const Edit& edit) {
  Header header = in_session(side, opcode);
  header.chn = true;
  header.chain_number = place.chain_number;
  header.instr_number = place.instr_number;
  send(side, header, std::move(operands), std::move(extensions), edit);
}

}  // namespace wirelaw::corpora
