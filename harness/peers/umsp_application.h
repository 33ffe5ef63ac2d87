// SPDX-License-Identifier: Apache-2.0
// The application of the reference's initiating node. In a session it requests memory, writes to it, reads, compares
// and frees it, in all ways that the protocol has. It checks each answer. Before it frees the memory it writes in
// chains: a transaction with TRR 1, one with TRR 0 and EXEC_TR, two fragmented WRITEs, and a sequence whose rest is
// sent once a request after its first instruction was answered. A refusal of these is no failure.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <string>

#include "conformance/case.h"
#include "reference/umsp/exchange.h"
#include "reference/umsp/node/node.h"

namespace wirelaw::umsp {

class Work {
 public:
  // `node` outlives it.
  Work(Node& node, const TriggerRequest& request) : node_(node), request_(request) {}

  // Begins with a session at `to`, for a job whose JCP is `jcp`.
  void begin(NodeAddress to, NodeAddress jcp, Instant now);
  void on(const NodeEvent& event, Instant now);
  bool idle() const { return stage_ == Stage::idle || stage_ == Stage::done || stage_ == Stage::failed; }
  bool failed() const { return stage_ == Stage::failed; }
  std::string state() const;

 private:
  enum class Stage : std::uint8_t { idle, registering, opening, working, closing, refused, done, failed };
  struct Step;
  static const Step kSteps[];

  void fail(std::string why);
  void next_step(Instant now);
  void send(Draft draft, Instant now);
  void on_response(const Draft& response, Instant now);
  void plain_step(Instant now);
  void close(Instant now);

  struct ChainStep;
  static const ChainStep kChainSteps[];
  // False if there are no more.
  bool next_chains(Instant now);
  bool is_provided(const ChainStep& step) const;
  bool send_sequence(ChainSender& sender, Instant now);
  bool send_rest(ChainSender& sender, Instant now);
  bool send_transaction(ChainSender& sender, Instant now);
  bool send_later(ChainSender& sender, Instant now);
  bool send_fragments(ChainSender& sender, Instant now);
  void on_chain_response(const Draft& response, Instant now);
  Draft chained_write(std::size_t octets);
  Draft asking(Draft draft);

  Node& node_;
  TriggerRequest request_;
  Stage stage_ = Stage::idle;
  NodeAddress to_;
  Identifier gjid_;
  std::uint64_t task_ = 0;
  std::uint32_t session_ = 0;
  std::uint32_t req_id_ = 0;
  unsigned round_ = 0;
  std::size_t step_ = 0;
  MemoryAddress memory_;
  std::size_t chain_step_ = 0;
  std::set<std::uint32_t> awaited_;  // REQ_IDs of what was sent at the same time
  ChainSender::ChainId rest_of_ = ChainSender::kNoChain;
  std::uint32_t rest_after_ = 0;
  OctetBuffer octets_;
  std::string error_;
};

}  // namespace wirelaw::umsp
