// SPDX-License-Identifier: Apache-2.0
// The last resort against a trial that neither ends nor lets time pass: an alarm that is restarted for each trial.
#pragma once

namespace wirelaw::campaign {

class Watchdog {
 public:
  static constexpr unsigned kLongest = 600;  // seconds of one trial

  // The function called in a signal handler when a trial takes too long. There is one at a time.
  explicit Watchdog(void (*give_up)(int));
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  ~Watchdog();

  void rearm();
};

}  // namespace wirelaw::campaign
