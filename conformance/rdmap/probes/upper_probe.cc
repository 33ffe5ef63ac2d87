// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/probes/upper_probe.h"

#include <algorithm>
#include <utility>

#include "conformance/settling.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::uint64_t kStags = 0x57495245;  // any seed: STags need only differ

}  // namespace

const OfferKind<MemoryDevice> kMemoryDevice{};

UpperProbe::UpperProbe(CaseRun& run, Role role, const Options& options)
    : CaseProbe(run),
      role_(role),
      options_(options),
      buffers_(kStags),
      endpoint_(std::in_place, role, options, buffers_) {}

std::optional<OctetBuffer> UpperProbe::begin(Octets private_data) {
  if (!ok()) return std::nullopt;
  const Instant deadline = in(run().answer_time());
  std::optional<OctetBuffer> received;
  if (role_ == Role::initiator) {
    endpoint_->connected(now(), private_data);
    if (auto established = await<Established>(deadline)) received = std::move(established->private_data);
  } else {
    // The peer connects when it does, and begins: from then on there is a conversation, and its timer of the start-up.
    auto octets = first_octets_.empty() ? receive_octets(deadline) : std::optional(std::exchange(first_octets_, {}));
    if (octets) {
      endpoint_->connected(now());
      endpoint_->receive(*octets, now());
      if (auto request = await<ConnectionRequest>(deadline)) received = std::move(request->private_data);
    }
  }
  if (!received) inconclusive("no connection: MPA was not started");
  if (role_ == Role::initiator) settle();
  return received;
}

bool UpperProbe::take_another(Instant deadline) {
  if (!ok()) return false;
  auto another = run().connect();
  if (!another) return false;
  auto octets = (*another)->receive(deadline);
  if (!octets || !*octets) return false;
  first_octets_ = std::move(**octets);
  replace(std::move(*another));
  endpoint_.emplace(role_, options_, buffers_);
  sent_ = seen_ = Ending::none;
  return true;
}

tl::expected<BufferAt, RegisterError> UpperProbe::lend(OctetBuffer& memory, std::uint64_t base, Access access) {
  if (MemoryDevice* const device = transport().offers().find(kMemoryDevice)) endpoint_->lend_by(*device);
  return endpoint_->lend(memory, base, access);
}

// Keeps messages that come meanwhile. A peer that initiates sends first, as soon as it can.
void UpperProbe::settle() {
  const auto time = settling_time(run());
  if (time == time.zero()) return;
  const Instant until = in(time);
  while (ok() && pump(until)) {
  }
}

void UpperProbe::flush() {
  if (!packs_) send_due();
}

void UpperProbe::pack(bool packs) {
  packs_ = packs;
  flush();
}

void UpperProbe::send_due() {
  OctetBuffer segment;
  const auto send_segment = [&] {
    if (!segment.empty()) send_octets(std::exchange(segment, {}));
  };
  for (OctetBuffer fpdu; ok() && endpoint_->next_octets(fpdu);) {
    if (!packs_ || segment.size() + fpdu.size() > options_.emss) send_segment();
    segment.insert(segment.end(), fpdu.begin(), fpdu.end());
  }
  if (ok()) send_segment();
  if (!ok() || endpoint_->ending() == sent_) return;
  sent_ = endpoint_->ending();
  transport().end(sent_);
}

// Returns true if there was any progress.
bool UpperProbe::pump(Instant deadline) {
  send_due();
  const Instant due = std::min(deadline, endpoint_->deadline().value_or(deadline));
  const auto octets = receive_octets(due);
  if (!ok()) return false;
  if (octets) {
    endpoint_->receive(*octets, now());
    flush();
    return true;
  }
  if (const Ending how = transport().ending(); how != seen_) {
    seen_ = how;
    endpoint_->peer_ended(how, now());
    return true;
  }
  endpoint_->advance(now());
  return now() < deadline && seen_ == Ending::none;
}

std::optional<Event> UpperProbe::next_event(Instant deadline) {
  while (ok()) {
    if (Event event; endpoint_->next_event(event)) {
      flush();
      return event;
    }
    if (!pump(deadline)) {
      if (Event event; endpoint_->next_event(event)) return event;
      return std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace wirelaw::rdmap
