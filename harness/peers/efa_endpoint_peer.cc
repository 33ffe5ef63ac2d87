// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/efa_endpoint_peer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/peers/efa/application_calls.h"
#include "harness/peers/efa/waiting_application.h"
#include "harness/peers/efa_faulty_application.h"
#include "reference/efa/make_endpoint.h"
#include "reference/efa/offered_region.h"

namespace wirelaw::efa {
namespace {

RdmaRange range_of(const RmaIov& iov) {
  return {.addr = iov.addr, .len = iov.len, .key = iov.key};
}

RmaIov iov_of(const RdmaRange& range) {
  return {.addr = range.addr, .len = range.len, .key = range.key};
}

// Returns a region with offered_octet() at each offset. It repeats after 65536 octets.
OctetBuffer region_of(std::size_t octets) {
  static const OctetBuffer kBeginning = [] {
    OctetBuffer some(65'536);
    for (std::size_t i = 0; i < some.size(); ++i) some[i] = offered_octet(i);
    return some;
  }();
  OctetBuffer region;
  region.reserve(octets);
  while (region.size() < octets)
    region.insert(
        region.end(), kBeginning.begin(),
        kBeginning.begin() + static_cast<std::ptrdiff_t>(std::min(kBeginning.size(), octets - region.size())));
  return region;
}

}  // namespace

void EndpointPeer::located(const Location& here) {
  RawAddress& own = setup_.options.address;
  own.gid = here.endpoint.address.as_ipv6();
  own.qpn = static_cast<std::uint16_t>(here.endpoint.port);  // all that a raw address has room for
  if (here.qkey) own.connid = *here.qkey;
  if (here.packet_octets) setup_.options.mtu = std::min(setup_.options.mtu, *here.packet_octets);
}

Endpoint& EndpointPeer::endpoint() {
  if (endpoint_) return *endpoint_;
  Options options = setup_.options;
  options.mtu = device_faults_.mtu(options.mtu);
  endpoint_ = make_endpoint(options, seed_, setup_.deviations);
  OctetBuffer region = region_of(static_cast<std::size_t>(setup_.offered.len));
  offered_ = setup_.offered;
  if (registrar_) {
    endpoint_->register_with(*registrar_);
    offered_ = endpoint_->memory().add(std::move(region), Access::read_write);
  } else {
    endpoint_->memory().add(std::move(region), Access::read_write, offered_.addr, offered_.key);
  }
  if (!has_own_application_) return *endpoint_;
  for (const bool tagged : {false, true}) want_receives(tagged, kReceives, now_);
  return *endpoint_;
}

void EndpointPeer::offer(Offers& offers, std::optional<PeerId> far, VirtualTime& time) {
  const auto ask = [this, far, &time, made = std::shared_ptr<fabric::Application>()]() mutable {
    if (!made) made = std::make_shared<WaitingApplication>(time, application(far.value_or(0)));
    return made.get();
  };
  offers.add<fabric::Application>(fabric::kApplication, ask);
}

std::unique_ptr<control::Calls> EndpointPeer::calls(NumberOf number_of) {
  return std::make_unique<ApplicationCalls>([this, number_of = std::move(number_of)](const RawAddress& far) {
    return &application(number_of({pcap::Address::ipv6(far.gid.data()), far.qpn}));
  });
}

fabric::Application& EndpointPeer::application(PeerId far) {
  if (driver_) return *driver_;
  has_own_application_ = false;
  endpoint_.reset();  // with the receives that its own application has posted
  post_at_.reset();
  wanted_ = {};
  driver_ =
      make_application(endpoint(), {.options = setup_.options, .seed = seed_, .mtu = setup_.options.mtu, .far = far},
                       setup_.faults, setup_.deviations);
  return *driver_;
}

void EndpointPeer::come_to(Instant now) {
  now_ = now;
  if (driver_) driver_->at = now;
}

void EndpointPeer::want_receives(bool tagged, std::size_t count, Instant now) {
  wanted_[tagged ? 1 : 0] += count;
  if (!setup_.late_receives) return post_receives(now);
  if (!post_at_) post_at_ = now + kLateness;
}

void EndpointPeer::post_receives(Instant now) {
  post_at_.reset();
  for (const bool tagged : {false, true}) {
    ReceiveCall call{.octets = setup_.receive_octets};
    if (tagged) call.tag = {.tag = setup_.tag.value_or(0), .ignore = setup_.tag ? 0 : ~std::uint64_t{0}};
    for (std::size_t& left = wanted_[tagged ? 1 : 0]; left > 0; --left) endpoint_->post_receive(call, now);
  }
}

bool EndpointPeer::take_completions(Instant now) {
  bool any = false;
  for (Completion completion; endpoint().next_completion(completion); completion = {}) {
    any = true;
    if (driver_) {
      driver_->on(completion);
      continue;
    }
    if (completion.kind == Completion::Kind::receive) want_receives(completion.tag.has_value(), 1, now);
    on(completion, now);
  }
  return any;
}

// Continues while there are completions, since a new call may complete immediately.
void EndpointPeer::proceed(Instant now) {
  come_to(now);
  take_completions(now);
  do moved(now);
  while (take_completions(now));
}

void EndpointPeer::receive(PeerId from, Octets octets, Instant now) {
  come_to(now);
  if (driver_ && (driver_->closed() || !driver_->accepts(octets))) return;
  endpoint().receive(from, octets, now);
  proceed(now);
  if (driver_) driver_->accepted(octets);
}

void EndpointPeer::advance(Instant now) {
  come_to(now);
  endpoint().advance(now);
  if (post_at_ && now >= *post_at_) post_receives(now);
  proceed(now);
}

std::optional<Instant> EndpointPeer::deadline() const {
  const auto due = endpoint_ ? endpoint_->deadline() : std::nullopt;
  return due && post_at_ ? std::min(*due, *post_at_) : post_at_ ? post_at_ : due;
}

// A send completes with its last packet. The peer then continues.
bool EndpointPeer::next_datagram(Outgoing& out) {
  if (!endpoint_) return false;
  if (next_of_endpoint(out)) return true;
  proceed(now_);
  return next_of_endpoint(out);
}

bool EndpointPeer::next_of_endpoint(Outgoing& out) {
  return driver_ ? driver_->next_datagram(out) : endpoint_->next_datagram(out);
}

// --------------------------------------------------------------------------------------------------------------- RDMA

bool EndpointPeer::next_rdma(RdmaRequest& out) {
  RdmaWork work;
  if (!endpoint_ || !endpoint_->next_rdma(work)) return false;
  out = {.kind = work.kind == RdmaWork::Kind::read ? RdmaRequest::Kind::read : RdmaRequest::Kind::write,
         .id = work.id,
         .peer = work.peer,
         .remote = range_of(work.remote),
         .octets = std::move(work.octets),
         .immediate = work.cq_data};
  device_faults_.alter(out);
  return true;
}

void EndpointPeer::rdma_done(std::uint64_t id, bool ok, Octets octets, Instant now) {
  come_to(now);
  endpoint().rdma_done(id, ok, device_faults_.restore(id, octets), now);
  proceed(now);
}

std::optional<Octets> EndpointPeer::rdma_read(const RdmaRange& what) {
  if (driver_) driver_->was_read();
  if (!device_faults_.exposes(what.key, offered_.key)) return std::nullopt;
  return endpoint().rdma_read(iov_of(what));
}

bool EndpointPeer::rdma_written(PeerId from, const RdmaRange& where, Octets octets,
                                std::optional<std::uint64_t> immediate, Instant now) {
  const bool taken = endpoint().rdma_written(from, iov_of(where), octets, immediate);
  proceed(now);
  return taken;
}

std::optional<RdmaRange> EndpointPeer::offered() {
  endpoint();
  return range_of(offered_);
}

void EndpointPeer::rdma_received(PeerId from, std::uint64_t octets, std::uint64_t immediate, Instant now) {
  endpoint().rdma_write_reported(from, octets, immediate);
  proceed(now);
}

std::optional<RmaIov> EndpointPeer::Device::expose(std::span<Octet> octets, Access access) {
  const auto range = registrar_.expose(octets, static_cast<RdmaAccess>(access));
  return range ? std::optional(iov_of(*range)) : std::nullopt;
}

std::string EndpointPeer::counts() const {
  if (!endpoint_) return "nothing has happened";
  std::string text = fmt::format("{} peers, {} operations under way, {} octets held for peers", endpoint_->peers(),
                                 endpoint_->operations(), endpoint_->octets_held());
  for (std::size_t i = 0; i < kDrops; ++i)
    if (const std::uint64_t count = endpoint_->dropped(Drop(i)); count > 0)
      text += fmt::format(", {} packets dropped as {}", count, to_string(Drop(i)));
  return text;
}

}  // namespace wirelaw::efa
