// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/vm/code.h"

#include <algorithm>

namespace wirelaw::umsp {

OctetBuffer assemble(std::initializer_list<CodeLine> lines) {
  OctetBuffer code;
  Writer out(code);
  for (const CodeLine& line : lines) {
    out.octet(static_cast<Octet>(line.operation)).octet(line.a).octet(line.b).octet(line.c);
    if (line.operation == Operation::set) out.big_endian(line.constant);
  }
  return code;
}

std::optional<Image> decode_image(Octets octets) {
  constexpr std::size_t kMostBehindCode = 3;
  Reader in(octets);
  const std::size_t code = in.big_endian<std::uint32_t>();
  const std::size_t parameters = in.big_endian<std::uint32_t>();
  Image image{.code = in.octets(code), .parameters = {}};
  image.parameters = in.octets(parameters);
  if (!in.ok() || code == 0 || in.remaining() > kMostBehindCode) return std::nullopt;
  if (!std::ranges::all_of(in.rest(), [](Octet octet) { return octet == 0; })) return std::nullopt;
  return image;
}

OctetBuffer encode_image(Octets code, Octets parameters) {
  OctetBuffer image;
  Writer(image)
      .big_endian(static_cast<std::uint32_t>(code.size()))
      .big_endian(static_cast<std::uint32_t>(parameters.size()))
      .octets(code)
      .octets(parameters);
  return image;
}

}  // namespace wirelaw::umsp
