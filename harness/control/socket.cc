// SPDX-License-Identifier: Apache-2.0
#include "harness/control/socket.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <vector>

namespace wirelaw::control {
namespace {

using Clock = std::chrono::steady_clock;

std::string message_of(std::string_view what, int error) {
  return std::string(what) + ": " + std::generic_category().message(error);
}

bool address_of(const std::string& path, sockaddr_un& address) {
  address = {};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return false;
  std::memcpy(address.sun_path, path.data(), path.size());
  return true;
}

// True if the file becomes ready before the deadline. If the deadline has passed, it is still checked once.
bool ready(int file, short events, Socket::Deadline deadline) {
  pollfd waited{.fd = file, .events = events, .revents = 0};
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    const int got = ::poll(&waited, 1, static_cast<int>(std::clamp<decltype(left)>(left, 0, 60'000)));
    if (got > 0) return true;
    if ((got < 0 && errno != EINTR) || left <= 0) return false;
  }
}

}  // namespace

Socket& Socket::operator=(Socket&& from) noexcept {
  std::swap(file_, from.file_);
  std::swap(read_, from.read_);
  std::swap(searched_, from.searched_);
  return *this;
}

Socket::~Socket() {
  if (file_ >= 0) ::close(file_);
}

Socket::Result<Socket> Socket::connect(const std::string& path) {
  sockaddr_un address;
  if (!address_of(path, address)) return tl::unexpected(path + ": the path is too long");
  Socket socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (socket.file_ < 0) return tl::unexpected(message_of("socket", errno));
  if (::connect(socket.file_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return tl::unexpected(message_of(path, errno));
  return socket;
}

Socket::Result<void> Socket::send(const std::string& line, Deadline deadline) {
  const std::string text = line + '\n';
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t some = ::send(file_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (some > 0) {
      sent += static_cast<std::size_t>(some);
    } else if (errno != EAGAIN && errno != EINTR) {
      return tl::unexpected(message_of("send", errno));
    } else if (!ready(file_, POLLOUT, deadline)) {
      return tl::unexpected(std::string("the other side does not read"));
    }
  }
  return {};
}

Socket::Result<std::optional<std::string>> Socket::receive(Deadline deadline) {
  std::vector<char> piece(65'536);
  while (true) {
    if (const std::size_t end = read_.find('\n', searched_); end != std::string::npos) {
      std::string line = read_.substr(0, end);
      read_.erase(0, end + 1);
      searched_ = 0;
      return line;
    }
    searched_ = read_.size();
    if (read_.size() > kMostLine) return tl::unexpected(std::string("a line is too long"));
    if (!ready(file_, POLLIN, deadline)) return std::nullopt;
    const ssize_t some = ::recv(file_, piece.data(), piece.size(), MSG_DONTWAIT);
    if (some > 0)
      read_.append(piece.data(), static_cast<std::size_t>(some));
    else if (some == 0)
      return tl::unexpected(std::string("the other side has closed"));
    else if (errno != EAGAIN && errno != EINTR)
      return tl::unexpected(message_of("recv", errno));
  }
}

Socket::Result<Listener> Listener::open() {
  const char* const base = std::getenv("TMPDIR");
  std::string folder = std::string(base == nullptr ? "/tmp" : base) + "/wirelaw-XXXXXX";
  if (::mkdtemp(folder.data()) == nullptr) return tl::unexpected(message_of(folder, errno));
  Listener listener(folder, ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address;
  if (!address_of(listener.path(), address)) return tl::unexpected(folder + ": TMPDIR is too long");
  if (listener.file_ < 0 || ::bind(listener.file_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener.file_, 4) != 0)
    return tl::unexpected(message_of(listener.path(), errno));
  return listener;
}

Listener::~Listener() {
  if (file_ >= 0) ::close(file_);
  if (folder_.empty()) return;
  ::unlink(path().c_str());
  ::rmdir(folder_.c_str());
}

std::optional<Socket> Listener::accept(Socket::Deadline deadline) {
  if (!ready(file_, POLLIN, deadline)) return std::nullopt;
  const int file = ::accept4(file_, nullptr, nullptr, SOCK_CLOEXEC);
  return file < 0 ? std::nullopt : std::optional<Socket>(Socket(file));
}

}  // namespace wirelaw::control
