// SPDX-License-Identifier: Apache-2.0
// An RDMAP endpoint driven by steps, with its upper layer. Shared by the conversation targets.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "corpora/formats/rdmap_steps.h"
#include "corpora/formats/records.h"
#include "reference/rdmap/endpoint.h"

namespace wirelaw::fuzz {

class RdmapSide {
 public:
  // `patience`: how long it waits for its peer to start up.
  RdmapSide(Role role, Octets settings, std::uint64_t seed, Instant patience = std::chrono::seconds(10));

  // The upper layer performs a step.
  void act(Octets step);
  // Fetches the endpoint's events, and checks them against what an upper layer may rely on.
  void settle();

  rdmap::Endpoint& endpoint() { return *endpoint_; }
  // The STags that the endpoint has registered: for reading and writing, only reading, only writing.
  rdmap::Stag stag(std::size_t which) const { return stags_[which % stags_.size()]; }
  bool has_extensions() const { return options_.extensions; }
  bool over() const { return over_; }
  std::uint64_t received() const { return received_; }
  std::uint64_t completed() const { return completed_; }

 private:
  rdmap::Options options_;
  rdmap::Buffers buffers_;
  std::array<OctetBuffer, 3> memory_;
  std::unique_ptr<rdmap::Endpoint> endpoint_;
  std::array<rdmap::Stag, 3> stags_{};
  rdmap::WorkId last_completed_ = 0;
  rdmap::ReceiveId last_received_ = 0;
  std::uint64_t received_ = 0;
  std::uint64_t completed_ = 0;
  bool over_ = false;
};

inline constexpr std::size_t kRdmapBuffer = 512;     // size of each registered buffer in octets
inline constexpr std::uint64_t kRdmapBase = 0x1000;  // tagged offset of each registered buffer
inline constexpr std::size_t kRdmapReceive = 256;    // size of each posted receive in octets
// Maximum memory that an endpoint may use for data from its peer, in octets.
inline constexpr std::size_t kRdmapMostMemory = 1u << 20;

}  // namespace wirelaw::fuzz
