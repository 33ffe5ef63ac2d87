// SPDX-License-Identifier: Apache-2.0
// What the deviations of the reference break. Each section lists what breaks its rules; here are the deviations of
// which many rules are a consequence.
#pragma once

#include <span>

#include "conformance/breach.h"
#include "reference/ramcloud/deviations.h"

namespace wirelaw::ramcloud {

// A server with one of these opens no session that a client can use.
inline constexpr Deviation kNoSessionOpens[] = {
    Deviation::session_open_no_answer,        Deviation::open_response_empty,
    Deviation::open_response_direction_clear, Deviation::open_response_other_client_hint,
    Deviation::open_response_nibbles_swapped, Deviation::big_endian_header};

// No RPC with a server with one of these completes as it should.
inline constexpr Deviation kNoRpcCompletes[] = {
    Deviation::token_not_accepted,      Deviation::answers_on_other_channel, Deviation::client_hint_not_echoed_in_data,
    Deviation::rpc_id_off_by_one,       Deviation::frag_number_from_one,     Deviation::total_frags_zero_in_response,
    Deviation::direction_clear_in_data, Deviation::bad_session_for_valid,    Deviation::payload_altered};

// With one of these, both fields of an ACK are wrong, or what is read there.
inline constexpr Deviation kWrongAcks[] = {Deviation::ack_five_octets,
                                           Deviation::ack_eight_octets_padded,
                                           Deviation::ack_first_missing_beyond_total,
                                           Deviation::ack_claims_unreceived,
                                           Deviation::ack_staging_off_by_one,
                                           Deviation::ack_staging_bits_reversed,
                                           Deviation::ack_first_missing_not_lowest};

// Of all sections.
std::span<const BreachList> breaches();

}  // namespace wirelaw::ramcloud
