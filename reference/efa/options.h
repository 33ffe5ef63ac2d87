// SPDX-License-Identifier: Apache-2.0
// The configuration of an EFA RDM endpoint: its identity, its announcements, and the values that the document leaves
// open.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "reference/efa/capability.h"
#include "reference/efa/raw_address.h"
#include "reference/efa/revision.h"
#include "reference/endpoint.h"

namespace wirelaw::efa {

// The two readings of a length field in a message of several packets (EFA/A-03, EFA/A-04). Only with the first does a
// receiver know when the message is complete; the second is literal.
enum class LengthReading : std::uint8_t { of_message, of_segment };
// The order of the two IDs of a READRSP (EFA/A-02).
enum class ReadrspReading : std::uint8_t { deployed, document };

struct Options {
  // 1.4. A connid of 0 is replaced by one made from the seed.
  RawAddress address = {};
  std::size_t raw_address_octets = 36;  // `size` in the raw address header, at least 32 (EFA/A-07)

  // The document that the endpoint follows. Its baseline features are assumed for every peer (table 2.1 of later
  // documents); its extra features are used if the peer announces them.
  Revision revision = Revision::v2023_10;
  // The announcements in HANDSHAKE (2.1). An endpoint neither uses nor accepts a feature that it does not announce.
  std::vector<std::uint64_t> extra_info = {
      extra_bits({Extra::delivery_complete, Extra::connid_header, Extra::runting_read, Extra::read_nack})};
  bool handshake_connid = true;
  std::optional<std::uint64_t> host_id = {};
  std::optional<std::uint32_t> device_version = {};
  // In later documents: whether the device reaches all memory that this endpoint may name. Nothing: no HMEM block.
  std::optional<bool> p2p_supported = {};

  // Comply with the extra requests of peers, as 2.1 recommends, and put connid in the multiuse word (3.2).
  bool constant_header_length = true;
  bool connid_header = true;
  bool connid_in_answers = true;

  LengthReading medium_length = LengthReading::of_message;
  LengthReading runt_length = LengthReading::of_message;
  ReadrspReading readrsp = ReadrspReading::deployed;

  // The device's packet size in octets, at least 512.
  std::size_t mtu = 8928;
  std::uint32_t first_msg_id = 0;  // in both directions (EFA/A-20)

  // Limits for the choice of a subprotocol if the caller leaves it open (5), in octets.
  std::uint64_t max_medium = 65536;
  std::uint64_t min_read_message = std::uint64_t{1} << 20;
  std::uint64_t min_read_write = std::uint64_t{1} << 20;
  std::uint64_t runt_octets = std::uint64_t{128} << 10;  // sent in RUNTREAD packets; 0: prefers the long read

  // Flow control, in packets.
  std::uint32_t credits = 64;         // granted in one CTS
  std::uint32_t credit_request = 64;  // requested from the receiver

  // RDMA by the transport.
  std::uint64_t max_rdma_octets = std::uint64_t{1} << 30;  // maximum length of one read or write (1.1)
  std::size_t registrations = 64;  // buffers registered for RDMA reads at once; 0: every registration fails (4.7)

  std::uint64_t max_read_octets = std::uint64_t{1}
                                  << 32;  // maximum length of one read call, whose buffer the endpoint allocates

  // Limits for state that peers can make the endpoint hold.
  std::size_t max_peers = 1024;
  std::size_t max_operations = 4096;                // in each direction, open at once; 8 to 65536
  std::uint32_t reorder_window = 16384;             // maximum number of message IDs ahead of the next one
  std::size_t held_octets = std::size_t{64} << 20;  // for packets out of order and messages without a receive
  std::size_t most_gaps = 4096;                     // maximum number between the segments of one message
  // Time without progress after which an operation is given up: the protocol itself has no timers.
  Instant patience = std::chrono::seconds(10);
};

}  // namespace wirelaw::efa
