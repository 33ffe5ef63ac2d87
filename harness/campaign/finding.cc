// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "harness/campaign/feature.h"
#include "harness/campaign/growth.h"
#include "harness/pcapng_recording.h"
#include "harness/runner.h"
#include "harness/script/script_sink.h"

namespace wirelaw::campaign {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSchema = "wirelaw-finding/1";

std::string_view role_word(const Arena& arena) {
  return arena.role == Role::responder ? arena.protocol.responder : arena.protocol.initiator;
}

Json rule_json(const Rule& rule) {
  return {{"id", rule.id}, {"level", to_string(rule.level)}, {"section", rule.section}, {"summary", rule.summary}};
}

Json conversation_of(const std::vector<Step>& steps) {
  Json lines = Json::array();
  for (const Step& one : steps) lines.push_back(fmt::format("{} {}", one.from_iut ? "<-" : "->", one.summary));
  return lines;
}

// Starts a new process for each replay.
Replays replay_growth(Tester& tester, const Input& input, const Grower& grower, const Pace& pace, unsigned times) {
  Replays replays;
  for (; replays.times < times && !tester.is_over(); ++replays.times)
    if (growth_by(tester, input, grower, pace)) ++replays.came_back;
  return replays;
}

}  // namespace

std::string folder_name(std::string_view signature) {
  constexpr std::size_t kMost = 100;
  std::string name;
  for (const char c : signature.substr(0, kMost)) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_';
    if (plain)
      name += c;
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  while (name.ends_with('-')) name.pop_back();
  if (signature.size() > kMost) name += fmt::format("-{:08x}", static_cast<std::uint32_t>(hash_of(signature)));
  return name;
}

tl::expected<void, std::string> save(const CampaignFinding& finding, const Tester& tester, std::string_view peer,
                                     const std::string& folder) {
  const Arena& arena = tester.arena();
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) return tl::unexpected(fmt::format("{}: {}", folder, failed.message()));
  const Breach& breach = finding.breach;
  Json json{{"schema", kSchema},
            {"protocol", arena.protocol.name},
            {"role", role_word(arena)},
            {"application", wirelaw::word_of(arena.application)},
            {"features", arena.features},
            {"revision", arena.revision},
            {"peer", peer},
            {"signature", breach.signature},
            {"oracle", word_of(breach.oracle)}};
  if (arena.use.resident_octets != 0) json["limits"]["resident_octets"] = arena.use.resident_octets;
  if (arena.use.descriptors != 0) json["limits"]["descriptors"] = arena.use.descriptors;
  if (breach.rule != nullptr) json["rule"] = rule_json(*breach.rule);
  json["expected"] = breach.expected;
  json["actual"] = breach.actual;
  json["explanation"] = breach.explanation;
  json["shown_by"] = breach.kind;
  if (!breach.text.empty()) json["report"] = breach.text;
  json["also"] = finding.also;
  json["run"] = finding.run;
  json["replays"] = {{"of", finding.replays.times}, {"came_back", finding.replays.came_back}};
  json["minimised"] = finding.is_minimised;
  json["messages_sent"] = finding.messages_sent;
  json["input"] = to_json(finding.input);
  json["found_as"] = to_json(finding.found_as);
  if (const CapturedConversation* const conversation = tester.find_conversation(finding.input.test_case))
    json[kCapturedKey] = to_json(*conversation);
  json["conversation"] = conversation_of(finding.steps);
  if (!finding.output.empty())
    if (auto written = write_text(folder + "/peer.err", finding.output); !written) return written;
  return write_json(folder + "/finding.json", json);
}

FindingLine line_of(const std::string& findings, const std::string& signature) {
  FindingLine line{.signature = signature};
  const auto json = read_json(findings + "/" + folder_name(signature) + "/finding.json");
  if (!json) return line;
  line.expected = text_in(*json, "expected");
  line.actual = text_in(*json, "actual");
  line.shown_by = text_in(*json, "shown_by");
  if (const auto rule = json->find("rule"); rule != json->end()) line.demand = text_in(*rule, "summary");
  if (const auto minimised = json->find("minimised"); minimised != json->end() && minimised->is_boolean())
    line.is_minimised = minimised->get<bool>();
  line.run = count_in(*json, "run");
  if (const auto replays = json->find("replays"); replays != json->end()) {
    line.replays = count_in(*replays, "of");
    line.came_back = count_in(*replays, "came_back");
  }
  return line;
}

