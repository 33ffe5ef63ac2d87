// SPDX-License-Identifier: Apache-2.0
// Another process, and the channel between the two: messages on it arrive complete and in order.
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
  // False if the other process has gone.
  bool say(char kind, std::string_view text = {});
  // Waits for the next message; nothing if the other process has gone.
  std::optional<Said> hear();

  // --- without waiting, once the descriptor is readable
  bool read_some();  // false if the other process has gone
  std::optional<Said> take();

  int descriptor() const { return descriptor_; }
  void close();

 private:
  int descriptor_;
  std::string read_;
};

// Lives at most as long as this process. It has a separate process group, so that this process decides which of a
// terminal's signals to pass on.
class CaseProcess {
 public:
  // The new process does nothing but `work`.
  explicit CaseProcess(const std::function<void(Line& line)>& work);
  CaseProcess(CaseProcess&& from) noexcept;
  CaseProcess& operator=(CaseProcess&&) = delete;
  ~CaseProcess();  // lets it end in order, and kills it if it does not

  // Called in the new process: from now on it takes the signals that end a run, which are held back until then.
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
