// SPDX-License-Identifier: Apache-2.0
// Names that the rule sheets of SMB Direct use. Each section of [MS-SMBD] that has rules has a folder.
#pragma once

#include "conformance/sheet.h"
#include "reference/smbd/deviations.h"

namespace wirelaw::smbd {

struct Words : SheetWords {
  using enum Deviation;
  static constexpr Role initiator = Role::initiator;
  static constexpr Role listener = Role::responder;

  // If a peer has any of these, no message of the upper layer arrives as it was sent.
  static constexpr DeviationGroup no_message_arrives =
      kDeviationGroup<data_big_endian, data_offset_in_header, data_offset_zero, data_offset_beyond, data_sum_wraps,
                      data_length_short, data_altered, delivers_nothing, begins_with_fragments>;

  // If a peer has any of these, a message arrives altered, or arrives when none may.
  static constexpr DeviationGroup messages_altered =
      kDeviationGroup<data_offset_in_header, data_offset_zero, data_length_short, data_altered, data_before_response,
                      begins_with_fragments>;

  // If a peer has one of these, credits are granted, or read as granted, for which no receive is posted.
  static constexpr DeviationGroup grants_without_receives =
      kDeviationGroup<response_credits_granted_unposted, response_big_endian, data_big_endian, data_short,
                      grants_unposted, no_empty_grant, request_twice, response_twice, refuses_empty_messages>;
};

}  // namespace wirelaw::smbd
