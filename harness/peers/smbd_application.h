// SPDX-License-Identifier: Apache-2.0
// The applications above the reference endpoints of SMB Direct. Cases and other peers can foresee what they do.
//
// The listener's application answers each message as the application `echo` or `count` does (conformance/case.h), and
// moves octets by RDMA on request (reference/smbd/transfer_request.h): it sends back what it fetches, and its answer
// invalidates the first buffer of a request. With `none` it answers nothing. With `smb2` it is an SMB2 server
// (harness/peers/smb2_application.h).
//
// The initiator's application does `count` rounds on each connection, one after the other, or all at once if they are
// to be parallel: a message of as many octets as the trigger asks for, and its echo. A round fails if the echo has
// other octets, or does not arrive within kRoundTime. It closes after the last round, or after one that failed. With
// `smb2` it is an SMB2 client, whose rounds write and read so many octets.
#pragma once

#include <memory>

#include "conformance/case.h"
#include "harness/peers/smbd_layer.h"

namespace wirelaw::smbd {

// More than two keep-alive intervals: an upper layer that waits shows what the endpoint does meanwhile.
inline constexpr Instant kRoundTime = std::chrono::minutes(5);

std::unique_ptr<Application> make_answering(Service service);
std::unique_ptr<Application> make_asking(Service service, const TriggerRequest& request, rdmap::UpperCounts& counts);

}  // namespace wirelaw::smbd
