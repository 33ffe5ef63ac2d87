// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/efa_device_faults.h"

namespace wirelaw::efa {
namespace {

using enum ApplicationFault;

constexpr std::size_t kBeyondMtu = 16;   // packet-beyond-mtu
constexpr std::uint64_t kTooEarly = 16;  // reads-more-than-needed

}  // namespace

std::size_t DeviceFaults::mtu(std::size_t of_device) const {
  return of_device + (faults_.has(packet_beyond_mtu) ? kBeyondMtu : 0);
}

void DeviceFaults::alter(RdmaRequest& request) {
  const bool may_be_earlier = request.kind == RdmaRequest::Kind::read && request.remote.addr >= kTooEarly;
  if (!faults_.has(reads_more_than_needed) || !may_be_earlier) return;
  request.remote.addr -= kTooEarly;
  request.remote.len += kTooEarly;
  widened_.insert(request.id);
}

Octets DeviceFaults::restore(std::uint64_t request, Octets octets) {
  return widened_.erase(request) > 0 && octets.size() >= kTooEarly ? octets.subspan(kTooEarly) : octets;
}

bool DeviceFaults::exposes(std::uint64_t key, std::uint64_t offered) const {
  return !faults_.has(source_not_registered) || key == offered;
}

}  // namespace wirelaw::efa
