// SPDX-License-Identifier: Apache-2.0
#include "harness/certify/difference.h"

#include <fmt/format.h>

#include "reports/printable.h"

namespace wirelaw {
namespace {

std::string shown(const StatementJson& value) {
  constexpr std::size_t kMost = 60;
  std::string text = value.dump(-1, ' ', true, StatementJson::error_handler_t::replace);
  if (text.size() > kMost) text = text.substr(0, kMost) + "…";
  return printable(text);
}

// Returns the name of a list's element, for messages.
std::string name_of(const StatementJson& one, std::size_t at) {
  if (one.is_object())
    for (const char* key : {"run", "id", "name", "file", "section"})
      if (const auto found = one.find(key); found != one.end())
        return printable(found->is_string() ? found->get<std::string>() : fmt::format("{} {}", key, found->dump()));
  return fmt::format("{}", at + 1);
}

class Comparison {
 public:
  Comparison(std::size_t most, std::vector<std::string>& lines) : most_(most), lines_(lines) {}

  void compare(const StatementJson& stated, const StatementJson& again, const std::string& way) {
    if (stated == again) return;
    if (stated.is_object() && again.is_object()) return compare_objects(stated, again, way);
    if (stated.is_array() && again.is_array() && stated.size() == again.size()) {
      for (std::size_t i = 0; i < stated.size(); ++i) compare(stated[i], again[i], way + " " + name_of(again[i], i));
      return;
    }
    if (stated.is_array() && again.is_array())
      return add(fmt::format("{}: {} are stated, and the evidence gives {}", way, stated.size(), again.size()));
    add(fmt::format("{}: {} is stated, and the evidence gives {}", way, shown(stated), shown(again)));
  }
  std::size_t count() const { return count_; }

 private:
  void compare_objects(const StatementJson& stated, const StatementJson& again, const std::string& way) {
    const std::string before = way.empty() ? way : way + " ";
    for (const auto& [key, value] : again.items()) {
      const auto found = stated.find(key);
      if (found == stated.end())
        add(fmt::format("{}{} is not stated", before, key));
      else
        compare(*found, value, before + key);
    }
    for (const auto& [key, value] : stated.items())
      if (!again.contains(key)) add(fmt::format("{}{} is stated, and nothing gives it", before, printable(key)));
  }
  void add(std::string line) {
    if (++count_ <= most_) lines_.push_back(std::move(line));
  }

  std::size_t most_;
  std::size_t count_ = 0;
  std::vector<std::string>& lines_;
};

}  // namespace

std::size_t differences(const StatementJson& stated, const StatementJson& again, std::size_t most,
                        std::vector<std::string>& lines) {
  Comparison comparison(most, lines);
  comparison.compare(stated, again, {});
  return comparison.count();
}

}  // namespace wirelaw
