// SPDX-License-Identifier: Apache-2.0
// A mutator for SMB Direct: it changes the Data Transfers of an input as turns of a conversation (fuzz/smbd_turns.h),
// and makes them consistent again. Some of the time it then makes one thing wrong.
#pragma once

#include <span>

#include "reference/octets/octets.h"

namespace wirelaw::fuzz {

// Each changes the first `size` octets of `buffer`, which has room for more, and returns the new size. About half of
// the work is left to the mutators of records and of iWARP streams, and to libFuzzer's own.

// One message.
std::size_t mutate_smbd_message(std::span<Octet> buffer, std::size_t size, std::uint32_t seed);
// The steps of a peer (corpora/formats/smbd_steps.h).
std::size_t mutate_smbd_script(std::span<Octet> buffer, std::size_t size, std::uint32_t seed);
// Pieces of both sides' streams after an octet for the framing (corpora/formats/records.h, stream_control). Leaves
// nothing to other mutators: returns false if it cannot change anything.
bool mutate_smbd_pieces(std::span<Octet> buffer, std::size_t& size, std::uint32_t seed);

}  // namespace wirelaw::fuzz
