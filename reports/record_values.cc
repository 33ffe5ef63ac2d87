// SPDX-License-Identifier: Apache-2.0
#include "reports/record_values.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "reference/octets/hex.h"

namespace wirelaw {
namespace {

constexpr std::uint64_t kMostMilliseconds = 1 << 30;  // the longest time that a case may have

// Reads a word of an enumeration, as to_string() writes it.
template <class Word, std::size_t kCount>
bool take_word(const Json& from, const char* key, const std::array<Word, kCount>& words, Word& to) {
  std::string text;
  if (!take(from, key, text)) return false;
  const auto found = std::ranges::find_if(words, [&](Word one) { return to_string(one) == text; });
  if (found == words.end()) return false;
  to = *found;
  return true;
}

constexpr std::array kVerdicts{Verdict::pass,           Verdict::fail,    Verdict::inconclusive, Verdict::not_exercised,
                               Verdict::not_applicable, Verdict::skipped, Verdict::warned};
constexpr std::array kSeverities{Severity::violation, Severity::warning};
constexpr std::array kEvidences{Evidence::octets, Evidence::absence, Evidence::order};

constexpr std::array kStates{FlowState::judged, FlowState::partial, FlowState::unrecognised};
constexpr std::array kCompletenesses{Completeness::complete, Completeness::unknown, Completeness::incomplete};

bool read_places(const Json& from, Finding& to) {
  const auto places = from.find("places");
  if (places == from.end()) return true;
  if (!places->is_array()) return false;
  for (const Json& one : *places) {
    FindingPlace& place = to.places.emplace_back();
    if (!one.is_object() || !take(one, "frame", place.frame) || !take_count(one, "length", place.length) ||
        !take_count(one, "offset", place.frame_offset))
      return false;
  }
  return true;
}

bool read_frames(const Json& from, CaseResult& to) {
  const auto frames = from.find("frames");
  if (frames == from.end() || !frames->is_array() || frames->empty()) return true;
  if (frames->size() != 2 || !(*frames)[0].is_number_unsigned() || !(*frames)[1].is_number_unsigned()) return false;
  to.first_frame = (*frames)[0].get<std::uint64_t>();
  to.last_frame = (*frames)[1].get<std::uint64_t>();
  return true;
}

bool read_duration(const Json& from, CaseResult& to) {
  const auto value = from.find("duration_ms");
  if (value == from.end()) return true;
  if (!value->is_number()) return false;
  const double milliseconds = value->get<double>();
  if (!(milliseconds >= 0) || milliseconds > static_cast<double>(kMostMilliseconds)) return false;
  to.duration_ns = std::llround(milliseconds * 1e3) * 1000;
  return true;
}

}  // namespace

bool read(const Json& from, RuleResult& to) {
  return take_word(from, "verdict", kVerdicts, to.verdict) && take(from, "exercised", to.exercised) &&
         take(from, "failed", to.failed) && take(from, "warned", to.warned) && take(from, "held_back", to.held_back) &&
         take(from, "inconclusive", to.inconclusive) && take(from, "reason", to.reason);
}

bool read(const Json& from, Finding& to) {
  std::string octets;
  if (!take(from, "octets", octets)) return false;
  const auto read_octets = from_hex(octets);
  if (!read_octets || read_octets->size() > kFindingOctets) return false;
  to.octets = *read_octets;
  std::string shown_by;
  if (!take(from, "shown_by", shown_by) || !read_places(from, to)) return false;
  to.shown_by_case = shown_by != "trace";
  return take_word(from, "severity", kSeverities, to.severity) &&
         take_word(from, "evidence", kEvidences, to.evidence) && take(from, "held_back", to.held_back) &&
         take(from, "flow", to.flow) && take(from, "sender", to.sender) && take(from, "message", to.message) &&
         take(from, "unanswered", to.unanswered) && take(from, "frame", to.frame) &&
         take_count(from, "offset", to.offset) && take_count(from, "length", to.length) &&
         take(from, "expected", to.expected) && take(from, "actual", to.actual) &&
         take(from, "explanation", to.explanation) && take(from, "case", to.occasion.test_case) &&
         take(from, "control", to.occasion.control);
}

bool read(const Json& from, CaseResult& to) {
  return take(from, "id", to.id) && take(from, "protocol", to.protocol) && take(from, "purpose", to.purpose) &&
         take_word(from, "verdict", kVerdicts, to.verdict) && take(from, "reason", to.reason) && !to.id.empty() &&
         read_duration(from, to) && read_frames(from, to);
}

bool read(const Json& from, FlowResult& to) {
  return take(from, "id", to.id) && take(from, "protocol", to.protocol) && take(from, "upper_protocol", to.above) &&
         take(from, "messages", to.messages) && take(from, "octets", to.octets) &&
         take_word(from, "state", kStates, to.state) &&
         take_word(from, "completeness", kCompletenesses, to.completeness) && take(from, "note", to.note) &&
         take(from, "missing", to.missing);
}

bool read(const Json& from, Input& to) {
  return take(from, "name", to.name) && take(from, "frames", to.frames) && take(from, "octets", to.octets) &&
         take_word(from, "completeness", kCompletenesses, to.completeness) && take(from, "why", to.why);
}

bool read(const Json& from, InputProblem& to) {
  return take(from, "file", to.file) && take(from, "frame", to.frame) && take_count(from, "offset", to.offset) &&
         take(from, "message", to.message) && take(from, "hint", to.hint);
}

}  // namespace wirelaw
