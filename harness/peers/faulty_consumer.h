// SPDX-License-Identifier: Apache-2.0
// The reference device under verbs with deviations, in the device itself and in the endpoint below it.
#pragma once

#include <set>

#include "harness/peers/reference_consumer.h"
#include "reference/rdmap/deviations.h"

namespace wirelaw::rdmap {

// Like the constructor of ReferenceConsumer. Only those `deviations` count that its role can commit.
std::unique_ptr<ReferenceConsumer> make_consumer(Role role, const Options& options, Buffers& buffers,
                                                 const Deviations& deviations);

class FaultyConsumer final : public ReferenceConsumer {
 public:
  // `deviations` are those of the role.
  FaultyConsumer(Role role, const Options& options, Buffers& buffers, const Deviations& deviations);

 private:
  verbs::CmEvent cm(verbs::CmEventType type, const std::optional<mpa::EnhancedData>& enhanced, OctetBuffer private_data,
                    int status) const override;
  bool is_starting() const override;
  void bind() override;
  void start_failed() override;
  void disconnected() override;
  void closed() override;
  void fail(std::optional<verbs::AsyncEvent> event) override;
  void flush() override;
  void flush_one(verbs::Cq cq, std::uint64_t wr_id, verbs::WcOpcode opcode) override;
  void deregister(const verbs::Region& region) override;

  Outcome<void> enqueue(const verbs::SendWr& wr) override;
  void submit() override;
  bool may_go(const verbs::SendWr& wr) const override;
  void submitted(const Submitted& work) override;
  void local_fault(const verbs::SendWr& wr) override;
  tl::expected<WorkId, PostError> start(const verbs::SendWr& wr) override;
  OctetBuffer payload_of(const verbs::SendWr& wr) override;
  void take_result(const Submitted& done, const Completed& completed) override;
  void report(const Submitted& done) override;
  void complete_work(const verbs::Wc& wc) override;
  void place(OctetBuffer& data, std::span<Octet> buffer) override;
  void complete_receive(const verbs::Wc& wc, bool solicited) override;
  void raise_event(verbs::Cq cq) override;

  bool deviates(Deviation deviation) const { return deviations_.has(deviation); }

  Deviations deviations_;
  std::set<WorkId> completed_early_;
  std::optional<verbs::Wc> held_send_;  // completions that wait for the next one
  std::optional<verbs::Wc> held_receive_;
};

}  // namespace wirelaw::rdmap
