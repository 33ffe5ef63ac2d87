// SPDX-License-Identifier: Apache-2.0
#include "reference/mpa/framer.h"

#include <algorithm>

#include "reference/octets/crc32c.h"

namespace wirelaw::mpa {
namespace {

constexpr std::size_t kMaxPad = 3;

// An FPDU under construction in a stream with markers, which are inserted between its octets.
class MarkedFpdu {
 public:
  MarkedFpdu(OctetBuffer& out, std::uint64_t position, const FramingFaults& faults)
      : out_(out), begin_(out.size()), position_(position), faults_(faults) {
    put_due_marker();
    ulpdu_length_at_ = here();
  }

  void put(Octets octets) {
    while (!octets.empty()) {
      put_due_marker();
      const std::size_t room = kMarkerInterval - static_cast<std::size_t>(here() % kMarkerInterval);
      const Octets part = octets.first(std::min(octets.size(), room));
      out_.insert(out_.end(), part.begin(), part.end());
      octets = octets.subspan(part.size());
    }
  }

  // The CRC covers everything so far, and a marker right before the field (4.4).
  void put_crc(bool in_use) {
    put_due_marker();
    const std::uint32_t crc = in_use ? crc32c(Octets(out_).subspan(begin_)) : 0;
    std::array<Octet, kCrcOctets> field;
    store_little_endian(field.data(), crc ^ faults_.crc_xor);
    out_.insert(out_.end(), field.begin(), field.end());
  }

  std::uint64_t here() const { return position_ + (out_.size() - begin_); }

 private:
  void put_due_marker() {
    const std::uint64_t at = here();
    if (!marker_at(at)) return;
    // Before ULPDU_Length, the marker is the first octet of the FPDU.
    const std::uint16_t pointer = out_.size() == begin_ ? std::uint16_t{0} : pointer_between(ulpdu_length_at_, at);
    Writer(out_)
        .big_endian(faults_.marker_reserved)
        .big_endian(static_cast<std::uint16_t>(pointer ^ faults_.marker_pointer_xor));
  }

  OctetBuffer& out_;
  std::size_t begin_;
  std::uint64_t position_;
  std::uint64_t ulpdu_length_at_ = 0;
  const FramingFaults& faults_;
};

// Without markers, an FPDU is its parts and the fields around them.
void put_plain(std::span<const Octets> parts, Octets ulpdu_length, Octets pad, bool crc, std::uint32_t crc_xor,
               OctetBuffer& out) {
  const std::size_t begin = out.size();
  out.insert(out.end(), ulpdu_length.begin(), ulpdu_length.end());
  for (const Octets part : parts) out.insert(out.end(), part.begin(), part.end());
  std::array<Octet, kMaxPad + kCrcOctets> tail{};
  std::ranges::copy(pad, tail.begin());
  const std::size_t crc_at = out.size() + pad.size();
  out.insert(out.end(), tail.begin(), tail.begin() + static_cast<std::ptrdiff_t>(pad.size() + kCrcOctets));
  const std::uint32_t value = crc ? crc32c(Octets(out).subspan(begin, crc_at - begin)) : 0;
  store_little_endian(out.data() + crc_at, value ^ crc_xor);
}

}  // namespace

void Framer::frame(std::span<const Octets> parts, OctetBuffer& out, const FramingFaults& faults) {
  std::size_t length = 0;
  for (const Octets part : parts) length += part.size();
  const std::size_t whole = fpdu_octets(length);
  const std::size_t most = whole + (markers_ ? kMarkerOctets * most_markers(whole) : 0);
  if (out.capacity() - out.size() < most) out.reserve(std::max(out.size() + most, 2 * out.capacity()));

  std::array<Octet, kLengthOctets> ulpdu_length;
  store_big_endian(ulpdu_length.data(),
                   static_cast<std::uint16_t>(length + static_cast<std::size_t>(std::int64_t{faults.length_add})));
  std::array<Octet, kMaxPad> pad_values;
  pad_values.fill(faults.pad_fill);
  const Octets pad = Octets(pad_values).first(pad_octets(length));

  if (!markers_) {
    put_plain(parts, ulpdu_length, pad, crc_, faults.crc_xor, out);
    position_ += whole;
    return;
  }
  MarkedFpdu fpdu(out, position_, faults);
  fpdu.put(ulpdu_length);
  for (const Octets part : parts) fpdu.put(part);
  fpdu.put(pad);
  fpdu.put_crc(crc_);
  position_ = fpdu.here();
}

}  // namespace wirelaw::mpa
