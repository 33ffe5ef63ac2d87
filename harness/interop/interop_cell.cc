// SPDX-License-Identifier: Apache-2.0
#include "harness/interop/interop_cell.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "harness/uri.h"
#include "reports/result_file.h"

namespace wirelaw {
namespace {

namespace fs = std::filesystem;

// Tells both peers the folder of their cell, where a responder may leave what its initiator needs.
constexpr std::string_view kFolderVariable = "WIRELAW_FOLDER";

std::string shell_word(std::string_view text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string replaced(std::string text, const std::map<std::string, std::string>& values) {
  for (const auto& [name, value] : values) {
    const std::string place = fmt::format("{{{}}}", name);
    for (std::size_t at = 0; (at = text.find(place, at)) != std::string::npos; at += value.size())
      text.replace(at, place.size(), value);
  }
  return text;
}

// Sessions of the reference have different seeds; the responder has the first.
std::string command_of(const CellRun& run, const InteropPeer& peer, bool initiates) {
  const std::string& command = initiates ? peer.initiator : peer.responder;
  if (command != kReference) return command;
  const std::string role = initiates ? initiator_options(*run.plan.protocol, "$((WIRELAW_SESSION + 1))") : "";
  return fmt::format("exec {} serve {}{} {}", shell_word(run.program), run.plan.protocol->name, role, peer.options);
}

// Returns the command with the values of the cell, in a subshell, so that an `exec` in it does not end the script.
std::string subshell(const CellRun& run, const CellPorts& ports, bool initiates) {
  const std::string& address = initiates ? run.plan.relay_address : run.plan.responder_address;
  const std::uint16_t port = initiates && !run.plan.is_transparent ? ports.relay : ports.responder;
  std::map<std::string, std::string> values{
      {"address", address},
      {"port", std::to_string(port)},
      {"uri", fmt::format("{}://{}", run.plan.transport, host_and_port(address, port))},
      {"session", "$WIRELAW_SESSION"}};
  for (const auto& [name, value] : run.scenario.values) values.emplace(name, value);
  return fmt::format("( {} )", replaced(command_of(run, initiates ? run.initiator : run.responder, initiates), values));
}

// When the initiator's script asks for it, the responder is killed and started again. The initiator's script continues
// once the responder is ready.
std::string responder_script(const CellRun& run, const CellPorts& ports) {
  const std::string command = subshell(run, ports, false);
  const std::string folder = shell_word(fs::absolute(run.folder).string());
  if (run.scenario.restart != "responder")
    return fmt::format("#!/bin/sh\nexport {}={}\n{}\n", kFolderVariable, folder, command);
  return fmt::format(
      "#!/bin/sh\n# Its first line says that it is ready.\nexport {2}={0}\ncd {0}\n{1} & responder=$!\n"
      "read -r go <again\n"
      "kill $responder; wait $responder\n{1} | {{ read -r line; echo \"$line\" >ready; cat >/dev/null; }}\n",
      folder, command, kFolderVariable);
}

std::string initiator_script(const CellRun& run, const CellPorts& ports) {
  std::string text = fmt::format("#!/bin/sh\n# Its exit status goes to initiator.status.\nexport {1}={0}\ncd {0}\n",
                                 shell_word(fs::absolute(run.folder).string()), kFolderVariable);
  for (const auto& [name, value] : run.scenario.values)
    text += fmt::format("export {}={}\n", variable_of(name), shell_word(value));
  text += fmt::format(
      "sessions() {{\n  all= failed=0 WIRELAW_SESSION=0\n  while [ $WIRELAW_SESSION -lt {} ]; do\n"
      "    WIRELAW_SESSION=$((WIRELAW_SESSION + 1)); export WIRELAW_SESSION\n    {} & all=\"$all $!\"\n  done\n"
      "  for one in $all; do wait $one || failed=$?; done\n  return $failed\n}}\n",
      run.scenario.sessions, subshell(run, ports, true));
  const std::string_view then = run.scenario.restart == "responder"
                                    ? " && echo >again && read -r line <ready && sessions"
                                : run.scenario.restart == "initiator" ? " && sessions"
                                                                      : "";
  return text + fmt::format("sessions{}\necho $? >initiator.status\n", then);
}

bool write(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  return static_cast<bool>(file.flush());
}

std::string read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// Returns the features of both peers together, since the relay judges both sides by one set.
std::vector<std::string> declared(const CellRun& run) {
  std::set<std::string> features(run.initiator.features.begin(), run.initiator.features.end());
  features.insert(run.responder.features.begin(), run.responder.features.end());
  std::vector<std::string> words;
  for (const std::string& one : features) words.push_back(fmt::format("--feature {}", shell_word(one)));
  if (!run.initiator.revision.empty() && run.initiator.revision == run.responder.revision)
    words.push_back(fmt::format("--revision {}", shell_word(run.initiator.revision)));
  return words;
}

// --- the result

// Returns the last lines of the relay's output, which has those of the peers, too: "first / second".
std::string last_lines(const std::string& text) {
  constexpr std::size_t kMostLines = 3, kMostOctets = 300;  // in a line
  std::deque<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.starts_with("wirelaw: relaying ")) continue;
    if (line.size() > kMostOctets) line = line.substr(0, kMostOctets) + "…";
    lines.push_back(std::move(line));
    if (lines.size() > kMostLines) lines.pop_front();
  }
  return lines.empty() ? "the relay wrote nothing" : fmt::format("{}", fmt::join(lines, " / "));
}

// Returns the real peer that a finding blames. In both legs, the side that is nearer to the initiator made the
// connection.
std::string side_of(const std::string& flow, const std::string& sender) {
  const std::size_t begin = flow.find(' '), end = flow.find(" - ");
  const bool is_first = begin != std::string::npos && end != std::string::npos && end > begin &&
                        flow.substr(begin + 1, end - begin - 1) == sender;
  return is_first ? "initiator" : "responder";
}

std::vector<InteropBreach> breaches_of(const nlohmann::json& result) {
  std::map<std::string, std::set<std::string>> sides;
  for (const auto& one : result.value("findings", nlohmann::json::array()))
    if (one.value("severity", "") == "violation")
      sides[one.value("rule", "")].insert(side_of(one.value("flow", ""), one.value("sender", "")));
  std::vector<InteropBreach> breaches;
  for (const auto& rule : result.value("rules", nlohmann::json::array())) {
    if (rule.value("verdict", "") != "fail") continue;
    const std::string id = rule.value("id", "");
    const std::set<std::string>& of = sides[id];
    breaches.push_back({.rule = id,
                        .level = rule.value("level", ""),
                        .summary = rule.value("summary", ""),
                        .side = of.size() == 1 ? *of.begin() : "both"});
  }
  return breaches;
}

std::string words_of(const std::vector<InteropBreach>& breaches) {
  std::vector<std::string> words;
  for (const InteropBreach& one : breaches) words.push_back(fmt::format("{} ({})", one.rule, one.side));
  return fmt::format("broken: {}", fmt::join(words, ", "));
}

// Returns true if both legs were judged. Otherwise nothing is known about one of the sides.
bool has_both_legs(const nlohmann::json& result) {
  std::size_t judged = 0;
  for (const auto& one : result.value("flows", nlohmann::json::array())) judged += one.value("state", "") == "judged";
  return judged >= 2;
}

void judge_data(const CellRun& run, InteropCell& cell) {
  const std::string status = read(run.folder / "initiator.status");
  if (status == "0\n") return;
  cell.reason = status.empty() ? fmt::format("the initiator did not end within {} s", run.scenario.seconds)
                               : fmt::format("the initiator ended with status {}", status.substr(0, status.find('\n')));
  if (run.scenario.completes) cell.state = InteropState::data_lost;
}

}  // namespace

