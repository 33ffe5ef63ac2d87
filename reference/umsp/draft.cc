// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/draft.h"

#include "reference/umsp/layout.h"

namespace wirelaw::umsp {
namespace {

constexpr std::size_t kWord = 4;

// PCK for an instruction of a session, depending on what can be inherited.
Pck choose_pck(const Draft& draft, const Context& context) {
  if (!draft.session_id) return Pck::no_session;
  if (!draft.style.inherits || context.session_id != draft.session_id) return Pck::own_session;
  const bool goes_on = draft.chain && context.chain && !controls_chain(draft.opcode) &&
                       context.chain->chain_number == draft.chain->chain_number &&
                       context.chain->instr_number + 1u == draft.chain->instr_number;
  return goes_on ? Pck::same_chain : Pck::same_session;
}

void pad(OctetBuffer& octets, std::size_t in_front) {
  while ((in_front + octets.size()) % kWord != 0) octets.push_back(0);
}

}  // namespace

void write(const Draft& draft, Context& context, OctetBuffer& out) {
  const Style& style = draft.style;
  Instruction instruction;
  instruction.header = {.opcode = draft.opcode,
                        .ask = draft.req_id.has_value(),
                        .pck = choose_pck(draft, context),
                        .chn = draft.chain.has_value(),
                        .extended = style.extended || style.quadruple,
                        .session_id = draft.session_id.value_or(0),
                        .req_id = draft.req_id.value_or(0)};
  if (draft.chain) {
    instruction.header.chain_number = draft.chain->chain_number;
    instruction.header.instr_number = draft.chain->instr_number;
  }
  std::vector<OwnedExtension> extensions = draft.extensions;
  for (OwnedExtension& one : extensions) {
    const ExtensionLayout* const known = find_extension(static_cast<std::uint16_t>(one.head_code));
    const bool hob = known != nullptr && known->hob;
    ExtensionHeader header = make_extension(static_cast<std::uint16_t>(one.head_code), hob, one.data);
    if (style.quadruple) {
      pad(one.data, header.head_octets());
      header = make_extension(static_cast<std::uint16_t>(one.head_code), hob, one.data);
    }
    add_extension(instruction, header);
  }
  OctetBuffer operands = draft.operands;
  pad(operands, 0);
  instruction.header.opr_length = static_cast<std::uint16_t>(operands.size() / kWord);
  instruction.operands = operands;
  follow(instruction.header, context);
  encode(instruction, out);
}

OctetBuffer write(const Draft& draft) {
  OctetBuffer out;
  Context context;
  write(draft, context, out);
  return out;
}

Draft draft_of(const Instruction& instruction, const Membership& membership) {
  Draft draft{.opcode = instruction.header.opcode, .session_id = membership.session_id};
  if (instruction.header.ask) draft.req_id = instruction.header.req_id;
  draft.chain = membership.chain;
  for (const ExtensionHeader& one : instruction.extensions)
    draft.extensions.push_back({static_cast<HeadCode>(one.head_code), OctetBuffer(one.data.begin(), one.data.end())});
  draft.operands.assign(instruction.operands.begin(), instruction.operands.end());
  return draft;
}

}  // namespace wirelaw::umsp
