// SPDX-License-Identifier: Apache-2.0
// Applies the checks of the sections to the facts of the tracker, layer by layer.
#include "conformance/rdmap/observer.h"

#include <algorithm>

#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/tracker/tracker.h"

namespace wirelaw::rdmap {
namespace {

class RdmapObserver final : public Observer, private FactSink {
 public:
  explicit RdmapObserver(const ObserverLimits& limits)
      : tracker_(*this, std::ranges::find(limits.features, kExtensions) != limits.features.end()) {}

  void observe(const StreamPiece& piece, Judge& judge) override {
    judge_ = &judge;
    tracker_.follow(piece);
  }
  void finish(Judge& judge) override {
    judge_ = &judge;
    tracker_.finish({.now_ns = judge.now_ns(),
                     .held_until_ns = {judge.held_until_ns(Side::a), judge.held_until_ns(Side::b)},
                     .frame = judge.message().frame});
  }
  void deliver_to(DeliverySink* above) override {
    above_ = above;
    tracker_.find_deliveries(above != nullptr);
  }
  std::uint64_t messages() const override { return tracker_.messages(); }
  std::string partial() const override { return tracker_.partial(); }
  std::size_t memory() const override { return sizeof *this - sizeof tracker_ + tracker_.memory(); }

 private:
  void found(const Message& message) override { judge_->found(message); }
  void at(const Message& message) override { judge_->at(message); }
  void state(const StartFrameFact& fact) override { check_start_frame(*judge_, fact); }
  void state(const NoStartFrameFact& fact) override { check_wrong_key(*judge_, fact); }
  void state(const WrongKeyFact& fact) override { check_wrong_key_accepted(*judge_, fact); }
  void state(const LoneReplyFact& fact) override { check_lone_reply(*judge_, fact); }
  void state(const HeldFact& fact) override { check_waiting_initiator(*judge_, fact); }
  void state(const AgreementFact& fact) override { check_agreement(*judge_, fact); }
  void state(const AfterRejectionFact& fact) override { check_after_rejection(*judge_, fact); }
  void state(const ResponderOrderFact& fact) override { check_responder_order(*judge_, fact); }
  void state(const FirstOctetsFact& fact) override { check_first_octets(*judge_, fact); }
  void state(const FpduFacts& facts) override;
  void state(const AfterEndFact& fact) override { check_octets_after_end(*judge_, fact.octets); }
  void state(const EndFacts& facts) override;
  void state(const WholeFpdusFact& fact) override { check_whole_fpdus(*judge_, fact); }
  void state(const UnfinishedFpduFact& fact) override { check_unfinished_fpdu(*judge_, fact); }
  void state(const SilenceFact& fact) override { check_silence(*judge_, fact); }
  void state(const Delivery& delivery) override { above_->deliver(delivery, *judge_); }
  void nothing_is_missing() override;

  Judge* judge_ = nullptr;         // during a call
  DeliverySink* above_ = nullptr;  // set while the tracker finds deliveries
  Tracker tracker_;
};

void RdmapObserver::state(const FpduFacts& facts) {
  if (facts.after_terminate) check_last_message(*judge_, *facts.after_terminate);
  if (facts.order) check_responder_order(*judge_, *facts.order);
  check_fpdu(*judge_, facts.frame);
  if (facts.segment.header_room) check_ddp_header(*judge_, *facts.segment.header_room);
  if (!facts.segment.has_header()) return;
  check_ddp_segment(*judge_, facts.segment);
  check_message(*judge_, facts.segment);
  if (facts.terminate) check_terminate(*judge_, *facts.terminate);
}

void RdmapObserver::state(const EndFacts& facts) {
  check_mpa_end(*judge_, facts);
  for (const MessageOrderFact& fact : facts.given_up) check_message_order(*judge_, fact);
  check_end(*judge_, facts);
}

// A message that the protocol above misses had not been sent.
void RdmapObserver::nothing_is_missing() {
  for (const HeldBack& held : judge_->take_held_back())
    judge_->settle(held,
                   "both streams are whole so far, and what its sender had received of the other one came before");
}

}  // namespace

std::unique_ptr<Observer> make_observer(const ObserverLimits& limits) {
  return std::make_unique<RdmapObserver>(limits);
}

}  // namespace wirelaw::rdmap
