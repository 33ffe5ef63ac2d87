// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/framing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "reference/ddp/segment.h"
#include "reference/mpa/deframer.h"
#include "reference/mpa/framer.h"
#include "reference/mpa/start_frame.h"
#include "reference/octets/crc32c.h"

namespace wirelaw::rdmap {
namespace {

using script::FieldKind;
using script::Located;
using script::Unit;

constexpr std::size_t kKeyOctets = 16;
constexpr std::ptrdiff_t kLikeKey = 12;  // matching octets from which a key counts as garbled
constexpr std::uint16_t kUsualMss = 1460;

// The number of octets that match the key.
std::ptrdiff_t agreement(Octets octets, std::string_view key) {
  const std::size_t both = std::min(octets.size(), key.size());
  std::ptrdiff_t count = 0;
  for (std::size_t i = 0; i < both; ++i) count += octets[i] == static_cast<Octet>(key[i]);
  return count;
}

// One direction.
struct Direction {
  // The parts of its start frame that determine the framing of FPDUs.
  bool has_started = false;
  bool wants_markers = false, wants_crc = false;
  std::uint16_t mss = kUsualMss;
  std::uint64_t position = 0;  // octets of Full Operation that have passed
  bool is_lost = false;        // unframed octets have passed, so the next FPDU must be verified
};

class MpaFraming : public script::Framing {
 public:
  std::unique_ptr<Framing> copy() const override { return std::make_unique<MpaFraming>(*this); }

  // The largest size that MPA allows DDP (RFC 5044, 4.5).
  std::vector<OctetBuffer> segments(Side sender, Octets message) const override {
    const auto whole = ddp::decode(message);
    const std::size_t most = mpa::mulpdu(of(sender).mss, has_markers(sender));
    if (is_start_frame(message) || !whole || message.size() <= most) return {{message.begin(), message.end()}};
    std::vector<OctetBuffer> all;
    ddp::Header header = whole->header;
    const bool is_last = header.last;
    for (Octets left = whole->payload; !left.empty();) {
      const Octets part = left.first(std::min(left.size(), most - header.octets()));
      left = left.subspan(part.size());
      header.last = is_last && left.empty();
      OctetBuffer segment;
      ddp::encode(header, segment);
      segment.insert(segment.end(), part.begin(), part.end());
      all.push_back(std::move(segment));
      header.mo += header.tagged ? 0 : static_cast<std::uint32_t>(part.size());
      header.to += header.tagged ? part.size() : 0;
    }
    return all;
  }

  tl::expected<OctetBuffer, std::string> wrap(Side sender, Octets segment) const override {
    if (is_start_frame(segment)) return OctetBuffer(segment.begin(), segment.end());
    if (segment.size() > mpa::kMaxUlpdu)
      return tl::unexpected(fmt::format("an FPDU carries at most {} octets", mpa::kMaxUlpdu));
    OctetBuffer frame;
    mpa::Framer(has_markers(sender), has_crc(sender), of(sender).position).frame(segment, frame);
    return frame;
  }

  std::vector<Located> locate(Side sender, Octets frame) const override {
    if (is_start_frame(frame)) return {};
    const std::size_t head = begin_of_length(sender);
    if (frame.size() < head + mpa::kLengthOctets + mpa::kCrcOctets) return {};
    std::vector<Located> fields;
    fields.push_back({"ulpdulength", head, mpa::kLengthOctets, 0, 16, FieldKind::derived});
    if (has_markers(sender)) add_markers(sender, frame, fields);
    const std::size_t crc = frame.size() - mpa::kCrcOctets;
    const std::size_t end = is_marker(sender, crc - mpa::kMarkerOctets) ? crc - mpa::kMarkerOctets : crc;
    if (const std::size_t pad = mpa::pad_octets(ulpdu_octets(sender, frame)); pad > 0 && pad <= end)
      fields.push_back({"pad", end - pad, pad, 0, static_cast<std::uint8_t>(8 * pad), FieldKind::derived, true});
    fields.push_back({"crc", crc, mpa::kCrcOctets, 0, 32, FieldKind::derived, true});
    return fields;
  }

  void seal(Side sender, OctetBuffer& frame) const override {
    if (!has_crc(sender) || is_start_frame(frame) || frame.size() < mpa::kCrcOctets) return;
    const std::size_t crc = frame.size() - mpa::kCrcOctets;
    store_little_endian(frame.data() + crc, crc32c(Octets(frame).first(crc)));
  }

