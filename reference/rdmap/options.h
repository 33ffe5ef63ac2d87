// SPDX-License-Identifier: Apache-2.0
// Options that RFC 5040, 5041, 5044, 6581 and 7306 leave to the upper layer or to the implementation.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reference/ddp/segment.h"
#include "reference/endpoint.h"
#include "reference/mpa/fpdu.h"
#include "reference/mpa/start_frame.h"

namespace wirelaw::rdmap {

// The zero-length messages that can announce to a responder that its peer is ready to receive (RFC 6581, 9.2).
enum class Rtr : std::uint8_t { none, send, write, read };

struct Options {
  // --- start-up (RFC 5044, 7.1; RFC 6581)
  // For an initiator: 2 with `enhanced`, else 1 or 2. A responder answers in the revision of the request, 1 or 2.
  std::uint8_t revision = mpa::kRevision1;
  bool enhanced = false;             // an initiator requests enhanced set-up; a responder always grants it
  bool understands_enhanced = true;  // a responder without it closes on an enhanced request (RFC 6581, 10)
  bool peer_to_peer = false;         // an enhanced initiator requests a ready-to-receive message (A)
  bool rtr_send = true;              // ready-to-receive messages that this end supports (B, C, D)
  bool rtr_write = true;
  bool rtr_read = true;
  bool markers = false;                                // requests to receive markers (M)
  bool crc = true;                                     // requests CRCs (C)
  Instant startup_timeout = std::chrono::seconds(10);  // for the whole start-up, including the upper layer's part

  // --- limits
  std::uint16_t ird = 16;            // maximum number of outstanding read and atomic requests from the peer
  std::uint16_t ord = 16;            // likewise from this end; enhanced set-up may lower both
  std::uint16_t ord_required = 0;    // a responder rejects an initiator that offers a lower IRD (RFC 6581, 9.1)
  bool leave_depths_to_ulp = false;  // an enhanced initiator offers 0x3fff for both
  std::size_t max_work = 4096;       // sends, writes and reads in progress
  std::size_t max_receives = 4096;   // posted and not consumed

  // --- segments
  std::size_t emss = 1460;                             // the transport's EMSS: determines the MULPDU (RFC 5044, 4.5)
  std::size_t mulpdu = 0;                              // overrides it, within 128 to 64768 octets (RFC 5044, 3)
  std::size_t output_octets = std::size_t{256} << 10;  // next_octets() stops at the first FPDU that reaches this
  std::uint32_t first_msn = ddp::kFirstMsn;            // RFC 5041, 4.3: one. Tests start near the wrap at both ends

  // --- features and teardown
  bool extensions = false;                              // RFC 7306: atomic operations and immediate data
  Instant teardown_timeout = std::chrono::seconds(10);  // from our end to the peer's; then the stream is reset
};

inline constexpr std::size_t kMaxMulpdu = 64768;  // RFC 5044, 3

}  // namespace wirelaw::rdmap
