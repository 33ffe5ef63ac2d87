// SPDX-License-Identifier: Apache-2.0
// The receiving half of MPA in Full Operation: takes a stream, however it is cut, and returns FPDUs (RFC 5044, 4 to 6).
// It only reports faults: an endpoint terminates on them, an observer judges them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reference/mpa/fpdu.h"
#include "reference/mpa/resync.h"

namespace wirelaw::mpa {

struct Marker {
  std::uint64_t position = 0;  // position of its first octet, from the beginning of Full Operation
  std::uint16_t reserved = 0;
  std::uint16_t pointer = 0;   // FPDUPTR as received
  std::uint16_t expected = 0;  // FPDUPTR according to the ULPDU_Lengths
};

// One FPDU. The octets are complete and without markers: ULPDU_Length, ULPDU, PAD, CRC. They are valid until the next
// call.
struct Fpdu {
  Octets octets;
  std::uint64_t position = 0;       // position after its CRC
  std::uint64_t end = 0;            // after its CRC
  std::span<const Marker> markers;  // within it, and the one right before it
  std::uint32_t crc = 0;            // the CRC field
  std::uint32_t computed = 0;       // CRC over the octets and markers that 4.4 lists; 0 if CRCs are not computed

  std::size_t ulpdu_length() const { return load_big_endian<std::uint16_t>(octets.data()); }
  Octets ulpdu() const { return octets.subspan(kLengthOctets, ulpdu_length()); }
  Octets pad() const { return octets.subspan(kLengthOctets + ulpdu_length(), pad_octets(ulpdu_length())); }
  std::size_t crc_offset() const { return octets.size() - kCrcOctets; }
  bool crc_holds() const { return crc == computed; }
};

class Deframer {
 public:
  // `markers`: the stream has markers; `crc`: compute CRCs.
  Deframer(bool markers, bool crc) : markers_(markers), crc_(crc) {}

  // Adds the next octets of the stream. They must stay valid until next() returns nothing; only then may more be fed.
  // next() returns a view of them for a whole FPDU without markers, and assembles any other FPDU in a buffer of at most
  // one FPDU.
  void feed(Octets octets);
  // Returns the next whole FPDU; nothing if more octets are needed.
  std::optional<Fpdu> next();

  // Number of octets of the incomplete FPDU so far, including markers; 0 if none has begun.
  std::size_t pending() const { return lost_ ? 0 : carry_.size() - carry_at_ + input_.size(); }
  // Copies the first octets of the incomplete FPDU, from ULPDU_Length on and without markers, as far as they fit.
  // Returns their number.
  std::size_t copy_pending(std::span<Octet> out) const;
  std::uint64_t position() const { return end_; }  // after the last octet fed, from the beginning of Full Operation

  // Sets the initial position, which is 0 by default: an FPDU, or the marker right before it, begins there.
  void begin_at(std::uint64_t position) { begin_ = end_ = position; }

  // After a gap: the stream resumes at `position`. next() returns nothing until a marker, or a valid CRC, proves where
  // an FPDU begins. If CRCs are computed, only a valid CRC counts. With neither markers nor CRCs, no FPDU can be found
  // again (lost() stays true). The search needs at most a few hundred KiB.
  void skip_to(std::uint64_t position);
  bool lost() const { return lost_; }

  std::size_t memory() const;  // octets in its buffers

 private:
  std::size_t extent(Octets raw) const;
  Fpdu take(Octets raw);
  void take_markers(Octets raw, Fpdu& fpdu);
  std::optional<Fpdu> next_of_carry();
  bool find_again();

  bool markers_;
  bool crc_;
  bool lost_ = false;
  std::uint64_t begin_ = 0;  // position of the next FPDU, or of the marker right before it
  std::uint64_t end_ = 0;    // position after the last octet fed
  Octets input_;             // fed, but not processed yet
  OctetBuffer carry_;        // octets of earlier feeds, including markers; those before carry_at_ have been processed
  std::size_t carry_at_ = 0;
  OctetBuffer plain_;  // an FPDU without its markers
  std::vector<Marker> marks_;
  std::optional<Resync> resync_;
};

}  // namespace wirelaw::mpa