  std::optional<Unit> next(Side sender, Octets stream) const override {
    const bool can_start = is_rejected_ || (!of(sender).has_started && of(sender).position == 0);
    if (can_start && is_start_frame(stream)) return next_start_frame(stream);
    const bool may_start = !of(sender).has_started && stream.size() < kKeyOctets &&
                           std::max(agreement(stream, mpa::kRequestKey), agreement(stream, mpa::kReplyKey)) ==
                               static_cast<std::ptrdiff_t>(stream.size());
    if (may_start) return std::nullopt;
    const bool is_proof_needed = of(sender).is_lost || !of(sender).has_started;
    // The deframer keeps incomplete octets, so it gets at most the length of the longest FPDU.
    constexpr std::size_t kMost = mpa::kMaxFpdu + mpa::kMarkerOctets * (mpa::most_markers(mpa::kMaxFpdu) + 1);
    mpa::Deframer deframer(has_markers(sender), has_crc(sender));
    deframer.begin_at(of(sender).position);
    deframer.feed(stream.first(std::min(stream.size(), kMost)));
    const auto fpdu = deframer.next();
    if (!fpdu) return std::nullopt;
    if (is_proof_needed && !(has_crc(sender) && fpdu->crc_holds())) return Unit{.length = stream.size()};
    const Octets ulpdu = fpdu->ulpdu();
    return Unit{.length = static_cast<std::size_t>(fpdu->end - of(sender).position),
                .message = OctetBuffer(ulpdu.begin(), ulpdu.end())};
  }

  void opened(Side sender, std::uint16_t mss) override { of(sender).mss = mss == 0 ? kUsualMss : mss; }

  void passed(Side sender, Octets octets, Octets segment) override {
    const bool is_start = is_start_frame(segment);
    // After a rejection, MPA may start again on the same connection (RDMAP/A-31).
    if (is_start && std::exchange(is_rejected_, false))
      for (Direction& one : directions_) one = {.mss = one.mss};
    if (is_start) is_rejected_ = is_rejection(segment);
    Direction& direction = of(sender);
    if (!direction.has_started && is_start) {
      direction.has_started = true;
      if (segment.size() <= mpa::layout::kFlags) return;
      direction.wants_markers = (segment[mpa::layout::kFlags] & 0x80) != 0;
      direction.wants_crc = (segment[mpa::layout::kFlags] & 0x40) != 0;
      return;
    }
    direction.is_lost = segment.empty();
    direction.position += octets.size();
  }

 private:
  Direction& of(Side side) { return directions_[static_cast<std::size_t>(side)]; }
  const Direction& of(Side side) const { return directions_[static_cast<std::size_t>(side)]; }

  // The receiver of a direction requests markers, and either side requests CRCs (RFC 5044, 7.1). CRCs are assumed until
  // a start frame has passed.
  bool has_markers(Side sender) const { return of(other(sender)).wants_markers; }
  bool has_crc(Side sender) const {
    const Direction &mine = of(sender), &peers = of(other(sender));
    return mine.wants_crc || peers.wants_crc || (!mine.has_started && !peers.has_started);
  }

  // A marker is at this octet of the frame that passes next.
  bool is_marker(Side sender, std::size_t at) const {
    return has_markers(sender) && mpa::marker_at(of(sender).position + at);
  }
  std::size_t begin_of_length(Side sender) const { return is_marker(sender, 0) ? mpa::kMarkerOctets : 0; }

  void add_markers(Side sender, Octets frame, std::vector<Located>& fields) const {
    std::size_t count = 0;
    const auto past = static_cast<std::size_t>(of(sender).position % mpa::kMarkerInterval);
    for (std::size_t at = (mpa::kMarkerInterval - past) % mpa::kMarkerInterval;
         at + mpa::kMarkerOctets + mpa::kCrcOctets <= frame.size(); at += mpa::kMarkerInterval) {
      fields.push_back({fmt::format("marker[{}].res", count), at, 2, 0, 16, FieldKind::derived, true});
      fields.push_back({fmt::format("marker[{}].fpduptr", count), at + 2, 2, 0, 16, FieldKind::derived});
      ++count;
    }
  }
  // Modulo four: octets of the ULPDU that the frame was made for, by its own field.
  std::size_t ulpdu_octets(Side sender, Octets frame) const {
    return load_big_endian<std::uint16_t>(frame.data() + begin_of_length(sender));
  }

  static std::optional<Unit> next_start_frame(Octets stream) {
    const auto frame = mpa::decode_start_frame(stream);
    if (!frame) return std::nullopt;
    const std::size_t length = mpa::layout::kStartFrame + frame->private_data.size();
    return Unit{.length = length,
                .message = OctetBuffer(stream.begin(), stream.begin() + static_cast<std::ptrdiff_t>(length))};
  }

  std::array<Direction, 2> directions_;
  bool is_rejected_ = false;  // the latest start frame was a Reply that rejects
};

}  // namespace

bool is_start_frame(Octets octets) {
  return octets.size() >= kKeyOctets &&
         std::max(agreement(octets, mpa::kRequestKey), agreement(octets, mpa::kReplyKey)) >= kLikeKey;
}

bool is_reply(Octets octets) {
  return agreement(octets, mpa::kReplyKey) > agreement(octets, mpa::kRequestKey);
}

bool is_rejection(Octets octets) {
  constexpr Octet kReject = 0x20;
  return is_start_frame(octets) && is_reply(octets) && octets.size() > mpa::layout::kFlags &&
         (octets[mpa::layout::kFlags] & kReject) != 0;
}

std::unique_ptr<script::Framing> make_framing() {
  return std::make_unique<MpaFraming>();
}

}  // namespace wirelaw::rdmap
