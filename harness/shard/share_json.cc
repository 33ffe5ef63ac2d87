// SPDX-License-Identifier: Apache-2.0
#include "harness/shard/share_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/shard/join.h"
#include "reports/json.h"
#include "reports/printable.h"
#include "reports/record_values.h"

namespace wirelaw {
namespace {

using Ordered = nlohmann::ordered_json;

constexpr std::array<std::string_view, 4> kKinds{"failure", "pending", "held-back", "advice"};
constexpr std::array<std::string_view, 3> kRoles{"any", "initiator", "responder"};
constexpr std::uint64_t kMostInputs = 1'000'000;

// ------------------------------------------------------------------------------------------------------------ written

Ordered place_json(const RunPlace& place) {
  return Ordered::array({place.input, place.step});
}

Ordered findings_json(const Share& share) {
  Ordered list = Ordered::array();
  for (std::size_t i = 0; i < share.found.size(); ++i) {
    const SharedFinding& one = share.found[i];
    list.push_back({{"position", place_json(one.place)},
                    {"flow", one.flow},
                    {"kind", kKinds[static_cast<std::size_t>(one.kind)]},
                    {"time_ns", share.findings[i].time_ns}});
  }
  return list;
}

Ordered reasons_json(const Share& share) {
  Ordered list = Ordered::array();
  for (const SharedReason& one : share.reasons)
    list.push_back({{"rule", one.rule->id}, {"reason", one.reason}, {"position", place_json(one.place)}});
  return list;
}

Ordered json_of(const SharedInput& one) {
  Ordered stops = Ordered::array();
  for (std::size_t i = 0; i < one.problems.size(); ++i)
    if (one.problems[i].stops) stops.push_back(i);
  return {{"index", one.place},
          {"packets", one.packets},
          {"cut_packets", one.cut},
          {"problems", one.problems.size()},
          {"blocking_problems", std::move(stops)},
          {"problems_dropped", one.problems_dropped},
          {"runs", one.runs.size()},
          {"fingerprint", fmt::format("{:016x}", one.fingerprint)},
          {"live", one.is_live},
          {"parts", one.shares},
          {"octets", one.octets},
          {"associations", one.associations}};
}

template <class List, class Make>
Ordered list_of(const List& list, const Make& make) {
  Ordered all = Ordered::array();
  for (const auto& one : list) all.push_back(make(one));
  return all;
}

// --------------------------------------------------------------------------------------------------------------- read

template <std::size_t kCount>
bool take_index(const Json& from, const char* key, const std::array<std::string_view, kCount>& words, auto& to) {
  std::string text;
  if (!take(from, key, text)) return false;
  const auto found = std::ranges::find(words, text);
  if (found == words.end()) return false;
  to = static_cast<std::remove_reference_t<decltype(to)>>(found - words.begin());
  return true;
}

bool read_place(const Json& from, RunPlace& to) {
  if (!from.is_array() || from.size() != 2 || !from[0].is_number_unsigned() || !from[1].is_number_unsigned())
    return false;
  to = {.input = from[0].get<std::uint64_t>(), .step = from[1].get<std::uint64_t>()};
  return to.input < kMostInputs;
}

bool take_place(const Json& from, RunPlace& to) {
  const auto place = from.find("position");
  return place != from.end() && read_place(*place, to);
}

// Converts each entry of a list; false if the list is absent, or `each` returns false for one.
template <class Each>
bool for_each(const Json& from, const char* key, const Each& each) {
  const auto list = from.find(key);
  return list != from.end() && list->is_array() && std::ranges::all_of(*list, each);
}

template <class Entry>
bool take_values(const Json& from, const char* key, std::vector<Entry>& to) {
  return for_each(from, key, [&](const Json& one) { return one.is_object() && read(one, to.emplace_back()); });
}

class ShardReader {
 public:
  ShardReader(const Json& document, const Json& shard, const ThisBuild& build)
      : document_(document), shard_(shard), build_(build) {}

  // Empty if all is there.
  std::string trouble() {
    if (!read_run()) return "has no usable \"shard\"";
    const ShardRun& run = file_.run;
    if (run.version != build_.version || run.commit != build_.commit)
      return fmt::format("was written by wirelaw {} (commit {}), and this is wirelaw {} (commit {})",
                         printable(run.version), printable(run.commit), build_.version, build_.commit);
    if (!read_rules() || !read_findings() || !read_flows() || !read_cases() || !read_inputs())
      return unknown_.empty() ? "is not of the form of a shard's result" : unknown_;
    return {};
  }
  ShardFile& file() { return file_; }

 private:
  bool read_run();
  const Rule* rule_of(const Json& from, const char* key);
  bool read_rules();
  bool read_findings();
  bool read_flows();
  bool read_cases();
  bool read_inputs();
  bool read_input(const Json& from, std::vector<Input>& inputs);

