// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/live_check.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "harness/commands/command.h"
#include "harness/commands/duration.h"
#include "harness/commands/interruption.h"
#include "harness/commands/options.h"
#include "pcap/live_capture.h"
#include "pcap/writer.h"
#include "reports/printable.h"
#include "reports/text_finding.h"

namespace wirelaw {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLook{100};  // bounds the delay of a signal that arrived just before waiting

// Waits for frames or a signal, for a limited time.
void wait_for_frames(const pcap::LiveCapture& capture) {
  pollfd readable{.fd = capture.descriptor(), .events = POLLIN, .revents = 0};
  ::poll(&readable, 1, static_cast<int>(kLook.count()));
}

// Writes frames to standard output until a signal or `until`. Returns an error, or empty if the judge got everything.
std::optional<std::string> pump(pcap::LiveCapture& capture, std::optional<Clock::time_point> until) {
  auto writer = pcap::Writer::create("-");
  if (!writer) return pcap::to_string(writer.error());
  const std::atomic<int>& signal = interruption();
  pcap::Frame frame;
  while (signal.load() == 0 && (!until || Clock::now() < *until)) {
    if (capture.next(frame)) {
      if (const auto written = writer->write_frame(frame); !written) return pcap::to_string(written.error());
      continue;
    }
    if (const auto written = writer->flush(); !written) return pcap::to_string(written.error());
    if (capture.problem()) break;
    wait_for_frames(capture);
  }
  while (capture.next(frame))  // frames that arrived before the end
    if (const auto written = writer->write_frame(frame); !written) return pcap::to_string(written.error());
  if (!capture.problem()) writer->say_dropped(capture.lost());  // otherwise unknown
  if (const auto written = writer->commit(); !written) return pcap::to_string(written.error());
  return capture.problem() ? std::optional(pcap::to_string(*capture.problem())) : std::nullopt;
}

int status_of(pid_t judge) {
  int status = 0;
  while (::waitpid(judge, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  return complain(fmt::format("the judging process was ended by signal {}", WTERMSIG(status)));
}

// The end of the capture is its end: signals are for who captures.
void become_judge(const std::array<int, 2>& pipe) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
  ::dup2(pipe[0], STDIN_FILENO);
  for (const int end : pipe) ::close(end);
}

// Held-back breaches are settled at the end, when it is known whether frames were dropped.
std::string weight_of(const Finding& finding) {
  const std::string_view level = to_string(finding.rule->level);
  if (finding.held_back) return fmt::format("{}, if no frame was dropped,", level);
  return std::string(finding.severity == Severity::violation ? level : "warning");
}

}  // namespace

void add_live_options(CLI::App& command, LiveOptions& options) {
  CLI::Option* const live =
      add_option(command, "--live", options.interface,
                 "Judge the traffic on this network interface until interrupted, and report each finding at once");
  live->type_name("INTERFACE");
  add_option(command, "--filter", options.filter, "With --live: capture filter, e.g. `udp port 7001` (pcap-filter)")
      ->type_name("EXPRESSION")
      ->needs(live);
  add_option(command, "--for", options.time, "With --live: stop after this time, e.g. 90s, 10m, 2h")
      ->type_name("DURATION")
      ->needs(live);
}

int judge_live(const LiveOptions& options, const std::function<int()>& judge) {
  const auto time = duration_of(options.time);
  if (!options.time.empty() && !time)
    return complain(fmt::format("--for: '{}' is not a duration; use 90s, 10m or 2h", printable(options.time)));
  auto capture = pcap::LiveCapture::open(options.interface, options.filter);
  if (!capture) return complain("--live " + pcap::to_string(capture.error()));
  const auto until = time ? std::optional(Clock::now() + *time) : std::nullopt;
  const auto judged = judge_feed(
      [&] {
        fmt::print(stderr, "wirelaw: capturing on {} until {}\n", printable(options.interface),
                   time ? options.time + " are over, or a signal" : "a signal (Ctrl-C)");
        return pump(*capture, until);
      },
      [&] { const auto closed = std::move(*capture); },  // frees its large buffer
      judge);
  if (!judged) return complain("--live: " + judged.error());
  const auto& [status, trouble] = *judged;
  if (!trouble || (status != 0 && !capture->problem())) return status;  // the judge has reported the reason
  const int misused = complain("--live: " + *trouble);
  return status == 0 ? misused : status;
}

tl::expected<JudgedFeed, std::string> judge_feed(const std::function<std::optional<std::string>()>& feed,
                                                 const std::function<void()>& release,
                                                 const std::function<int()>& judge) {
  std::array<int, 2> pipe{};
  if (::pipe(pipe.data()) != 0) return tl::unexpected(std::string("cannot create a pipe"));
  std::fflush(nullptr);
  const pid_t judging = ::fork();
  if (judging < 0) return tl::unexpected(std::string("cannot start a process"));
  if (judging == 0) {
    become_judge(pipe);
    release();
    std::exit(judge());  // processes that the caller has started are not ended here
  }
  std::signal(SIGPIPE, SIG_IGN);  // a judge that has ended is seen where its pipe is written
  ::dup2(pipe[1], STDOUT_FILENO);
  for (const int end : pipe) ::close(end);
  JudgedFeed fed;
  fed.trouble = feed();
  std::fflush(stdout);
  ::close(STDOUT_FILENO);
  fed.status = status_of(judging);
  return fed;
}

void say_findings_at_once(FileWatcher& watcher) {
  auto before = watcher.judged;
  watcher.judged = [before = std::move(before), said = std::size_t{0}](const pcap::Datagram* datagram,
                                                                       const pcap::Segment* segment, const Flow* flow,
                                                                       Checker& checker) mutable {
    const std::vector<Finding>& findings = checker.judge().findings();
    for (; said < findings.size(); ++said) {
      const Finding& one = findings[said];
      fmt::print(stderr, "{} {}: {}: expected {}, got {}\n", weight_of(one), one.rule->id, where_of(one),
                 printable(one.expected), printable(one.actual));
    }
    return !before || before(datagram, segment, flow, checker);
  };
}

}  // namespace wirelaw
