// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 3.3: operands.
#include "conformance/umsp/3.3-operands/operands.h"

#include "conformance/umsp/3.3-operands/rules.h"

namespace wirelaw::umsp {

// Padding is the part of a form that belongs to no operand. Without a form there is none.
void judge_padding(Judge& judge, const SeenInstruction& seen) {
  const OperandView& view = seen.operands;
  const bool broken = view.flaw == OperandFlaw::padding;
  if (view.flaw ? !broken : view.padding == 0) return;
  const std::size_t at = broken ? view.flaw_offset : view.padding_offset;
  const OctetRange all = seen.all_operands();
  judge.require(rule<"UMSP-3.3-3">, !broken, octets(all.offset + at, std::min<std::size_t>(3, all.length - at)),
                expected("zeros"), actual("octets that are not zero"));
}

}  // namespace wirelaw::umsp
