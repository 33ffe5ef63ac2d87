// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 8, and RFC 6581, section 8: MPA's error codes in a Terminate with Layer 2, and the meaning of each
// for the connection.
#include <fmt/format.h>

#include <algorithm>

#include "conformance/rdmap/ece/8-error-codes/rules.h"
#include "conformance/rdmap/mpa/8-errors/rules.h"
#include "conformance/rdmap/rdmap/terminate_checks.h"

namespace wirelaw::rdmap {
bool check_llp_code(Judge& judge, const TerminateFact& fact) {
  const ErrorCode error = fact.error();
  constexpr std::uint8_t kDdpsTypeForTheLlp = 3;
  if (error.etype == kDdpsTypeForTheLlp)
    judge.advise(rule<"ECE-8-2">, false, field::kLayerAndType, expected(0), actual(error.etype),
                 "DDP's type for the LLP, as deployed adapters have it");
  else if (!judge.require(rule<"ECE-8-2">, error.etype == 0, field::kLayerAndType, expected(0), actual(error.etype)))
    return false;
  return judge.require(rule<"ECE-8-3">, error.code >= 1 && error.code <= 7, field::kErrorCode, expected("01 to 07"),
                       actual(hex(error.code)));
}

namespace {

bool have_common_kind(const mpa::EnhancedData& request, const mpa::EnhancedData& reply) {
  return (request.rtr_send && reply.rtr_send) || (request.rtr_write && reply.rtr_write) ||
         (request.rtr_read && reply.rtr_read);
}

// Checks the initiator's complaint about the Reply against the contents of both start frames (RFC 6581, 9.1 and 9.2).
// Resources that it had when it sent the Request may be gone by then.
void check_cause(Judge& judge, std::uint8_t code, const TerminatedStart::Enhanced& start) {
  const mpa::EnhancedData &request = start.request, &reply = start.reply;
  const OctetRange where = field::kErrorCode;
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

void check_llp_error(Judge& judge, const TerminateFact& fact) {
  if (!fact.start) return;
  const TerminatedStart& start = *fact.start;
  const bool is_enhanced = start.enhanced.has_value();
  const std::uint8_t code = fact.error().code;
  const OctetRange where = field::kErrorCode;
  const auto is = [code](const ErrorCode& error) { return code == error.code; };
  if (is(error::kMpaCrc))
    judge.require(rule<"MPA-8-11">, start.crc, where, expected("CRCs in use"),
                  actual("neither start frame asks for them"));
  if (is(error::kMpaMarker) && fact.is_history_known && !fact.is_any_short)
    judge.advise(rule<"MPA-8-9">, start.markers, where, expected("markers in the stream"),
                 actual("its start frame asks for none"), "and no ULPDU has ended inside its header");
  judge.advise(rule<"MPA-8-10">, !is(error::kMpaStartFrame), where, expected("no Terminate"),
               actual("one in Full Operation"), "a bad start frame ends the connection before there are FPDUs");
  const auto not_enhanced = actual("start frames without enhanced data");
  if (is(error::kMpaLocalCatastrophic))
    judge.advise(rule<"ECE-8-4">, is_enhanced, where, expected("an enhanced set-up"), not_enhanced);
  if (is(error::kMpaInsufficientIrd))
    judge.advise(rule<"ECE-8-5">, is_enhanced, where, expected("an enhanced set-up"), not_enhanced);
  if (is(error::kMpaNoMatchingRtr))
    judge.require(rule<"ECE-8-6">, is_enhanced, where, expected("an enhanced set-up"), not_enhanced);
  if (is_enhanced && start.enhanced->is_from_initiator) check_cause(judge, code, *start.enhanced);
}

}  // namespace wirelaw::rdmap
