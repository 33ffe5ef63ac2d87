// SPDX-License-Identifier: Apache-2.0
// The inputs of the SMB Direct conversation targets (fuzz_smbd_initiator, _listener, _pair): eight octets of settings,
// then records (records.h), each a step. Missing octets of a record are zero.
#pragma once

#include <array>

#include "reference/octets/octets.h"
#include "reference/smbd/options.h"

namespace wirelaw::corpora {

inline constexpr std::size_t kSmbdSettings = 8;
// Bits of the first octet: where a capture of two endpoints is taken, and which transport it shows.
inline constexpr Octet kSmbdSeenAtListener = 0x80;
inline constexpr Octet kSmbdOverRoce = 0x40;

namespace smbd_step {
inline constexpr Octet kKind = 0x07;
inline constexpr Octet kTransfer = 0;   // the scripted peer sends a Data Transfer: see SmbdTransfer
inline constexpr Octet kRaw = 1;        // the scripted peer sends these octets
inline constexpr Octet kNegotiate = 2;  // the scripted peer sends its negotiate message: which field (1) departs to (4)
inline constexpr Octet kSend = 3;       // an upper layer sends so many octets (3)
inline constexpr Octet kTime = 4;       // milliseconds (3)
inline constexpr Octet kDeliver = 5;    // what is on its way comes through: how many (1)
inline constexpr Octet kMove = 6;       // an upper layer moves octets by RDMA: offset (2), how many (2), 1: it reads
inline constexpr Octet kEnd = 7;        // an upper layer closes, aborts, or the connection is lost: which (1)

inline constexpr Octet kSideB = 0x80;       // by the listener; in the scripted targets the endpoint always acts
inline constexpr Octet kInvalidate = 0x40;  // for a message: with a token of the endpoint
}  // namespace smbd_step

// A Data Transfer relative to what is right: its octets are added to the honest value.
struct SmbdTransfer {
  std::uint16_t data = 0;  // octets of it
  std::uint32_t remaining = 0;
  std::uint16_t credits_requested = 0, credits_granted = 0;
  std::uint16_t flags = 0;
  std::uint32_t data_offset = 0, data_length = 0;  // added
  Octet trailing = 0;                              // octets after the data
};
inline constexpr std::size_t kSmbdTransferOctets = 21;
SmbdTransfer read_smbd_transfer(Octets octets);
OctetBuffer write_smbd_transfer(const SmbdTransfer& transfer);

// The quantities of an endpoint, small so that every limit is within reach. Half of the settings are the listener's.
smbd::Options smbd_options_of(Octets settings, bool listener);

}  // namespace wirelaw::corpora
