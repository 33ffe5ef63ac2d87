// SPDX-License-Identifier: Apache-2.0
// Makes inputs of fuzz_PROTOCOL_trace (records.h) from what two sides have sent.
#pragma once

#include "reference/network/stream_piece.h"
#include "reference/octets/octets.h"

namespace wirelaw::corpora {

// A datagram. `is_odd`: what trace_control::kIpOptions means to the target.
void append_message(OctetBuffer& input, Side sender, Octets octets, bool is_odd = false);

// The first octet of a stream's input. `is_extended`: the implementations have declared a feature.
OctetBuffer stream_input(bool is_extended = false, bool from_start = true);
// What a record of it is (stream_control::kKind), and back; all else is octets.
Octet kind_of(StreamEvent event);
StreamEvent event_of(Octet kind);

// A piece of it. One FPDU without markers becomes its ULPDU, which the target frames, so that what mutations make of it
// is still framed. Of `opened` and of a gap the octets count alone: the segment size, those that are missing.
void append_piece(OctetBuffer& input, Side sender, StreamEvent event, Octets octets);

}  // namespace wirelaw::corpora
