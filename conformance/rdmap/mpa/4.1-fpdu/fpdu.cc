// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 4.1: the FPDU format.
#include <fmt/format.h>

#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/mpa/mpa_rule.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace mpa_rule {

constexpr Section kSection{"RFC 5044 4.1"};
constexpr Section kStimuli = kSection.by(Observable::stimulus);

constinit const Rule kWholeFpdus = kSection.resting_on(Evidence::absence)
                                       .must("MPA-4.1-1",
                                             "What is sent in Full Operation is whole FPDUs: a stream that is closed "
                                             "ends at the end of one.",
                                             "A side that is made to stop (by a Terminate, or a reset) may break off "
                                             "anywhere. That it was not is proved where the other stream is there to "
                                             "its FIN.");
constinit const Rule kUlpduLengthCounts = kSection.must(
    "MPA-4.1-2", "ULPDU_Length is the number of octets of the ULPDU: without itself, pad, CRC and markers.",
    "Detected by a CRC that holds for another length; else a wrong length shows as a CRC that does not hold.");
constinit const Rule kPadZero = kSection.must("MPA-4.1-3", "The pad octets are zero.");
constinit const Rule kPadCount =
    kSection.must("MPA-4.1-4", "As many pad octets are added as make the FPDU a multiple of four octets long.",
                  "Detected by a CRC that holds for another number of them.");
constinit const Rule kPadIgnored =
    kStimuli.must("MPA-4.1-5", "A receiver ignores the pad octets, save for the CRC that covers them.");
constinit const Rule kCrcNotChecked = kStimuli.must_not(
    "MPA-4.1-6", "Where neither side asks for CRCs, the CRC field is there, and a receiver does not check it.",
    "RFC 5044, 4.4 and 7.1.1 demand the same. An implementation that always asks for CRCs is never put to this test.");

}  // namespace mpa_rule

using namespace mpa_rule;
constexpr Breach kBreaches[] = {
    {Deviation::closes_inside_fpdu, kWholeFpdus},
    {Deviation::closes_inside_message, kWholeFpdus, {.who = wirelaw::Role::responder}},
    {Deviation::ulpdu_length_wrong, kUlpduLengthCounts},
    {Deviation::pad_not_zero, kPadZero},
    {Deviation::pad_checked, kPadIgnored},
    {Deviation::crc_checked_unasked, kCrcNotChecked, {.given = "no-crc"}},
};

SectionRules s4_1_fpdu_rules() {
  static constexpr const Rule* kRules[] = {&kWholeFpdus, &kUlpduLengthCounts, &kPadZero,
                                           &kPadCount,   &kPadIgnored,        &kCrcNotChecked};
  return {kRules, kBreaches};
}

void judge_pad(Judge& judge, const Seen& seen) {
  const Octets pad = seen.fpdu.pad();
  std::uint32_t any = 0;
  for (const Octet octet : pad) any |= octet;
  judge.require(kPadZero, any == 0, field::pad(seen.fpdu), expected("zero"),
                actual([&] { return fmt::format("{:02x}", fmt::join(pad, " ")); }));
}

void note_broken_off(Judge& judge, Direction& from, const Direction& to) {
  const bool made_to_stop = to.terminate_sent || to.reset || from.reset;
  if (!from.closed || !from.deframer || from.deframer->lost() || made_to_stop) return;
  from.broken_off = judge.message();
  from.broken_off_octets = from.deframer->pending() + from.held.size();
}

void judge_whole_fpdus(Judge& judge, const Direction& from, const Direction& to) {
  if (!from.broken_off) return;
  const Elsewhere at_its_end(judge, *from.broken_off);
  const std::size_t pending = from.broken_off_octets;
  const bool both_are_whole = from.unbroken && to.unbroken && to.closed && !to.reset;
  judge.require(kWholeFpdus, pending == 0, octets(0, 0), expected("the end of an FPDU"),
                actual([&] { return fmt::format("the stream ends {} octets into an FPDU", pending); }),
                both_are_whole ? "" : "or a Terminate, or a reset, that made it stop was not captured",
                both_are_whole ? Evidence::octets : kWholeFpdus.evidence);
}

}  // namespace wirelaw::rdmap
