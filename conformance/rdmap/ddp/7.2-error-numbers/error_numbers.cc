// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 7.2: DDP's error types and codes in a Terminate with Layer 1, and the meaning of each for the
// segment blamed.
#include <algorithm>

#include "conformance/rdmap/ddp/7.2-error-numbers/rules.h"
#include "conformance/rdmap/rdmap/terminate_checks.h"

namespace wirelaw::rdmap {
namespace {

// Unknown counts as true. A Read Response without octets is also wrong if the Read requests some.
bool places_octets(const TerminateFact& fact, const BlamedFact& blamed) {
  return blamed.payload_octets().value_or(1) != 0 || blamed.has_fault(fact.error());
}
bool wraps(const TerminateFact&, const BlamedFact& blamed) {
  const auto octets = blamed.payload_octets();
  if (!octets) return true;
  const std::uint64_t end = blamed.header.to + *octets;
  return *octets != 0 && end <= blamed.header.to;  // a sum of just 2^64 wraps as well (RDMAP/A-22)
}
bool version_is_wrong(const TerminateFact& fact, const BlamedFact& blamed) {
  return !fact.start || blamed.header.version != ddp::kVersion;
}
bool queue_is_wrong(const TerminateFact& fact, const BlamedFact& blamed) {
  const std::uint32_t queues = fact.has_extensions ? kQueues : kAtomicResponseQueue;
  return blamed.header.qn >= queues || !blamed.row || blamed.header.qn != blamed.row->queue || blamed.row->tagged;
}
bool msn_is_wrong(const TerminateFact& fact, const BlamedFact& blamed) {
  return !fact.is_history_known || blamed.came != Came::whole || blamed.segment->fault_count > 0;
}
// If octets of the message have been placed already, MO 0 is not the next (RDMAP/A-22).
bool mo_is_wrong(const TerminateFact& fact, const BlamedFact& blamed) {
  if (blamed.header.mo != 0 || !fact.start || !fact.is_unbroken) return true;
  if (!blamed.segment) return true;  // or it came twice and is no longer kept
  return blamed.has_fault(error::kDdpInvalidMo);
}
bool may_be_too_long(const TerminateFact&, const BlamedFact& blamed) {
  return blamed.header.mo != 0 || blamed.payload_octets().value_or(1) != 0;
}

struct Meaning {
  ErrorCode error;
  const Rule& rule;
  bool (*holds)(const TerminateFact& fact, const BlamedFact& blamed);
  std::string_view expected;
  bool doubtful = false;  // another reading exists: a breach is a warning
};
constexpr std::string_view kPayload = "a tagged segment with payload";
constexpr std::string_view kVersion = "a segment whose DDP version is not 1";
constexpr Meaning kMeanings[] = {
    {error::kDdpInvalidStag, rule<"DDP-7.2-10">, places_octets, kPayload},
    {error::kDdpBaseOrBounds, rule<"DDP-7.2-11">, places_octets, kPayload},
    {error::kDdpStagNotAssociated, rule<"DDP-7.2-12">, places_octets, kPayload},
    {error::kDdpToWrap, rule<"DDP-7.2-13">, wraps, "a tagged segment that runs past 2^64"},
    {error::kDdpTaggedVersion, rule<"DDP-7.2-14">, version_is_wrong, kVersion},
    {error::kDdpInvalidQn, rule<"DDP-7.2-20">, queue_is_wrong, "a queue that is not that of its opcode"},
    // If the queue has no buffer at all, every MSN is out of range.
    {error::kDdpMsnRange, rule<"DDP-7.2-22">, msn_is_wrong, "an MSN that was not due", true},
    {error::kDdpInvalidMo, rule<"DDP-7.2-23">, mo_is_wrong, "an MO that is not 0"},
    {error::kDdpTooLong, rule<"DDP-7.2-24">, may_be_too_long, "an untagged segment with payload"},
    {error::kDdpUntaggedVersion, rule<"DDP-7.2-25">, version_is_wrong, kVersion},
};

std::string describe(const BlamedFact& blamed) {
  const ddp::Header& header = blamed.header;
  const std::string_view name = blamed.row ? blamed.row->name : "a reserved opcode";
  const std::string octets =
      blamed.payload_octets() ? fmt::format(", {} octets of payload", *blamed.payload_octets()) : std::string();
  if (header.tagged)
    return fmt::format("tagged, {}, DDP version {}, TO 0x{:016x}{}", name, header.version, header.to, octets);
  return fmt::format("untagged, {}, DDP version {}, QN {}, MSN {}, MO {}{}", name, header.version, header.qn,
                     header.msn, header.mo, octets);
}

}  // namespace

bool check_ddp_code(Judge& judge, const TerminateFact& fact) {
  const ErrorCode error = fact.error();
  if (!judge.require(rule<"DDP-7.2-1">, error.etype <= 2, field::kLayerAndType, expected("0 to 2"),
                     actual(error.etype)))
    return false;
  struct Codes {
    const Rule& rule;
    std::uint8_t first, last;
  };
  static constexpr Codes kCodes[] = {{rule<"DDP-7.2-2">, 0, 0}, {rule<"DDP-7.2-3">, 0, 4}, {rule<"DDP-7.2-4">, 1, 6}};
  const Codes& codes = kCodes[error.etype];
  return judge.require(codes.rule, error.code >= codes.first && error.code <= codes.last, field::kErrorCode,
                       expected([&] {
                         return codes.first == codes.last ? fmt::format("{:02x}", codes.first)
                                                          : fmt::format("{:02x} to {:02x}", codes.first, codes.last);
                       }),
                       actual(hex(error.code)));
}

void check_ddp_error(Judge& judge, const TerminateFact& fact) {
  const ErrorCode error = fact.error();
  if (error.etype == 0 || !fact.blamed) return;
  const BlamedFact& blamed = *fact.blamed;
  const bool tagged = error.etype == error::kDdpInvalidStag.etype;
  const auto got = actual([&] { return describe(blamed); });
  const auto why = [&] { return to_string(error); };
  if (!judge.require(tagged ? rule<"DDP-7.2-5"> : rule<"DDP-7.2-6">, blamed.header.tagged == tagged,
                     field::kLayerAndType, expected(tagged ? "a tagged segment" : "an untagged segment"), got, why))
    return;
  const auto meaning = std::ranges::find(kMeanings, error, &Meaning::error);
  if (meaning == std::end(kMeanings)) return;
  const bool holds = meaning->holds(fact, blamed);
  if (meaning->doubtful)
    judge.advise(meaning->rule, holds, field::kErrorCode, expected(meaning->expected), got, why);
  else
    judge.require(meaning->rule, holds, field::kErrorCode, expected(meaning->expected), got, why,
                  meaning->rule.evidence == Evidence::octets ? Evidence::octets : fact.of_received);
}

}  // namespace wirelaw::rdmap
