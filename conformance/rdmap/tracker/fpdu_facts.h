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
  misframed,  // where the next FPDU begins has to be found again
  unframed,   // where FPDUs begin cannot be known any more: nothing after it is read
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
  bool is_read = false;                           // the octets are those of an FPDU; else nothing is judged
  std::optional<CrcFact> crc = {};                // if CRCs are in use
  std::span<const mpa::Marker> markers = {};      // up to the first one after which nothing is known of them
  std::optional<MulpduFact> mulpdu = {};          // if the MSS is known
  std::optional<mpa::EnhancedData> offered = {};  // by the Reply: the FPDU has to be a ready-to-receive indication

  // What the FPDU holds can be trusted.
  bool is_trusted() const { return is_read && framed == Framed::whole && fpdu.ulpdu_length() > 0; }
};

inline bool points_right(const mpa::Marker& marker) {
  return mpa::same_pointer(marker.pointer, marker.expected);
}
// A marker with one wrong field is a wrong marker; octets of which neither field is right are none.
inline bool is_marker(const mpa::Marker& marker) {
  return points_right(marker) || marker.reserved == 0;
}

// An FPDU of `from` has come, and is not counted yet. The fact refers to it.
FpduFact take_fpdu(const Connection& connection, Direction& from, const mpa::Fpdu& fpdu);

}  // namespace wirelaw::rdmap