std::string unsupported_reason(const CellRun& run) {
  for (const InteropPeer* const peer : {&run.initiator, &run.responder})
    if (const auto found = peer->unsupported.find(run.scenario.name); found != peer->unsupported.end())
      return fmt::format("{}: {}", peer->name, found->second);
  return {};
}

tl::expected<std::string, std::string> prepare_cell(const CellRun& run, const CellPorts& ports) {
  std::error_code code;
  fs::remove_all(run.folder, code);
  if (!fs::create_directories(run.folder, code))
    return tl::unexpected(fmt::format("cannot create {}: {}", run.folder.string(), code.message()));
  const std::string folder = fs::absolute(run.folder).string();
  if (run.scenario.restart == "responder")
    for (const char* const name : {"/again", "/ready"})
      if (::mkfifo((folder + name).c_str(), 0600) != 0)
        return tl::unexpected(fmt::format("cannot create {}{}: {}", folder, name, std::strerror(errno)));
  const auto uri = [&](const std::string& address, std::uint16_t port) {
    return fmt::format("{}://{}", run.plan.transport, host_and_port(address, port));
  };
  std::vector<std::string> words{shell_word(run.program), "relay", std::string(run.plan.protocol->name)};
  const auto add = [&](std::string_view option, const std::string& value) {
    words.push_back(fmt::format("{} {}", option, shell_word(value)));
  };
  if (run.plan.is_transparent) {
    add("--transparent --to", fmt::format("{}://:{}", run.plan.transport, ports.responder));
  } else {
    add("--to", uri(run.plan.responder_address, ports.responder));
    add("--listen", uri(run.plan.relay_address, ports.relay));
  }
  add("--start", "exec sh " + shell_word(folder + "/responder.sh"));
  add("--trigger", "exec sh " + shell_word(folder + "/initiator.sh"));
  add("--for", fmt::format("{}s", run.scenario.seconds));
  if (!run.scenario.network.empty()) add("--network", run.scenario.network);
  if (!run.scenario.faults.empty()) add("--faults", fs::absolute(run.scenario.faults).string());
  add("--seed", std::to_string(run.scenario.seed));
  for (const std::string& word : declared(run)) words.push_back(word);
  add("--pcapng", folder + "/both.pcapng");
  add("--html", folder + "/report.html");
  words.push_back(fmt::format("--format json -o {}", shell_word(folder + "/result.json")));
  const std::string command = fmt::format("{}", fmt::join(words, " "));
  if (!write(run.folder / "responder.sh", responder_script(run, ports)) ||
      !write(run.folder / "initiator.sh", initiator_script(run, ports)) ||
      !write(run.folder / "relay.sh", fmt::format("#!/bin/sh\nexec {}\n", command)))
    return tl::unexpected(fmt::format("cannot write to {}", folder));
  return fmt::format("exec sh {} >{} 2>&1", shell_word(folder + "/relay.sh"), shell_word(folder + "/relay.txt"));
}

