// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/chains/refusal.h"

#include <array>

#include "reference/umsp/layout.h"

namespace wirelaw::umsp {
namespace {

ReturnCodes codes_in(Octets operands) {
  if (operands.size() < 4) return {};
  Reader reader(operands);
  const auto basic = reader.big_endian<std::uint16_t>();
  return {basic, reader.big_endian<std::uint16_t>()};
}

constexpr bool has_codes(std::uint8_t opcode) {
  return opcode == static_cast<std::uint8_t>(Opcode::rsp) || opcode == static_cast<std::uint8_t>(Opcode::rsp_p);
}

}  // namespace

std::string_view explain(ChainRefusal refusal) {
  static constexpr std::array<std::string_view, 14> kTexts{"the chain is not described by its first instruction alone",
                                                           "an instruction of the chain is missing",
                                                           "another chain was begun under the same number",
                                                           "too many chains",
                                                           "the virtual machine did not execute it",
                                                           "the memory base was set twice, or cannot be used",
                                                           "an extension header that has to be processed is not known",
                                                           "its time is over",
                                                           "there is no such transaction",
                                                           "the transaction is not complete",
                                                           "there is no such buffer",
                                                           "the chain is longer than the buffer that was granted",
                                                           "the fragments are no instruction that can be fragmented",
                                                           "it was not sent"};
  return kTexts[static_cast<std::size_t>(refusal) - 1];
}

Draft make_response(Opcode opcode, std::uint32_t req_id, ReturnCodes codes) {
  Draft draft = draft_of(opcode);
  draft.req_id = req_id;
  if (codes.basic != 0 || codes.additional != 0)
    Writer(draft.operands).big_endian(codes.basic).big_endian(codes.additional);
  return draft;
}

ReturnCodes codes_of(const Draft& response) {
  return has_codes(response.opcode) ? codes_in(response.operands) : ReturnCodes{};
}

ReturnCodes codes_of(const Instruction& response) {
  return has_codes(response.opcode()) ? codes_in(response.operands) : ReturnCodes{};
}

bool is_response(std::uint8_t opcode) {
  const Layout* const layout = find_layout(opcode);
  return layout != nullptr && layout->response;
}

}  // namespace wirelaw::umsp
