// SPDX-License-Identifier: Apache-2.0
#include "reference/rdmap/negotiation.h"

#include <algorithm>

namespace wirelaw::rdmap {
namespace {

constexpr std::uint16_t kMaxDepth = mpa::kNoNegotiation - 1;

// In order of preference: a Write needs nothing at the responder, a Read a slot, a Send a receive.
Rtr choose(const mpa::EnhancedData& reply, const Options& options) {
  if (reply.rtr_write && options.rtr_write) return Rtr::write;
  if (reply.rtr_read && options.rtr_read) return Rtr::read;
  if (reply.rtr_send && options.rtr_send) return Rtr::send;
  return Rtr::none;
}

}  // namespace

Depths depths_of(const Options& options) {
  return {std::min(options.ird, kMaxDepth), std::min(options.ord, kMaxDepth)};
}

mpa::EnhancedData offer(const Options& options) {
  const Depths depths = depths_of(options);
  const bool asks = options.peer_to_peer;
  return {.peer_to_peer = asks,
          .rtr_send = asks && options.rtr_send,
          .ird = options.leave_depths_to_ulp ? mpa::kNoNegotiation : depths.ird,
          .rtr_write = asks && options.rtr_write,
          .rtr_read = asks && options.rtr_read,
          .ord = options.leave_depths_to_ulp ? mpa::kNoNegotiation : depths.ord};
}

Answer answer(const mpa::EnhancedData& request, const Options& options) {
  Answer answer{.data = {}, .depths = depths_of(options)};
  mpa::EnhancedData& data = answer.data;
  if (request.peer_to_peer) {
    data.peer_to_peer = true;
    data.rtr_send = request.rtr_send && options.rtr_send;
    data.rtr_write = request.rtr_write && options.rtr_write;
    data.rtr_read = request.rtr_read && options.rtr_read;
    if (!data.rtr_send && !data.rtr_write && !data.rtr_read) {  // 9.2: at least one that we support must be set
      data.rtr_send = options.rtr_send;
      data.rtr_write = options.rtr_write;
      data.rtr_read = options.rtr_read;
    }
  }
  if (request.ird != mpa::kNoNegotiation) {
    answer.enough = request.ird >= options.ord_required;
    answer.depths.ord = std::min(answer.depths.ord, request.ird);
  }
  if (request.ord != mpa::kNoNegotiation) answer.depths.ird = std::min(answer.depths.ird, request.ord);
  // A zero-length read as ready-to-receive message needs a slot, even if the initiator requests none (9.1).
  if (data.rtr_read) answer.depths.ird = std::max<std::uint16_t>(answer.depths.ird, 1);
  data.ird = request.ord == mpa::kNoNegotiation ? mpa::kNoNegotiation : answer.depths.ird;
  data.ord = request.ird == mpa::kNoNegotiation ? mpa::kNoNegotiation : answer.depths.ord;
  if (!answer.enough) data.ord = std::min(options.ord_required, kMaxDepth);
  return answer;
}

Conclusion conclude(const mpa::EnhancedData& reply, const Options& options) {
  Conclusion result{.depths = depths_of(options)};
  if (reply.ird != mpa::kNoNegotiation) result.depths.ord = std::min(result.depths.ord, reply.ird);
  if (reply.ord != mpa::kNoNegotiation && reply.ord > result.depths.ird) result.error = error::kMpaInsufficientIrd;
  if (options.peer_to_peer) {
    if (reply.peer_to_peer) result.rtr = choose(reply, options);
    if (result.rtr == Rtr::none && !result.error) result.error = error::kMpaNoMatchingRtr;
  } else if (reply.peer_to_peer && !result.error) {
    result.error = error::kMpaLocalCatastrophic;  // 9.2 forbids it, and no other code fits (9.3)
  }
  return result;
}

}  // namespace wirelaw::rdmap
