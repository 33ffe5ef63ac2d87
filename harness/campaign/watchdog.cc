// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/watchdog.h"

#include <unistd.h>

#include <csignal>

namespace wirelaw::campaign {

Watchdog::Watchdog(void (*give_up)(int)) {
  std::signal(SIGALRM, give_up);
  rearm();
}

Watchdog::~Watchdog() {
  ::alarm(0);
  std::signal(SIGALRM, SIG_DFL);
}

void Watchdog::rearm() {
  ::alarm(kLongest);
}

}  // namespace wirelaw::campaign
