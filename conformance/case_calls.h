// SPDX-License-Identifier: Apache-2.0
// How a case's calls reach what a conversation offers (conformance/offers.h): through the runner, which keeps the
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

#include "conformance/transport.h"

namespace wirelaw {

// The runner's part in each call.
struct CallHooks {
  std::function<std::optional<TransportError>()> gate;  // an error where the case's time is up
  std::function<void(const TransportError&)> broken;
  std::function<void(std::string_view who, const std::string& what)> note;
  Instant deadline;  // of the case
};

class CaseCalls {
 public:
  // Notes are of `who`, and begin with `prefix`.
  CaseCalls(std::string_view who, std::string_view prefix, CallHooks hooks)
      : who_(who), prefix_(prefix), hooks_(std::move(hooks)) {}

 protected:
  ~CaseCalls() = default;

  void note(std::string_view what) const { hooks_.note(who_, prefix_ + std::string(what)); }
  // An error where the case's time is up.
  std::optional<TransportError> gate() const { return hooks_.gate(); }
  // The case ends then at the latest.
  Instant until(Instant deadline) const { return std::min(deadline, hooks_.deadline); }

  // A call that returns at once, of which nothing is noted.
  template <class Call>
  auto quiet(const Call& call) const -> decltype(call()) {
    if (const auto over = gate()) return tl::unexpected(typename decltype(call())::error_type{over->message});
    return call();
  }
  // What it was is noted, and an error of it.
  template <class Call>
  auto guarded(std::string_view what, const Call& call) const -> decltype(call()) {
    if (const auto over = gate()) return tl::unexpected(typename decltype(call())::error_type{over->message});
    auto outcome = call();
    note(outcome ? std::string(what) : fmt::format("{} fails: {}", what, outcome.error().message));
    return outcome;
  }
  // The same of one that waits until an instant, which is that of the case's end at the latest.
  template <class Call>
  auto guarded_until(Instant deadline, std::string_view what, const Call& call) const -> decltype(call(deadline)) {
    return guarded(what, [&] { return call(until(deadline)); });
  }
  // One that waits for an event; an error is that of the way to it.
  template <class Call>
  auto awaited(Instant deadline, const Call& call) const -> decltype(call(deadline)) {
    if (const auto over = gate()) return tl::unexpected(*over);
    auto outcome = call(until(deadline));
    if (!outcome) hooks_.broken(outcome.error());
    return outcome;
  }

 private:
  std::string_view who_;
  std::string prefix_;
  CallHooks hooks_;
};

}  // namespace wirelaw
