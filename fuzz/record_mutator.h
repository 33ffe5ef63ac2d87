// SPDX-License-Identifier: Apache-2.0
// A mutator for sequences of steps or packets (corpora/formats). It inserts, removes, doubles and swaps whole records,
// and sets fields to values that are likely to matter.
#pragma once

#include <span>

#include "reference/octets/octets.h"

namespace wirelaw::fuzz {

// A field of a record; offsets are relative to the record.
struct RecordField {
  std::uint8_t offset;
  std::uint8_t length;  // 1, 2, 4 or 8
};

struct RecordShape {
  std::size_t prologue;      // octets before the first record
  std::size_t fixed_octets;  // size of each record; 0 if it has a length field (records.h)
  std::span<const RecordField> fields;
};

extern const RecordShape kStepsShape;       // ramcloud_steps.h
extern const RecordShape kTraceShape;       // records.h: RAMCloud packets
extern const RecordShape kTcpShape;         // tcp_steps.h
extern const RecordShape kStreamShape;      // records.h: pieces of an iWARP stream, after an octet for the framing
extern const RecordShape kRdmapStepsShape;  // rdmap_steps.h
extern const RecordShape kEfaStepsShape;    // efa_steps.h
extern const RecordShape kEfaTraceShape;    // records.h: EFA RDM packets
extern const RecordShape kFrameShape;       // records.h: frames, after octets for link and carrier
extern const RecordShape kSmbdStepsShape;   // smbd_steps.h
extern const RecordShape kJobStepsShape;    // umsp_steps.h: a job of three nodes
extern const RecordShape kRoceShape;        // records.h: RoCEv2 packets

// Changes the first `size` octets of `buffer`, which has room for more, and returns the new size. About half of the
// work is left to libFuzzer's own mutations, if they are available.
std::size_t mutate(const RecordShape& shape, std::span<Octet> buffer, std::size_t size, std::uint32_t seed);

}  // namespace wirelaw::fuzz
