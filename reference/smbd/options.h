// SPDX-License-Identifier: Apache-2.0
// Options that [MS-SMBD] leaves to the implementation, with the values of deployed ones (its appendix B).
#pragma once

#include <cstddef>
#include <cstdint>

#include "reference/endpoint.h"

namespace wirelaw::smbd {

struct Options {
  // --- initial values of the Connection (3.1.4.1, 3.1.7.2; <2>, <7>)
  std::uint16_t receive_credit_max = 255;
  std::uint16_t send_credit_target = 255;
  std::uint32_t max_send_size = 1364;
  std::uint32_t max_receive_size = 8192;
  std::uint32_t max_fragmented_recv_size = 1'048'576;
  // A listener announces this; an initiator adopts at most this (<6>).
  std::uint32_t max_read_write_size = 8'388'608;
  bool remote_invalidation = true;  // the provider can send with Invalidate (3.1.5.1)

  // --- other readings, and the limits of deployed listeners
  // The largest PreferredSendSize for which a listener can post receives (note <5>).
  std::uint32_t most_preferred_send_size = 0xffffffff;
  // Waits when it has only its last credit, and its peer has the credits that it requests (3.1.5.9, first paragraph;
  // ruling SMBD/A10).
  bool keeps_last_credit = false;
  // Grants credits as soon as a message has arrived, whatever the peer has left (3.1.5.8).
  bool grants_for_each = false;
  // Delays a grant for a message with data until the answer, too.
  bool grants_with_answer = false;

  // --- time
  Instant initiator_negotiation = std::chrono::seconds(120);  // 3.1.4.1
  Instant listener_negotiation = std::chrono::seconds(5);     // 3.1.7.2
  Instant keepalive_interval = std::chrono::seconds(120);     // <1>
  Instant keepalive_answer = std::chrono::seconds(5);         // <3>, ruling SMBD/A29
  // Time for which a grant in answer to a message without data waits for a message to go with. Otherwise two ends whose
  // targets are 1 would grant each other credits without a pause (3.1.5.8: promptly; ruling SMBD/A28).
  Instant grant_delay = std::chrono::milliseconds(100);
  Instant close_timeout = std::chrono::seconds(5);  // time to send the queue before close() becomes an abort

  // --- memory
  std::size_t receive_octets = std::size_t{4} << 20;   // for all posted receives except one
  std::size_t backlog_octets = std::size_t{16} << 20;  // delivered but not fetched; beyond this, credits are withheld
  std::size_t queue_octets = std::size_t{16} << 20;    // messages that wait for credits; beyond this, send() fails
  std::size_t max_transfers = 1024;  // maximum number of RDMA Reads and Writes of the upper layer in progress
};

}  // namespace wirelaw::smbd
