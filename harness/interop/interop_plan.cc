// SPDX-License-Identifier: Apache-2.0
#include "harness/interop/interop_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "harness/transports/peer_addresses.h"
#include "harness/transports/scheme.h"
#include "reports/toml_fields.h"

namespace wirelaw {
namespace {

constexpr std::string_view kSchema = "wirelaw-interop-plan-1";
// Values that a scenario may set for the initiator. The reference supports the first three.
struct ValueRow {
  std::string_view name, variable;
  bool has_reference;
};
constexpr ValueRow kValues[] = {{"requests", "WIRELAW_REQUESTS", true},
                                {"octets", "WIRELAW_REQUEST_OCTETS", true},
                                {"parallel", "WIRELAW_PARALLEL", true},
                                {"idle", "WIRELAW_IDLE", false},
                                {"teardown", "WIRELAW_TEARDOWN", false}};
constexpr std::uint64_t kMostSessions = 1000, kMostSeconds = 24 * 3600;

bool is_name(std::string_view text) {
  return !text.empty() && text.front() != '.' && text.size() <= 64 && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.';
  });
}

std::string needed_name(TomlFields& fields) {
  std::string name = fields.needed_text("name");
  if (!name.empty() && !is_name(name))
    fields.fail(fields.line_of("name"),
                fmt::format("'{}' is no name: use letters, digits, '-', '_' and '.'", printable(name)));
  return name;
}

std::uint64_t number(TomlFields& fields, std::string_view key, std::uint64_t otherwise, std::uint64_t most) {
  const auto value = fields.number(key);
  if (!value) return otherwise;
  if (*value < 1 || *value > static_cast<double>(most)) {
    fields.fail(fields.line_of(key), fmt::format("{} is from 1 to {}", key, most));
    return otherwise;
  }
  return static_cast<std::uint64_t>(*value);
}

std::string names_of_protocols() {
  std::vector<std::string_view> names;
  for (const Protocol* const one : protocols()) names.push_back(one->name);
  return fmt::format("{}", fmt::join(names, ", "));
}

// Reports what the check finds wrong with the value of a key: "the scenario loss: network: 'los' is …".
void check_value(TomlFields& fields, const InteropPlan& plan, std::string_view key, const std::string& value,
                 const std::string& owner,
                 const std::function<std::string(const InteropPlan& plan, const std::string& value)>& check) {
  if (value.empty() || plan.protocol == nullptr || !check) return;
  if (const std::string wrong = check(plan, value); !wrong.empty())
    fields.fail(fields.line_of(key), fmt::format("{}: {}: {}", owner, key, wrong));
}

InteropPeer read_peer(TomlFields fields, const InteropPlan& plan, const InteropChecks& checks) {
  InteropPeer peer{.line = fields.line()};
  peer.name = needed_name(fields);
  peer.initiator = fields.text("initiator");
  peer.responder = fields.text("responder");
  peer.options = fields.text("options");
  peer.features = fields.texts("features");
  peer.revision = fields.text("revision");
  if (peer.initiator.empty() && peer.responder.empty())
    fields.fail(fields.line(), "a [[peer]] needs initiator = \"COMMAND\", or responder, or both");
  const bool is_reference = peer.initiator == kReference || peer.responder == kReference;
  if (!peer.options.empty() && !is_reference)
    fields.fail(fields.line_of("options"), "options are for the reference; write those of a command into it");
  if (is_reference && checks.reference_options)
    check_value(fields, plan, "options", peer.options, "the peer " + peer.name,
                [&](const InteropPlan& read, const std::string&) { return checks.reference_options(read, peer); });
  if (const toml::table* const table = fields.table("unsupported"))
    for (const auto& [key, node] : *table) {
      const auto why = node.value_exact<std::string>();
      if (!why || why->empty())
        fields.fail(node.source().begin.line, fmt::format("{} needs a reason, in quotes", printable(key.str())));
      peer.unsupported.emplace(key.str(), why.value_or(""));
    }
  fields.close();
  return peer;
}

InteropScenario read_scenario(TomlFields fields, const InteropPlan& plan, const std::filesystem::path& folder,
                              const InteropChecks& checks) {
  InteropScenario one{.line = fields.line()};
  one.name = needed_name(fields);
  for (const ValueRow& row : kValues) {
    if (row.name == "parallel") {
      if (fields.flag(row.name).value_or(false)) one.values.emplace(row.name, "1");
    } else if (std::string value = fields.value(row.name); !value.empty()) {
      one.values.emplace(row.name, std::move(value));
    }
  }
  one.sessions = number(fields, "sessions", 1, kMostSessions);
  one.seed = number(fields, "seed", 1, 1u << 31);
  one.seconds = number(fields, "seconds", 60, kMostSeconds);
  one.restart = fields.text("restart");
  one.network = fields.text("network");
  one.faults = fields.text("faults");
  if (!one.faults.empty()) one.faults = (folder / one.faults).string();
  check_value(fields, plan, "network", one.network, "the scenario " + one.name, checks.network);
  check_value(fields, plan, "faults", one.faults, "the scenario " + one.name, checks.faults);
  one.completes = fields.flag("completes").value_or(true);
  if (!one.restart.empty() && one.restart != "initiator" && one.restart != "responder")
    fields.fail(fields.line_of("restart"), "restart is \"initiator\" or \"responder\"");
  fields.close();
  return one;
}

