// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/exchange.h"

namespace wirelaw::efa {
namespace {

// Of one exchange with its places in the list and the index, without what its coverage holds.
constexpr std::size_t kOctetsOfOne = sizeof(Exchange) + 3 * 48;

}  // namespace

Exchange& Exchanges::begin(const Exchange& exchange) {
  if (exchanges_.size() >= kMost) drop_oldest();
  Exchange& one = exchanges_.emplace_back(exchange);
  one.delivery_complete = one.request->delivery_complete;
  one.latest = one.begun;
  if (one.msg_id) index_[key(Kind::message, one.requester, *one.msg_id)] = &one;
  if (one.send_id) index_[key(Kind::send, one.source(), *one.send_id)] = &one;
  if (one.recv_id) index_[key(Kind::receive, one.sink(), *one.recv_id)] = &one;
  return one;
}

void Exchanges::set_send_id(Exchange& exchange, std::uint32_t id) {
  unlist(Kind::send, exchange.source(), exchange.send_id, exchange);
  exchange.send_id = id;
  index_[key(Kind::send, exchange.source(), id)] = &exchange;
}

void Exchanges::set_recv_id(Exchange& exchange, std::uint32_t id) {
  unlist(Kind::receive, exchange.sink(), exchange.recv_id, exchange);
  exchange.recv_id = id;
  index_[key(Kind::receive, exchange.sink(), id)] = &exchange;
}

void Exchanges::unlist(Kind kind, Side side, std::optional<std::uint32_t> id, const Exchange& exchange) {
  if (!id) return;
  const auto found = index_.find(key(kind, side, *id));
  if (found != index_.end() && found->second == &exchange) index_.erase(found);
}

void Exchanges::drop_oldest() {
  const Exchange& oldest = exchanges_.front();
  if (oldest.expects_more()) forgotten_ = true;
  unlist(Kind::message, oldest.requester, oldest.msg_id, oldest);
  unlist(Kind::send, oldest.source(), oldest.send_id, oldest);
  unlist(Kind::receive, oldest.sink(), oldest.recv_id, oldest);
  exchanges_.pop_front();
}

std::size_t Exchanges::memory() const {
  std::size_t sum = exchanges_.size() * kOctetsOfOne;
  for (const Exchange& one : exchanges_) sum += one.data.memory();
  return sum;
}

void Exchanges::keep_within(std::size_t octets) {
  while (!exchanges_.empty() && memory() > octets) drop_oldest();
}

}  // namespace wirelaw::efa