  const Json& document_;
  const Json& shard_;
  const ThisBuild& build_;
  ShardFile file_;
  std::string unknown_;  // the first rule that is
  std::set<const Rule*> listed_;
  // The entries of the result's lists that previous inputs have not taken.
  std::vector<InputProblem> problems_;
  std::vector<RecordedRun> runs_;
  std::size_t problems_taken_ = 0, runs_taken_ = 0;
};

const Rule* ShardReader::rule_of(const Json& from, const char* key) {
  std::string id;
  if (!from.is_object() || !take(from, key, id)) return nullptr;
  const Rule* const rule = build_.find(id);
  if (rule == nullptr && unknown_.empty())
    unknown_ = fmt::format("names the rule '{}', which is not known here", printable(id));
  return rule;
}

bool ShardReader::read_run() {
  std::uint64_t index = 0;
  ShardRun& run = file_.run;
  if (!take(shard_, "index", index) || !take(shard_, "count", file_.shard.of) || index < 1 || index > file_.shard.of ||
      file_.shard.of > kMostShards)
    return false;
  file_.shard.index = index - 1;
  if (const auto tool = document_.find("tool"); tool != document_.end() && tool->is_object())
    if (!take(*tool, "version", run.version)) return false;
  const auto gate = document_.find("gate");
  if (gate == document_.end() || !gate->is_object() || !take(*gate, "end", file_.end) ||
      !take_count(*gate, "exit_status", file_.exit_status))
    return false;
  return take(shard_, "command", run.command) && take(shard_, "commit", run.commit) &&
         take(shard_, "options", run.asked) && take(shard_, "protocol", run.protocol) &&
         take_index(shard_, "role", kRoles, run.role);
}

bool ShardReader::read_rules() {
  Share& share = file_.share;
  const bool rules = for_each(document_, "rules", [&](const Json& from) {
    RuleResult& to = share.rules.emplace_back();
    to.rule = rule_of(from, "id");
    listed_.insert(to.rule);
    return to.rule != nullptr && read(from, to) && to.warned >= to.held_back;
  });
  return rules && for_each(shard_, "reasons", [&](const Json& from) {
           SharedReason& to = share.reasons.emplace_back();
           to.rule = rule_of(from, "rule");
           return to.rule != nullptr && take(from, "reason", to.reason) && take_place(from, to.place);
         });
}

bool ShardReader::read_findings() {
  Share& share = file_.share;
  const bool findings = take(document_, "findings_dropped", share.findings_dropped) &&
                        for_each(document_, "findings", [&](const Json& from) {
                          Finding& to = share.findings.emplace_back();
                          to.rule = rule_of(from, "rule");
                          // Room for findings is made by the rules that are listed.
                          return to.rule != nullptr && listed_.contains(to.rule) && read(from, to);
                        });
  const bool found =
      findings && for_each(shard_, "findings", [&](const Json& from) {
        const std::size_t at = share.found.size();
        SharedFinding& to = share.found.emplace_back();
        if (!from.is_object() || at >= share.findings.size()) return false;
        const auto time = from.find("time_ns");
        if (time == from.end() || !time->is_number_integer()) return false;
        share.findings[at].time_ns = time->get<std::int64_t>();
        return take_place(from, to.place) && take(from, "flow", to.flow) && take_index(from, "kind", kKinds, to.kind);
      });
  return found && share.found.size() == share.findings.size();
}

bool ShardReader::read_flows() {
  Share& share = file_.share;
  if (!take_values(document_, "flows", share.flows) || !take(document_, "flows_dropped", share.flows_dropped))
    return false;
  const auto counts = document_.find("flows_dropped_as");
  if (counts == document_.end() || !counts->is_object()) return false;
  for (const FlowState state : {FlowState::judged, FlowState::partial, FlowState::unrecognised})
    if (!take(*counts, std::string(to_string(state)).c_str(), share.flows_dropped_as[static_cast<std::size_t>(state)]))
      return false;
  return for_each(shard_, "flows",
                  [&](const Json& from) { return read_place(from, share.flow_ends.emplace_back()); }) &&
         share.flow_ends.size() == share.flows.size();
}

bool ShardReader::read_cases() {
  Share& share = file_.share;
  const bool cases = for_each(document_, "cases", [&](const Json& from) {
    CaseResult& to = share.cases.emplace_back();
    std::vector<std::string> rules;
    if (!from.is_object() || !read(from, to) || !take(from, "rules", rules)) return false;
    for (const std::string& id : rules) {
      to.rules.push_back(build_.find(id));
      if (to.rules.back() == nullptr) return false;
    }
    return true;
  });
  return cases &&
         for_each(shard_, "cases",
                  [&](const Json& from) {
                    if (!from.is_number_unsigned()) return false;
                    share.case_places.push_back(from.get<std::uint64_t>());
                    return true;
                  }) &&
         share.case_places.size() == share.cases.size();
}

bool ShardReader::read_inputs() {
  Share& share = file_.share;
  std::vector<Input> inputs;
  const auto input = document_.find("input");
  const bool lists = input != document_.end() && input->is_object() && take_values(*input, "sources", inputs) &&
                     take_values(document_, "problems", problems_) &&
                     for_each(document_, "runs", [&](const Json& from) {
                       auto run = from.is_object() ? wirelaw::read_run(from, build_.find) : std::nullopt;
                       if (!run || !take(from, "file", run->run.file)) return false;
                       runs_.push_back(std::move(run->run));
                       return true;
                     });
  return lists && take(shard_, "judged", share.judged) && take(shard_, "iut_seen", share.iut_seen) &&
         take(shard_, "one_direction", share.kinds.one_sided) && take(shard_, "relayed_tcp", share.kinds.relayed_tcp) &&
         take(shard_, "direct_tcp", share.kinds.direct_tcp) &&
         for_each(shard_, "inputs", [&](const Json& from) { return from.is_object() && read_input(from, inputs); }) &&
         share.inputs.size() == inputs.size() && problems_taken_ == problems_.size() && runs_taken_ == runs_.size();
}

bool ShardReader::read_input(const Json& from, std::vector<Input>& inputs) {
  std::vector<SharedInput>& all = file_.share.inputs;
  SharedInput& to = all.emplace_back();
  std::uint64_t problems = 0, runs = 0;
  std::string fingerprint;
  const bool there =
      take(from, "index", to.place) && take(from, "packets", to.packets) && take(from, "cut_packets", to.cut) &&
      take(from, "problems", problems) && take(from, "problems_dropped", to.problems_dropped) &&
      take(from, "runs", runs) && take(from, "fingerprint", fingerprint) && take(from, "live", to.is_live) &&
      take(from, "parts", to.shares) && take(from, "octets", to.octets) && take(from, "associations", to.associations);
  if (!there || all.size() > inputs.size() || to.place >= kMostInputs ||
      problems > problems_.size() - problems_taken_ || runs > runs_.size() - runs_taken_ || fingerprint.size() != 16 ||
      fingerprint.find_first_not_of("0123456789abcdef") != std::string::npos)
    return false;
  to.fingerprint = std::stoull(fingerprint, nullptr, 16);
  to.input = std::move(inputs[all.size() - 1]);
  for (; problems > 0; --problems) to.problems.push_back({std::move(problems_[problems_taken_++]), false});
  for (; runs > 0; --runs) to.runs.push_back(std::move(runs_[runs_taken_++]));
  return for_each(from, "blocking_problems", [&](const Json& at) {
    if (!at.is_number_unsigned() || at.get<std::uint64_t>() >= to.problems.size()) return false;
    return to.problems[at.get<std::uint64_t>()].stops = true;
  });
}

}  // namespace

std::string shard_object(const Shard& shard, const ShardRun& run, const Share& share) {
  const Ordered object{{"index", shard.index + 1},
                       {"count", shard.of},
                       {"command", run.command},
                       {"commit", run.commit},
                       {"options", run.asked},
                       {"protocol", run.protocol},
                       {"role", kRoles[static_cast<std::size_t>(run.role)]},
                       {"judged", share.judged},
                       {"iut_seen", share.iut_seen},
                       {"one_direction", share.kinds.one_sided},
                       {"relayed_tcp", share.kinds.relayed_tcp},
                       {"direct_tcp", share.kinds.direct_tcp},
                       {"inputs", list_of(share.inputs, [](const SharedInput& one) { return json_of(one); })},
                       {"reasons", reasons_json(share)},
                       {"findings", findings_json(share)},
                       {"cases", share.case_places},
                       {"flows", list_of(share.flow_ends, [](const RunPlace& one) { return place_json(one); })}};
  return object.dump(-1, ' ', false, Ordered::error_handler_t::replace);
}

tl::expected<ShardFile, std::string> parse_shard_file(const std::string& name, const std::string& json,
                                                      const ThisBuild& build) {
  const auto error = [&](std::string_view what) {
    return tl::make_unexpected(
        fmt::format("{}: {}; a shard is what `wirelaw check` and `wirelaw test` write with --shard I/N --format json",
                    printable(name), what));
  };
  const Json document = Json::parse(json, nullptr, false);
  if (document.is_discarded()) return error("is not JSON, or not all of it");
  if (!document.is_object()) return error("is no result of wirelaw");
  const auto schema = document.find("schema");
  if (schema == document.end() || *schema != kResultSchema)
    return error(fmt::format("does not say \"schema\": \"{}\"", kResultSchema));
  const auto shard = document.find("shard");
  if (shard == document.end()) return error("is the result of a whole run, and no shard's");
  if (!shard->is_object()) return error("has no usable \"shard\"");
  ShardReader reader(document, *shard, build);
  if (const std::string trouble = reader.trouble(); !trouble.empty()) return error(trouble);
  return std::move(reader.file());
}

std::string share_text(const Share& share) {
  const ShardNote note{.name = {}, .object = shard_object({}, {}, share)};
  auto out = Output::to_memory();
  const Results results = results_of(share);
  write_json({.results = results, .gate = {}, .version = {}, .shard = &note}, out);
  return out.text();
}

std::optional<Share> share_of_text(const std::string& text, const std::function<const Rule*(std::string_view)>& find) {
  auto file = parse_shard_file("a process of --jobs", text, {.version = {}, .commit = {}, .find = find});
  if (!file) return std::nullopt;
  return std::move(file->share);
}

}  // namespace wirelaw