void read_protocol(TomlFields& top, InteropPlan& plan) {
  const std::string name = top.needed_text("protocol");
  plan.protocol = find_protocol(name);
  if (plan.protocol == nullptr) {
    if (!name.empty())
      top.fail(top.line_of("protocol"),
               fmt::format("unknown protocol '{}'; known: {}", printable(name), names_of_protocols()));
    return;
  }
  plan.transport = top.text("transport");
  if (plan.transport.empty()) plan.transport = first_transport(plan.protocol->transports);
  const bool is_relayed = plan.transport == "tcp" || plan.transport == "iwarp" || plan.transport == "udp";
  if (!is_relayed || !travels_over(plan.protocol->transports, plan.transport))
    top.fail(top.line_of("transport"),
             fmt::format("a relay does not forward {} over '{}'", name, printable(plan.transport)));
}

template <class Rows>
void expect_each_once(TomlFields& top, const Rows& rows, std::string_view kind) {
  if (rows.empty()) top.fail(1, fmt::format("there is no [[{}]]", kind));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (rows[i].name == rows[j].name)
        top.fail(rows[i].line, fmt::format("two of [[{}]] have the name {}", kind, rows[i].name));
}

// A command that does not use a value cannot play a scenario that sets it. The plan has to declare that; a failing cell
// is no way to find it out.
void check_peer(TomlFields& top, const InteropPlan& plan, const InteropPeer& peer) {
  for (const auto& [scenario, why] : peer.unsupported)
    if (std::ranges::find(plan.scenarios, scenario, &InteropScenario::name) == plan.scenarios.end())
      top.fail(peer.line,
               fmt::format("{} does not support '{}', which is no scenario", peer.name, printable(scenario)));
  for (const std::string& feature : peer.features)
    if (std::ranges::find(plan.protocol->features, feature, &Feature::name) == plan.protocol->features.end())
      top.fail(peer.line,
               fmt::format("{}: {} has no feature '{}'", peer.name, plan.protocol->title, printable(feature)));
  if (!peer.revision.empty() &&
      std::ranges::find(plan.protocol->revisions, peer.revision, &Feature::name) == plan.protocol->revisions.end())
    top.fail(peer.line,
             fmt::format("{}: {} has no revision '{}'", peer.name, plan.protocol->title, printable(peer.revision)));
  if (peer.initiator.empty()) return;
  for (const InteropScenario& scenario : plan.scenarios) {
    if (peer.unsupported.contains(scenario.name)) continue;
    for (const auto& [name, value] : scenario.values) {
      const auto* const row = std::ranges::find(kValues, name, &ValueRow::name);
      const bool asks = peer.initiator == kReference
                            ? row->has_reference
                            : peer.initiator.find(fmt::format("{{{}}}", name)) != std::string::npos ||
                                  peer.initiator.find(row->variable) != std::string::npos;
      if (!asks)
        top.fail(peer.line,
                 fmt::format("the initiator of {} takes no {{{}}}, which scenario {} sets; add it to the command, or "
                             "declare the scenario in [peer.unsupported]",
                             peer.name, name, scenario.name));
    }
  }
}

}  // namespace

std::string initiator_options(const Protocol& protocol, std::string_view seed) {
  return fmt::format(" --role {} --seed {}", protocol.initiator, seed);
}

std::string variable_of(std::string_view value) {
  return std::string(std::ranges::find(kValues, value, &ValueRow::name)->variable);
}

tl::expected<InteropPlan, std::string> parse_interop(const std::string& name, std::string_view text,
                                                     const InteropChecks& checks) {
  const auto document = parse_toml(name, text);
  if (!document) return tl::make_unexpected(document.error());
  const std::filesystem::path folder = std::filesystem::path(name).parent_path();
  InteropPlan plan;
  std::string error;
  TomlFields top(name, *document, "the file", error);
  if (top.text("schema") != kSchema) top.fail(1, fmt::format("does not say schema = \"{}\"", kSchema));
  read_protocol(top, plan);
  plan.responder_address = top.text("responder_address");
  plan.relay_address = top.text("relay_address");
  plan.is_transparent = top.flag("transparent").value_or(false);
  for (auto [key, one] :
       {std::pair{"responder_address", &plan.responder_address}, {"relay_address", &plan.relay_address}}) {
    if (plan.is_transparent && !one->empty())
      top.fail(top.line_of(key),
               fmt::format("with transparent = true the responder is at {}; leave {} out", kResponderAddress, key));
    if (one->empty()) *one = plan.is_transparent ? kResponderAddress : "127.0.0.1";
  }
  if (const toml::array* const list = top.tables("peer"))
    for (const toml::node& node : *list)
      plan.peers.push_back(read_peer({name, *node.as_table(), "a [[peer]]", error}, plan, checks));
  if (const toml::array* const list = top.tables("scenario"))
    for (const toml::node& node : *list)
      plan.scenarios.push_back(read_scenario({name, *node.as_table(), "a [[scenario]]", error}, plan, folder, checks));
  top.close();
  if (!error.empty()) return tl::make_unexpected(error);
  expect_each_once(top, plan.peers, "peer");
  expect_each_once(top, plan.scenarios, "scenario");
  for (const InteropPeer& peer : plan.peers) check_peer(top, plan, peer);
  if (!error.empty()) return tl::make_unexpected(error);
  return plan;
}

}  // namespace wirelaw
