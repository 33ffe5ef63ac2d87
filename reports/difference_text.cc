// SPDX-License-Identifier: Apache-2.0
// A difference as text and as JSON: its result first, then what fails the gate, then the rest.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/difference.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

using Json = nlohmann::ordered_json;

struct Line {
  bool fails;
  std::string id, how, reason;
};

std::vector<Line> lines_of(const Difference& difference, Becoming which) {
  std::vector<Line> lines;
  for (const auto& [word, changes] :
       {std::pair{"", &difference.run}, std::pair{"rule ", &difference.rules}, std::pair{"case ", &difference.cases}})
    for (const Change& one : *changes)
      if (one.becoming == which)
        lines.push_back({one.fails, word + one.id, fmt::format("{} -> {}", one.before, one.after), one.reason});
  for (const FindingChange& one : difference.findings)
    if (one.becoming == which)
      lines.push_back({one.fails, fmt::format("finding {}, {}", one.rule, one.severity),
                       fmt::format("{} -> {}", one.before, one.after), one.reason});
  std::stable_partition(lines.begin(), lines.end(), [](const Line& one) { return one.fails; });
  return lines;
}

void put_side(std::string_view label, const ComparedResult& one, Output& out) {
  out.print("{:<8}{}{}  wirelaw {}, {}, exit status {}\n", label, printable(one.file),
            one.peer.empty() ? "" : fmt::format(" of {}", printable(one.peer)),
            printable(one.version.empty() ? "of an unknown version" : one.version), printable(one.end),
            one.exit_status);
}

Json json_of(const ComparedResult& one) {
  return {{"file", one.file},
          {"version", one.version},
          {"end", one.end},
          {"exit_status", one.exit_status},
          {"peer", one.peer}};
}
Json json_of(const Change& one) {
  return {{"change", to_string(one.becoming)},
          {"fails", one.fails},
          {"id", one.id},
          {"before", one.before},
          {"after", one.after},
          {"reason", one.reason}};
}
Json json_of(const FindingChange& one) {
  return {{"change", to_string(one.becoming)},
          {"fails", one.fails},
          {"id", one.rule},
          {"severity", one.severity},
          {"before", one.before},
          {"after", one.after},
          {"reason", one.reason}};
}

std::string dumped(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

template <class Changes>
void put_list(std::string_view key, const Changes& changes, Output& out) {
  out.print(",\n  \"{}\": [", key);
  std::string_view separator = "\n    ";
  for (const auto& one : changes) {
    out.print("{}{}", separator, dumped(json_of(one)));
    separator = ",\n    ";
  }
  out.put(changes.empty() ? "]" : "\n  ]");
}

}  // namespace

void write_difference_text(const Difference& difference, std::size_t width, Output& out) {
  out.print("{}\n", bottom_line(difference));
  put_side("before", difference.before, out);
  put_side("after", difference.after, out);
  if (const std::string note = note_on_peers(difference); !note.empty()) out.print("note    {}\n", printable(note));
  for (std::size_t i = 0; i < kBecomings; ++i) {
    const auto which = static_cast<Becoming>(i);
    const auto lines = lines_of(difference, which);
    if (lines.empty()) continue;
    out.print("\n{}\n", to_string(which));
    for (const Line& one : lines) {
      out.print("  {} {}  {}\n", one.fails ? "!" : " ", printable(one.id), printable(one.how));
      if (!one.reason.empty()) out.print("        {}\n", wrapped(printable(one.reason), width, 8));
    }
  }
}

void write_difference_json(const Difference& difference, std::string_view version, Output& out) {
  Json counts = Json::object();
  for (std::size_t i = 0; i < kBecomings; ++i)
    counts[std::string(to_string(static_cast<Becoming>(i)))] = difference.counts[i];
  out.print("{{\n  \"schema\": \"{}\",\n  \"tool\": {}", kDifferenceSchema,
            dumped({{"name", "wirelaw"}, {"version", version}}));
  out.print(",\n  \"before\": {},\n  \"after\": {}", dumped(json_of(difference.before)),
            dumped(json_of(difference.after)));
  out.print(",\n  \"exit_status\": {},\n  \"counts\": {}", difference.fails() ? 1 : 0, dumped(counts));
  put_list("run", difference.run, out);
  put_list("rules", difference.rules, out);
  put_list("cases", difference.cases, out);
  put_list("findings", difference.findings, out);
  out.put("\n}\n");
}

}  // namespace wirelaw
