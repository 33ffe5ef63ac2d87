// SPDX-License-Identifier: Apache-2.0
#include "conformance/ramcloud/observer.h"

#include "reference/ramcloud/packet.h"

namespace wirelaw::ramcloud {
namespace {

class RamcloudObserver final : public Observer {
 public:
  void observe(const Message& message, Judge& judge) override { judge.at(message); }
  void finish(Judge&) override {}
  std::string partial() const override { return {}; }
  std::size_t memory() const override { return sizeof(*this); }
};

}  // namespace

std::unique_ptr<Observer> make_observer(const ObserverLimits&) {
  return std::make_unique<RamcloudObserver>();
}

bool recognises(const Message& first) {
  const auto packet = decode(first.octets);
  if (!packet || first.wire_length != layout::kHeader) return false;
  const Header& h = packet->header;
  return h.payload_type == PayloadType::session_open && h.flags == Flags{.please_drop = h.flags.please_drop} &&
         h.rpc_id == 0 && h.frag_number == 0 && h.total_frags <= 1 && h.channel_id == 0;
}

}  // namespace wirelaw::ramcloud
