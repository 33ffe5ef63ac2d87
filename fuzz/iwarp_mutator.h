// SPDX-License-Identifier: Apache-2.0
// A mutator for iWARP streams. It splits them into ULPDUs, changes whole DDP segments and their fields, and reassembles
// them so that all dependent fields are correct: ULPDU_Length, pad, CRC and markers; MSN, MO, TO, the L bit, the queue.
// Some of the time it then breaks exactly one thing.
#pragma once

#include <random>
#include <span>
#include <vector>

#include "reference/mpa/framer.h"
#include "reference/octets/octets.h"

namespace wirelaw::fuzz {

using Random = std::minstd_rand;
using Ulpdus = std::vector<OctetBuffer>;

// --- the parts --------------------------------------------------------------------------------------------------

struct Framing {
  bool markers = false;
  bool crc = false;
};

// One side's stream. `rest`: octets that are neither a start frame nor whole FPDUs.
struct IwarpStream {
  OctetBuffer start_frame;
  Ulpdus ulpdus;
  OctetBuffer rest;
};
IwarpStream take_apart(Octets stream, bool start_frame, Framing framing);

// Faults of the FPDU number `faulty`, if any.
struct FaultAt {
  std::size_t faulty = ~std::size_t{0};
  mpa::FramingFaults faults = {};
};
OctetBuffer put_together(const IwarpStream& stream, Framing framing, const FaultAt& fault = {});

// Inserts, removes, doubles, moves, splits and joins segments, and sets fields; one to three times.
void change_segments(Ulpdus& ulpdus, Random& random);
// Makes each segment consistent with itself and with the others. Does not change one that is too short for a header.
void make_consistent(Ulpdus& ulpdus);
// Makes one field of one segment, or its length, wrong.
void break_one_segment(Ulpdus& ulpdus, Random& random);
mpa::FramingFaults any_framing_fault(Random& random);
void change_start_frame(OctetBuffer& frame, Random& random);

// --- for engines --------------------------------------------------------------------------------------------------
// Each changes the first `size` octets of `buffer`, which has room for more, and returns the new size. About half of
// the work is left to libFuzzer's own mutations, if they are available.

// The input of fuzz_mpa (corpora/formats/mpa_stream.h).
std::size_t mutate_mpa_stream(std::span<Octet> buffer, std::size_t size, std::uint32_t seed);
// One ULPDU.
std::size_t mutate_ulpdu(std::span<Octet> buffer, std::size_t size, std::uint32_t seed);
// Pieces of both sides' streams after `prologue` octets (corpora/formats/records.h, stream_control). Changes the ULPDUs
// of each side together, and leaves other pieces unchanged.
std::size_t mutate_pieces(std::span<Octet> buffer, std::size_t prologue, std::size_t size, std::uint32_t seed);

}  // namespace wirelaw::fuzz
