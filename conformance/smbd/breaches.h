// SPDX-License-Identifier: Apache-2.0
// What the deviations of the reference break. Each section lists what breaks its rules; here are the deviations of
// which many rules are a consequence.
#pragma once

#include "conformance/breach.h"
#include "reference/smbd/deviations.h"

namespace wirelaw::smbd {

// With one of these, no message of the upper layer arrives as it was sent.
inline constexpr Deviation kNoMessageArrives[] = {
    Deviation::data_big_endian,    Deviation::data_offset_in_header, Deviation::data_offset_zero,
    Deviation::data_offset_beyond, Deviation::data_sum_wraps,        Deviation::data_length_short,
    Deviation::data_altered,       Deviation::delivers_nothing,      Deviation::begins_with_fragments};

// With one of these, a message arrives, and is another one, or comes where none may.
inline constexpr Deviation kMessagesAltered[] = {Deviation::data_offset_in_header, Deviation::data_offset_zero,
                                                 Deviation::data_length_short,     Deviation::data_altered,
                                                 Deviation::data_before_response,  Deviation::begins_with_fragments};

// With one of these, credits are granted, or read as granted, for which no receive is posted.
inline constexpr Deviation kGrantsWithoutReceives[] = {Deviation::response_credits_granted_unposted,
                                                       Deviation::response_big_endian,
                                                       Deviation::data_big_endian,
                                                       Deviation::data_short,
                                                       Deviation::grants_unposted,
                                                       Deviation::no_empty_grant,
                                                       Deviation::request_twice,
                                                       Deviation::response_twice,
                                                       Deviation::refuses_empty_messages};

}  // namespace wirelaw::smbd
