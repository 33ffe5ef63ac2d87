// SPDX-License-Identifier: Apache-2.0
// The receiving half of MPA in Full Operation: a stream in, however it is cut, FPDUs out (RFC 5044, 4 to 6). It finds
// and tells; what to do about it is the caller's: an endpoint terminates, an observer judges.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reference/mpa/fpdu.h"

namespace wirelaw::mpa {

struct Marker {
  std::uint64_t position = 0;  // of its first octet, from the beginning of Full Operation
  std::uint16_t reserved = 0;
  std::uint16_t pointer = 0;   // FPDUPTR as it stands there
  std::uint16_t expected = 0;  // what it would have to be by the ULPDU_Lengths
};

// One FPDU. The octets are whole and free of markers: ULPDU_Length, ULPDU, PAD, CRC. They live until the next call.
struct Fpdu {
  Octets octets;
  std::uint64_t position = 0;       // of ULPDU_Length, from the beginning of Full Operation, markers counted
  std::uint64_t end = 0;            // of the octet behind its CRC
  std::span<const Marker> markers;  // in it, and the one right before it
  std::uint32_t crc = 0;            // the field
  std::uint32_t computed = 0;       // over the octets and markers that 4.4 names; 0 where CRCs are not computed

  std::size_t ulpdu_length() const { return load_big_endian<std::uint16_t>(octets.data()); }
  Octets ulpdu() const { return octets.subspan(kLengthOctets, ulpdu_length()); }
  Octets pad() const { return octets.subspan(kLengthOctets + ulpdu_length(), pad_octets(ulpdu_length())); }
  std::size_t crc_offset() const { return octets.size() - kCrcOctets; }
  bool crc_holds() const { return crc == computed; }
};

class Deframer {
 public:
  // `markers`: they stand in this stream; `crc`: compute CRCs.
  Deframer(bool markers, bool crc) : markers_(markers), crc_(crc) {}

  // The next octets of the stream, which must live until next() has given nothing. Where an FPDU lies whole in them and
  // holds no marker it is given as it lies there; else it is put together in a buffer of at most one FPDU.
  void feed(Octets octets);
  // The next whole FPDU; nothing where more octets are needed.
  std::optional<Fpdu> next();

  // An FPDU has begun and is not whole: what there is of it.
  std::size_t pending() const;
  std::uint64_t position() const;  // octets of Full Operation fed so far

  // After a gap: `position` is where the stream goes on. Nothing is given until a marker, or a CRC that holds, proves
  // where an FPDU begins; without either the stream cannot be found again (lost() stays true).
  void skip_to(std::uint64_t position);
  bool lost() const;

  std::size_t memory() const;

 private:
  bool markers_;
  bool crc_;
};

}  // namespace wirelaw::mpa
