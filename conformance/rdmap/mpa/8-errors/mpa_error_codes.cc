// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 8, and RFC 6581, section 8: MPA's error codes as a Terminate carries them with Layer 2, and what
// each says of the connection.
#include <fmt/format.h>

#include <algorithm>

#include "conformance/rdmap/ece/8-error-codes/rules.h"
#include "conformance/rdmap/mpa/8-errors/rules.h"
#include "conformance/rdmap/rdmap/terminate_seen.h"

namespace wirelaw::rdmap {
namespace {

// A ULPDU that ends inside its header: the length of the FPDU is at fault, and no code is given for it but this
// (RDMAP/A-55).
bool is_short(const RecentSegment& segment) {
  if (segment.header_octets < 2) return true;
  const bool tagged = (segment.header[ddp::layout::kControl] & 0x80) != 0;
  const Control control = decode_control(segment.header[ddp::layout::kRsvdUlp]);
  const OpcodeRow* const row = find_opcode(control.opcode);
  const std::size_t headers =
      (tagged ? ddp::layout::kTagged : ddp::layout::kUntagged) + (row && !tagged ? row->header_octets : 0);
  return segment.ulpdu_length < headers;
}

}  // namespace

bool judge_llp_code(Judge& judge, const TerminateSeen& seen) {
  const ErrorCode error = seen.error();
  constexpr std::uint8_t kDdpsTypeForTheLlp = 3;
  if (error.etype == kDdpsTypeForTheLlp)
    judge.advise(rule<"ECE-8-2">, false, seen.layer_and_type(), expected(0), actual(error.etype),
                 "DDP's type for the LLP, as deployed adapters have it");
  else if (!judge.require(rule<"ECE-8-2">, error.etype == 0, seen.layer_and_type(), expected(0), actual(error.etype)))
    return false;
  return judge.require(rule<"ECE-8-3">, error.code >= 1 && error.code <= 7, seen.code(), expected("01 to 07"),
                       actual(hex(error.code)));
}

namespace {

bool have_common_kind(const mpa::EnhancedData& request, const mpa::EnhancedData& reply) {
  return (request.rtr_send && reply.rtr_send) || (request.rtr_write && reply.rtr_write) ||
         (request.rtr_read && reply.rtr_read);
}

// What the initiator reports of the Reply, against what both start frames say (RFC 6581, 9.1 and 9.2). It may have lost
// since what it had when it sent the Request.
void judge_cause(Judge& judge, std::uint8_t code, OctetRange where, const Agreed& agreed) {
  const mpa::EnhancedData &request = *agreed.request, &reply = *agreed.reply;
  if (code == error::kMpaInsufficientIrd.code && request.ird != mpa::kNoNegotiation && reply.ord != mpa::kNoNegotiation)
    judge.advise(rule<"ECE-8-5">, reply.ord > request.ird, where,
                 expected([&] { return fmt::format("a Reply with an ORD above {}", request.ird); }), actual(reply.ord),
                 "the IRD of the Request is enough for it");
  if (code == error::kMpaNoMatchingRtr.code && request.peer_to_peer && reply.peer_to_peer)
    judge.advise(rule<"ECE-8-6">, !have_common_kind(request, reply), where,
                 expected("a Reply that offers no kind of the Request"), actual("one that does"),
                 "the initiator can generate what it has named");
}

}  // namespace

void judge_llp_error(Judge& judge, const TerminateSeen& seen) {
  const Agreed& agreed = seen.seen.connection.agreement;
  if (!agreed.is_accepted()) return;
  const std::uint8_t code = seen.error().code;
  const OctetRange where = seen.code();
  const auto is = [code](const ErrorCode& error) { return code == error.code; };
  // Markers are in what the other side sends.
  const bool markers = agreed.markers[seen.seen.to.side == Side::a ? 0 : 1];
  if (is(error::kMpaCrc))
    judge.require(rule<"MPA-8-11">, agreed.crc, where, expected("CRCs in use"),
                  actual("neither start frame asks for them"));
  if (is(error::kMpaMarker) && seen.history && std::ranges::none_of(seen.seen.to.recent.in_any_order(), is_short))
    judge.advise(rule<"MPA-8-9">, markers, where, expected("markers in the stream"),
                 actual("its start frame asks for none"), "and no ULPDU has ended inside its header");
  judge.advise(rule<"MPA-8-10">, !is(error::kMpaStartFrame), where, expected("no Terminate"),
               actual("one in Full Operation"), "a bad start frame ends the connection before there are FPDUs");
  const auto not_enhanced = actual("start frames without enhanced data");
  if (is(error::kMpaLocalCatastrophic))
    judge.advise(rule<"ECE-8-4">, agreed.enhanced(), where, expected("an enhanced set-up"), not_enhanced);
  if (is(error::kMpaInsufficientIrd))
    judge.advise(rule<"ECE-8-5">, agreed.enhanced(), where, expected("an enhanced set-up"), not_enhanced);
  if (is(error::kMpaNoMatchingRtr))
    judge.require(rule<"ECE-8-6">, agreed.enhanced(), where, expected("an enhanced set-up"), not_enhanced);
  if (agreed.enhanced() && seen.seen.from.side == agreed.initiator) judge_cause(judge, code, where, agreed);
}

}  // namespace wirelaw::rdmap
