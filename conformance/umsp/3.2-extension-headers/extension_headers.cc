// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 3.2: extension headers.
#include "conformance/umsp/3.2-extension-headers/extension_headers.h"

#include "conformance/umsp/3.2-extension-headers/rules.h"

namespace wirelaw::umsp {
namespace {

constexpr std::uint16_t kMostShortCode = 30;

void judge_one(Judge& judge, const SeenInstruction& seen, std::size_t index) {
  const ExtensionHeader& header = seen.instruction.extensions[index];
  const OctetRange where = seen.extension(index);
  judge.require(rule<"UMSP-3.2-19">, !header.hrz, where, expected("HRZ 0"), actual("HRZ 1"));
  if (header.hxt)
    judge.require(rule<"UMSP-3.2-25">, header.reserved == 0, octets(where.offset + 6, 2), expected(0),
                  actual(hex(header.reserved)));
  if (!judge.require(rule<"UMSP-3.2-34">, header.hxt || header.head_code <= kMostShortCode, where, expected("HXT 1"),
                     actual("HXT 0")))
    return;
  judge.advise(rule<"UMSP-3.2-4">, find_extension(header.head_code) != nullptr, where,
               expected("a HEAD_CODE of sections 5 to 8"), actual(header.head_code));
}

}  // namespace

void judge_extension_headers(Judge& judge, const SeenInstruction& seen) {
  const std::size_t count = seen.instruction.extensions.size();
  if (count == 0) return;
  judge.require(rule<"UMSP-3.2-30">, count <= kMostExtensionHeaders, seen.extension(count - 1), expected("30 at most"),
                actual(count));
  for (std::size_t index = 0; index < count; ++index) judge_one(judge, seen, index);
}

}  // namespace wirelaw::umsp
