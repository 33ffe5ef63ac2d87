// SPDX-License-Identifier: Apache-2.0
#include "conformance/ramcloud/ramcloud.h"

#include "conformance/ramcloud/decode.h"
#include "conformance/ramcloud/observer.h"

namespace wirelaw::ramcloud {
namespace {

const Catalogue& catalogue() {
  static const Catalogue kCatalogue(std::span<const RuleList>{});
  return kCatalogue;
}

std::span<const Case> cases() {
  return {};
}

}  // namespace

constinit const Protocol kProtocol{.name = "ramcloud",
                                   .title = "RAMCloud RPC",
                                   .initiator = "client",
                                   .responder = "server",
                                   .carriages = "udp",
                                   .catalogue = catalogue,
                                   .cases = cases,
                                   .observer = make_observer,
                                   .recognises = recognises,
                                   .decode = decode_for_people};

}  // namespace wirelaw::ramcloud
