// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 8, and RFC 6581, section 8: MPA's error codes as a Terminate carries them with Layer 2, and what
// each says of the connection.
#include <algorithm>

#include "conformance/rdmap/rdmap/terminate_seen.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace {

constexpr Section kMpa{"RFC 5044 8"};
constexpr Section kMpaNotJudged = kMpa.by(Observable::none);
constexpr Section kEce{"RFC 6581 8"};

constinit const Rule kCrcInUse =
    kMpa.must_not("MPA-8-11", "2/0/02, CRC mismatch, is not reported where CRCs are not in use.");
constinit const Rule kMarkersInUse =
    kMpa.must_not("MPA-8-9", "2/0/03, marker mismatch, is not reported where no markers are in the stream.",
                  "RDMAP/A-33, RDMAP/A-55: warned of, as the text has the marker in brackets.");
constinit const Rule kStartFrameCloses =
    kMpa.must("MPA-8-10", "2/0/04, invalid start frame: the connection is closed at once instead.", "RDMAP/A-34");
constinit const Rule kType = kEce.must("ECE-8-2", "MPA's errors have Layer 2 and error type 0.", "RDMAP/A-01");
constinit const Rule kCode =
    kEce.must("ECE-8-3", "MPA's error code is 01 to 04 (RFC 5044) or 05 to 07 (RFC 6581).", "RDMAP/A-01");
constinit const Rule kSetUpOnly = kEce.must(
    "ECE-8-4", "2/0/05, local catastrophic, is reported on a stream that was set up as RFC 6581 says.", "RDMAP/A-32");
constinit const Rule kIrd = kEce.must(
    "ECE-8-5", "2/0/06, insufficient IRD, is reported on a stream whose set-up settled IRD and ORD.", "RDMAP/A-32");
constinit const Rule kRtr =
    kEce.must("ECE-8-6", "2/0/07, no matching RTR, is reported on a stream whose set-up asked for one.");
constinit const Rule kConnectionLost =
    kMpaNotJudged.should("MPA-8-8", "2/0/01, connection closed or lost, is reported to DDP.",
                         "A Terminate with this code can hardly be sent; time-outs, its other cause, leave nothing in "
                         "a trace that could contradict it");

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

SectionRules mpa_error_code_rules() {
  static constexpr const Rule* kRules[] = {&kConnectionLost, &kMarkersInUse, &kStartFrameCloses, &kCrcInUse};
  return {kRules};
}

SectionRules enhanced_error_code_rules() {
  static constexpr const Rule* kRules[] = {&kType, &kCode, &kSetUpOnly, &kIrd, &kRtr};
  return {kRules};
}

bool judge_llp_code(Judge& judge, const TerminateSeen& seen) {
  const ErrorCode error = seen.error();
  constexpr std::uint8_t kDdpsTypeForTheLlp = 3;
  if (error.etype == kDdpsTypeForTheLlp)
    judge.advise(kType, false, seen.layer_and_type(), expected(0), actual(error.etype),
                 "DDP's type for the LLP, as deployed adapters have it");
  else if (!judge.require(kType, error.etype == 0, seen.layer_and_type(), expected(0), actual(error.etype)))
    return false;
  return judge.require(kCode, error.code >= 1 && error.code <= 7, seen.code(), expected("01 to 07"),
                       actual(hex(error.code)));
}

void judge_llp_error(Judge& judge, const TerminateSeen& seen) {
  const Agreed& agreed = seen.seen.connection.agreement;
  if (!agreed.reached) return;
  const std::uint8_t code = seen.error().code;
  const OctetRange where = seen.code();
  const auto is = [code](const ErrorCode& error) { return code == error.code; };
  // Markers are in what the other side sends.
  const bool markers = agreed.markers[seen.seen.to.side == Side::a ? 0 : 1];
  if (is(error::kMpaCrc))
    judge.require(kCrcInUse, agreed.crc, where, expected("CRCs in use"), actual("neither start frame asks for them"));
  if (is(error::kMpaMarker) && seen.history && std::ranges::none_of(seen.seen.to.recent.in_any_order(), is_short))
    judge.advise(kMarkersInUse, markers, where, expected("markers in the stream"),
                 actual("its start frame asks for none"), "and no ULPDU has ended inside its header");
  judge.advise(kStartFrameCloses, !is(error::kMpaStartFrame), where, expected("no Terminate"),
               actual("one in Full Operation"), "a bad start frame ends the connection before there are FPDUs");
  const auto not_enhanced = actual("start frames without enhanced data");
  if (is(error::kMpaLocalCatastrophic))
    judge.advise(kSetUpOnly, agreed.enhanced(), where, expected("an enhanced set-up"), not_enhanced);
  if (is(error::kMpaInsufficientIrd))
    judge.advise(kIrd, agreed.enhanced(), where, expected("an enhanced set-up"), not_enhanced);
  if (is(error::kMpaNoMatchingRtr))
    judge.require(kRtr, agreed.enhanced(), where, expected("an enhanced set-up"), not_enhanced);
}

}  // namespace wirelaw::rdmap
