// SPDX-License-Identifier: Apache-2.0
// Judges a flow with a stack of observers. The lowest observer reads the transport and delivers messages to the
// observer above it. The upper protocol is chosen by the user or recognised by its messages, like the lowest:
//
//   datagrams or pieces ─ lower observer ─┬─ judge
//                                         └─ deliveries ─ upper observer ─ judge
//
// Protocol::above of the upper protocol lists the protocols that can be below it. Live runs use the first of them; a
// capture uses the one that is there.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "conformance/association.h"
#include "conformance/protocol.h"

namespace wirelaw {

// Returns the protocols below `top` and `top` itself, the lowest first. A protocol with none below it is its own stack.
std::vector<const Protocol*> stack_of(const Protocol& top, std::span<const Protocol* const> known);
// Returns the lowest of them, which the transport carries.
const Protocol& base_of(const Protocol& top, std::span<const Protocol* const> known);
// Returns every protocol that can be lowest in a capture of `top`: `top` itself if there is none below it.
std::vector<const Protocol*> bases_of(const Protocol& top, std::span<const Protocol* const> known);
// Returns the stack from `base` up to `top`, the lowest first. Empty if `top` cannot be above `base`.
std::vector<const Protocol*> stack_on(const Protocol& base, const Protocol& top,
                                      std::span<const Protocol* const> known);
// The rules of the whole stack.
Catalogue catalogue_of_stack(const Protocol& top, std::span<const Protocol* const> known);

// The observer of a flow.
class FlowObserver final : public Observer, private DeliverySink {
 public:
  // Observes `protocol` and all protocols below it, and the protocol of `known` that is recognised above it. With
  // `only`, judges only that protocol and those below it.
  FlowObserver(const Protocol& protocol, std::span<const Protocol* const> known, const ObserverLimits& limits,
               const Protocol* only = nullptr)
      : FlowObserver(base_of(protocol, known), protocol, known, limits, only) {}
  // Same, with a given lowest protocol.
  FlowObserver(const Protocol& base, const Protocol& protocol, std::span<const Protocol* const> known,
               const ObserverLimits& limits, const Protocol* only);
  // For a layer above another one: `protocol` reads deliveries.
  struct UpperTag {};
  FlowObserver(UpperTag, const Protocol& protocol, std::span<const Protocol* const> known, const ObserverLimits& limits,
               const Protocol* only, const Protocol* chosen);

  // Call it before the first message. The lowest observer may share state with other flows of the same nodes, if their
  // addresses are known.
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
  const Protocol* above() const { return above_; }         // nullptr until one is recognised
  bool misses_something() const { return misses_; }        // the lowest observer knows that it missed octets
  // The protocol of a message of this flow (Message::layer).
  const Protocol& protocol_of(const Message& message) const;

 private:
  void deliver(const Delivery& delivery, Judge& judge) override;
  void look_above();
  void recognise(const Delivery& delivery);
  void weigh(const Delivery& delivery);
  void withdraw();
  void pass_over(const Delivery& delivery);
  void hold(const Delivery& delivery);
  // `recognised`: the present message; nullptr at the end of the connection.
  void catch_up(const Delivery* recognised, Judge& judge);
  void conclude(Judge& judge);
  bool has_port(std::span<const std::uint16_t> ports) const;
  const Above* stands_here(const Protocol& protocol) const;
  void assign(const Protocol& above);

  const Protocol* protocol_;
  std::span<const Protocol* const> known_;
  ObserverLimits limits_;
  const Protocol* only_;
  const Protocol* chosen_;  // the user's choice
  std::unique_ptr<Observer> lower_;

  struct Candidate {
    const Protocol* protocol = nullptr;
    const Above* row = nullptr;  // the row of that protocol that names this one
  };
  std::vector<Candidate> candidates_;  // protocols that may be above; empty once that is decided
  const Protocol* above_ = nullptr;
  std::unique_ptr<FlowObserver> upper_;
  bool misses_ = false;
  unsigned deliveries_ = 0;  // messages without an upper observer
  // The first of them, if it is short: the answer to the first message of a connection may reveal the upper protocol.
  struct Kept {
    Delivery delivery;
    OctetBuffer octets;
    std::vector<Place> places;

    explicit Kept(const Delivery& one)
        : delivery(one),
          octets(one.message.octets.begin(), one.message.octets.end()),
          places(one.message.places.begin(), one.message.places.end()) {
      delivery.message.headers = {};
    }
    const Delivery& refreshed() {
      delivery.message.octets = octets;
      delivery.message.places = places;
      return delivery;
    }
  };
  std::optional<Kept> first_;
  // An assigned port and the messages held suggest a protocol. A message of the other side agrees, or contradicts it.
  std::optional<Candidate> suggested_;
  Side suggested_by_ = Side::a;
  std::vector<Kept> held_;  // the messages since it was suggested
  bool holds_ = false;      // false if they are too many or too long
  bool port_lies_ = false;
  std::optional<Delivery> established_;  // kept until the upper protocol is known
  std::optional<Delivery> lost_;         // the latest loss, kept likewise
  // The last message that was passed over. For a reader of later messages it is lost.
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
