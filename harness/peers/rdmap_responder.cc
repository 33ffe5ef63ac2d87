// SPDX-License-Identifier: Apache-2.0
// The responder of harness/peers/rdmap_peer.h.
#include <fmt/format.h>

#include "harness/peers/peer_application.h"
#include "harness/peers/rdmap_lines.h"

namespace wirelaw::rdmap {
namespace {

struct ResponderCounts {
  std::uint64_t connections = 0;
  std::uint64_t sends = 0;
  std::uint64_t errors = 0;
  std::string last_error;
};

class ResponderLine {
 public:
  ResponderLine(const Options& options, Buffers& buffers, const Deviations& deviations, const AdvertisedBuffer& shared,
                PeerApplication& application, ResponderCounts& counts, Instant now)
      : made_(make_endpoint(Role::responder, options, buffers, deviations)),
        endpoint(*made_),
        shared_(shared),
        application_(application),
        counts_(counts) {
    endpoint.connected(now);
    post_receives(endpoint);
    ++counts_.connections;
  }

  std::optional<Instant> deadline() const { return endpoint.deadline(); }
  void advance(Instant now) {
    endpoint.advance(now);
    proceed();
  }
  void receive(Octets octets, Instant now) {
    endpoint.receive(octets, now);
    proceed();
  }
  void ended(Ending ending, Instant now) {
    if (ending == Ending::reset) reported = ending;  // our own ending cannot be sent any more
    endpoint.peer_ended(ending, now);
    proceed();
  }
  void proceed() {
    for (Event event; endpoint.next_event(event);) std::visit([&](auto& one) { on(one); }, event);
  }

 private:
  std::unique_ptr<Endpoint> made_;

 public:
  Endpoint& endpoint;
  Ending reported = Ending::none;  // our ending, as reported to the transport

 private:
  template <class Other>
  void on(const Other&) {}
  void on(const ConnectionRequest&) {
    for (std::size_t i = 0; i < kBufferOctets; ++i) memory_[1][i] = static_cast<Octet>(i + (i >> 8));
    std::vector<AdvertisedBuffer> offered;
    for (std::size_t i = 0; i < memory_.size(); ++i)
      offered.push_back(advertise(endpoint, memory_[i], (i + 1) << 32, kRights[i]));
    offered.push_back(shared_);
    if (endpoint.accept(encode_advertisement(offered))) return;
    static_cast<void>(endpoint.reject());
    endpoint.close();
  }
  void on(Received& received) {
    ++counts_.sends;
    if (!application_.answers()) {
      static_cast<void>(endpoint.post_receive(kReceiveOctets));
      return;
    }
    const bool solicited = received.solicited();
    if (received.opcode == Opcode::immediate_data || received.opcode == Opcode::immediate_data_se) {
      received.data.resize(layout::kImmediateData);  // a deviation takes other sizes
      static_cast<void>(endpoint.post_immediate(load_big_endian<std::uint64_t>(received.data.data()), solicited));
      return;
    }
    static_cast<void>(endpoint.post_send(application_.answer_to(std::move(received.data)),
                                         solicited ? SendForm::solicited : SendForm::plain));
  }
  void on(const Completed&) { static_cast<void>(endpoint.post_receive(kReceiveOctets)); }  // an echo was sent
  void on(const PeerEnded&) { endpoint.close(); }
  void on(const LocalError& error) {
    ++counts_.errors;
    counts_.last_error = fmt::format("{}, {}", to_string(error.error), error.text);
  }
  void on(const RemoteTerminate& terminate) {
    ++counts_.errors;
    counts_.last_error = fmt::format("the peer has terminated: {}", to_string(terminate.error));
  }

  static constexpr std::array<Access, 4> kRights{{{.read = true, .write = true, .atomic = true},
                                                  {.read = true},
                                                  {.write = true},
                                                  {.read = true, .write = true, .atomic = true}}};

  AdvertisedBuffer shared_;  // shared by all connections
  PeerApplication& application_;
  ResponderCounts& counts_;
  std::array<OctetBuffer, 4> memory_{OctetBuffer(kBufferOctets), OctetBuffer(kBufferOctets), OctetBuffer(kBufferOctets),
                                     OctetBuffer()};
};

class ResponderPeer final : public FpduPeer {
 public:
  ResponderPeer(std::uint64_t seed, const Options& options, const Deviations& deviations, Service application)
      : FpduPeer(options), buffers_(seed), deviations_(deviations), application_(application) {
    const auto stag = buffers_.add(kEveryStream, memory_, kSharedBase, {.read = true, .write = true, .atomic = true});
    shared_ = {{stag.value_or(0), kSharedBase}, stag ? static_cast<std::uint32_t>(memory_.size()) : 0};
  }

  void opened(PeerId from, Instant now) override {
    lines_.add(from, options_, buffers_, deviations_, shared_, application_, counts_, now);
  }
  void receive(PeerId from, Octets octets, Instant now) override {
    if (ResponderLine* const line = lines_.touch(from)) {
      line->receive(octets, now);
    }
  }
  void ended(PeerId from, Ending ending, Instant now) override {
    if (ResponderLine* const line = lines_.touch(from)) {
      line->ended(ending, now);
    }
  }
  void advance(Instant now) override {
    lines_.for_each_due(now, [&](ResponderLine& line) { line.advance(now); });
  }
  std::optional<Instant> deadline() const override { return lines_.deadline(); }
  bool next_datagram(Outgoing& out) override { return lines_.next_datagram(out); }
  bool trigger(PeerId, const TriggerRequest&, Instant) override { return false; }
  bool idle() const override { return true; }
  std::uint64_t failed() const override { return 0; }
  std::string state() const override {
    return fmt::format("RDMAP responder: {} connections, {} of them open, {} Sends received, {} errors{}{}\n",
                       counts_.connections, lines_.size(), counts_.sends, counts_.errors,
                       counts_.errors == 0 ? "" : "; the last: ", counts_.last_error);
  }

 private:
  static constexpr std::uint64_t kSharedBase = std::uint64_t{5} << 32;

  OctetBuffer memory_ = OctetBuffer(kBufferOctets);  // memory that all connections reach
  Buffers buffers_;
  AdvertisedBuffer shared_;
  Deviations deviations_;
  PeerApplication application_;  // for all connections
  ResponderCounts counts_;
  Lines<ResponderLine> lines_;
};

}  // namespace

std::unique_ptr<Peer> make_responder(std::uint64_t seed, const Options& options, const Deviations& deviations,
                                     Service application) {
  return std::make_unique<ResponderPeer>(seed, options, deviations, application);
}

}  // namespace wirelaw::rdmap
