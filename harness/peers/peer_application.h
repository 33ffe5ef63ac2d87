// SPDX-License-Identifier: Apache-2.0
// The application above a reference peer: the contract of --application (conformance/case.h) on the responder's side,
// and what initiators ask of it.
#pragma once

#include <cstdint>

#include "conformance/case.h"
#include "reference/octets/octets.h"

namespace wirelaw {

class PeerApplication {
 public:
  explicit PeerApplication(Service which) : which_(which) {}

  // False: the protocol decides what it answers, and no case can foresee it.
  bool answers() const { return which_ != Service::none; }
  OctetBuffer answer_to(OctetBuffer&& request);

 private:
  Service which_;
  std::uint32_t count_ = 0;  // requests that ask for it
};

// The octets of request `number`, which differ from request to request and from packet to packet.
OctetBuffer distinct_octets(std::uint64_t number, std::size_t count);

}  // namespace wirelaw
