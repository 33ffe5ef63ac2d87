// SPDX-License-Identifier: Apache-2.0
// The signals that end a service, for callers that wait for descriptors.
#pragma once

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>

namespace wirelaw::verbs {

// SIGINT and SIGTERM as something to wait for, from now on.
class EndSignals {
 public:
  EndSignals() {
    sigset_t set;
    ::sigemptyset(&set);
    ::sigaddset(&set, SIGINT);
    ::sigaddset(&set, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
    descriptor_ = ::signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
  }
  ~EndSignals() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;

  pollfd awaited() const { return {.fd = descriptor_, .events = POLLIN, .revents = 0}; }
  bool have_come() const {
    signalfd_siginfo signal;
    return ::read(descriptor_, &signal, sizeof signal) == sizeof signal;
  }

 private:
  int descriptor_ = -1;
};

}  // namespace wirelaw::verbs
