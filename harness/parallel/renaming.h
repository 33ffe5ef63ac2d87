// SPDX-License-Identifier: Apache-2.0
// Translates names in one process's texts into those of the whole run.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace wirelaw {

// Names for flows that do not have their addresses yet (PlacelessFlow): "[100::1:0:2a:b]:1".
class Renaming {
 public:
  void add(const std::string& name, const std::string& shown) { shown_[name] = shown; }

  std::string in(std::string_view text) const {
    constexpr std::string_view kBegin = "[100::", kEnd = "]:1";
    std::string renamed;
    while (true) {
      const std::size_t begin = text.find(kBegin);
      const std::size_t end = begin == text.npos ? text.npos : text.find(kEnd, begin);
      if (end == text.npos) return renamed += text;
      const std::string_view name = text.substr(begin, end + kEnd.size() - begin);
      const auto found = shown_.find(name);
      renamed += text.substr(0, begin);
      renamed += found == shown_.end() ? name : found->second;
      text.remove_prefix(begin + name.size());
    }
  }

 private:
  std::map<std::string, std::string, std::less<>> shown_;
};

// The address of a process's IUT or listener, which the merged result replaces by the address that all share:
// "127.0.0.1:7001".
class Moved {
 public:
  Moved(std::string from, std::string to) : from_(std::move(from)), to_(std::move(to)) {}

  std::string in(std::string_view text) const {
    std::string moved;
    if (from_.empty() || from_ == to_) return moved += text;
    std::size_t done = 0;
    for (std::size_t at = text.find(from_); at != text.npos; at = text.find(from_, at + 1)) {
      if (at < done || !stands_alone(text, at)) continue;
      moved += text.substr(done, at - done);
      moved += to_;
      done = at + from_.size();
    }
    return moved += text.substr(done);
  }

 private:
  static bool is_part_of_address(char one) {
    return (one >= '0' && one <= '9') || (one >= 'a' && one <= 'f') || one == '.' || one == ':';
  }
  bool stands_alone(std::string_view text, std::size_t at) const {
    const std::size_t behind = at + from_.size();
    const bool goes_on = behind < text.size() && text[behind] >= '0' && text[behind] <= '9';
    const bool begins_before = at > 0 && from_.front() != '[' && is_part_of_address(text[at - 1]);
    return !goes_on && !begins_before;
  }

  std::string from_, to_;
};

}  // namespace wirelaw
