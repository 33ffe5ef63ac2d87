// SPDX-License-Identifier: Apache-2.0
// An IUT whose upper layer a case drives (conformance/smbd/upper_layer.h), from both ends of one connection: the probe
// speaks the wire protocol. If nothing can drive the upper layer, the case is skipped.
#pragma once

#include <deque>
#include <optional>
#include <utility>
#include <variant>

#include "conformance/smbd/cases/case_file.h"
#include "conformance/smbd/upper_layer.h"

namespace wirelaw::smbd {

// Above the probe of a role. The upper layer is in our hands before the negotiation.
template <class Wire>
class Driven : public Wire {
 public:
  explicit Driven(CaseRun& run) : Wire(run) {
    if (!this->ok()) return;
    upper_ = this->transport().offers().find(kUpperLayer);
    if (upper_ == nullptr || !upper_->begin()) this->skip("needs an IUT whose upper layer can be driven");
  }

  // Only for a case that continues.
  UpperLayer& upper() const { return *upper_; }

  // Uses the smallest MaxFragmentedSize, so that a message beyond it is not long. A listener sends this
  // MaxReadWriteSize.
  void connect_both(std::uint32_t max_read_write_size = Wire::kFragmentedSize) {
    if constexpr (Wire::kIut == Role::responder) {
      static_cast<void>(max_read_write_size);
      NegotiateRequest request = Wire::good_request();
      request.max_fragmented_size = kLeastMaxFragmentedSize;
      this->negotiate(request);
      // A listener sends nothing until it has credits.
      if (this->ok() && this->await_credits(1)) this->send(this->empty());
    } else {
      NegotiateResponse response = Wire::good_response();
      response.max_read_write_size = max_read_write_size;
      response.max_fragmented_size = kLeastMaxFragmentedSize;
      this->negotiate(response);
    }
    if (this->ok() && !await<Established>()) this->inconclusive("the upper layer is not notified of a connection");
    if constexpr (Wire::kIut == Role::initiator) {
      // Its first message has the credits that a listener begins without.
      if (!this->ok()) return;
      static_cast<void>(upper_->send(OctetBuffer(8)));
      if (!message().is_message()) return this->inconclusive("a message of the upper layer was not sent");
      static_cast<void>(await<Sent>());  // another case judges that report
    }
  }
  // Our upper layer names its buffers to the other.
  void name_buffers(const UpperLayer::Descriptors& descriptors) {
    OctetBuffer octets;
    for (const BufferDescriptorV1& one : descriptors) encode(one, octets);
    if (!this->await_credits(1)) return;
    this->send(this->segment(octets));
    if (!await<Received>()) this->inconclusive("the message that names our buffers was not delivered");
  }

  // Returns the next report of this kind, and serves the wire meanwhile.
  template <class Kind>
  std::optional<Kind> await(std::optional<std::chrono::nanoseconds> time = {}) {
    auto event = await_any<Kind>(time);
    return event ? std::optional(std::get<Kind>(std::move(*event))) : std::nullopt;
  }
  // Same, for one of these kinds.
  template <class... Kinds>
  std::optional<Event> await_any(std::optional<std::chrono::nanoseconds> time = {}) {
    const Instant deadline = this->in(time.value_or(this->run().answer_time()));
    while (this->ok()) {
      while (auto event = upper_->event())
        if ((std::holds_alternative<Kinds>(*event) || ...)) return event;
      if (this->ended() || this->now() >= deadline) return std::nullopt;
      serve(std::min<Instant>(deadline, this->in(kSlice)));
    }
    return std::nullopt;
  }
  // The next message with data on the wire.
  Response message() {
    const Instant deadline = this->in(this->run().answer_time());
    while (this->ok()) {
      Response response = take(deadline);
      if (!response.is_message()) return response;
      if (const auto transfer = response.transfer(); !transfer || !transfer->is_empty()) return response;
    }
    return {};
  }

  // --- our memory(), which the IUT may use
  BufferDescriptorV1 lend(OctetBuffer& memory, rdmap::Access access) {
    const auto at = Wire::lend(memory, kBase, access).value_or(rdmap::BufferAt{0, kBase});
    return {.offset = at.to, .token = at.stag, .length = static_cast<std::uint32_t>(memory.size())};
  }
  // --- the IUT's memory. Empty if it refuses, and then the connection ends.
  std::optional<OctetBuffer> fetch(const BufferDescriptorV1& from) {
    OctetBuffer octets(from.length);
    const auto sink = this->below().register_buffer(octets, 0, {});
    if (!sink) return std::nullopt;
    const auto posted = this->below().post_read({*sink, 0}, {from.token, from.offset}, from.length);
    if (!posted || !complete(*posted)) return std::nullopt;
    this->below().deregister(*sink);
    return octets;
  }
  // Makes sure that all earlier RDMA Writes of both sides are placed: a later keep-alive is answered, or the connection
  // has ended.
  void show_written() {
    if (!this->ok() || !this->await_credits(1)) return;
    this->send(this->empty(flag::kResponseRequested));
    const Instant deadline = this->in(this->run().answer_time());
    if (take(deadline).kind == Response::Kind::nothing) return this->inconclusive("a keep-alive was not answered");
    // The message received may have been in transit before the Write: for example, a grant of credits.
    const Instant quiet = this->in(this->run().silence_time());
    while (take(quiet).is_message()) continue;
  }
  void store(const BufferDescriptorV1& to, OctetBuffer octets) {
    static_cast<void>(this->below().post_write(std::move(octets), {to.token, to.offset}));
    this->flush();
  }

  static constexpr std::uint64_t kBase = std::uint64_t{7} << 32;

 private:
  static constexpr std::chrono::milliseconds kSlice{2};

  void serve(Instant until) {
    if (Response response = this->next(until); response.is_message()) kept_.push_back(std::move(response));
  }
  Response take(Instant deadline) {
    if (kept_.empty()) return this->next(deadline);
    Response first = std::move(kept_.front());
    kept_.pop_front();
    return first;
  }
  // Returns true if this work is done; keeps messages that come meanwhile.
  bool complete(rdmap::WorkId work) {
    const Instant deadline = this->in(this->run().answer_time());
    while (this->ok() && !this->is_done(work)) {
      if (this->ended() || this->now() >= deadline) return false;
      serve(std::min<Instant>(deadline, this->in(kSlice)));
    }
    return this->ok();
  }

  UpperLayer* upper_ = nullptr;
  std::deque<Response> kept_;
};

using DrivenListener = Driven<ListenerProbe>;
using DrivenInitiator = Driven<InitiatorProbe>;

// The same for both roles, once the connection is there.
template <class Body>
RoleRuns with_driven(Body body) {
  return with_each<DrivenListener, DrivenInitiator>([body](auto& peer) {
    peer.connect_both();
    if (peer.ok()) body(peer);
  });
}

}  // namespace wirelaw::smbd
