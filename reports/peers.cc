// SPDX-License-Identifier: Apache-2.0
#include "reports/peers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "conformance/verdict.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kSchema = "wirelaw-peers/1";
constexpr std::string_view kHint = "see reports/peers.h for the form of a list of peers";

struct Key {
  const char* name;
  std::string PeerStatement::*member;
  bool needed = true;
};
constexpr Key kKeys[] = {
    {"name", &PeerStatement::name},
    {"version", &PeerStatement::version},
    {"protocol", &PeerStatement::protocol},
    {"role", &PeerStatement::role},
    {"how", &PeerStatement::how},
    {"result", &PeerStatement::result},
    {"capture", &PeerStatement::capture, false},
};

tl::expected<PeerStatement, std::string> statement_of(const Json& entry) {
  if (!entry.is_object()) return tl::make_unexpected("a peer is no object");
  PeerStatement peer;
  for (const Key& key : kKeys) {
    const auto value = entry.find(key.name);
    if (value == entry.end() ? key.needed : !value->is_string())
      return tl::make_unexpected(fmt::format("a peer has no text \"{}\"", key.name));
    if (value != entry.end()) peer.*key.member = value->get<std::string>();
  }
  const auto explained = entry.find("explained");
  if (explained == entry.end()) return peer;
  if (!explained->is_object()) return tl::make_unexpected("\"explained\" is no object");
  for (const auto& [id, sentence] : explained->items()) {
    if (!sentence.is_string()) return tl::make_unexpected(fmt::format("\"{}\" is explained by no text", id));
    peer.explained.emplace_back(id, sentence.get<std::string>());
  }
  return peer;
}

std::string_view sentence_of(const PeerStatement& peer, std::string_view id) {
  const auto found = std::ranges::find(peer.explained, id, &std::pair<std::string, std::string>::first);
  return found == peer.explained.end() ? std::string_view() : std::string_view(found->second);
}

bool is_told(const ResultFile::Rule& rule) {
  return rule.verdict == "fail" || rule.warned > 0;
}

// A failure of which no failed rule speaks.
bool stands_alone(const ResultFile::Case& one, const std::set<std::string_view>& failed_rules) {
  return one.verdict == "fail" &&
         std::ranges::none_of(one.rules, [&](const std::string& rule) { return failed_rules.contains(rule); });
}

std::set<std::string_view> failed_rules_of(const ResultFile& result) {
  std::set<std::string_view> failed;
  for (const ResultFile::Rule& rule : result.rules)
    if (rule.verdict == "fail") failed.insert(rule.id);
  return failed;
}

template <class Entries>
std::size_t count_of(const Entries& entries, std::string_view verdict, std::string_view protocol = {}) {
  return static_cast<std::size_t>(std::ranges::count_if(entries, [&](const auto& one) {
    if constexpr (requires { one.protocol; })
      if (!protocol.empty() && one.protocol != protocol) return false;
    return one.verdict == verdict;
  }));
}

