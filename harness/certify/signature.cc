// SPDX-License-Identifier: Apache-2.0
#include "harness/certify/signature.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <vector>

#include "reports/printable.h"
#include "reports/result_file.h"

namespace wirelaw {
namespace {

struct ToolRun {
  int status = -1;
  std::string out;  // standard output; at most kMostOctets
};

constexpr std::size_t kMostOctets = 1u << 16;

std::string read_all_of(int descriptor) {
  std::string text;
  std::array<char, 4096> buffer;
  for (ssize_t got = 0; (got = ::read(descriptor, buffer.data(), buffer.size())) != 0;) {
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) break;
    if (text.size() < kMostOctets) text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return text;
}

// Empty if it cannot be run.
std::optional<ToolRun> run_tool(std::vector<std::string> words, const std::string& in) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, in.c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  pid_t process = -1;
  const int error = ::posix_spawnp(&process, pointers.front(), &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  std::optional<ToolRun> run;
  if (error == 0) {
    run.emplace().out = read_all_of(ends[0]);
    int status = 0;
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    run->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  ::close(ends[0]);
  return run;
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

// Returns "ED25519 key SHA256:…" from: Good "wirelaw" signature with ED25519 key SHA256:…
std::string key_in(const std::string& line) {
  constexpr std::string_view kBefore = " with ";
  const std::size_t at = line.find(kBefore);
  return printable(at == std::string::npos ? line : line.substr(at + kBefore.size()));
}

// A path that no tool takes for an option.
std::string argument(const std::string& path) {
  return path.starts_with('-') ? "./" + path : path;
}

Signature ssh_signature(const std::string& statement, const std::string& file, const std::string& signers) {
  const std::string shown = printable(file), path = argument(file), from = argument(signers);
  const auto matches = run_tool({"ssh-keygen", "-Y", "check-novalidate", "-n", "wirelaw", "-s", path}, statement);
  if (!matches || matches->status == 127)
    return {Signature::State::not_checked, {}, fmt::format("{} is not checked: ssh-keygen is not installed", shown)};
  if (matches->status != 0)
    return {Signature::State::bad, {}, fmt::format("{} is not a signature of this statement", shown)};
  const std::string key = key_in(first_line(matches->out));
  if (signers.empty())
    return {Signature::State::unknown_key,
            {},
            fmt::format("{} matches, by {}; whose key that is, is not checked: name known signers with --signers",
                        shown, key)};
  const auto found = run_tool({"ssh-keygen", "-Y", "find-principals", "-s", path, "-f", from}, statement);
  const std::string name = found && found->status == 0 ? first_line(found->out) : std::string();
  const auto verified =
      run_tool({"ssh-keygen", "-Y", "verify", "-n", "wirelaw", "-f", from, "-I", name, "-s", path}, statement);
  if (name.empty() || !verified || verified->status != 0)
    return {Signature::State::unknown_key,
            {},
            fmt::format("{} matches, by {}, which is not a key of {}", shown, key, printable(signers))};
  return {Signature::State::good, name, fmt::format("{} is good: signed by {}, {}", shown, printable(name), key)};
}

}  // namespace

Signature signature_of(const std::string& statement_path, const std::string& signers) {
  std::error_code ignored;
  const std::string ssh = statement_path + ".sig";
  if (std::filesystem::exists(ssh, ignored)) {
    const auto text = read_file(ssh);
    if (text && text->starts_with("-----BEGIN SSH SIGNATURE-----")) return ssh_signature(statement_path, ssh, signers);
  }
  for (const char* const end : {".minisig", ".asc", ".sig"})
    if (const std::string file = statement_path + end; std::filesystem::exists(file, ignored))
      return {Signature::State::not_checked,
              {},
              fmt::format("{} is not checked: it is not from `ssh-keygen -Y sign`; check it with its own tool",
                          printable(file))};
  return {Signature::State::none, {}, "none: the statement is not signed"};
}

}  // namespace wirelaw
