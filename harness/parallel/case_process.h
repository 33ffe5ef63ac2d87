// SPDX-License-Identifier: Apache-2.0
// A process beside this one, and the line between the two: what is said on it comes whole, and in its order.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace wirelaw {

class Line {
 public:
  explicit Line(int descriptor) : descriptor_(descriptor) {}
  Line(Line&& from) noexcept;
  Line& operator=(Line&& from) noexcept;
  ~Line() { close(); }

  struct Said {
    char kind = 0;
    std::string text;
  };
  // False where nobody is there any more.
  bool say(char kind, std::string_view text = {});
  // Waits for it; nothing where nobody is there any more.
  std::optional<Said> hear();

  // --- without waiting, once the descriptor is readable
  bool read_some();  // false where nobody is there any more
  std::optional<Said> take();

  int descriptor() const { return descriptor_; }
  void close();

 private:
  int descriptor_;
  std::string read_;
};

// Lives as long as this process at most. It has a process group of its own, so that a terminal's signals are this
// process's to give on.
class CaseProcess {
 public:
  // In the new process `work` is all that is done.
  explicit CaseProcess(const std::function<void(Line& line)>& work);
  CaseProcess(CaseProcess&& from) noexcept;
  CaseProcess& operator=(CaseProcess&&) = delete;
  ~CaseProcess();  // lets it end in order, and makes it end where it does not

  // In the new process: from now on it takes the signals that end a run, which wait until then.
  static void take_signals();

  bool is_there() const { return process_ > 0; }
  Line& line() { return line_; }
  void signal(int number) const;
  // Once it has left the line: how it ended, "killed by signal 9 (Killed)".
  std::string how_it_ended();

 private:
  pid_t process_ = -1;
  Line line_;
};

}  // namespace wirelaw
