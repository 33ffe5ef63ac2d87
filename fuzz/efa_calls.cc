// SPDX-License-Identifier: Apache-2.0
#include "fuzz/efa_calls.h"

#include <algorithm>
#include <array>

#include "fuzz/target.h"

namespace wirelaw::fuzz {
namespace {

using corpora::EfaStep;
using efa::Completion;
using efa::Transfer;

// The subprotocol that a call requires; most calls leave the choice to the endpoint.
constexpr std::array<std::optional<Transfer>, 8> kTransfers{
    std::nullopt,     std::nullopt,       std::nullopt,        Transfer::eager,
    Transfer::medium, Transfer::long_cts, Transfer::long_read, Transfer::runting_read};

constexpr std::size_t kMostReceive = 4096;
constexpr std::uint64_t kSeed = 0x9e3779b97f4a7c15;

// The message of this length, as part of a sequence that is made once: generating each would take most of a run.
Octets sent(std::size_t length) {
  constexpr std::size_t kApart = 31, kLongest = 0xffff;  // messages of different lengths begin at different offsets
  static const OctetBuffer kOctets = [] {
    OctetBuffer octets(kLongest * (kApart + 1));
    for (std::size_t i = 0; i < octets.size(); ++i) octets[i] = static_cast<Octet>(i * kSeed >> 56);
    return octets;
  }();
  require(length <= kLongest, "a step asks for messages of at most 65,535 octets");
  return Octets(kOctets).subspan(length * kApart, length);
}

}  // namespace

OctetBuffer EfaCalls::message(std::size_t length) {
  const Octets octets = sent(length);
  return {octets.begin(), octets.end()};
}

bool EfaCalls::is_message(Octets octets) {
  return std::ranges::equal(octets, sent(octets.size()));
}

void EfaCalls::note(efa::OperationId id, Completion::Kind kind, std::uint64_t length) {
  require(calls_.try_emplace(id, Call{.kind = kind, .length = length}).second, "calls are numbered one by one");
}

void EfaCalls::post_receive(const EfaStep& step, Instant now) {
  if (receives_ >= kMostCalls) return;
  ++receives_;
  efa::ReceiveCall call{.octets = step.amount % kMostReceive};
  if ((step.relative & 2) != 0) call.tag = efa::ReceiveCall::TagMatch{.tag = step.own % 4u, .ignore = step.spare % 4u};
  if ((step.relative & 4) != 0) call.from = peer_;
  const std::size_t octets = call.octets;
  note(endpoint_.post_receive(std::move(call), now), Completion::Kind::receive, octets);
}

void EfaCalls::call(const EfaStep& step, Instant now) {
  if (calls_.size() >= kMostCalls) return;
  const auto transfer = kTransfers[step.own % kTransfers.size()];
  const bool complete = (step.headers & 8) != 0, direct = (step.headers & 16) != 0;
  const auto cq_data =
      (step.headers & 2) != 0 ? std::optional<std::uint64_t>(step.spare) : std::optional<std::uint64_t>();
  efa::RmaIov target = target_;
  target.len = step.length % (target_.len + 1);
  switch (step.type % 5u) {
    case 0:
      return post_receive(step, now);
    case 1: {
      efa::SendCall call{
          .data = message(step.length), .cq_data = cq_data, .delivery_complete = complete, .transfer = transfer};
      if ((step.headers & 1) != 0) call.tag = step.spare % 4u;
      return note(endpoint_.send(peer_, std::move(call), now), Completion::Kind::send, step.length);
    }
    case 2:
      return note(endpoint_.write(peer_,
                                  {.data = message(target.len),
                                   .to = {target},
                                   .cq_data = cq_data,
                                   .delivery_complete = complete,
                                   .transfer = transfer,
                                   .direct = direct},
                                  now),
                  Completion::Kind::write, target.len);
    case 3:
      return note(endpoint_.read(peer_, {.from = {target}, .transfer = transfer, .direct = direct}, now),
                  Completion::Kind::read, target.len);
    default: {
      efa::AtomicRequest call{
          .call = std::array{efa::AtomicCall::write, efa::AtomicCall::fetch, efa::AtomicCall::compare}[step.which % 3u],
          .op = static_cast<efa::AtomicOp>(step.offset % 20u),
          .datatype = static_cast<efa::Datatype>(step.own % 14u)};
      const auto* const type = efa::find_datatype(step.own % 14u);
      target.len = type == nullptr ? 8 : type->octets;
      call.operand = message(target.len);
      call.compare = message(target.len);
      call.on = {target};
      call.delivery_complete = complete;
      return note(endpoint_.atomic(peer_, std::move(call), now), Completion::Kind::atomic, target.len);
    }
  }
}

void EfaCalls::settle() {
  for (Completion completion; endpoint_.next_completion(completion);) {
    if (completion.kind == Completion::Kind::remote_write) continue;
    const auto found = calls_.find(completion.id);
    require(found != calls_.end(), "a completion belongs to a call");
    require(found->second.kind == completion.kind, "a completion is of the kind of its call");
    require(++found->second.completions == 1, "a call has one completion");
    if (completion.kind == Completion::Kind::receive)
      require(completion.data.size() <= found->second.length, "a receive gets no more than its buffer holds");
    if (completion.kind == Completion::Kind::read && completion.status == efa::Status::ok)
      require(completion.data.size() == found->second.length, "a read gets what it has asked for");
  }
}

void EfaCalls::require_all_done() const {
  for (const auto& [id, call] : calls_)
    if (call.kind != Completion::Kind::receive) require(call.completions == 1, "each call has a completion");
}

}  // namespace wirelaw::fuzz
