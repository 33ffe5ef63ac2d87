// SPDX-License-Identifier: Apache-2.0
// Lets virtual time pass, for objects that never wait by themselves.
#pragma once

#include <functional>

#include "conformance/transport.h"

namespace wirelaw {

class VirtualTime {
 public:
  virtual ~VirtualTime() = default;

  virtual Instant now() const = 0;
  // Lets time pass until `done` or the deadline; returns whether it is done.
  virtual tl::expected<bool, TransportError> wait(Instant deadline, const std::function<bool()>& done) = 0;

  // Repeats a call that never waits by itself, and lets time pass, until it has an answer or has failed. Empty if the
  // deadline passes first.
  template <class Ask>
  auto await(Instant deadline, const Ask& ask) -> decltype(ask()) {
    auto answer = ask();
    if (answer && *answer) return answer;
    const auto came = wait(deadline, [&] {
      answer = ask();
      return !answer || *answer;
    });
    if (!came) return tl::unexpected(came.error());
    return answer;
  }
};

}  // namespace wirelaw
