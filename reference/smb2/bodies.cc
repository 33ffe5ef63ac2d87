// SPDX-License-Identifier: Apache-2.0
#include "reference/smb2/bodies.h"

namespace wirelaw::smb2 {

std::u16string text_of(Octets octets) {
  std::u16string text;
  for (std::size_t at = 0; at + 1 < octets.size(); at += 2)
    text += static_cast<char16_t>(load_little_endian<std::uint16_t>(octets.data() + at));
  return text;
}

OctetBuffer octets_of_text(std::u16string_view text) {
  OctetBuffer octets;
  for (const char16_t one : text) Writer(octets).little_endian(static_cast<std::uint16_t>(one));
  return octets;
}

std::optional<std::vector<ChannelBuffer>> channel_buffers_of(Octets octets) {
  if (octets.empty() || octets.size() % ChannelBuffer::kOctets != 0) return std::nullopt;
  std::vector<ChannelBuffer> buffers;
  for (Reader reader(octets); reader.remaining() > 0;) {
    ChannelBuffer one{.offset = reader.little_endian<std::uint64_t>()};
    one.token = reader.little_endian<std::uint32_t>();
    one.length = reader.little_endian<std::uint32_t>();
    buffers.push_back(one);
  }
  return buffers;
}

void encode(const ChannelBuffer& buffer, OctetBuffer& out) {
  Writer(out).little_endian(buffer.offset).little_endian(buffer.token).little_endian(buffer.length);
}

}  // namespace wirelaw::smb2
