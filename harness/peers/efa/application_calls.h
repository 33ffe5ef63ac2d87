// SPDX-License-Identifier: Apache-2.0
// An application of libfabric as it takes calls on the control channel (harness/lab/soft_efa/README.md).
#pragma once

#include <functional>

#include "conformance/efa/application.h"
#include "harness/control/server.h"

namespace wirelaw::efa {

class ApplicationCalls final : public control::Calls {
 public:
  // Returns the application that takes the calls, once the tester asks: towards the peer with this address.
  using Take = std::function<fabric::Application*(const RawAddress& far)>;

  explicit ApplicationCalls(Take take) : take_(std::move(take)) {}

  control::Line answer(const control::Line& call) override;

 private:
  control::Line take(const control::Line& call);

  Take take_;
  fabric::Application* application_ = nullptr;
};

// The result of this call.
control::Line answer(const control::Line& call, fabric::Application& application);

}  // namespace wirelaw::efa
