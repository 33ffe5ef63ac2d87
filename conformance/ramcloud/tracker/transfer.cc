// SPDX-License-Identifier: Apache-2.0
#include "conformance/ramcloud/tracker/transfer.h"

namespace wirelaw::ramcloud {

namespace {

// Three consecutive fragments numbered 0, 0x0100 and 0x0200 of a total that ends in a zero octet are fragments 0, 1 and
// 2 of a small total in network order. (A sender that really skips 255 fragments twice does not exist.) Empty if this
// fragment cannot show it.
std::optional<bool> is_in_network_order(const Header& header, const FragmentSet& before) {
  constexpr std::uint16_t kSecond = 0x0100, kThird = 0x0200;
  const bool is_shown = header.frag_number == kThird && header.total_frags > kThird &&
                        __builtin_bswap16(header.total_frags) <= 0xff && before.count() == 2 && before.contains(0) &&
                        before.contains(kSecond);
  if (!is_shown && header.frag_number != 2) return std::nullopt;
  return is_shown;
}

}  // namespace

void Transfer::clear() {
  state_ = State::unseen;
  ack_requested_ = is_repeated_ = false;
  total_frags_ = 0;
  reported_.clear();
  fragments_.clear();
  fingerprints_.clear();
}

FragmentFact Transfer::add(const Packet& packet, bool is_cut) {
  const Header& header = packet.header;
  const bool is_dropped = header.flags.please_drop;  // the receiver ignores the packet
  FragmentFact fact;
  if (header.total_frags == 0) {
    if (!is_dropped) happen(Event::total_missing);
    return fact;
  }
  if (has_started()) fact.total_before = total_frags_;
  if (has_started() && header.total_frags != total_frags_) {
    if (!is_dropped) happen(Event::total_changed);
    return fact;
  }
  if (!has_started()) happen(Event::fragment);
  total_frags_ = header.total_frags;
  ack_requested_ = ack_requested_ || header.flags.request_ack;
  if (is_dropped) return fact;
  if (header.frag_number >= total_frags_) {
    fragments_.insert(header.frag_number);  // a receiver may report it (RAMCLOUD/R41)
    return fact;
  }
  fact.is_in_network_order = is_in_network_order(header, fragments_);
  if (fact.is_in_network_order == true) happen(Event::total_changed);
  if (!is_cut) {
    const std::uint32_t now = fingerprint(packet.payload);
    const std::uint32_t before = fingerprints_.exchange(header.frag_number, now);
    if (before != 0) fact.is_same_data = before == now;
  }
  if (!fragments_.insert(header.frag_number)) is_repeated_ = true;
  return fact;
}

std::optional<AckFact> Transfer::acknowledge(const Packet& packet) {
  if (state_ == State::perhaps_old || (has_started() && !is_sound())) return std::nullopt;
  AckFact fact{.ack = decode_ack(packet.payload), .is_requested = ack_requested_};
  if (!has_started()) return fact;
  fact.total = total_frags_;
  if (!fact.ack) return fact;
  compare(fact);
  if (fact.ack->first_missing_frag > total_frags_) return fact;
  fact.is_compared = !reported_.empty();
  fact.contradicted = reported_.add(*fact.ack);
  return fact;
}

void Transfer::compare(AckFact& fact) const {
  fact.sent_in_order = fragments_.prefix();
  fact.sent = fragments_.count();
  std::uint32_t reportable = 0;
  for (std::uint16_t number = 0; number <= kStagingBits; ++number) reportable += fragments_.contains(number) ? 1 : 0;
  fact.is_reportable = reportable == fact.sent;
  const auto is_sent = [&](std::uint32_t number) {
    return number <= 0xffff && fragments_.contains(static_cast<std::uint16_t>(number));
  };
  const std::uint32_t first = fact.ack->first_missing_frag + 1u;  // the fragment of bit 0
  for (std::uint32_t bits = fact.ack->staging_vector; bits != 0; bits &= bits - 1) {
    const auto bit = static_cast<unsigned>(__builtin_ctz(bits));
    if (is_sent(first + bit)) continue;
    fact.not_sent |= 1u << bit;
    if (is_sent(first + bit - 1)) fact.sent_below |= 1u << bit;
  }
}

}  // namespace wirelaw::ramcloud
