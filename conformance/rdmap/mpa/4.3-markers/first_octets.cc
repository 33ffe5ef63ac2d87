// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/mpa/4.3-markers/first_octets.h"

#include <algorithm>

#include "conformance/rdmap/checks.h"
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

bool judge_first_octets(Judge& judge, const Connection& connection, const Direction& from, Octets octets) {
  const bool behind_marker = is_zero_marker(octets) && looks_like_fpdu(octets.subspan(mpa::kMarkerOctets));
  if (connection.agreement.is_assumed()) return behind_marker;
  if (connection.agreement.markers[from.side == Side::a ? 0 : 1]) return !judge_missing_markers(judge, octets);
  return judge_unasked_markers(judge, octets);
}

}  // namespace wirelaw::rdmap
