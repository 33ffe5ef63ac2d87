// SPDX-License-Identifier: Apache-2.0
// Wraps the calls of a case to what a conversation offers (conformance/offers.h). Each call goes through the runner,
// which limits the time of the case and logs the outcome.
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

// Hooks that the runner executes in each call.
struct CallHooks {
  std::function<std::optional<TransportError>()> gate;  // returns an error if the time of the case is up
  std::function<void(const TransportError&)> broken;
  std::function<void(std::string_view who, const std::string& what)> note;
  Instant deadline;  // the end of the case
};

class CaseCalls {
 public:
  // The name `who` labels the notes. Each note begins with `prefix`.
  CaseCalls(std::string_view who, std::string_view prefix, CallHooks hooks)
      : who_(who), prefix_(prefix), hooks_(std::move(hooks)) {}

 protected:
  ~CaseCalls() = default;

  void note(std::string_view what) const { hooks_.note(who_, prefix_ + std::string(what)); }
  // Returns an error if the time of the case is up.
  std::optional<TransportError> gate() const { return hooks_.gate(); }
  // Limits a deadline to the end of the case.
  Instant until(Instant deadline) const { return std::min(deadline, hooks_.deadline); }

  // A call that returns at once and leaves no note.
  template <class Call>
  auto quiet(const Call& call) const -> decltype(call()) {
    if (const auto over = gate()) return tl::unexpected(typename decltype(call())::error_type{over->message});
    return call();
  }
  // Notes the call, and its error if it fails.
  template <class Call>
  auto guarded(std::string_view what, const Call& call) const -> decltype(call()) {
    if (const auto over = gate()) return tl::unexpected(typename decltype(call())::error_type{over->message});
    auto outcome = call();
    note(outcome ? std::string(what) : fmt::format("{} fails: {}", what, outcome.error().message));
    return outcome;
  }
  // Like guarded(), for a call that waits until `deadline`, or until the end of the case if that is earlier.
  template <class Call>
  auto guarded_until(Instant deadline, std::string_view what, const Call& call) const -> decltype(call(deadline)) {
    return guarded(what, [&] { return call(until(deadline)); });
  }
  // A call that waits for an event. An error means that the transport failed.
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
