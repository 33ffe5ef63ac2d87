// SPDX-License-Identifier: Apache-2.0
// The inputs of the SMB Direct conversation targets (fuzz_smbd_initiator, _listener, _pair): eight octets of settings,
// then records (records.h), each a step. Missing octets of a record are zero.
#pragma once

#include <array>

#include "reference/octets/octets.h"
#include "reference/smbd/options.h"

namespace wirelaw::corpora {

inline constexpr std::size_t kSmbdSettings = 8;
// Bits of the first octet: the place where two endpoints are captured, and the transport that the capture shows.
inline constexpr Octet kSmbdSeenAtListener = 0x80;
inline constexpr Octet kSmbdOverRoce = 0x40;

namespace smbd_step {
inline constexpr Octet kKind = 0x07;
inline constexpr Octet kTransfer = 0;   // the scripted peer sends a Data Transfer: see SmbdTransfer
inline constexpr Octet kRaw = 1;        // the scripted peer sends these octets
inline constexpr Octet kNegotiate = 2;  // the scripted peer sends its negotiate message with field (1) set to (4)
inline constexpr Octet kSend = 3;       // an upper layer sends this number of octets (3)
inline constexpr Octet kTime = 4;       // milliseconds pass (3)
inline constexpr Octet kDeliver = 5;    // delivers this number of messages in flight (1)
inline constexpr Octet kMove = 6;       // an upper layer transfers by RDMA: offset (2), octets (2), 1: reads (1)
inline constexpr Octet kEnd = 7;        // an upper layer closes or aborts, or the connection is lost: kind (1)

inline constexpr Octet kSideB = 0x80;       // by the listener; ignored if a peer is scripted
inline constexpr Octet kInvalidate = 0x40;  // the message invalidates a token of the endpoint
}  // namespace smbd_step

// A Data Transfer relative to the honest one: the fields are added to the honest values.
struct SmbdTransfer {
  std::uint16_t data = 0;  // payload length in octets
  std::uint32_t remaining = 0;
  std::uint16_t credits_requested = 0, credits_granted = 0;
  std::uint16_t flags = 0;
  std::uint32_t data_offset = 0, data_length = 0;
  Octet trailing = 0;  // octets after the data
};
inline constexpr std::size_t kSmbdTransferOctets = 21;
SmbdTransfer read_smbd_transfer(Octets octets);
OctetBuffer write_smbd_transfer(const SmbdTransfer& transfer);

// The options of an endpoint, small so that a few steps can reach every limit. Half of the settings are the listener's.
smbd::Options smbd_options_of(Octets settings, bool listener);

}  // namespace wirelaw::corpora
