// SPDX-License-Identifier: Apache-2.0
#include "harness/interop/interop_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/ip/udp.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "conformance/rule.h"
#include "harness/interop/interop_cell.h"
#include "harness/transports/refusal.h"
#include "harness/transports/trigger_process.h"

namespace wirelaw {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kLookMilliseconds = 20;
// Time that a cell has to write its report, in addition to the time limit of its scenario.
constexpr std::chrono::seconds kReportTime{60};

// Allocates ports below the range that the system gives to clients, each once in a run.
class Ports {
 public:
  Ports() : next_(static_cast<std::uint16_t>(kFirst + ::getpid() * 64 % (kEnd - kFirst))) {}

  // Returns 0 if no port is free.
  std::uint16_t take(const std::string& address) {
    for (unsigned tries = 0; tries < kEnd - kFirst; ++tries) {
      const std::uint16_t port = next_;
      next_ = next_ + 1 == kEnd ? kFirst : static_cast<std::uint16_t>(next_ + 1);
      if (is_free<asio::ip::tcp>(address, port) && is_free<asio::ip::udp>(address, port)) return port;
    }
    return 0;
  }

 private:
  static constexpr std::uint16_t kFirst = 20'000, kEnd = 32'000;

  template <class Transport>
  bool is_free(const std::string& address, std::uint16_t port) {
    asio::error_code code;
    const typename Transport::endpoint place(asio::ip::make_address(address, code), port);
    typename Transport::socket socket(context_);
    if (!code) socket.open(place.protocol(), code);
    if (!code) socket.bind(place, code);
    return !code;
  }

  asio::io_context context_;
  std::uint16_t next_;
};

struct Running {
  CellRun run;
  std::size_t place;  // index of its result
  TriggerProcess process;
  Clock::time_point until;
};

class InteropRun {
 public:
  InteropRun(const InteropPlan& plan, const InteropOptions& options) : plan_(plan), options_(options) {}

  tl::expected<InteropResults, std::string> all() {
    list();
    std::size_t next = 0;
    while ((next < waiting_.size() && options_.signal.load() == 0) || !running_.empty()) {
      while (next < waiting_.size() && running_.size() < options_.jobs && options_.signal.load() == 0)
        if (const auto started = start(waiting_[next++]); !started) return tl::unexpected(started.error());
      look();
    }
    return std::move(results_);
  }

 private:
  struct Waiting {
    CellRun run;
    std::size_t place;
  };

  void list();
  tl::expected<void, std::string> start(const Waiting& one);
  void look();
  void end(const Running& one, int exit_status);

  const InteropPlan& plan_;
  const InteropOptions& options_;
  InteropResults results_;
  std::vector<Waiting> waiting_;
  std::vector<std::unique_ptr<Running>> running_;
  Ports ports_;
  std::size_t done_ = 0;
};

void InteropRun::list() {
  results_.protocol = plan_.protocol->title;
  for (const InteropScenario& scenario : plan_.scenarios)
    if (options_.only.empty() || matches_glob(options_.only, scenario.name))
      results_.scenarios.push_back(scenario.name);
  for (const InteropPeer& initiator : plan_.peers)
    for (const InteropPeer& responder : plan_.peers) {
      if (initiator.initiator.empty() || responder.responder.empty()) continue;
      InteropCell cell{.initiator = initiator.name, .responder = responder.name, .scenario = {}};
      results_.pairs.push_back(pair_of(cell));
      for (const InteropScenario& scenario : plan_.scenarios) {
        if (std::ranges::count(results_.scenarios, scenario.name) == 0) continue;
        cell.scenario = scenario.name;
        cell.folder = fmt::format("{}/{}--{}", scenario.name, initiator.name, responder.name);
        const CellRun run{.plan = plan_,
                          .initiator = initiator,
                          .responder = responder,
                          .scenario = scenario,
                          .folder = options_.folder / cell.folder,
                          .program = options_.program};
        cell.reason = unsupported_reason(run);
        cell.state = cell.reason.empty() ? InteropState::no_verdict : InteropState::unsupported;
        if (cell.reason.empty()) {
          waiting_.push_back({run, results_.cells.size()});
          cell.reason = "the run was interrupted";
        }
        results_.cells.push_back(cell);
      }
    }
}

tl::expected<void, std::string> InteropRun::start(const Waiting& one) {
  const CellPorts ports{.responder = ports_.take(plan_.responder_address), .relay = ports_.take(plan_.relay_address)};
  if (ports.responder == 0 || ports.relay == 0)
    return tl::unexpected(fmt::format("no port is free at {} and {}", plan_.responder_address, plan_.relay_address));
  const auto command = prepare_cell(one.run, ports);
  if (!command) return tl::unexpected(command.error());
  auto process = TriggerProcess::start(*command, {});
  if (!process) return tl::unexpected(one_line(process.error()));
  const auto until = Clock::now() + std::chrono::seconds(one.run.scenario.seconds) + kReportTime;
  running_.push_back(std::make_unique<Running>(Running{one.run, one.place, std::move(*process), until}));
  return {};
}

// A relay that received the signal too ends normally, and its cell has what was judged until then.
void InteropRun::look() {
  running_.front()->process.wait(kLookMilliseconds);
  std::erase_if(running_, [&](const std::unique_ptr<Running>& one) {
    if (options_.signal.load() != 0) one->process.ask_to_end();
    if (const auto how = one->process.ended(0)) {
      end(*one, how->by_signal ? -1 : how->number);
      return true;
    }
    if (Clock::now() < one->until) return false;
    one->process.end();
    end(*one, -1);
    return true;
  });
}

void InteropRun::end(const Running& one, int exit_status) {
  InteropCell& cell = results_.cells[one.place];
  const std::string folder = cell.folder;
  cell = judge_cell(one.run, exit_status);
  cell.folder = folder;
  if (options_.ended) options_.ended(cell, ++done_, waiting_.size());
}

}  // namespace

tl::expected<InteropResults, std::string> run_interop(const InteropPlan& plan, const InteropOptions& options) {
  return InteropRun(plan, options).all();
}

}  // namespace wirelaw
