// SPDX-License-Identifier: Apache-2.0
// The deliberate faults between the reference endpoint and the application above it, in calls, completions, buffers and
// the device. Faults in packets belong to the endpoint (reference/efa/deviations.h).
#pragma once

#include "reference/deviation_set.h"
#include "reference/efa/deviations.h"

namespace wirelaw::efa {

// all_application_faults() describes each one. Its name as text is the name here with hyphens.
enum class ApplicationFault : std::uint8_t {
  packet_beyond_mtu,
  connid_constant,
  unsupported_completes,
  source_inserted_again,
  handshake_failure_told,
  close_waits_for_handshake,
  tagged_sent_untagged,
  cq_data_lost,
  received_cq_data_lost,
  message_cut,
  medium_rest_lost,
  unsent_message_completes,
  receives_of_its_own,
  one_sided_needs_receive,
  writes_told,
  one_sided_completion_lost,
  write_takes_receive,
  source_not_registered,
  unregistered_send_lost,
  unregistered_read_lost,
  reads_more_than_needed,
  direct_read_told,
  direct_read_with_request,
  direct_write_with_request,
  completes_before_eor,
  completes_before_receipt,
  placed_after_receipt,
  delivery_complete_forgotten,
};
inline constexpr std::size_t kApplicationFaults =
    static_cast<std::size_t>(ApplicationFault::delivery_complete_forgotten) + 1;

std::span<const DeviationRow<ApplicationFault>> all_application_faults();
using ApplicationFaults = DeviationSet<all_application_faults, kApplicationFaults>;

}  // namespace wirelaw::efa
