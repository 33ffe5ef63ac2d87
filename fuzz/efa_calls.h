// SPDX-License-Identifier: Apache-2.0
// The application of the EFA RDM conversation targets: it makes calls of every kind, and checks their results.
#pragma once

#include <map>
#include <optional>

#include "corpora/formats/efa_steps.h"
#include "reference/efa/endpoint.h"

namespace wirelaw::fuzz {

// The number of kinds of calls that begin an exchange. Larger values post receives.
inline constexpr std::size_t kMostCalls = 48;

class EfaCalls {
 public:
  // `target`: memory of the other side that calls access.
  EfaCalls(efa::Endpoint& endpoint, PeerId peer, const efa::RmaIov& target)
      : endpoint_(endpoint), peer_(peer), target_(target) {}

  // Makes a call of the kind that the step names.
  void call(const corpora::EfaStep& step, Instant now);
  void post_receive(const corpora::EfaStep& step, Instant now);
  // Fetches the completions: each call has one of the matching kind.
  void settle();
  // Checks, after the end, that every call has ended that can end. Receives without a message keep waiting.
  void require_all_done() const;

  // A message of this length; messages of different lengths differ, so that a receiver knows the expected contents.
  static OctetBuffer message(std::size_t length);
  static bool is_message(Octets octets);

 private:
  struct Call {
    efa::Completion::Kind kind;
    unsigned completions = 0;
    std::uint64_t length = 0;
  };
  void note(efa::OperationId id, efa::Completion::Kind kind, std::uint64_t length);

  efa::Endpoint& endpoint_;
  PeerId peer_;
  efa::RmaIov target_;
  std::map<efa::OperationId, Call> calls_;
  std::size_t receives_ = 0;
};

}  // namespace wirelaw::fuzz
