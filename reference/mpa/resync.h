// SPDX-License-Identifier: Apache-2.0
// Finds an FPDU in a stream of which octets are missing. If CRCs are in use, every place where an FPDU may begin is
// tried until a CRC holds; else a marker, whose place in the stream is known, points at the FPDU that holds it (RFC
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

  // The position of the found FPDU, or of the marker right before it; and the octets added from there on.
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
  std::size_t skip_;    // octets still to come before the window begins
  std::uint64_t base_;  // where the window begins: at a multiple of four, as FPDUs and markers do
  OctetBuffer window_;
  std::uint64_t found_at_ = 0;

  std::uint64_t marker_;  // the next to look at, if only markers help

  // The window in words of four octets, from its beginning.
  std::size_t words_ = 0;               // looked at
  std::vector<std::uint32_t> prefix_;   // the CRC over all the words before each
  std::vector<std::uint16_t> waiting_;  // at a word: how far before it the last FPDU begins whose CRC would be here
  std::vector<std::uint16_t> before_;   // where such an FPDU begins: how far before it the one before begins; 0 none
};

}  // namespace wirelaw::mpa
