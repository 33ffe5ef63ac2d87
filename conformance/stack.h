// SPDX-License-Identifier: Apache-2.0
// A flow judged by a stack of observers: the lowest reads what travels, and delivers messages to the one above it,
// which is recognised by what it says (or chosen), as the lowest was:
//
//   datagrams or pieces ─ lower observer ─┬─ judge
//                                         └─ deliveries ─ upper observer ─ judge
//
// What stands on what is said once, by Protocol::above of the upper one. It may stand on several: live runs have the
// first of them below it, a capture whichever is there.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "conformance/association.h"
#include "conformance/protocol.h"

namespace wirelaw {

// The protocols that `top` stands on and itself, the lowest first. A protocol that stands on none is its own stack.
std::vector<const Protocol*> stack_of(const Protocol& top, std::span<const Protocol* const> known);
// The lowest of them: what a transport carries.
const Protocol& base_of(const Protocol& top, std::span<const Protocol* const> known);
// Every protocol that a capture may have at the bottom of `top`: itself, where it stands on none.
std::vector<const Protocol*> bases_of(const Protocol& top, std::span<const Protocol* const> known);
// How `top` stands on `base`, the lowest first; nothing where it does not.
std::vector<const Protocol*> stack_on(const Protocol& base, const Protocol& top,
                                      std::span<const Protocol* const> known);
// The rules of all of them.
Catalogue catalogue_of_stack(const Protocol& top, std::span<const Protocol* const> known);

// The observer of a flow.
class FlowObserver final : public Observer, private DeliverySink {
 public:
  // Observes `protocol`, which is believed to be there, with all that it stands on; and what is recognised above it,
  // out of `known`, unless `only` is judged (with what it stands on).
  FlowObserver(const Protocol& protocol, std::span<const Protocol* const> known, const ObserverLimits& limits,
               const Protocol* only = nullptr)
      : FlowObserver(base_of(protocol, known), protocol, known, limits, only) {}
  // The same on this one of what it may stand on.
  FlowObserver(const Protocol& base, const Protocol& protocol, std::span<const Protocol* const> known,
               const ObserverLimits& limits, const Protocol* only);
  // Of a layer above another: `protocol` reads deliveries.
  struct UpperTag {};
  FlowObserver(UpperTag, const Protocol& protocol, std::span<const Protocol* const> known, const ObserverLimits& limits,
               const Protocol* only, const Protocol* chosen);

  // Before the first message: the lowest may belong to other flows of the same nodes, where their addresses are known.
  void join(Associations& all);
  void observe(const Message& message, Judge& judge) override { lower_->observe(message, judge); }
  void observe(const StreamPiece& piece, Judge& judge) override { lower_->observe(piece, judge); }
  void observe(const Delivery& delivery, Judge& judge) override { lower_->observe(delivery, judge); }
  void finish(Judge& judge) override;
  std::uint64_t messages() const override { return lower_->messages(); }
  std::string partial() const override;
  std::string remark() const override { return lower_->remark(); }
  std::size_t memory() const override;

  const Protocol& protocol() const { return *protocol_; }  // the lowest
  const Protocol* above() const { return above_; }         // nullptr as long as none was recognised
  bool misses_something() const { return misses_; }        // that was sent: the lowest has seen that it is not there
  // Of a message of this flow (Message::layer).
  const Protocol& protocol_of(const Message& message) const;

 private:
  void deliver(const Delivery& delivery, Judge& judge) override;
  void look_above();
  void recognise(const Delivery& delivery);
  void pass_over(const Delivery& delivery);
  void catch_up(const Delivery& recognised, Judge& judge);
  bool has_port(std::span<const std::uint16_t> ports) const;
  const Above* stands_here(const Protocol& protocol) const;
  void assign(const Protocol& above);

  const Protocol* protocol_;
  std::span<const Protocol* const> known_;
  ObserverLimits limits_;
  const Protocol* only_;
  const Protocol* chosen_;  // believed to be there
  std::unique_ptr<Observer> lower_;

  struct Candidate {
    const Protocol* protocol = nullptr;
    const Above* row = nullptr;  // of the protocol: how it stands on this one
  };
  std::vector<Candidate> candidates_;  // that may stand on it; none once that is settled
  const Protocol* above_ = nullptr;
  std::unique_ptr<FlowObserver> upper_;
  bool misses_ = false;
  unsigned deliveries_ = 0;  // messages without an upper observer
  // The first of them, where it is short: what a connection begins with may be recognised by what answers it.
  struct Kept {
    Delivery delivery;
    OctetBuffer octets;
    std::vector<Place> places;
  };
  std::optional<Kept> first_;
  std::optional<Delivery> established_;  // kept until it is known for whom
  std::optional<Delivery> lost_;         // likewise, the latest
  // The message that was passed over since: to who reads what follows it is lost.
  struct Passed {
    Side sender = Side::a;
    Side of_message = Side::a;
    std::uint8_t layer = 0;
    std::uint64_t index = 0;
    std::uint64_t frame = 0;
    std::int64_t time_ns = 0;
  };
  std::optional<Passed> passed_;
  std::array<OctetBuffer, 2> private_data_;
};

}  // namespace wirelaw
