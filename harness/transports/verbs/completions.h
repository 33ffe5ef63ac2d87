// SPDX-License-Identifier: Apache-2.0
// The two completion queues of a consumer, and the channel on which they signal completions.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "conformance/verbs.h"
#include "harness/transports/verbs/manager.h"

namespace wirelaw::verbs {

class Completions {
 public:
  explicit Completions(const VerbsLibrary& verbs);
  ~Completions();
  Completions(const Completions&) = delete;
  Completions& operator=(const Completions&) = delete;

  // `context` belongs to the queues: a Concerned.
  tl::expected<void, TransportError> open(ibv_context* device, int entries, void* context);
  ibv_cq* queue(Cq cq) const { return queues_[index(cq)].get(); }
  int descriptor() const { return channel_->fd; }

  // Returns the next completion, if there is one.
  tl::expected<std::optional<Wc>, TransportError> poll(Cq cq);
  tl::expected<void, VerbsError> request(Cq cq, bool solicited_only);
  // True if a requested event has arrived; consumes it.
  bool take_event(Cq cq);

 private:
  static std::size_t index(Cq cq) { return static_cast<std::size_t>(cq); }
  void read_events();

  const VerbsLibrary& verbs_;
  std::unique_ptr<ibv_comp_channel, decltype(VerbsLibrary::destroy_comp_channel)> channel_;
  std::array<std::unique_ptr<ibv_cq, decltype(VerbsLibrary::destroy_cq)>, 2> queues_;
  std::array<unsigned, 2> events_{};
};

}  // namespace wirelaw::verbs
