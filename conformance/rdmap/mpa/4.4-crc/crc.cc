// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 4.4: the CRC. A wrong CRC is reported under the rule that its sender has broken, if the FPDU shows
// which one.
#include <algorithm>

#include "conformance/rdmap/mpa/4.1-fpdu/rules.h"
#include "conformance/rdmap/mpa/4.3-markers/rules.h"
#include "conformance/rdmap/mpa/4.4-crc/rules.h"
#include "conformance/rdmap/mpa/checks.h"

namespace wirelaw::rdmap {
namespace {

// The rule that reports a fault.
struct Report {
  CrcFault fault;
  const Rule* rule;
  OctetRange (*where)(const mpa::Fpdu&);
  std::string_view why;
};
constexpr auto kAtCrc = [](const mpa::Fpdu& fpdu) { return field::crc(fpdu); };
constexpr auto kAtPad = [](const mpa::Fpdu& fpdu) { return field::pad(fpdu); };
constexpr auto kAtLength = [](const mpa::Fpdu&) { return field::kUlpduLength; };
constexpr Report kReports[] = {
    {CrcFault::wrong, &rule<"MPA-4.4-6">, kAtCrc, {}},
    {CrcFault::absent, &rule<"MPA-4.4-5">, kAtCrc, "no CRC has been generated"},
    {CrcFault::octet_order, &rule<"MPA-4.4-7">, kAtCrc, "it would hold with its octets the other way round"},
    {CrcFault::all_markers, &rule<"MPA-4.4-8">, kAtCrc, "it holds without the markers"},
    {CrcFault::marker_before, &rule<"MPA-4.4-10">, kAtCrc, "it holds without the marker before ULPDU_Length"},
    {CrcFault::marker_behind, &rule<"MPA-4.4-9">, kAtCrc, "it holds without the marker before it"},
    {CrcFault::missing_marker, &rule<"MPA-4.3-2">, kAtLength, "a CRC holds if no marker is taken out where one is due"},
    {CrcFault::ulpdu_length, &rule<"MPA-4.1-2">, kAtLength, "a CRC holds for a shorter FPDU"},
    {CrcFault::pad_count, &rule<"MPA-4.1-4">, kAtPad, "a CRC holds for another number of pad octets"},
};

// Marks the rules that an FPDU with a valid CRC has kept.
void keep(Judge& judge, const mpa::Fpdu& fpdu) {
  const auto kept = [&](const Rule& rule) { judge.require(rule, true, {}, expected(0), actual(0)); };
  for (const Rule* rule :
       {&rule<"MPA-4.4-5">, &rule<"MPA-4.4-6">, &rule<"MPA-4.4-7">, &rule<"MPA-4.1-2">, &rule<"MPA-4.1-4">})
    kept(*rule);
  if (fpdu.markers.empty()) return;
  kept(rule<"MPA-4.4-8">);
  if (fpdu.markers.front().position < fpdu.position) kept(rule<"MPA-4.4-10">);
  if (fpdu.markers.back().position + mpa::kMarkerOctets + mpa::kCrcOctets == fpdu.end) kept(rule<"MPA-4.4-9">);
}

}  // namespace

void check_crc(Judge& judge, const mpa::Fpdu& fpdu, const CrcFact& fact) {
  if (!fact.fault) return keep(judge, fpdu);
  const Report& report = *std::ranges::find(kReports, *fact.fault, &Report::fault);
  judge.require(*report.rule, false, report.where(fpdu), expected([&] { return say(hex(fpdu.computed)); }),
                actual([&] { return say(hex(fpdu.crc)); }), report.why);
}

}  // namespace wirelaw::rdmap
