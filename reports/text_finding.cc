// SPDX-License-Identifier: Apache-2.0
#include "reports/text_finding.h"

#include "reports/printable.h"
#include "reports/ruling.h"
#include "reports/text.h"

namespace wirelaw {
namespace {

std::string spaced_hex(Octets octets) {
  std::string text;
  for (const Octet octet : octets) text += fmt::format("{}{:02x}", text.empty() ? "" : " ", octet);
  return text;
}

// "octet 24", "octets 24 to 25": offsets in the message, from 0.
std::string range_of(const Finding& one) {
  if (one.length == 1) return fmt::format("octet {}", one.offset);
  return fmt::format("octets {} to {}", one.offset, one.offset + one.length - 1);
}

// "frame 7, octets 66 to 93; frame 8, octets 54 to 61": where Wireshark shows them.
std::string places_of(const Finding& one) {
  std::string text;
  for (const FindingPlace& place : one.places) {
    text += fmt::format("{}frame {}", text.empty() ? "" : "; ", place.frame);
    if (place.frame_offset == 0) continue;
    const std::size_t last = place.frame_offset + place.length - 1;
    text += place.length == 1 ? fmt::format(", octet {}", last)
                              : fmt::format(", octets {} to {}", place.frame_offset, last);
  }
  return text;
}

// Other explanations, and how to settle it. Prints nothing for a finding that is not held back.
std::string_view held_back(const Finding& one) {
  if (!one.held_back) return {};
  return one.evidence == Evidence::order
             ? "it rests on the order of frames, which may have been different for the peers"
             : "it rests on what was not seen; a frame that is missing from the capture may explain it";
}

}  // namespace

std::string when_of(const Occasion& one) {
  if (one.control.empty()) return printable(one.test_case);
  if (one.test_case.empty()) return fmt::format("{}, as a control before the cases", printable(one.control));
  return fmt::format("{}, as a control after {}", printable(one.control), printable(one.test_case));
}

std::string where_of(const Finding& one) {
  const std::string sender = one.sender.empty() ? "the peer" : printable(one.sender);
  std::string text = one.frame > 0 ? fmt::format("frame {}, ", one.frame) : std::string();
  if (one.message > 0) text += fmt::format("message {} of ", one.message);
  if (!one.flow.empty()) text += printable(one.flow) + ", ";
  if (one.message == 0) return text + "of " + sender;
  return text + (one.unanswered ? "left without the right answer by " : "sent by ") + sender;
}

void put_labelled(std::string_view label, std::string_view text, const Report& report, Output& out) {
  constexpr std::size_t kIndent = 16;
  if (!text.empty()) out.print("      {:<9} {}\n", label, wrapped(text, report.style.width, kIndent));
}

void put_finding(const Finding& one, const Report& report, Output& out) {
  const auto line = [&](std::string_view label, std::string_view text) { put_labelled(label, text, report, out); };
  line("where", where_of(one));
  line("case", when_of(one.occasion));
  if (one.length > 0) {
    const bool cut = one.octets.size() < one.length;
    line(one.length == 1 ? "octet" : "octets",
         range_of(one).substr(range_of(one).find(' ') + 1) + ":  " + spaced_hex(one.octets) + (cut ? " …" : ""));
  }
  line("captured", places_of(one));
  line("expected", printable(one.expected));
  line("actual", printable(one.actual));
  line("why", printable(one.explanation));
  line("ruling", ruling_of(one));
  line("held back", held_back(one));
}

std::string one_line(const InputProblem& one) {
  std::string text = printable(one.file) + ": ";
  if (one.frame > 0) text += fmt::format("frame {}, octet {}: ", one.frame, one.offset);
  if (one.frame == 0 && one.offset > 0) text += fmt::format("octet {}: ", one.offset);
  text += printable(one.message);
  return one.hint.empty() ? text : text + "; " + printable(one.hint);
}

std::string one_line(const Finding& one) {
  std::string text = fmt::format("{} {}: {}expected {}, actual {}", one.rule->id, to_string(one.rule->level),
                                 one.length > 0 ? range_of(one) + ": " : std::string(), printable(one.expected),
                                 printable(one.actual));
  if (!one.explanation.empty()) text += fmt::format(" ({})", printable(one.explanation));
  if (one.held_back) text += fmt::format(" (held back: {})", held_back(one));
  return one.severity == Severity::warning ? "warning: " + text : text;
}

}  // namespace wirelaw
