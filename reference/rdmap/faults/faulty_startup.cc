// SPDX-License-Identifier: Apache-2.0
#include "reference/rdmap/faults/faulty_startup.h"

#include <algorithm>

#include "reference/rdmap/faults/message_faults.h"

namespace wirelaw::rdmap {

using enum Deviation;

namespace {

constexpr std::uint8_t kReservedFlags = 0x0f;
constexpr std::uint8_t kRejectedFlag = 0x20;

}  // namespace

bool FaultyStartup::accepts_key(Octets octets) const {
  return deviates(accepts_bad_key) || Startup::accepts_key(octets);
}

bool FaultyStartup::accepts_revision(std::uint8_t revision) const {
  if (revision == mpa::kRevision1 && role_ == Role::responder && deviates(closes_on_revision_one)) return false;
  return deviates(accepts_any_revision) || Startup::accepts_revision(revision);
}

bool FaultyStartup::accepts_flags(std::uint8_t flags) const {
  if ((flags & kReservedFlags) != 0 && deviates(closes_on_reserved_bits)) return false;
  return (flags & kRejectedFlag) == 0 || role_ != Role::responder || !deviates(closes_on_rejected_bit_in_request);
}

bool FaultyStartup::accepts_private_data(std::size_t octets) const {
  return deviates(accepts_long_private_data) || Startup::accepts_private_data(octets);
}

Conclusion FaultyStartup::conclude(const mpa::EnhancedData& reply) const {
  Conclusion conclusion = Startup::conclude(reply);
  if ((conclusion.error == error::kMpaInsufficientIrd && deviates(insufficient_ird_ignored)) ||
      (conclusion.error == error::kMpaNoMatchingRtr && deviates(rtr_mismatch_ignored)))
    conclusion.error.reset();
  return conclusion;
}

// ------------------------------------------------------------------------------------------------------ frames to send

Startup::Reply FaultyStartup::reply(bool rejected) {
  Reply reply = Startup::reply(rejected);
  if (reply.enhanced) {
    answer_wrongly(*reply.enhanced);
    if (deviates(reply_revision_one)) reply.frame.revision = mpa::kRevision1;
    if (deviates(reply_not_enhanced) || deviates(reply_revision_one)) reply.enhanced.reset();
  } else if (deviates(reply_enhanced_unasked)) {
    reply.enhanced = mpa::EnhancedData{.ird = agreement_.depths.ird, .ord = agreement_.depths.ord};
  }
  reply.frame.enhanced = reply.enhanced.has_value();
  if (reply.frame.revision == 0) reply.frame.revision = mpa::kRevision1;  // without a request
  return reply;
}

void FaultyStartup::answer_wrongly(mpa::EnhancedData& answer) {
  if (deviates(enhanced_ord_above_ird)) answer.ord = static_cast<std::uint16_t>(peer_enhanced_->ird + 1);
  if (deviates(enhanced_ird_zero)) answer.ird = agreement_.depths.ird = 0;
  if (!deviates(enhanced_3fff_answered)) return;
  if (answer.ird == mpa::kNoNegotiation) answer.ird = agreement_.depths.ird;
  if (answer.ord == mpa::kNoNegotiation) answer.ord = agreement_.depths.ord;
}

OctetBuffer FaultyStartup::encode(const mpa::StartFrame& frame, const std::optional<mpa::EnhancedData>& enhanced,
                                  Octets private_data) const {
  std::optional<mpa::EnhancedData> faulty = enhanced;
  if (faulty) apply_faults(deviations_, *faulty);
  return Startup::encode(frame, faulty, private_data);
}

OctetBuffer FaultyStartup::encode(mpa::StartFrame frame, OctetBuffer private_data) const {
  if (frame.enhanced && deviates(enhanced_little_endian))
    std::reverse(private_data.begin(), private_data.begin() + mpa::layout::kEnhanced);
  apply_faults(deviations_, frame, private_data);
  return mpa::encode_start_frame(frame);
}

}  // namespace wirelaw::rdmap
