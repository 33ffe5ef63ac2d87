// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/first_line.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace wirelaw {

CommandOutput::CommandOutput() : file_(::memfd_create("wirelaw-peer", MFD_CLOEXEC)) {}

CommandOutput::~CommandOutput() {
  if (file_ >= 0) ::close(file_);
}

std::optional<std::string> CommandOutput::line() {
  constexpr std::size_t kMost = 65'536;
  char piece[512];
  for (ssize_t got = 0; text_.size() < kMost && (got = ::pread(file_, piece, sizeof piece, read_)) > 0; read_ += got)
    text_.append(piece, static_cast<std::size_t>(got));
  const std::size_t end = text_.find('\n');
  if (end == std::string::npos && text_.size() < kMost) return std::nullopt;
  return text_.substr(0, end);
}

tl::expected<std::string, TransportError> await_first_line(const TriggerProcess& process, CommandOutput& output,
                                                           const std::string& command,
                                                           std::chrono::nanoseconds start_time) {
  constexpr int kLookEvery = 2;  // milliseconds
  const auto late = std::chrono::steady_clock::now() + start_time;
  while (true) {
    if (auto line = output.line()) return *line;
    const bool ended = process.wait(kLookEvery);
    if (ended && !output.line())
      return tl::unexpected(TransportError{fmt::format("'{}' ended before it said that it listens", command),
                                           "run it by hand; its messages are above"});
    if (std::chrono::steady_clock::now() >= late)
      return tl::unexpected(
          TransportError{fmt::format("'{}' has not said that it listens", command),
                         "--start: it has to write a line to its standard output as soon as it listens"});
  }
}

}  // namespace wirelaw
