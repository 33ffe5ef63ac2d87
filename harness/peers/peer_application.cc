// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/peer_application.h"

#include <algorithm>
#include <utility>

namespace wirelaw {

OctetBuffer PeerApplication::answer_to(OctetBuffer&& request) {
  const bool counts = which_ == Service::count && request.size() >= kCountRequest.size() &&
                      std::ranges::equal(Octets(request).first(kCountRequest.size()), kCountRequest);
  if (!counts) return std::move(request);
  OctetBuffer answer;
  Writer(answer).little_endian(++count_);
  return answer;
}

OctetBuffer distinct_octets(std::uint64_t number, std::size_t count) {
  OctetBuffer octets(count);
  for (std::size_t i = 0; i < count; ++i) octets[i] = static_cast<Octet>(number * 31 + i + (i >> 8) * 7);
  return octets;
}

}  // namespace wirelaw
