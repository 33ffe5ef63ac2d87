// SPDX-License-Identifier: Apache-2.0
// The probe for cases of a protocol above RDMAP: the reference endpoint, on the connection of the case. The endpoint
// handles all of RDMAP, DDP and MPA; the case posts work and takes events.
//
//   UpperProbe peer(run, Role::initiator, {});
//   peer.begin(private_data);
//   peer.below().post_send(octets);
//   const auto answer = peer.await<Received>(deadline);
#pragma once

#include <deque>
#include <optional>
#include <utility>
#include <variant>

#include "conformance/case_probe.h"
#include "conformance/offers.h"
#include "reference/rdmap/endpoint.h"

namespace wirelaw::rdmap {

// For a conversation over a device: the device registers the memory that the endpoint exposes.
extern const OfferKind<MemoryDevice> kMemoryDevice;

class UpperProbe : public CaseProbe {
 public:
  // `role`: the probe's role. `options`: those of the endpoint.
  UpperProbe(CaseRun& run, Role role, const Options& options);

  // Starts MPA; an initiator's private data goes with its Request. Returns the private data of the peer's start frame,
  // once a responding peer is ready. A probe as responder must then call accept(). If there is no connection, the probe
  // stops and the case is inconclusive.
  std::optional<OctetBuffer> begin(Octets private_data = {});

  // For a responder: replaces a connection that has ended with the next one that the peer opens, on which begin() then
  // works. Returns false, and changes nothing, if none has come by the deadline.
  bool take_another(Instant deadline);

  Endpoint& below() { return *endpoint_; }
  // Memory of the tester with these octets that may be lent to the peer. It outlives the endpoint.
  OctetBuffer& memory(OctetBuffer octets) { return memory_.emplace_back(std::move(octets)); }
  tl::expected<BufferAt, RegisterError> lend(OctetBuffer& memory, std::uint64_t base, Access access);
  // The next event of any kind. Sends posted work meanwhile.
  std::optional<Event> next_event(Instant deadline);
  // The next event of this kind; skips others.
  template <class Kind>
  std::optional<Kind> await(Instant deadline) {
    while (auto event = next_event(deadline))
      if (auto* const wanted = std::get_if<Kind>(&*event)) return std::move(*wanted);
    return std::nullopt;
  }
  // Sends pending FPDUs, unless FPDUs are packed.
  void flush();
  // While FPDUs are packed, they wait until the probe waits for the peer, and share TCP segments (RFC 5044, 5.1).
  void pack(bool packs);

 private:
  void send_due();
  bool pump(Instant deadline);
  void settle();

  Role role_;
  Options options_;
  std::deque<OctetBuffer> memory_;
  Buffers buffers_;
  std::optional<Endpoint> endpoint_;
  bool packs_ = false;
  OctetBuffer first_octets_;    // received on a connection that take_another() has accepted
  Ending sent_ = Ending::none;  // how the probe has ended its direction
  Ending seen_ = Ending::none;  // how the peer has ended its direction
};

}  // namespace wirelaw::rdmap
