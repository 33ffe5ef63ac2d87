// SPDX-License-Identifier: Apache-2.0
// The environment of a case whose IUT listens, and needs no trigger.
#pragma once

#include <memory>
#include <string>

#include "harness/environment.h"

namespace wirelaw {

// `Listening` is the Iut: it has connect() and a clock(), and outlives the environment.
template <class Listening>
class ListeningEnvironment final : public Environment {
 public:
  explicit ListeningEnvironment(const Listening& iut) : iut_(iut) {}

  tl::expected<std::unique_ptr<Conversation>, CarriageError> connect() override { return iut_.connect(); }
  tl::expected<void, CarriageError> trigger(const TriggerRequest&) override { return {}; }
  Instant now() const override { return iut_.clock().now(); }
  std::int64_t epoch_ns() const override { return iut_.clock().epoch_ns(); }
  std::string peer_state() const override { return {}; }

 private:
  const Listening& iut_;
};

}  // namespace wirelaw
