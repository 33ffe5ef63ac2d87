// SPDX-License-Identifier: Apache-2.0
#include "reference/rdmap/startup.h"

#include <algorithm>

#include "reference/rdmap/startup_faults.h"

namespace wirelaw::rdmap {

using enum Deviation;

namespace {

std::uint16_t length_of(Octets head) {
  return load_big_endian<std::uint16_t>(head.data() + mpa::layout::kPrivateDataLength);
}

// Octets of the frame that begins with these, as far as they tell.
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

// What is wrong is told as soon as it can be seen: a peer that goes on dribbling octets is not waited for.
Startup::Step Startup::judge_head() {
  const auto key = mpa::key_of(role_ == Role::initiator ? mpa::FrameKind::reply : mpa::FrameKind::request);
  const std::size_t compared = std::min(frame_.size(), key.size());
  if (!std::equal(key.begin(), key.begin() + static_cast<std::ptrdiff_t>(compared), frame_.begin()) &&
      !deviates(accepts_bad_key))
    return fail("the key is not that of the frame which is due");  // RFC 5044, 7.1.2, rules 5 and 8
  if (frame_.size() < mpa::layout::kStartFrame) return Step::more;

  const std::uint8_t flags = frame_[mpa::layout::kFlags];
  const std::uint8_t revision = frame_[mpa::layout::kRevision];
  const std::uint8_t highest = options_.understands_enhanced ? mpa::kRevision2 : mpa::kRevision1;
  const bool known = revision >= mpa::kRevision1 && revision <= highest;
  if ((!known && !deviates(accepts_any_revision)) ||
      (revision == mpa::kRevision1 && role_ == Role::responder && deviates(closes_on_revision_one)))
    return fail("MPA revision " + std::to_string(revision));
  if (length_of(frame_) > mpa::kMaxPrivateData && !deviates(accepts_long_private_data))
    return fail(std::to_string(length_of(frame_)) + " octets of private data");
  if (((flags & 0x0f) != 0 && deviates(closes_on_reserved_bits)) ||
      ((flags & 0x20) != 0 && role_ == Role::responder && deviates(closes_on_rejected_bit_in_request)))
    return fail("a bit that is to be ignored");
  return Step::more;
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
  if (!options_.enhanced) peer_enhanced_.reset();  // a bit and private data that were not asked for
  ulp_data_at_ = frame_.size() - (peer_enhanced_ ? frame.ulp_data() : frame.private_data).size();
  agreement_ = {.revision = frame.revision,
                .enhanced = peer_enhanced_.has_value(),
                .send_markers = frame.markers,
                .expect_markers = options_.markers,
                .crc = frame.crc || options_.crc,
                .depths = depths_of(options_)};
  if (frame.rejected) return Step::rejected;
  if (!peer_enhanced_) return Step::accepted;
  const Conclusion conclusion = conclude(*peer_enhanced_, options_);
  agreement_.depths = conclusion.depths;
  agreement_.peer_to_peer = options_.peer_to_peer;
  agreement_.rtr = conclusion.rtr;
  agreement_.error = conclusion.error;
  if ((conclusion.error == error::kMpaInsufficientIrd && deviates(insufficient_ird_ignored)) ||
      (conclusion.error == error::kMpaNoMatchingRtr && deviates(rtr_mismatch_ignored)))
    agreement_.error.reset();
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

// ------------------------------------------------------------------------------------------------------ what is sent

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
  return reply(deviates(rejects_everything), private_data);
}

OctetBuffer Startup::reject(Octets private_data) {
  return reply(true, private_data);
}

OctetBuffer Startup::reply(bool rejected, Octets private_data) {
  mpa::StartFrame frame{.key = mpa::key_of(mpa::FrameKind::reply),
                        .markers = options_.markers,
                        .crc = options_.crc,
                        .rejected = rejected,
                        .enhanced = agreement_.enhanced,
                        .revision = agreement_.revision};
  std::optional<mpa::EnhancedData> enhanced;
  if (answer_) {
    enhanced = answer_->data;
    if (deviates(enhanced_ord_above_ird)) enhanced->ord = static_cast<std::uint16_t>(peer_enhanced_->ird + 1);
    if (deviates(enhanced_ird_zero)) enhanced->ird = agreement_.depths.ird = 0;
    if (deviates(enhanced_3fff_answered) && enhanced->ird == mpa::kNoNegotiation) enhanced->ird = agreement_.depths.ird;
    if (deviates(enhanced_3fff_answered) && enhanced->ord == mpa::kNoNegotiation) enhanced->ord = agreement_.depths.ord;
    if (deviates(reply_not_enhanced) || deviates(reply_revision_one)) enhanced.reset();
  } else if (deviates(reply_enhanced_unasked)) {
    enhanced = mpa::EnhancedData{.ird = agreement_.depths.ird, .ord = agreement_.depths.ord};
  }
  frame.enhanced = enhanced.has_value();
  if (answer_ && deviates(reply_revision_one)) frame.revision = mpa::kRevision1;
  if (frame.revision == 0) frame.revision = mpa::kRevision1;  // nothing has been asked yet
  return encode(frame, enhanced, private_data);
}

OctetBuffer Startup::encode(mpa::StartFrame frame, const std::optional<mpa::EnhancedData>& enhanced,
                            Octets private_data) {
  OctetBuffer data;
  if (enhanced) {
    mpa::EnhancedData faulty = *enhanced;
    apply_faults(deviations_, faulty);
    const std::uint32_t word = mpa::encode_enhanced(faulty);
    Writer(data).big_endian(deviates(enhanced_little_endian) ? reversed(word) : word);
  }
  Writer(data).octets(private_data.first(std::min(private_data.size(), mpa::kMaxPrivateData - data.size())));
  apply_faults(deviations_, frame, data);
  return mpa::encode_start_frame(frame);
}

}  // namespace wirelaw::rdmap
