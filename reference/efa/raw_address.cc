// SPDX-License-Identifier: Apache-2.0
#include "reference/efa/raw_address.h"

#include <algorithm>

namespace wirelaw::efa {

std::optional<RawAddress> decode_raw_address(Octets octets) {
  Reader reader(octets);
  RawAddress address;
  std::ranges::copy(reader.octets(address.gid.size()), address.gid.begin());
  address.qpn = reader.little_endian<std::uint16_t>();
  address.pad = reader.little_endian<std::uint16_t>();
  address.connid = reader.little_endian<std::uint32_t>();
  address.reserved = reader.little_endian<std::uint64_t>();
  if (!reader.ok()) return std::nullopt;
  return address;
}

void encode(const RawAddress& address, OctetBuffer& out) {
  Writer(out)
      .octets(address.gid)
      .little_endian(address.qpn)
      .little_endian(address.pad)
      .little_endian(address.connid)
      .little_endian(address.reserved);
}

RmaIov rma_iov_at(Octets array, std::size_t index) {
  const Octet* const at = array.data() + index * layout::kRmaIov;
  return {.addr = load_little_endian<std::uint64_t>(at),
          .len = load_little_endian<std::uint64_t>(at + 8),
          .key = load_little_endian<std::uint64_t>(at + 16)};
}

void encode(const RmaIov& iov, OctetBuffer& out) {
  Writer(out).little_endian(iov.addr).little_endian(iov.len).little_endian(iov.key);
}

}  // namespace wirelaw::efa
