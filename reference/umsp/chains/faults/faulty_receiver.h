// SPDX-License-Identifier: Apache-2.0
// A receiver of chains that commits deviations: it overrides each step that a deviation changes.
#pragma once

#include "reference/umsp/chains/deviations.h"
#include "reference/umsp/chains/receiver.h"

namespace wirelaw::umsp {

class FaultyChainReceiver final : public ChainReceiver {
 public:
  FaultyChainReceiver(const ReceiverOptions& options, Executor& executor, const Circumstances& session,
                      const ChainDeviations& deviations)
      : ChainReceiver(options, executor, session), deviations_(deviations) {}

 private:
  // --- receiving and buffering (faulty_receiver.cc)
  void take_alone(const Instruction& instruction) override;
  void deliver(const Instruction& instruction, const Circumstances& at) override;
  bool obeys(const Instruction& control) const override;
  bool has_place() const override;
  bool accepts(const Piece& first) const override;
  bool is_in_turn(const Chain& chain, const Piece& piece) const override;
  void on_sending_cancelled(Number number) override;
  void take(Number number, const Piece& piece) override;
  bool keep_early(Number number, Chain& chain, const Piece& piece) override;
  void on_buffer_request(const Instruction& request) override;
  Buffer first_buffer(const Piece& first) const override;
  Chain& account_of(Chain& chain) override;
  bool takes_room(const Chain& chain, const Piece& piece) const override;
  void on_window_exceeded() override;
  void release(Room& room) override;

  // --- execution and answers (faulty_execution.cc)
  void run(Number number, Chain& chain, const Piece& piece) override;
  bool stops_at_refusal() const override { return !deviates(ChainDeviation::rest_executed); }
  void adopt_base(Chain& chain, const ChainLink& link) override;
  Circumstances circumstances(const Chain& chain, const ChainLink& link) const override;
  bool execute(const Instruction& instruction, const Circumstances& at, Answer& answer) override;
  void collect(Number number, Chain& chain, const Piece& piece) override;
  bool may_set_base(const Chain& chain) const override;
  std::optional<Instant> time_of(const Chain& chain) const override;
  void on_transaction_complete(Number number, Chain& chain) override;
  void on_exec(Number number, const Instruction& request) override;
  void on_cancel(Number number) override;
  void on_transaction_over(Number number) override;
  void on_emergency_end(Number number) override;
  bool may_execute(const std::vector<Collected>& all, const Chain& chain) const override;
  void assemble(Number number, Chain& chain, const Piece& piece) override;
  void on_fragments_complete(Number number) override;
  std::optional<std::uint32_t> life_left(const Chain& chain) const override;
  void on_life_over(Number number) override;
  Draft answer_of(const Room& room, Draft response) const override;
  void give(const Room& room, const Answer& answer) override;

  bool deviates(ChainDeviation deviation) const { return deviations_.has(deviation); }

  ChainDeviations deviations_;
  OctetBuffer held_back_;
  std::optional<std::uint64_t> last_base_;
  std::optional<std::uint32_t> last_answered_;  // REQ_ID of the last answered chain
};

}  // namespace wirelaw::umsp
