// SPDX-License-Identifier: Apache-2.0
// Lines over a UNIX-domain socket between the tester and an application that it drives. One thread, and deadlines.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <tl/expected.hpp>

namespace wirelaw::control {

class Socket {
 public:
  using Deadline = std::chrono::steady_clock::time_point;
  template <class T>
  using Result = tl::expected<T, std::string>;  // why it ended, in one line

  // A longer line ends the connection.
  static constexpr std::size_t kMostLine = std::size_t{64} << 20;

  // The path in WIRELAW_CONTROL.
  static Result<Socket> connect(const std::string& path);
  explicit Socket(int file) : file_(file) {}
  Socket(Socket&& from) noexcept : file_(std::exchange(from.file_, -1)), read_(std::move(from.read_)) {}
  Socket& operator=(Socket&& from) noexcept;
  ~Socket();

  // Sends the line and a line end. The other side has to read it within `deadline`, or it counts as gone.
  Result<void> send(const std::string& line, Deadline deadline);
  // Empty if none arrives by then.
  Result<std::optional<std::string>> receive(Deadline deadline);
  int file() const { return file_; }

 private:
  int file_ = -1;
  std::string read_;
  std::size_t searched_ = 0;
};

// A path in its own folder. One application at a time may connect.
class Listener {
 public:
  static Socket::Result<Listener> open();
  Listener(Listener&& from) noexcept : folder_(std::exchange(from.folder_, {})), file_(std::exchange(from.file_, -1)) {}
  Listener& operator=(Listener&&) = delete;
  ~Listener();

  std::string path() const { return folder_ + "/control"; }
  // Empty if none connects by then.
  std::optional<Socket> accept(Socket::Deadline deadline);

 private:
  Listener(std::string folder, int file) : folder_(std::move(folder)), file_(file) {}

  std::string folder_;
  int file_;
};

}  // namespace wirelaw::control
