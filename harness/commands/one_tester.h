// SPDX-License-Identifier: Apache-2.0
// A way to a peer that serves one connection at a time: further connections wait, or are closed.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace wirelaw {

class OneTester {
 public:
  enum class Others : std::uint8_t { wait, are_closed };

  // `peer` is "tcp://127.0.0.1:7175", and may have parameters.
  OneTester(const std::string& peer, Others others) {
    const std::size_t colon = peer.rfind(':');
    const auto to = static_cast<std::uint16_t>(std::atoi(peer.c_str() + colon + 1));
    sockaddr_in at = place(0);
    socklen_t size = sizeof at;
    const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (::bind(listener, address(at), size) != 0 || ::listen(listener, 64) != 0) return;
    ::getsockname(listener, address(at), &size);
    const std::size_t query = peer.find('?');
    uri_ = peer.substr(0, colon + 1) + std::to_string(ntohs(at.sin_port)) +
           (query == std::string::npos ? "" : peer.substr(query));
    process_ = ::fork();
    if (process_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      while (true) serve_one(listener, to, others);
    }
    ::close(listener);
  }
  OneTester(const OneTester&) = delete;
  OneTester& operator=(const OneTester&) = delete;
  ~OneTester() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }

  const std::string& uri() const { return uri_; }

 private:
  static sockaddr_in place(std::uint16_t port) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(port);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return at;
  }
  static sockaddr* address(sockaddr_in& at) { return reinterpret_cast<sockaddr*>(&at); }

  static void serve_one(int listener, std::uint16_t to, Others others) {
    const int tester = ::accept(listener, nullptr, nullptr);
    const int peer = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in at = place(to);
    std::array<pollfd, 3> all{{{tester, POLLIN, 0}, {peer, POLLIN, 0}, {listener, POLLIN, 0}}};
    if (others == Others::wait) all[2].fd = -1;
    bool goes_on = ::connect(peer, address(at), sizeof at) == 0;
    while (goes_on && (all[0].fd >= 0 || all[1].fd >= 0) && ::poll(all.data(), all.size(), -1) > 0) {
      if (all[0].fd >= 0 && all[0].revents != 0) goes_on = pass(all[0].fd, tester, peer);
      if (all[0].fd < 0) all[2].fd = -1;  // the tester has ended; the next connection is a new tester
      if (goes_on && all[1].fd >= 0 && all[1].revents != 0) goes_on = pass(all[1].fd, peer, tester);
      if (goes_on && all[2].fd >= 0 && all[2].revents != 0) close_with_reset(::accept(listener, nullptr, nullptr));
    }
    for (const int one : {tester, peer}) goes_on ? static_cast<void>(::close(one)) : close_with_reset(one);
  }

  // Passes octets on. Passes on an end, too. Returns false after a reset.
  static bool pass(int& polled, int from, int to) {
    std::array<char, 1 << 16> octets;
    const ssize_t got = ::recv(from, octets.data(), octets.size(), 0);
    if (got == 0) {
      polled = -1;
      ::shutdown(to, SHUT_WR);
    }
    return got == 0 || (got > 0 && ::send(to, octets.data(), static_cast<std::size_t>(got), MSG_NOSIGNAL) == got);
  }

  static void close_with_reset(int one) {
    const linger at_once{1, 0};
    ::setsockopt(one, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    ::close(one);
  }

  pid_t process_ = -1;
  std::string uri_;
};

}  // namespace wirelaw
