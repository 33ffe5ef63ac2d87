// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/tracker/exchange.h"

#include <algorithm>

namespace wirelaw::efa {
namespace {

// Memory of one exchange, with its entries in the list and the index, without that of its coverage.
constexpr std::size_t kOctetsOfOne = sizeof(Exchange) + 3 * 48;

// The number of packets after which a request may still arrive later than its answer, and the number of such answers
// kept.
constexpr std::uint64_t kEarlyPackets = 256;
constexpr std::size_t kMostEarly = 64;

}  // namespace

bool Exchange::source_may_wait() const {
  if (is_done() || may_be_none()) return false;
  if (request->delivery_complete) return receipts == 0;
  switch (request->transfer) {
    case Transfer::long_read:
      return eors == 0 && !is_refused();
    case Transfer::runting_read:
      // If its packets bring all, nothing of it waits for the peer: one that is not seen yet was overtaken.
      return eors == 0 && !is_refused() && data.octets() < length && runt_length < length;
    case Transfer::long_cts:
      return data.octets() < length && granted < length;
    default:
      return false;
  }
}

bool Exchange::sink_may_wait() const {
  if (is_done() || may_be_none() || !recv_id) return false;
  if (request->purpose == Purpose::atomic) return answers == 0;
  if (request->purpose == Purpose::read && answers == 0) return true;
  return request->transfer == Transfer::long_cts && data.octets() < length;
}

Exchange& Exchanges::begin(const Exchange& exchange) {
  if (exchanges_.size() >= kMost) drop_oldest();
  Exchange& one = exchanges_.emplace_back(exchange);
  one.latest = one.begun;
  for (const auto& id : {one.send_id, one.recv_id})
    if (is_answered_early(one.requester, id, one.begun.index)) one.contradict();
  if (one.msg_id) index_[key(Kind::message, one.requester, *one.msg_id)] = &one;
  if (one.send_id) take_send_id(one);
  if (one.recv_id) take_recv_id(one);
  return one;
}

Exchange* Exchanges::answered(Kind kind, const SeenPacket& answer, std::uint32_t id) {
  const Side side = other(answer.sender());
  if (Exchange* const found = find(kind, side, id)) return found;
  if (early_.size() >= kMostEarly) early_.pop_front();
  early_.push_back({side, id, answer.mark().index});
  return nullptr;
}

bool Exchanges::is_answered_early(Side side, std::optional<std::uint32_t> id, std::uint64_t index) const {
  return std::ranges::any_of(early_, [&](const EarlyAnswer& one) {
    return one.side == side && one.id == id && index - one.index <= kEarlyPackets;
  });
}

void Exchanges::set_send_id(Exchange& exchange, std::uint32_t id) {
  if (exchange.send_id) unlist(key(Kind::send, exchange.source(), *exchange.send_id), exchange);
  exchange.send_id = id;
  if (is_answered_early(exchange.source(), id, exchange.latest.index)) exchange.contradict();
  take_send_id(exchange);
}

// The rules on free IDs judge exchanges that certainly wait. Packets of further ones may still name their ID, in any
// order: of all that are unfinished, and of those whose request was repeated. Of an exchange that has ended as far as
// is known, only what is in transit may come.
bool Exchanges::may_be_named(const Exchange& older, const Exchange& newer, bool is_receive) const {
  // All that names a receive operation is its data: the RECEIPT names the other one.
  const bool has_ended = older.is_over() || (older.goes_by_cts() && older.has_all_data() &&
                                             (is_receive || !older.request->delivery_complete || older.receipts > 0));
  if (!has_ended || older.repeated > 0 || older.given_up()) return true;
  return older.is_unsettled() && newer.latest.time_ns - older.latest.time_ns < transit_ns_;
}

void Exchanges::take(std::uint64_t key, Exchange& exchange, bool is_receive) {
  Exchange*& place = index_[key];
  if (place != nullptr && place != &exchange && may_be_named(*place, exchange, is_receive)) {
    place->contradict();
    exchange.contradict();
  }
  place = &exchange;
}

void Exchanges::take_send_id(Exchange& exchange) {
  take(key(Kind::send, exchange.source(), *exchange.send_id), exchange, false);
}

void Exchanges::set_recv_id(Exchange& exchange, std::uint32_t id) {
  if (exchange.recv_id) unlist(receive_key(exchange, *exchange.recv_id), exchange);
  exchange.recv_id = id;
  take_recv_id(exchange);
}

void Exchanges::set_recv_id_of_cts(Exchange& exchange, std::uint32_t id) {
  if (exchange.recv_id == id) return;
  if (exchange.request->purpose != Purpose::read) return set_recv_id(exchange, id);
  if (exchange.recv_id_of_cts) unlist(receive_key(exchange, *exchange.recv_id_of_cts), exchange);
  exchange.recv_id_of_cts = id;
  take(receive_key(exchange, id), exchange, true);
}

void Exchanges::take_recv_id(Exchange& exchange) {
  take(receive_key(exchange, *exchange.recv_id), exchange, true);
}

void Exchanges::unlist(std::uint64_t key, const Exchange& exchange) {
  const auto found = index_.find(key);
  if (found != index_.end() && found->second == &exchange) index_.erase(found);
}

void Exchanges::drop_oldest() {
  const Exchange& oldest = exchanges_.front();
  if (oldest.expects_more()) forgotten_ = true;
  if (oldest.msg_id) unlist(key(Kind::message, oldest.requester, *oldest.msg_id), oldest);
  if (oldest.send_id) unlist(key(Kind::send, oldest.source(), *oldest.send_id), oldest);
  if (oldest.recv_id) unlist(receive_key(oldest, *oldest.recv_id), oldest);
  if (oldest.recv_id_of_cts) unlist(receive_key(oldest, *oldest.recv_id_of_cts), oldest);
  exchanges_.pop_front();
}

void Exchanges::end_all() {
  for (Exchange& one : exchanges_) {
    if (one.msg_id) unlist(key(Kind::message, one.requester, *one.msg_id), one);
    if (!one.is_over()) one.contradict();
  }
}

std::size_t Exchanges::memory() const {
  std::size_t sum = exchanges_.size() * kOctetsOfOne;
  for (const Exchange& one : exchanges_) sum += one.data.memory();
  return sum;
}

void Exchanges::keep_within(std::size_t octets) {
  std::size_t held = memory();
  while (!exchanges_.empty() && held > octets) {
    held -= kOctetsOfOne + exchanges_.front().data.memory();
    drop_oldest();
  }
}

}  // namespace wirelaw::efa