// Text of a peer or a person inside a paragraph or a table of Markdown.
std::string markdown(std::string_view text) {
  std::string escaped;
  for (const char c : printable(text)) {
    if (std::string_view("\\`*_{}[]<>|#").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// What a run is called: the folder of its result.
std::string run_of(const PeerStatement& peer) {
  return markdown(peer.result.substr(0, peer.result.find_last_of('/')));
}

std::string title_of(const PeerStatement& peer) {
  return fmt::format("{}: {} {}, {} of {}", run_of(peer), markdown(peer.name), markdown(peer.version),
                     markdown(peer.role), markdown(peer.protocol));
}

void write_table(const std::vector<PeerResult>& peers, Output& out) {
  out.put(
      "| run | peer | version | protocol | role | rules passed | failed | warned of | inconclusive | not exercised | "
      "cases passed | failed | inconclusive | skipped |\n"
      "|---|---|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
  for (const PeerResult& of : peers) {
    const PeerStatement& peer = of.peer;
    const ResultFile& result = of.result;
    const auto rules = [&](std::string_view verdict) { return count_of(result.rules, verdict, peer.protocol); };
    const auto cases = [&](std::string_view verdict) { return count_of(result.cases, verdict); };
    const auto warned = std::ranges::count_if(result.rules, [](const auto& rule) { return rule.warned > 0; });
    out.print("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", run_of(peer),
              markdown(peer.name), markdown(peer.version), markdown(peer.protocol), markdown(peer.role), rules("pass"),
              rules("fail"), warned, rules("inconclusive"), rules("not-exercised"), cases("pass"), cases("fail"),
              cases("inconclusive"), cases("skipped"));
  }
}

// Where a failure can be looked at: the first finding of the rule, which of a rule that has failed is no warning.
void write_evidence(const PeerResult& of, const ResultFile::Rule& rule, Output& out) {
  const std::string_view severity = to_string(rule.verdict == "fail" ? Severity::violation : Severity::warning);
  const auto found = std::ranges::find_if(of.result.findings, [&](const ResultFile::Finding& one) {
    return one.rule == rule.id && one.severity == severity;
  });
  if (found == of.result.findings.end()) return;
  out.print("  First: expected {}; actual {}", markdown(found->expected), markdown(found->actual));
  if (found->frame > 0) {
    out.print("; frame {}", found->frame);
    if (!found->octets.empty()) out.print(", octet {} of the message: `{}`", found->offset, printable(found->octets));
  }
  out.put(".\n");
  std::string cases;
  for (const ResultFile::Case& one : of.result.cases)
    if (one.verdict == "fail" && std::ranges::count(one.rules, rule.id) > 0)
      cases += fmt::format("{}`{}`", cases.empty() ? "" : ", ", printable(one.id));
  if (!cases.empty()) out.print("  Cases: {}.\n", cases);
}

void write_rule(const PeerResult& of, const ResultFile::Rule& rule, Output& out) {
  const bool failed = rule.verdict == "fail";
  out.print("- **{}** ({}, {}), {} {} of {} times: {}\n", markdown(rule.id), markdown(rule.level),
            markdown(rule.section), failed ? "failed" : "warned of", failed ? rule.failed : rule.warned, rule.exercised,
            sentence_of(of.peer, rule.id));
  out.print("  The rule: {}\n", markdown(rule.summary));
  write_evidence(of, rule, out);
}

void write_peer(const PeerResult& of, Output& out) {
  out.print("\n## {}\n\n{}\n", title_of(of.peer), of.peer.how);
  out.print("Result: `{}`", printable(of.peer.result));
  if (!of.peer.capture.empty()) out.print("; capture: `{}`", printable(of.peer.capture));
  out.print("; by wirelaw {}.\n", markdown(of.result.version));
  const std::set<std::string_view> failed = failed_rules_of(of.result);
  const bool any = std::ranges::any_of(of.result.rules, is_told) ||
                   std::ranges::any_of(of.result.cases, [&](const auto& one) { return stands_alone(one, failed); });
  out.put(any ? "\n" : "\nNothing failed, and nothing was warned of.\n");
  for (const std::string_view level : {"fail", "warn"})
    for (const ResultFile::Rule& rule : of.result.rules)
      if (is_told(rule) && (rule.verdict == "fail") == (level == "fail")) write_rule(of, rule, out);
  for (const ResultFile::Case& one : of.result.cases)
    if (stands_alone(one, failed))
      out.print("- case **{}** failed: {}\n  What the case says: {}\n", markdown(one.id), sentence_of(of.peer, one.id),
                markdown(one.reason));
}

}  // namespace

tl::expected<std::vector<PeerStatement>, std::string> parse_peers(const std::string& name, const std::string& json) {
  const auto error = [&](std::string_view what) {
    return tl::make_unexpected(fmt::format("{}: {}; {}", printable(name), what, kHint));
  };
  const Json document = Json::parse(json, nullptr, false);
  if (document.is_discarded()) return error("is not JSON");
  if (!document.is_object() || document.value("schema", Json()) != kSchema)
    return error(fmt::format("does not say \"schema\": \"{}\"", kSchema));
  const auto list = document.find("peers");
  if (list == document.end() || !list->is_array()) return error("has no list \"peers\"");
  std::vector<PeerStatement> peers;
  for (const Json& entry : *list) {
    auto peer = statement_of(entry);
    if (!peer) return error(peer.error());
    peers.push_back(std::move(*peer));
  }
  return peers;
}

tl::expected<std::vector<PeerResult>, std::string> read_peers(const std::string& path) {
  const auto text = read_file(path);
  if (!text) return tl::make_unexpected(text.error());
  auto statements = parse_peers(path, *text);
  if (!statements) return tl::make_unexpected(statements.error());
  const std::string folder = path.substr(0, path.find_last_of('/') + 1);  // empty where there is none
  std::vector<PeerResult> peers;
  for (PeerStatement& peer : *statements) {
    auto result = read_result_file(folder + peer.result, "a result is what `wirelaw test --format json -o FILE` wrote");
    if (!result) return tl::make_unexpected(result.error());
    peers.push_back({std::move(peer), std::move(*result)});
  }
  return peers;
}

std::vector<std::string> unexplained(const std::vector<PeerResult>& peers) {
  std::vector<std::string> complaints;
  for (const auto& [peer, result] : peers) {
    const std::set<std::string_view> failed = failed_rules_of(result);
    std::set<std::string_view> wanted;
    for (const ResultFile::Rule& rule : result.rules)
      if (is_told(rule)) wanted.insert(rule.id);
    for (const ResultFile::Case& one : result.cases)
      if (stands_alone(one, failed)) wanted.insert(one.id);
    const std::string of = fmt::format("{} {}, {}", peer.name, peer.version, peer.role);
    for (const std::string_view id : wanted)
      if (sentence_of(peer, id).empty()) complaints.push_back(fmt::format("{}: {} is not explained", of, id));
    for (const auto& [id, sentence] : peer.explained)
      if (!wanted.contains(id)) complaints.push_back(fmt::format("{}: {} is explained and has not failed", of, id));
  }
  return complaints;
}

void write_peers(const std::vector<PeerResult>& peers, Output& out) {
  out.put(
      "# Peers\n\n"
      "What Wirelaw says of implementations that others wrote: `wirelaw peers` writes this page from the JSON results "
      "of\n"
      "runs. Each failure has been compared with the specification and the octets of the capture before its sentence\n"
      "was written. A warning is where the specification can be read otherwise, or nothing proves a breach: it fails\n"
      "nothing. Files are named as seen from the list of peers.\n\n");
  write_table(peers, out);
  for (const PeerResult& one : peers) write_peer(one, out);
}

}  // namespace wirelaw
