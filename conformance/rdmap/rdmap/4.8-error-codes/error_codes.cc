// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 4.8, figure 9: the values of Layer, EType and Error Code, and the meaning of each of RDMAP's codes
// for the segment blamed. The rows of the other layers are with those layers (ddp/s7_2_…, mpa/s8_…).
#include <algorithm>

#include "conformance/rdmap/rdmap/4.8-error-codes/rules.h"
#include "conformance/rdmap/rdmap/terminate_checks.h"

namespace wirelaw::rdmap {
namespace {

// --- what must be true of the segment blamed for a code to make sense. Unknown counts as true.
enum class Sense : std::uint8_t { yes, doubtful, no };
constexpr Sense sense(bool holds) {
  return holds ? Sense::yes : Sense::no;
}

bool is_zero_length_read(const BlamedFact& blamed) {
  const auto read = blamed.read_request();
  return read && read->size == 0;
}
// Read Requests and Atomic Requests of at least an octet address a buffer.
Sense asks_for_octets(const TerminateFact&, const BlamedFact& blamed) {
  return sense((blamed.is(Opcode::read_request) && !is_zero_length_read(blamed)) || blamed.is(Opcode::atomic_request));
}
Sense names_an_stag(const TerminateFact& fact, const BlamedFact& blamed) {
  return blamed.invalidates() ? Sense::doubtful : asks_for_octets(fact, blamed);
}
Sense wraps(const TerminateFact& fact, const BlamedFact& blamed) {
  const auto read = blamed.read_request();
  if (!read) return asks_for_octets(fact, blamed);
  // A sum of just 2^64 wraps as well: RFC 5041, 7.1 adds in 64 bits (RDMAP/A-22).
  return sense(read->size != 0 && read->source_to + read->size <= read->source_to);
}
Sense invalidates(const TerminateFact&, const BlamedFact& blamed) {
  return sense(blamed.invalidates());
}
Sense version_is_wrong(const TerminateFact& fact, const BlamedFact& blamed) {
  if (!fact.start) return Sense::yes;
  return sense(blamed.control.version != 1);
}
Sense opcode_is_wrong(const TerminateFact& fact, const BlamedFact& blamed) {
  const bool known = blamed.row && !(blamed.row->extension && !fact.has_extensions);
  const bool right = known && blamed.header.tagged == blamed.row->tagged &&
                     (blamed.header.tagged || blamed.header.qn == blamed.row->queue);
  // The segment is correct by itself. Earlier segments may make it unexpected, and other checks have reported that.
  if (!right || !fact.is_history_known || blamed.came != Came::whole || blamed.is_oldest) return Sense::yes;
  return sense(blamed.segment->fault_count > 0 || blamed.is(Opcode::terminate));
}

struct Meaning {
  ErrorCode error;
  const Rule& rule;
  Sense (*of)(const TerminateFact& fact, const BlamedFact& blamed);
  std::string_view expected;
};
constexpr std::string_view kStagLookedUp = "a Read Request of at least one octet";
constexpr std::string_view kInvalidatingSend = "a Send with Invalidate";
constexpr Meaning kMeanings[] = {
    {error::kInvalidStag, rule<"RDMAP-4.8-40">, names_an_stag, kStagLookedUp},
    {error::kBaseOrBounds, rule<"RDMAP-4.8-41">, asks_for_octets, kStagLookedUp},
    {error::kAccessRights, rule<"RDMAP-4.8-42">, names_an_stag, kStagLookedUp},
    {error::kStagNotAssociated, rule<"RDMAP-4.8-43">, names_an_stag, kStagLookedUp},
    {error::kToWrap, rule<"RDMAP-4.8-44">, wraps, "a Read Request whose source range runs past 2^64"},
    {error::kProtectionCannotInvalidate, rule<"RDMAP-4.8-45">, invalidates, kInvalidatingSend},
    {error::kInvalidVersion, rule<"RDMAP-4.8-46">, version_is_wrong, "a segment whose RDMAP version is not 1"},
    {error::kUnexpectedOpcode, rule<"RDMAP-4.8-47">, opcode_is_wrong, "a segment whose opcode is wrong where it came"},
    {error::kOperationCannotInvalidate, rule<"RDMAP-4.8-48">, invalidates, kInvalidatingSend},
};

constexpr std::uint8_t kProtectionCodes[] = {0x00, 0x01, 0x02, 0x03, 0x04, 0x09, 0xff};
constexpr std::uint8_t kOperationCodes[] = {0x05, 0x06, 0x07, 0x08, 0x09, 0xff};

bool check_rdma_code(Judge& judge, const TerminateFact& fact) {
  const ErrorCode error = fact.error();
  if (!judge.require(rule<"RDMAP-4.8-4">, error.etype <= 2, field::kLayerAndType, expected("0 to 2"),
                     actual(error.etype)))
    return false;
  const auto is_one_of = [&](const Rule& rule, std::span<const std::uint8_t> codes, std::string_view names) {
    return judge.require(rule, std::ranges::find(codes, error.code) != codes.end(), field::kErrorCode, expected(names),
                         actual(hex(error.code)));
  };
  if (error.etype == 1) return is_one_of(rule<"RDMAP-4.8-5">, kProtectionCodes, "00 to 04, 09 or ff");
  if (error.etype == 2) return is_one_of(rule<"RDMAP-4.8-6">, kOperationCodes, "05 to 09 or ff");
  return true;  // a Local Catastrophic Error allows any code
}

}  // namespace

bool names_absent_field(const TerminateFact& fact, const BlamedFact& blamed) {
  if (!blamed.row || blamed.may_cause_protection_error()) return false;
  if (fact.error() == error::kToWrap) return !blamed.header.tagged;
  return fact.error() == error::kProtectionCannotInvalidate;
}

bool check_error_code(Judge& judge, const TerminateFact& fact) {
  const std::uint8_t layer = fact.error().layer;
  if (!judge.require(rule<"RDMAP-4.8-3">, layer <= 2, field::kLayerAndType, expected("0 to 2"), actual(layer)))
    return false;
  static constexpr bool (*kLayers[])(Judge&, const TerminateFact&) = {check_rdma_code, check_ddp_code, check_llp_code};
  return kLayers[layer](judge, fact);
}

void check_rdma_error(Judge& judge, const TerminateFact& fact) {
  const auto meaning = std::ranges::find(kMeanings, fact.error(), &Meaning::error);
  if (meaning == std::end(kMeanings) || !fact.blamed) return;
  const BlamedFact& blamed = *fact.blamed;
  // Otherwise RDMAP-4.8-26 judges it.
  if (fact.error().etype == 1 && !blamed.may_cause_protection_error() && !names_absent_field(fact, blamed)) return;
  const auto got = actual([&] {
    return fmt::format("{}, RDMAP version {}", blamed.row ? blamed.row->name : "a reserved opcode",
                       blamed.control.version);
  });
  const auto why = [&] { return to_string(fact.error()); };
  const Sense made = meaning->of(fact, blamed);
  if (made == Sense::doubtful)
    judge.advise(meaning->rule, false, field::kErrorCode, expected(meaning->expected), got, why);
  else
    judge.require(meaning->rule, made == Sense::yes, field::kErrorCode, expected(meaning->expected), got, why,
                  meaning->rule.evidence == Evidence::octets ? Evidence::octets : fact.of_received);
}

}  // namespace wirelaw::rdmap
