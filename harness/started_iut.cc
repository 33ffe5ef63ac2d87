// SPDX-License-Identifier: Apache-2.0
#include "harness/started_iut.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <utility>

#include "harness/trigger_process.h"

namespace wirelaw {
namespace {

using Clock = std::chrono::steady_clock;

// What the command writes: a file in memory, so that it never waits for us to read on.
class Output {
 public:
  Output() : file_(::memfd_create("wirelaw-peer", MFD_CLOEXEC)) {}
  ~Output() {
    if (file_ >= 0) ::close(file_);
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  int file() const { return file_; }
  bool has_line() {
    char piece[512];
    for (ssize_t got = 0; (got = ::pread(file_, piece, sizeof piece, read_)) > 0; read_ += got)
      if (std::string_view(piece, static_cast<std::size_t>(got)).find('\n') != std::string_view::npos) return true;
    return false;
  }

 private:
  int file_;
  off_t read_ = 0;
};

class StartedIut final : public Iut {
 public:
  StartedIut(std::unique_ptr<Iut> listening, std::string command, std::chrono::nanoseconds start_time)
      : listening_(std::move(listening)), command_(std::move(command)), start_time_(start_time) {}

  std::string name() const override { return listening_->name(); }
  std::string capture_note() const override { return listening_->capture_note(); }
  std::string_view transport() const override { return listening_->transport(); }
  tl::expected<std::unique_ptr<Environment>, CarriageError> begin(const Case& next) override {
    if (auto started = start(next); !started) return tl::unexpected(started.error());
    return listening_->begin(next);
  }
  void pause(std::chrono::nanoseconds) override {}  // it does not come back by itself: the next begin() starts another

 private:
  tl::expected<void, CarriageError> start(const Case& next) {
    process_.reset();
    Output output;
    auto process = TriggerProcess::start(
        command_, {{"WIRELAW_URI", listening_->name()}, {"WIRELAW_CASE", std::string(next.id)}}, output.file());
    if (!process) return tl::unexpected(process.error());
    process_.emplace(std::move(*process));
    return await_line(output);
  }

  tl::expected<void, CarriageError> await_line(Output& output) {
    constexpr int kLookEvery = 2;  // milliseconds
    const auto late = Clock::now() + start_time_;
    while (!output.has_line()) {
      const bool ended = process_->wait(kLookEvery);
      if (ended && !output.has_line())
        return tl::unexpected(CarriageError{fmt::format("'{}' ended before it said that it listens", command_),
                                            "run it by hand; its messages are above"});
      if (Clock::now() >= late)
        return tl::unexpected(
            CarriageError{fmt::format("'{}' has not said that it listens", command_),
                          "--start: it has to write a line to its standard output as soon as it listens"});
    }
    return {};
  }

  std::unique_ptr<Iut> listening_;
  std::string command_;
  std::chrono::nanoseconds start_time_;
  std::optional<TriggerProcess> process_;
};

}  // namespace

std::unique_ptr<Iut> make_started_iut(std::unique_ptr<Iut> listening, std::string command,
                                      std::chrono::nanoseconds start_time) {
  return std::make_unique<StartedIut>(std::move(listening), std::move(command), start_time);
}

}  // namespace wirelaw
