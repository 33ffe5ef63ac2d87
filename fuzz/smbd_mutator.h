// SPDX-License-Identifier: Apache-2.0
// A mutator that knows SMB Direct: the Data Transfers of an input are changed as turns of a conversation
// (fuzz/smbd_turns.h), and made consistent again; in some cases one thing is then made wrong.
#pragma once

#include <span>

#include "reference/octets/octets.h"

namespace wirelaw::fuzz {

// Each changes the first `size` octets of `buffer`, which has room for more, and gives the new size. About half of the
// work is left to the mutators of records and of iWARP streams, and to libFuzzer's own.

// A message by itself.
std::size_t mutate_smbd_message(std::span<Octet> buffer, std::size_t size, std::uint32_t seed);
// The script of a peer (corpora/formats/smbd_steps.h).
std::size_t mutate_smbd_script(std::span<Octet> buffer, std::size_t size, std::uint32_t seed);
// Pieces of both sides' streams after an octet for the framing (corpora/formats/records.h, stream_control), without
// what is left to others: false if there is nothing that it can change.
bool mutate_smbd_pieces(std::span<Octet> buffer, std::size_t& size, std::uint32_t seed);

}  // namespace wirelaw::fuzz
