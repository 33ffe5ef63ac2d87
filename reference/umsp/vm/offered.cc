// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/vm/offered.h"

#include "reference/umsp/vm/code.h"

namespace wirelaw::umsp::offered {

using Op = Operation;

OctetBuffer region() {
  OctetBuffer octets(kRegionOctets);
  for (std::size_t i = 0; i < octets.size(); ++i) octets[i] = pattern(i);
  return octets;
}

OctetBuffer echo_code() {
  return assemble({{Op::return_data, 0, 1}});
}

// The sum replaces the first number. Fewer than eight octets of parameters end in an exception: what follows them is
// no memory, or has no room for a number.
OctetBuffer sum_code() {
  return assemble({{.operation = Op::set, .a = 2, .constant = 4},
                   {Op::load, 3, 0, 4},
                   {Op::add, 4, 0, 2},
                   {Op::load, 5, 4, 4},
                   {Op::add, 3, 3, 5},
                   {Op::store, 3, 0, 4},
                   {Op::return_data, 0, 2}});
}

OctetBuffer endless_code() {
  constexpr std::uint8_t kBack = 0xfc;  // -4
  return assemble({{Op::jump, 0, 0xff, kBack}});
}

OctetBuffer raising_code() {
  return assemble({{Op::raise, 0, kRaised >> 8, kRaised & 0xff}});
}

OctetBuffer asking_code(Operation operation) {
  constexpr std::uint64_t kData = kRegionAddress + kRegionOctets / 2, kOutcome = kData + 8;
  const bool compares = operation == Op::compare;
  return assemble({{.operation = Op::set, .a = 2, .constant = kData},
                   {.operation = Op::set, .a = 3, .constant = kPointersAddress},
                   {.operation = Op::set, .a = 4, .constant = 8},
                   {operation, 2, 3, 4},
                   {.operation = Op::set, .a = 5, .constant = kOutcome},
                   {Op::store, 2, 5, 8},
                   {.operation = Op::set, .a = 4, .constant = 8},
                   {Op::return_data, static_cast<std::uint8_t>(compares ? 5 : 2), 4}});
}

OctetBuffer echo_image(Octets parameters) {
  OctetBuffer code = echo_code();
  code.insert(code.end(), kOperationOctets, 0xff);
  return encode_image(code, parameters);
}

}  // namespace wirelaw::umsp::offered
