// SPDX-License-Identifier: Apache-2.0
// Checks the answers of an IUT whose application returns each message as it came. Such an answer shows what the IUT has
// put together from the messages that it received, so it shows that it accepted what it had to refuse.
#pragma once

#include <optional>
#include <string>

#include "conformance/rule.h"
#include "reference/octets/octets.h"

namespace wirelaw {

struct WrongEcho {
  const Rule* rule = nullptr;
  std::string expected, actual;
};

class EchoCheck {
 public:
  virtual ~EchoCheck() = default;
  // The messages of the tester and of the IUT, in order.
  virtual void sent(Octets message) = 0;
  virtual void received(Octets message) = 0;
  // The first answer that is no echo.
  virtual std::optional<WrongEcho> wrong() const = 0;
};

}  // namespace wirelaw
