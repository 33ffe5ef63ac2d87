// SPDX-License-Identifier: Apache-2.0
#include "reference/rdmap/startup.h"

#include <algorithm>

namespace wirelaw::rdmap {

namespace {

constexpr std::size_t kKeyOctets = mpa::layout::kFlags - mpa::layout::kKey;

std::uint16_t length_of(Octets head) {
  return load_big_endian<std::uint16_t>(head.data() + mpa::layout::kPrivateDataLength);
}

// The length of the frame that begins with these octets, as far as they show it.
std::size_t whole(Octets frame) {
  return mpa::layout::kStartFrame + (frame.size() < mpa::layout::kStartFrame ? 0 : length_of(frame));
}

}  // namespace

Startup::Step Startup::take(Octets& octets) {
  if (!error_.empty()) return Step::failed;
  while (!octets.empty()) {
    const Octets piece = octets.first(std::min(octets.size(), whole(frame_) - frame_.size()));
    frame_.insert(frame_.end(), piece.begin(), piece.end());
    octets = octets.subspan(piece.size());
    if (judge_head() == Step::failed) return Step::failed;
    if (frame_.size() < whole(frame_)) continue;
    const auto frame = mpa::decode_start_frame(frame_);
    return role_ == Role::initiator ? judge_reply(*frame) : judge_request(*frame);
  }
  return Step::more;
}

Startup::Step Startup::fail(std::string text) {
  error_ = std::move(text);
  return Step::failed;
}

// Reports a fault as soon as its octet has arrived: the endpoint does not wait for a peer that sends octets slowly.
Startup::Step Startup::judge_head() {
  if (!accepts_key(Octets(frame_).first(std::min(frame_.size(), kKeyOctets))))
    return fail("the key is not that of the frame which is due");  // RFC 5044, 7.1.2, rules 5 and 8
  if (frame_.size() < mpa::layout::kStartFrame) return Step::more;
  if (const std::uint8_t revision = frame_[mpa::layout::kRevision]; !accepts_revision(revision))
    return fail("MPA revision " + std::to_string(revision));
  if (!accepts_private_data(length_of(frame_)))
    return fail(std::to_string(length_of(frame_)) + " octets of private data");
  if (!accepts_flags(frame_[mpa::layout::kFlags])) return fail("a bit that is to be ignored");
  return Step::more;
}

bool Startup::accepts_key(Octets octets) const {
  const auto key = mpa::key_of(role_ == Role::initiator ? mpa::FrameKind::reply : mpa::FrameKind::request);
  return std::equal(octets.begin(), octets.end(), key.begin());
}

bool Startup::accepts_revision(std::uint8_t revision) const {
  const std::uint8_t highest = options_.understands_enhanced ? mpa::kRevision2 : mpa::kRevision1;
  return revision >= mpa::kRevision1 && revision <= highest;
}

bool Startup::accepts_private_data(std::size_t octets) const {
  return octets <= mpa::kMaxPrivateData;
}

// Reserved bits, and R in a request, are ignored.
bool Startup::accepts_flags(std::uint8_t) const {
  return true;
}

Conclusion Startup::conclude(const mpa::EnhancedData& reply) const {
  return rdmap::conclude(reply, options_);
}

Startup::Step Startup::judge_request(const mpa::StartFrame& frame) {
  peer_revision_ = frame.revision;
  peer_enhanced_ = frame.enhanced_data();
  if (frame.enhanced && frame.revision >= mpa::kRevision2 && !peer_enhanced_)
    return fail("S is set, and the enhanced data is not there");
  ulp_data_at_ = frame_.size() - frame.ulp_data().size();
  agreement_ = {.revision = frame.revision,
                .enhanced = peer_enhanced_.has_value(),
                .send_markers = frame.markers,
                .expect_markers = options_.markers,
                .crc = frame.crc || options_.crc,
                .depths = depths_of(options_)};
  if (!peer_enhanced_) return Step::request;
  answer_ = answer(*peer_enhanced_, options_);
  agreement_.depths = answer_->depths;
  agreement_.peer_to_peer = answer_->data.peer_to_peer;
  agreement_.rtr_send_offered = answer_->data.rtr_send;
  return Step::request;
}

Startup::Step Startup::judge_reply(const mpa::StartFrame& frame) {
  peer_revision_ = frame.revision;
  peer_enhanced_ = frame.enhanced_data();
  if (options_.enhanced && !peer_enhanced_ && !frame.rejected)  // RFC 6581, 10
    return fail("an enhanced request has got a reply that is not enhanced");
  if (!options_.enhanced) peer_enhanced_.reset();  // the bit and private data were not requested
  ulp_data_at_ = frame_.size() - (peer_enhanced_ ? frame.ulp_data() : frame.private_data).size();
  agreement_ = {.revision = frame.revision,
                .enhanced = peer_enhanced_.has_value(),
                .send_markers = frame.markers,
                .expect_markers = options_.markers,
                .crc = frame.crc || options_.crc,
                .depths = depths_of(options_)};
  if (frame.rejected) return Step::rejected;
  if (!peer_enhanced_) return Step::accepted;
  const Conclusion conclusion = conclude(*peer_enhanced_);
  agreement_.depths = conclusion.depths;
  agreement_.peer_to_peer = options_.peer_to_peer;
  agreement_.rtr = conclusion.rtr;
  agreement_.error = conclusion.error;
  return Step::accepted;
}

OctetBuffer Startup::peer_private_data() const {
  return {frame_.begin() + static_cast<std::ptrdiff_t>(ulp_data_at_), frame_.end()};
}

void Startup::limit_depths(const Depths& limits) {
  options_.ird = limits.ird;
  options_.ord = limits.ord;
  agreement_.depths = depths_of(options_);
  if (!peer_enhanced_ || role_ == Role::initiator) return;
  answer_ = answer(*peer_enhanced_, options_);
  agreement_.depths = answer_->depths;
}

// ------------------------------------------------------------------------------------------------------ frames to send

std::size_t Startup::private_data_room() const {
  const bool enhanced = role_ == Role::initiator ? options_.enhanced : agreement_.enhanced;
  return mpa::kMaxPrivateData - (enhanced ? mpa::layout::kEnhanced : 0);
}

OctetBuffer Startup::request(Octets private_data) {
  const mpa::StartFrame frame{.key = mpa::key_of(mpa::FrameKind::request),
                              .markers = options_.markers,
                              .crc = options_.crc,
                              .enhanced = options_.enhanced,
                              .revision = options_.enhanced ? mpa::kRevision2 : options_.revision};
  return encode(frame, options_.enhanced ? std::optional(offer(options_)) : std::nullopt, private_data);
}

OctetBuffer Startup::accept(Octets private_data) {
  const Reply granted = reply(false);
  return encode(granted.frame, granted.enhanced, private_data);
}

OctetBuffer Startup::reject(Octets private_data) {
  const Reply refused = reply(true);
  return encode(refused.frame, refused.enhanced, private_data);
}

Startup::Reply Startup::reply(bool rejected) {
  Reply reply{.frame = {.key = mpa::key_of(mpa::FrameKind::reply),
                        .markers = options_.markers,
                        .crc = options_.crc,
                        .rejected = rejected,
                        .enhanced = answer_.has_value(),
                        .revision = agreement_.revision},
              .enhanced = {}};
  if (answer_) reply.enhanced = answer_->data;
  return reply;
}

OctetBuffer Startup::encode(const mpa::StartFrame& frame, const std::optional<mpa::EnhancedData>& enhanced,
                            Octets private_data) const {
  OctetBuffer data;
  if (enhanced) Writer(data).big_endian(mpa::encode_enhanced(*enhanced));
  Writer(data).octets(private_data.first(std::min(private_data.size(), mpa::kMaxPrivateData - data.size())));
  return encode(frame, std::move(data));
}

OctetBuffer Startup::encode(mpa::StartFrame frame, OctetBuffer private_data) const {
  frame.private_data_length = static_cast<std::uint16_t>(private_data.size());
  frame.private_data = private_data;
  return mpa::encode_start_frame(frame);
}

}  // namespace wirelaw::rdmap
