// SPDX-License-Identifier: Apache-2.0
// RFC 6581, section 9.2: the flags A, B, C and D. The indication that they select is judged in ready_to_receive.cc.
#include <fmt/format.h>

#include "conformance/rdmap/ece/9.2-peer-to-peer/rules.h"
#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/tracker/startup_facts.h"

namespace wirelaw::rdmap {
namespace {

auto kinds(const mpa::EnhancedData& data) {
  return actual([data] {
    return fmt::format("A={:d} B={:d} C={:d} D={:d}", data.peer_to_peer, data.rtr_send, data.rtr_write, data.rtr_read);
  });
}

}  // namespace

void check_flags_without_peer_to_peer(Judge& judge, const mpa::StartFrame& frame) {
  const auto data = frame.enhanced_data();
  if (!data) return;
  const bool request = frame.kind() == mpa::FrameKind::request;
  if (!data->peer_to_peer)
    judge.require(request ? rule<"ECE-9.2-1"> : rule<"ECE-9.2-2">, !offers_a_kind(*data), field::kEnhanced,
                  expected("B=0 C=0 D=0"), kinds(*data));
  else if (request)
    judge.advise(rule<"ECE-9.2-3">, offers_a_kind(*data), field::kEnhanced, expected("one of B, C and D"),
                 kinds(*data));
}

void check_peer_to_peer(Judge& judge, const mpa::EnhancedData& request, const mpa::EnhancedData& reply) {
  if (request.peer_to_peer) {
    if (judge.require(rule<"ECE-9.2-4">, reply.peer_to_peer, field::kEnhanced, expected("A=1"), kinds(reply)))
      judge.require(rule<"ECE-9.2-7">, offers_a_kind(reply), field::kEnhanced, expected("one of B, C and D"),
                    kinds(reply));
  } else {
    judge.require(rule<"ECE-9.2-5">, !reply.peer_to_peer, field::kEnhanced, expected("A=0"), kinds(reply));
  }
}

}  // namespace wirelaw::rdmap
