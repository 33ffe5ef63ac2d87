// SPDX-License-Identifier: Apache-2.0
#include "reference/rdmap/advertisement.h"

#include <algorithm>

namespace wirelaw::rdmap {

OctetBuffer encode_advertisement(std::span<const AdvertisedBuffer> buffers) {
  OctetBuffer octets(kAdvertisementMagic.begin(), kAdvertisementMagic.end());
  Writer writer(octets);
  for (const AdvertisedBuffer& buffer : buffers)
    writer.big_endian(buffer.at.stag).big_endian(buffer.at.to).big_endian(buffer.length);
  return octets;
}

std::optional<std::vector<AdvertisedBuffer>> decode_advertisement(Octets private_data) {
  Reader reader(private_data);
  const Octets magic = reader.octets(kAdvertisementMagic.size());
  if (!std::ranges::equal(magic, kAdvertisementMagic,
                          [](Octet octet, char c) { return octet == static_cast<Octet>(c); }))
    return std::nullopt;
  std::vector<AdvertisedBuffer> buffers;
  while (reader.remaining() >= kAdvertisedBuffer) {
    AdvertisedBuffer buffer;
    buffer.at.stag = reader.big_endian<std::uint32_t>();
    buffer.at.to = reader.big_endian<std::uint64_t>();
    buffer.length = reader.big_endian<std::uint32_t>();
    buffers.push_back(buffer);
  }
  return buffers;
}

}  // namespace wirelaw::rdmap
