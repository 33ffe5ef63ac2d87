// SPDX-License-Identifier: Apache-2.0
// For tests: gives this process and its children a network namespace with only a loopback interface, on which they may
// capture.
#pragma once

#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

namespace wirelaw {

// Why there is none; empty if there is one now. The process must have one thread.
inline std::string enter_own_network() {
  static const std::string kOutcome = []() -> std::string {
    if (::unshare(CLONE_NEWNET) != 0) {
      const std::string as_root = "0 " + std::to_string(::geteuid()) + " 1";
      if (::unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0)
        return std::string("no network namespace can be made: ") + std::strerror(errno);
      // Programs that are started keep what root may there.
      std::ofstream("/proc/self/uid_map") << as_root;
    }
    ifreq request = {};
    std::strcpy(request.ifr_name, "lo");
    request.ifr_flags = IFF_UP;
    const int socket = ::socket(AF_INET, SOCK_DGRAM, 0);
    const bool up = socket >= 0 && ::ioctl(socket, SIOCSIFFLAGS, &request) == 0;
    const std::string why = up ? "" : std::string("its loopback interface cannot be set up: ") + std::strerror(errno);
    if (socket >= 0) ::close(socket);
    return why;
  }();
  return kOutcome;
}

}  // namespace wirelaw