InteropCell judge_cell(const CellRun& run, int exit_status) {
  InteropCell cell{.initiator = run.initiator.name, .responder = run.responder.name, .scenario = run.scenario.name};
  std::error_code ignored;
  for (const char* const file :
       {"report.html", "both.pcapng", "result.json", "relay.txt", "initiator.sh", "responder.sh", "relay.sh"})
    if (fs::exists(run.folder / file, ignored)) cell.files.emplace_back(file);
  const std::string said = last_lines(read(run.folder / "relay.txt"));
  const auto result = nlohmann::json::parse(read(run.folder / "result.json"), nullptr, false);
  if (exit_status == static_cast<int>(ExitStatus::peer_lost)) {
    cell.state = InteropState::peer_lost;
    cell.reason = said;
    return cell;
  }
  if (!result.is_object() || (exit_status != 0 && exit_status != static_cast<int>(ExitStatus::failed))) {
    cell.reason = exit_status < 0 ? "the relay did not end" : said;
    return cell;
  }
  cell.breaches = breaches_of(result);
  for (const auto& rule : result.value("rules", nlohmann::json::array()))
    cell.warned += rule.value("verdict", "") == "warned";
  if (!cell.breaches.empty()) {
    cell.state = InteropState::fail;
    cell.reason = words_of(cell.breaches);
  } else if (!has_both_legs(result)) {
    cell.reason = "not both sides were judged: see the flows of the report";
  } else {
    cell.state = InteropState::pass;
    judge_data(run, cell);
    if (cell.state == InteropState::pass) cell.reason.clear();
  }
  return cell;
}

}  // namespace wirelaw