tl::expected<KeptFinding, std::string> read_finding(const std::string& path) {
  std::error_code failed;
  const std::string file = fs::is_directory(path, failed) ? path + "/finding.json" : path;
  const auto json = read_json(file);
  if (!json) return tl::unexpected(json.error());
  const auto wrong = [&](std::string_view why) { return tl::unexpected(fmt::format("{}: {}", file, why)); };
  if (text_in(*json, "schema") != kSchema) return wrong(fmt::format("is no finding of a campaign ({})", kSchema));
  KeptFinding finding{.protocol = text_in(*json, "protocol"),
                      .role = text_in(*json, "role"),
                      .application = text_in(*json, "application"),
                      .revision = text_in(*json, "revision"),
                      .signature = text_in(*json, "signature"),
                      .oracle = text_in(*json, "oracle"),
                      .rule = json->contains("rule") ? text_in((*json)["rule"], "id") : "",
                      .expected = text_in(*json, "expected"),
                      .actual = text_in(*json, "actual"),
                      .features = {},
                      .input = {}};
  if (finding.signature.empty()) return wrong("does not say what was broken");
  if (const auto features = json->find("features"); features != json->end() && features->is_array())
    for (const Json& one : *features)
      if (one.is_string()) finding.features.push_back(one.get<std::string>());
  if (const auto limits = json->find("limits"); limits != json->end() && limits->is_object())
    finding.use = {.resident_octets = count_in(*limits, "resident_octets"),
                   .descriptors = count_in(*limits, "descriptors")};
  if (!json->contains("input")) return wrong("has no input");
  auto input = input_of((*json)["input"]);
  if (!input) return wrong(input.error());
  finding.input = std::move(*input);
  if (const auto conversation = json->find(kCapturedKey); conversation != json->end()) {
    auto read = conversation_of(*conversation);
    if (!read) return wrong(read.error());
    finding.conversation = std::move(*read);
  }
  return finding;
}

bool is_of_process(std::string_view oracle) {
  return oracle == word_of(Oracle::died) || oracle == word_of(Oracle::sanitizer) || oracle == word_of(Oracle::memory) ||
         oracle == word_of(Oracle::descriptors) || oracle == word_of(Oracle::growth);
}

// If the IUT was not reachable, a finding that did not recur proves nothing.
Replays replay(Tester& tester, const Input& input, std::string_view signature, const Pace& pace, unsigned times,
               Trial* last) {
  if (const Grower* const grower = grower_of(signature)) return replay_growth(tester, input, *grower, pace, times);
  Replays replays;
  while (replays.times < times && !tester.is_over()) {
    Trial trial = tester.run(input, pace);
    if (trial.is_interrupted) break;
    if (trial.find(signature) != nullptr) {
      ++replays.times;
      ++replays.came_back;
      if (last != nullptr) *last = std::move(trial);
      continue;
    }
    if (trial.is_skipped) {
      replays.is_skipped = true;
      break;
    }
    replays.lost = trial.lost;
    const bool is_unserved = std::ranges::count(trial.breaches, Oracle::unserved, &Breach::oracle) > 0;
    if (is_unserved && !replays.lost)
      if (const std::string why = tester.greet(pace); !why.empty()) replays.lost = TransportError{why, ""};
    if (replays.lost || tester.is_interrupted()) break;
    ++replays.times;
  }
  return replays;
}

tl::expected<bool, std::string> record(Tester& tester, const Input& input, std::string_view signature, const Pace& pace,
                                       const std::string& path) {
  const Arena& arena = tester.arena();
  const auto iut = arena.meet(seed_of(input));
  if (!iut) return tl::unexpected(iut.error().message);
  const std::string note = (*iut)->capture_note();
  if (note.empty()) return tl::unexpected(std::string("the peer has no address by which a capture could name it"));
  const RunNote run{.iut = note,
                    .protocol = arena.protocol.name,
                    .is_rendered = (*iut)->framing().is_rendered,
                    .features = arena.features,
                    .revision = arena.revision};
  auto sink = PcapngSink::create(path, section_comment(run));
  if (!sink) return tl::unexpected(sink.error());
  ScriptSink script(*sink, arena.protocol, arena.role);
  Recording recording(script);
  const Trial trial = tester.run(input, pace, &recording);
  recording.flush();
  sink->say_complete();
  if (const auto written = sink->commit(); !written) return tl::unexpected(written.error());
  const std::string text = script.text(signature, arena.features, arena.revision);
  const std::string script_path = fs::path(path).replace_filename(kFindingScript);
  if (!text.empty())
    if (const auto written = write_text(script_path, text); !written) return tl::unexpected(written.error());
  return trial.find(signature) != nullptr;
}

}  // namespace wirelaw::campaign
