// SPDX-License-Identifier: Apache-2.0
#include "reports/interop.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "reports/printable.h"
#include "reports/xml_writer.h"

namespace wirelaw {
namespace {

using Json = nlohmann::ordered_json;

std::size_t count(const InteropResults& results, InteropState state) {
  return static_cast<std::size_t>(std::ranges::count(results.cells, state, &InteropCell::state));
}

const InteropCell* cell_at(const InteropResults& results, const std::string& pair, const std::string& scenario) {
  const auto found = std::ranges::find_if(
      results.cells, [&](const InteropCell& one) { return one.scenario == scenario && pair_of(one) == pair; });
  return found == results.cells.end() ? nullptr : &*found;
}

// Returns the number of characters, not of octets.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}
std::string padded(std::string_view text, std::size_t width) {
  return std::string(text) + std::string(width - std::min(width, width_of(text)), ' ');
}

Json json_of(const InteropCell& cell) {
  Json all{{"initiator", cell.initiator},
           {"responder", cell.responder},
           {"scenario", cell.scenario},
           {"state", to_string(cell.state)},
           {"reason", cell.reason}};
  all["broken_rules"] = Json::array();
  for (const InteropBreach& one : cell.breaches)
    all["broken_rules"].push_back({{"rule", one.rule}, {"level", one.level}, {"side", one.side}});
  all["warned_rules"] = cell.warned;
  all["folder"] = cell.folder;
  all["files"] = cell.files;
  return all;
}

void put_attribute(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name).set_value(printable(value).c_str());
}

}  // namespace

std::string pair_of(const InteropCell& cell) {
  return fmt::format("{} → {}", cell.initiator, cell.responder);
}

std::string_view to_string(InteropState state) {
  static constexpr std::array<std::string_view, 6> kNames{"pass",      "fail",       "data-lost",
                                                          "peer-lost", "no-verdict", "unsupported"};
  return kNames[static_cast<std::size_t>(state)];
}

ExitStatus status_of(const InteropResults& results) {
  if (count(results, InteropState::peer_lost) > 0) return ExitStatus::peer_lost;
  if (count(results, InteropState::fail) + count(results, InteropState::data_lost) > 0) return ExitStatus::failed;
  return count(results, InteropState::no_verdict) > 0 ? ExitStatus::misused : ExitStatus::passed;
}

void write_interop_text(const InteropResults& results, Output& out) {
  std::size_t first = 0;
  for (const std::string& pair : results.pairs) first = std::max(first, width_of(pair));
  const auto width = [](const std::string& scenario) { return std::max<std::size_t>(11, width_of(scenario)); };
  std::string line = padded("", first);
  for (const std::string& scenario : results.scenarios) line += "  " + padded(scenario, width(scenario));
  const auto put = [&] { out.print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1)); };
  put();
  for (const std::string& pair : results.pairs) {
    line = padded(pair, first);
    for (const std::string& scenario : results.scenarios) {
      const InteropCell* const cell = cell_at(results, pair, scenario);
      line += "  " + padded(cell ? to_string(cell->state) : "", width(scenario));
    }
    put();
  }
  out.put("\n");
  for (const InteropCell& cell : results.cells)
    if (!cell.reason.empty())
      out.print("{}, {}: {}: {}\n", pair_of(cell), cell.scenario, to_string(cell.state), printable(cell.reason));
  const std::size_t green = count(results, InteropState::pass), aside = count(results, InteropState::unsupported);
  out.print("{}: {} of {} cells are green", status_of(results) == ExitStatus::passed ? "PASS" : "FAIL", green,
            results.cells.size() - aside);
  if (aside > 0) out.print("; {} unsupported", aside);
  out.print(" (exit status {})\n", static_cast<int>(status_of(results)));
}

void write_interop_json(const InteropResults& results, std::string_view version, Output& out) {
  Json all{{"schema", "wirelaw-interop-1"},
           {"version", version},
           {"protocol", results.protocol},
           {"exit_status", static_cast<int>(status_of(results))}};
  all["cells"] = Json::array();
  for (const InteropCell& cell : results.cells) all["cells"].push_back(json_of(cell));
  out.put(all.dump(2, ' ', false, Json::error_handler_t::replace));
  out.put("\n");
}

void write_interop_junit(const InteropResults& results, Output& out) {
  pugi::xml_document document;
  pugi::xml_node suite = document.append_child("testsuites").append_child("testsuite");
  const std::size_t failures = count(results, InteropState::fail) + count(results, InteropState::data_lost);
  const std::size_t errors = count(results, InteropState::peer_lost) + count(results, InteropState::no_verdict);
  put_attribute(suite, "name", "interop " + results.protocol);
  put_attribute(suite, "tests", std::to_string(results.cells.size()));
  put_attribute(suite, "failures", std::to_string(failures));
  put_attribute(suite, "errors", std::to_string(errors));
  put_attribute(suite, "skipped", std::to_string(count(results, InteropState::unsupported)));
  for (const InteropCell& cell : results.cells) {
    pugi::xml_node one = suite.append_child("testcase");
    put_attribute(one, "classname", cell.scenario);
    put_attribute(one, "name", pair_of(cell));
    if (cell.state == InteropState::pass) continue;
    const bool is_error = cell.state == InteropState::peer_lost || cell.state == InteropState::no_verdict;
    pugi::xml_node why = one.append_child(cell.state == InteropState::unsupported ? "skipped"
                                          : is_error                              ? "error"
                                                                                  : "failure");
    put_attribute(why, "message", cell.reason);
    if (cell.state != InteropState::unsupported) put_attribute(why, "type", std::string(to_string(cell.state)));
  }
  XmlWriter writer(out);
  document.save(writer, "  ");
}

}  // namespace wirelaw
