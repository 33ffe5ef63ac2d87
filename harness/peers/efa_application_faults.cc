// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/efa_application_faults.h"

#include <array>

#include "reference/deviation_rows.h"

namespace wirelaw::efa {
namespace {

using enum ApplicationFault;

constexpr std::array<DeviationEntry<ApplicationFault>, kApplicationFaults> kRows{{
    {packet_beyond_mtu, Role::any, "1.3", "Sends packets that are longer than its device's MTU."},
    {connid_constant, Role::any, "1.4", "Gives every endpoint that it opens the same connid."},
    {unsupported_completes, Role::initiator, "2.1, 4.2",
     "Completes a call with success where the peer lacks the feature that it needs."},
    {source_inserted_again, Role::responder, "2.2",
     "Takes the sender of every message for one that it does not know yet."},
    {handshake_failure_told, Role::any, "2.3", "Reports to its application a HANDSHAKE that could not be sent."},
    {close_waits_for_handshake, Role::any, "2.3", "Is not closed before its HANDSHAKE has gone."},
    {tagged_sent_untagged, Role::initiator, "3.1", "Sends tagged messages without their tag."},
    {cq_data_lost, Role::initiator, "3.1", "Leaves out the CQ data that the application gives."},
    {received_cq_data_lost, Role::responder, "3.1", "Leaves the CQ data of messages out of completions."},
    {message_cut, Role::initiator, "3.2", "Leaves out the last octet of a message."},
    {medium_rest_lost, Role::initiator, "3.2", "Forgets packets for which its device's queue was full."},
    {unsent_message_completes, Role::initiator, "3.2",
     "Completes a message with success of which nothing could be sent."},
    {receives_of_its_own, Role::responder, "3.2",
     "Matches messages with receives of its own, before the application has any."},
    {one_sided_needs_receive, Role::responder, "3.3",
     "Passes over one-sided operations as long as its application has no receive."},
    {writes_told, Role::responder, "3.3, 4.1", "Reports every write to its application, CQ data or not."},
    {one_sided_completion_lost, Role::initiator, "3.3", "Reports no end of a one-sided operation to its application."},
    {write_takes_receive, Role::responder, "3.3", "Completes a receive with each write."},
    {source_not_registered, Role::initiator, "4.1",
     "Offers buffers to be read that are not registered with the device."},
    {unregistered_send_lost, Role::initiator, "4.1", "Forgets a long message whose buffer cannot be registered."},
    {unregistered_read_lost, Role::responder, "4.7",
     "Passes over what it should read, where it can register no memory for it."},
    {reads_more_than_needed, Role::responder, "4.1, 4.5", "Begins its RDMA reads sixteen octets before what it needs."},
    {direct_read_told, Role::responder, "4.1", "Reports RDMA reads of its memory to its application."},
    {direct_read_with_request, Role::initiator, "4.1", "Sends a request for what it reads directly."},
    {direct_write_with_request, Role::initiator, "4.6", "Sends what it writes directly in a request too."},
    {completes_before_eor, Role::initiator, "4.1", "Completes messages when they are called for."},
    {completes_before_receipt, Role::initiator, "4.2",
     "Completes delivery complete operations when they are called for."},
    {placed_after_receipt, Role::responder, "4.2",
     "Puts a message into its buffer when the application asks for the completion, after the RECEIPT."},
    {delivery_complete_forgotten, Role::initiator, "4.2",
     "Sends what the application wants delivery complete as it sends everything else."},
}};
constexpr auto kFaults = described(kRows);

}  // namespace

std::span<const DeviationRow<ApplicationFault>> all_application_faults() {
  return kFaults;
}

}  // namespace wirelaw::efa
