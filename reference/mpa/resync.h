// SPDX-License-Identifier: Apache-2.0
// Finds an FPDU in a stream of which octets are missing. With CRCs, every possible beginning of an FPDU is tried until
// a CRC is correct. Otherwise a marker, whose place in the stream is known, points at the FPDU that contains it (RFC
// 5044, 6, rule 2), and the other markers in that FPDU must agree.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/mpa/fpdu.h"

namespace wirelaw::mpa {

class Resync {
 public:
  // The stream resumes at `position`. Without markers and CRCs nothing can be found.
  Resync(bool markers, bool crc, std::uint64_t position);

  // Adds octets of the stream. Returns true when a whole FPDU is found; if there are several, the one that ends first.
  // The result does not depend on how the stream is split.
  bool add(Octets octets);

  // The position of the found FPDU, or of the marker right before it, and the octets added from there on.
  std::uint64_t found_at() const { return found_at_; }
  Octets found() const { return Octets(window_).subspan(index(found_at_)); }

  std::size_t memory() const;

 private:
  bool look_at_markers();
  bool look_at_words();
  void try_crcs_at(std::size_t word);
  void begin_at(std::size_t word);
  void forget_words();

  std::size_t index(std::uint64_t position) const { return static_cast<std::size_t>(position - base_); }
  std::uint64_t end() const { return base_ + window_.size(); }

  bool markers_;
  bool crc_;
  bool found_ = false;
  std::size_t skip_;    // octets missing before the window begins
  std::uint64_t base_;  // position of the window: a multiple of four, like those of FPDUs and markers
  OctetBuffer window_;
  std::uint64_t found_at_ = 0;

  std::uint64_t marker_;  // position of the next marker to check, without CRCs

  // The window in words of four octets, from its beginning.
  std::size_t words_ = 0;              // number of words processed
  std::vector<std::uint32_t> prefix_;  // for each word, the CRC over all words before it
  std::vector<std::uint16_t>
      waiting_;  // for each word, if a CRC may be there: distance back to the last FPDU that would end with it; 0: none
  std::vector<std::uint16_t> before_;  // for the beginning of such an FPDU: distance back to the previous one; 0: none
};

}  // namespace wirelaw::mpa
