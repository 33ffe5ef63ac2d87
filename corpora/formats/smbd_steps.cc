// SPDX-License-Identifier: Apache-2.0
#include "corpora/formats/smbd_steps.h"

#include <algorithm>

namespace wirelaw::corpora {

SmbdTransfer read_smbd_transfer(Octets octets) {
  OctetBuffer whole(octets.begin(), octets.end());
  whole.resize(kSmbdTransferOctets);
  const Octet* const at = whole.data();
  return {.data = load_little_endian<std::uint16_t>(at),
          .remaining = load_little_endian<std::uint32_t>(at + 2),
          .credits_requested = load_little_endian<std::uint16_t>(at + 6),
          .credits_granted = load_little_endian<std::uint16_t>(at + 8),
          .flags = load_little_endian<std::uint16_t>(at + 10),
          .data_offset = load_little_endian<std::uint32_t>(at + 12),
          .data_length = load_little_endian<std::uint32_t>(at + 16),
          .trailing = at[20]};
}

OctetBuffer write_smbd_transfer(const SmbdTransfer& transfer) {
  OctetBuffer octets;
  Writer(octets)
      .little_endian(transfer.data)
      .little_endian(transfer.remaining)
      .little_endian(transfer.credits_requested)
      .little_endian(transfer.credits_granted)
      .little_endian(transfer.flags)
      .little_endian(transfer.data_offset)
      .little_endian(transfer.data_length)
      .little_endian(transfer.trailing);
  return octets;
}

smbd::Options smbd_options_of(Octets settings, bool listener) {
  const auto at = [&](std::size_t i) { return settings[i + (listener ? 4 : 0)]; };
  smbd::Options options;
  options.receive_credit_max = static_cast<std::uint16_t>(1 + at(0) % 32);
  options.send_credit_target = static_cast<std::uint16_t>(1 + at(1) % 32);
  options.max_receive_size = 128u + at(2) * 8u;
  options.max_send_size = 24u + at(3) * 8u;
  options.max_fragmented_recv_size = 131'072;
  options.max_read_write_size = 4096;
  options.backlog_octets = std::size_t{64} << 10;
  options.queue_octets = std::size_t{64} << 10;
  options.max_transfers = 16;
  return options;
}

}  // namespace wirelaw::corpora
