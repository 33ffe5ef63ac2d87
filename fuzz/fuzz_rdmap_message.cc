// SPDX-License-Identifier: Apache-2.0
// Any octets as a ULPDU: a DDP segment with an RDMAP message. Oracles: encode(decode(x)) == x for the DDP header and
// every RDMAP header, Terminate included, whatever the opcode; each decodes if and only if there are enough octets.
#include <algorithm>

#include "fuzz/scratch.h"
#include "fuzz/target.h"
#include "reference/ddp/segment.h"
#include "reference/mpa/framer.h"
#include "reference/rdmap/message.h"
#include "reference/rdmap/terminate.h"

namespace wirelaw::fuzz {
namespace {

template <class Header>
void header_round_trip(const std::optional<Header>& header, Octets payload, std::size_t octets) {
  require(header.has_value() == (payload.size() >= octets), "a header decodes where it is whole, and only there");
  if (!header) return;
  OctetBuffer& out = scratch();
  rdmap::encode(*header, out);
  require(std::ranges::equal(out, payload.first(octets)), "a header round trips");
}

void terminate_round_trip(Octets payload) {
  const auto terminate = rdmap::decode_terminate(payload);
  require(terminate.has_value() == (payload.size() >= rdmap::layout::kTerminate), "four octets are a Terminate");
  if (!terminate) return;
  OctetBuffer& out = scratch();
  rdmap::encode(*terminate, out);
  require(std::ranges::equal(out, payload), "a Terminate round trips");
  require(!terminate->length_missing || terminate->cut, "what misses its length is cut");
  require(terminate->rdma_header.empty() || terminate->rdma_header.size() == rdmap::layout::kReadRequest,
          "a terminated RDMA header is whole or absent");
  if (!terminate->cut) require(terminate->has_rdma_header == !terminate->rdma_header.empty(), "and there where R says");
  require(terminate->has_ddp_header || terminate->ddp_header.empty(), "no DDP header without D");
  if (terminate->ddp_header.empty()) {
    require(terminate->cut || !terminate->has_ddp_header, "a DDP header is there where D says");
    return;
  }
  const auto terminated = ddp::decode(terminate->ddp_header);
  require(terminated && terminated->payload.empty(), "a terminated DDP header decodes, and is nothing more");
}

void round_trip(Octets ulpdu) {
  const auto segment = ddp::decode(ulpdu);
  if (!segment) {
    require(segment.error().have == ulpdu.size() && segment.error().needed > ulpdu.size(), "a short one says so");
    require(ulpdu.size() < ddp::layout::kUntagged, "what holds either header decodes");
    return;
  }
  OctetBuffer& out = scratch();
  ddp::encode(segment->header, out);
  require(out.size() == segment->header.octets(), "a header has its length");
  out.insert(out.end(), segment->payload.begin(), segment->payload.end());
  require(std::ranges::equal(out, ulpdu), "encode(decode(x)) == x");

  const rdmap::Control control = rdmap::decode_control(segment->header.rsvd_ulp);
  require(rdmap::encode_control(control) == segment->header.rsvd_ulp, "the control field round trips");
  const rdmap::OpcodeRow* const row = rdmap::find_opcode(control.opcode);
  require(row == nullptr || control.is(row->opcode), "an opcode's row is its own");

  header_round_trip(rdmap::decode_read_request(segment->payload), segment->payload, rdmap::layout::kReadRequest);
  header_round_trip(rdmap::decode_atomic_request(segment->payload), segment->payload, rdmap::layout::kAtomicRequest);
  header_round_trip(rdmap::decode_atomic_response(segment->payload), segment->payload, rdmap::layout::kAtomicResponse);
  terminate_round_trip(segment->payload);
}

}  // namespace
}  // namespace wirelaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wirelaw;
  fuzz::round_trip(Octets(data, size).first(std::min(size, mpa::kMaxUlpdu)));
  return 0;
}
