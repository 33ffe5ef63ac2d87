// SPDX-License-Identifier: Apache-2.0
// Makes inputs of fuzz_PROTOCOL_trace (records.h) from what two sides have sent.
#pragma once

#include "reference/network/stream_piece.h"
#include "reference/octets/octets.h"

namespace wirelaw::corpora {

// Appends a datagram. `is_odd` sets trace_control::kIpOptions, whose meaning the target defines.
void append_message(OctetBuffer& input, Side sender, Octets octets, bool is_odd = false);

// The first octet of a stream's input. `is_extended`: the implementations declare a feature.
OctetBuffer stream_input(bool is_extended = false, bool from_start = true);
// Convert between an event and its record kind (stream_control::kKind). Every other kind is octets.
Octet kind_of(StreamEvent event);
StreamEvent event_of(Octet kind);

// Appends a piece of a stream. One FPDU without markers becomes its ULPDU, which the target frames, so that a mutated
// ULPDU is still framed. For `opened` and a gap the octets hold a number: the segment size, or the count of missing
// octets.
void append_piece(OctetBuffer& input, Side sender, StreamEvent event, Octets octets);

}  // namespace wirelaw::corpora
