// SPDX-License-Identifier: Apache-2.0
// How a case's calls reach what drives the IUT from above, verbs or an application: through the runner, which keeps the
// case's time and notes what has happened.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

#include "conformance/carriage.h"

namespace wirelaw {

class CaseCalls {
 public:
  struct Hooks {
    std::function<std::optional<CarriageError>()> gate;  // an error where the case's time is up
    std::function<void(const CarriageError&)> broken;
    std::function<void(const std::string&)> tell;
    Instant deadline;  // of the case
  };

  // `name` stands before what is noted.
  CaseCalls(std::string_view name, Hooks hooks) : name_(name), hooks_(std::move(hooks)) {}

 protected:
  ~CaseCalls() = default;

  void tell(std::string_view what) const { hooks_.tell(name_ + std::string(what)); }

  // A call that returns at once, of which nothing is noted.
  template <class Call>
  auto quiet(const Call& call) const -> decltype(call()) {
    if (const auto over = hooks_.gate()) return tl::unexpected(typename decltype(call())::error_type{over->message});
    return call();
  }
  // What it was is noted, and an error of it.
  template <class Call>
  auto guarded(std::string_view what, const Call& call) const -> decltype(call()) {
    if (const auto over = hooks_.gate()) return tl::unexpected(typename decltype(call())::error_type{over->message});
    auto outcome = call();
    tell(outcome ? std::string(what) : fmt::format("{} fails: {}", what, outcome.error().message));
    return outcome;
  }
  // The same of one that waits until an instant, which is that of the case's end at the latest.
  template <class Call>
  auto guarded_until(Instant deadline, std::string_view what, const Call& call) const -> decltype(call(deadline)) {
    return guarded(what, [&] { return call(std::min(deadline, hooks_.deadline)); });
  }
  // One that waits for what is told; an error is that of the way to it.
  template <class Call>
  auto awaited(Instant deadline, const Call& call) const -> decltype(call(deadline)) {
    if (const auto over = hooks_.gate()) return tl::unexpected(*over);
    auto outcome = call(std::min(deadline, hooks_.deadline));
    if (!outcome) hooks_.broken(outcome.error());
    return outcome;
  }

 private:
  std::string name_;
  Hooks hooks_;
};

}  // namespace wirelaw
