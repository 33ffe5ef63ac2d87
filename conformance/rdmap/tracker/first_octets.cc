// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/tracker/first_octets.h"

#include <algorithm>

#include "reference/ddp/segment.h"
#include "reference/rdmap/message.h"

namespace wirelaw::rdmap {

bool is_zero_marker(Octets octets) {
  return octets.size() >= mpa::kMarkerOctets &&
         std::ranges::all_of(octets.first(mpa::kMarkerOctets), [](Octet octet) { return octet == 0; });
}

bool looks_like_fpdu(Octets octets) {
  constexpr std::size_t kControls = 2;
  if (octets.size() < mpa::kLengthOctets + kControls) return false;
  constexpr Octet kTagged = 0x80, kReserved = 0x3c, kVersion = 0x03;
  const Octet ddp = octets[mpa::kLengthOctets];
  const Control control = decode_control(octets[mpa::kLengthOctets + 1]);
  const OpcodeRow* const row = find_opcode(control.opcode);
  return row != nullptr && (ddp & kVersion) == ddp::kVersion && (ddp & kReserved) == 0 && control.version <= 1 &&
         control.reserved == 0 && row->tagged == ((ddp & kTagged) != 0);
}

bool begins_with_marker(Octets octets, bool is_asked_for) {
  if (is_asked_for) return is_zero_marker(octets) || !looks_like_fpdu(octets);
  return is_zero_marker(octets) && looks_like_fpdu(octets.subspan(mpa::kMarkerOctets));
}

}  // namespace wirelaw::rdmap
