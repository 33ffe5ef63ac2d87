// SPDX-License-Identifier: Apache-2.0
#include "fuzz/rdmap_side.h"

#include <algorithm>

#include "fuzz/target.h"

namespace wirelaw::fuzz {
namespace {

namespace settings = corpora::rdmap_settings;
using corpora::RdmapAction;

rdmap::Options options_of(Role role, Octets octets) {
  const auto has = [&](Octet bit) { return (octets[0] & bit) != 0; };
  rdmap::Options options;
  options.enhanced = has(settings::kEnhanced);
  options.revision = options.enhanced || has(settings::kRevision2) ? mpa::kRevision2 : mpa::kRevision1;
  options.peer_to_peer = options.enhanced && has(settings::kPeerToPeer);
  options.markers = has(settings::kMarkers);
  options.crc = has(settings::kCrc);
  options.extensions = has(settings::kExtensions);
  options.rtr_send = !has(settings::kNoRtrSend);
  options.rtr_write = !has(settings::kNoRtrWrite);
  // The judge warns of a responder that serves no Reads to an initiator that requests them (RDMAP/A-51).
  options.ird = std::max<std::uint16_t>(octets[1] >> 4, role == Role::responder ? 1 : 0);
  options.ord = octets[1] & 15;
  options.mulpdu = mpa::kMinMulpdu + std::size_t{octets[2]} * 64;
  options.output_octets = 4096;
  options.max_work = 64;
  options.max_receives = 64;
  return options;
}

constexpr rdmap::Access kAccess[] = {{.read = true, .write = true, .atomic = true}, {.read = true}, {.write = true}};

}  // namespace

RdmapSide::RdmapSide(Role role, Octets settings, std::uint64_t seed, Instant patience)
    : options_(options_of(role, settings)), buffers_(seed) {
  options_.startup_timeout = patience;
  endpoint_ = std::make_unique<rdmap::Endpoint>(role, options_, buffers_);
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    memory_[i].assign(kRdmapBuffer, static_cast<Octet>(i));
    stags_[i] = *endpoint_->register_buffer(memory_[i], kRdmapBase, kAccess[i]);
  }
  for (int i = 0; i < 4; ++i) static_cast<void>(endpoint_->post_receive(kRdmapReceive));
}

// A step may ask for anything, so the result of a call that fails is ignored.
void RdmapSide::act(Octets step) {
  Reader reader(step);
  const auto action = static_cast<RdmapAction>(reader.octet() % corpora::kRdmapActions);
  const std::size_t octets = reader.little_endian<std::uint16_t>() % 2048;
  const auto stag = reader.little_endian<std::uint32_t>();
  const auto to = reader.little_endian<std::uint64_t>();
  const rdmap::BufferAt local{this->stag(octets), kRdmapBase};
  const rdmap::BufferAt remote{stag, to};
  switch (action) {
    case RdmapAction::accept:
      static_cast<void>(endpoint_->accept(OctetBuffer(octets % 520, 0x61)));
      break;
    case RdmapAction::reject:
      static_cast<void>(endpoint_->reject(OctetBuffer(octets % 520, 0x62)));
      break;
    case RdmapAction::receive:
      static_cast<void>(endpoint_->post_receive(octets));
      break;
    case RdmapAction::send:
      static_cast<void>(endpoint_->post_send(OctetBuffer(octets, 0x63), rdmap::SendForm::plain));
      break;
    case RdmapAction::send_invalidate:
      static_cast<void>(endpoint_->post_send(OctetBuffer(octets, 0x64), rdmap::SendForm::solicited_invalidate, stag));
      break;
    case RdmapAction::write:
      static_cast<void>(endpoint_->post_write(Octets(memory_[0]).first(std::min(octets, kRdmapBuffer)), remote));
      break;
    case RdmapAction::read:
      static_cast<void>(endpoint_->post_read(local, remote, static_cast<std::uint32_t>(octets % kRdmapBuffer)));
      break;
    case RdmapAction::fetch_add:
      // The upper layer aligns the target (RFC 7306, 5.1.1).
      static_cast<void>(endpoint_->post_fetch_add({remote.stag, remote.to & ~std::uint64_t{7}}, octets));
      break;
    case RdmapAction::immediate:
      static_cast<void>(endpoint_->post_immediate(to, octets % 2 == 0));
      break;
    case RdmapAction::invalidate:
      endpoint_->invalidate(local.stag);
      break;
    case RdmapAction::terminate:
      endpoint_->terminate();
      break;
    case RdmapAction::close:
      endpoint_->close();
      break;
  }
}

void RdmapSide::settle() {
  require(endpoint_->memory() <= kRdmapMostMemory, "an endpoint keeps to its memory");
  for (rdmap::Event event; endpoint_->next_event(event);) {
    require(!over_, "nothing is reported after the end");
    if (const auto* const done = std::get_if<rdmap::Completed>(&event)) {
      require(done->id > last_completed_, "operations complete in the order of posting (RFC 5040, 5.5, rule 15)");
      last_completed_ = done->id;
      if (done->ok) ++completed_;
    } else if (const auto* const received = std::get_if<rdmap::Received>(&event)) {
      require(received->id > last_received_, "receives are consumed in the order of posting");
      last_received_ = received->id;
      ++received_;
    } else if (std::holds_alternative<rdmap::Closed>(event)) {
      over_ = true;
    }
  }
}

}  // namespace wirelaw::fuzz
