// SPDX-License-Identifier: Apache-2.0
// States facts about FPDUs: how each is framed. It judges nothing.
#pragma once

#include <optional>
#include <span>

#include "conformance/rdmap/tracker/connection.h"
#include "conformance/rdmap/tracker/crc_fault.h"

namespace wirelaw::rdmap {

enum class Framed : std::uint8_t {
  whole,
  misframed,  // the start of the next FPDU must be searched
  unframed,   // the FPDU boundaries are lost: nothing after it is decoded
};

struct CrcFact {
  std::optional<CrcFault> fault = {};  // empty: the CRC is right
};

// Inputs for the maximum ULPDU length (MULPDU).
struct MulpduFact {
  std::uint16_t mss = 0;  // announced by the other side
  bool markers = false;   // used in this direction
};

struct FpduFact {
  const mpa::Fpdu& fpdu;
  Framed framed = Framed::whole;
  bool is_read = false;                           // the octets are an FPDU; otherwise nothing is judged
  std::optional<CrcFact> crc = {};                // set if CRCs are in use
  std::span<const mpa::Marker> markers = {};      // markers up to the first one after which their positions are unknown
  std::optional<MulpduFact> mulpdu = {};          // set if the MSS is known
  std::optional<mpa::EnhancedData> offered = {};  // set by the Reply: the FPDU must be a ready-to-receive indication

  // Returns true if the contents of the FPDU can be trusted.
  bool is_trusted() const { return is_read && framed == Framed::whole && fpdu.ulpdu_length() > 0; }
};

inline bool points_right(const mpa::Marker& marker) {
  return mpa::same_pointer(marker.pointer, marker.expected);
}
// A marker with one wrong field is a wrong marker. Octets with two wrong fields are no marker.
inline bool is_marker(const mpa::Marker& marker) {
  return points_right(marker) || marker.reserved == 0;
}

// An FPDU of `from` has come, and is not counted yet. The fact refers to it.
FpduFact take_fpdu(const Connection& connection, Direction& from, const mpa::Fpdu& fpdu);

}  // namespace wirelaw::rdmap
