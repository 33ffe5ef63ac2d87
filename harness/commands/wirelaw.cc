// SPDX-License-Identifier: Apache-2.0
// The `wirelaw` command: parses its arguments, runs one subcommand, and reports every error in one line.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <span>
#include <system_error>

#include "conformance/protocol.h"
#include "harness/commands/command.h"
#include "harness/commands/options.h"
#include "harness/commands/suggest.h"
#include "harness/transports/local_resource_error.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

struct CommandRow {
  std::string_view name;
  void (*add)(CLI::App& root, int& status);
};
constexpr CommandRow kCommands[] = {{"check", add_check},
                                    {"test", add_test},
                                    {"serve", add_serve},
                                    {"relay", add_relay},
                                    {"interop", add_interop},
                                    {"fuzz", add_fuzz},
                                    {"ics", add_ics},
                                    {"certify", add_certify},
                                    {"verify", add_verify},
                                    {"decode", add_decode},
                                    {"script", add_script},
                                    {"rules", add_rules},
                                    {"explain", add_explain},
                                    {"diff", add_diff},
                                    {"merge", add_merge},
                                    {"matrix", add_matrix},
                                    {"devices", add_devices},
                                    {"peers", add_peers},
                                    {"completion", add_completion}};

// The subcommand that the first word names, if it does not depend on the others: to set up all their options takes
// longer than to judge a short capture.
std::span<const CommandRow> commands_for(std::string_view first) {
  const auto* const named = std::ranges::find(kCommands, first, &CommandRow::name);
  if (named == std::end(kCommands) || named->add == add_completion) return kCommands;
  return {named, 1};
}

constexpr std::string_view kShortUsage =
    "wirelaw judges remote-memory protocols against their specifications.\n\n"
    "  wirelaw check trace.pcapng            judge a capture\n"
    "  wirelaw test ramcloud udp://HOST:PORT judge a live peer\n"
    "  wirelaw decode trace.pcapng           print its messages with the findings inline\n"
    "  wirelaw rules                         list the rules\n"
    "  wirelaw explain RULE                  explain a rule and how it is judged\n\n"
    "`wirelaw --help` lists the subcommands, `wirelaw check --help` explains one of them.\n";

std::vector<std::string> subcommand_names(const CLI::App& root) {
  std::vector<std::string> names;
  for (const CLI::App* app : root.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); }))
    names.push_back(app->get_name());
  return names;
}

const CLI::App& chosen(const CLI::App& root) {
  const auto parsed = root.get_subcommands();
  return parsed.empty() ? root : *parsed.front();
}

int complain_of_use(const CLI::App& root, const CLI::ParseError& error) {
  const CLI::App& app = chosen(root);
  const std::string help =
      fmt::format("see `wirelaw{}{} --help`", &app == &root ? "" : " ", &app == &root ? "" : app.get_name());
  const std::vector<std::string> unknown = root.remaining(true);
  if (!unknown.empty() && (&app == &root || dynamic_cast<const CLI::ExtrasError*>(&error))) {
    const std::string word = unknown.front().substr(0, unknown.front().find('='));
    const bool option = word.starts_with('-');
    const std::string meant = suggestion(word, option ? option_names(app) : subcommand_names(root));
    return complain(fmt::format("unknown {} '{}'{}{}",
                                option          ? "option"
                                : &app == &root ? "subcommand"
                                                : "argument",
                                printable(word), meant, meant.empty() ? "; " + help : ""));
  }
  return complain(fmt::format("{}; {}", reason_of(error), help));
}

std::vector<std::string> given_words;

// A descriptor that the caller closed must not become the first file that is opened.
void hold_standard_descriptors() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor)
    if (::fcntl(descriptor, F_GETFD) < 0 && ::open("/dev/null", O_RDONLY) < 0) return;
}

// Every protocol: its word, its title, and the schemes of its URIs.
std::string protocol_lines() {
  std::string lines = "Protocols:\n";
  for (const Protocol* one : protocols())
    lines += fmt::format("  {:<37} {} ({})\n", one->name, one->title,
                         one->transports.empty() ? "captures" : one->transports);
  return lines;
}

// Ends as if the signal had not been handled, so that scripts, and pipefail, see the usual status.
void end_by(int signal) {
  std::signal(signal, SIG_DFL);
  sigset_t alone;
  sigemptyset(&alone);
  sigaddset(&alone, signal);
  sigprocmask(SIG_UNBLOCK, &alone, nullptr);
  std::raise(signal);
}

int run(int count, char** words) {
  int status = 0;
  CLI::App root("Judges implementations of remote-memory protocols against their specifications.", "wirelaw");
  root.set_version_flag("--version", fmt::format("wirelaw {} (commit {})", version(), commit()),
                        "Print the version, and the commit that it was built from");
  root.get_formatter()->column_width(40);
  root.require_subcommand(1);
  root.footer(protocol_lines() +
              "\nExamples:\n"
              "  wirelaw check trace.pcapng\n"
              "  wirelaw decode -V trace.pcapng\n"
              "  wirelaw rules --level must\n\n" +
              std::string(kExitStatuses) + "\nThe manual page wirelaw(1) has more.\n");
  given_words.assign(words, words + count);
  for (const CommandRow& one : commands_for(count < 2 ? "" : words[1])) one.add(root, status);
  if (count < 2) {
    fmt::print(stderr, "{}", kShortUsage);
    return static_cast<int>(ExitStatus::misused);
  }
  try {
    root.parse(count, words);
  } catch (const CLI::Success& success) {  // --help, --version
    root.exit(success, std::cout, std::cerr);
    std::cout.flush();
    return std::cout ? 0 : cannot_write("standard output: cannot be written; is its disk full?", true);
  } catch (const CLI::ParseError& error) {
    return complain_of_use(root, error);
  }
  return status;
}

}  // namespace

int complain(std::string_view message) {
  const std::string line = fmt::format("wirelaw: {}\n", printable(message));
  std::fputs(line.c_str(), stderr);  // fmt::print would throw if standard error has lost its reader
  return static_cast<int>(ExitStatus::misused);
}

int cannot_write(std::string_view message, bool to_standard_output) {
  pollfd standard_output{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
  if (to_standard_output && ::poll(&standard_output, 1, 0) > 0 && (standard_output.revents & (POLLERR | POLLHUP)) != 0)
    return kReaderGone;
  return complain(message);
}

int finish(Output& out, int status) {
  const auto written = out.commit();
  return written ? status : cannot_write(written.error(), out.is_descriptor_of_caller());
}

const std::vector<std::string>& command_line() {
  return given_words;
}

std::string_view version() {
  return WIRELAW_VERSION;
}

}  // namespace wirelaw

int main(int count, char** words) {
  using wirelaw::complain;
  std::signal(SIGPIPE, SIG_IGN);  // a socket or a file of -o that has lost its reader is reported in words
  wirelaw::hold_standard_descriptors();
  try {
    const int status = wirelaw::run(count, words);
    if (status > wirelaw::kEndedBySignal) wirelaw::end_by(status - wirelaw::kEndedBySignal);
    return status;
  } catch (const std::bad_alloc&) {
    return complain("out of memory; use a machine with more, or split the capture");
  } catch (const std::system_error& error) {
    const bool lacks_files = error.code().value() == EMFILE;
    return complain(lacks_files ? fmt::format("{}; {}", error.what(), wirelaw::kNoSocket)
                                : fmt::format("internal error: {}; please report it", error.what()));
  } catch (const std::exception& error) {
    return complain(fmt::format("internal error: {}; please report it", error.what()));
  }
}
