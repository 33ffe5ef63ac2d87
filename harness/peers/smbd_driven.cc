// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/smbd_driven.h"

#include <algorithm>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <utility>

#include "harness/peers/smbd_layer.h"

namespace wirelaw::smbd {
namespace {

// Data that the connection may use as long as it exists, even after the case.
struct Kept {
  std::deque<Event> events;
  std::list<OctetBuffer> buffers;  // buffers that are registered, or are read into; they keep their addresses
};

// Keeps what is reported until the driver asks.
class Listening final : public Application {
 public:
  explicit Listening(std::shared_ptr<Kept> kept) : kept_(std::move(kept)) {}
  void take(Event& event, Endpoint&, Instant) override { kept_->events.push_back(std::move(event)); }

 private:
  std::shared_ptr<Kept> kept_;
};

std::string_view text_of(SendError error) {
  switch (error) {
    case SendError::not_established:
      return "there is no connection";
    case SendError::too_long:
      return "the message is above MaxFragmentedSendSize";
    case SendError::no_room:
      return "MaxSendSize has no room for data";
    case SendError::queue_full:
      break;
  }
  return "too much waits to be sent";
}

std::string_view text_of(TransferError error) {
  switch (error) {
    case TransferError::not_established:
      return "there is no connection";
    case TransferError::too_long:
      return "the transfer is above MaxReadWriteSize";
    case TransferError::outside:
      return "the transfer is beyond what the descriptors describe";
    case TransferError::wraps:
      return "a descriptor wraps";
    case TransferError::too_many:
      break;
  }
  return "too many transfers are under way";
}

class Driven final : public UpperLayer {
 public:
  Driven(rdmap::ReachUpper reach, VirtualTime& time) : reach_(std::move(reach)), time_(time) {}

  bool begin() override {
    return with([&](Layer& layer) { layer.take_over(std::make_unique<Listening>(kept_)); });
  }

  Outcome<Parameters> query() override {
    return call<Parameters>([](Layer& layer) -> Outcome<Parameters> { return layer.endpoint().parameters(); });
  }
  Outcome<MessageId> send(OctetBuffer message, std::optional<Token> invalidate) override {
    return call<MessageId>([&](Layer& layer) { return said(layer.endpoint().send(std::move(message), invalidate)); });
  }
  Outcome<Descriptors> register_buffer(const std::vector<OctetBuffer>& parts, Access access) override {
    return call<Descriptors>([&](Layer& layer) -> Outcome<Descriptors> {
      std::vector<std::span<Octet>> spans;
      for (const OctetBuffer& part : parts) spans.push_back(kept_->buffers.emplace_back(part));
      auto descriptors = layer.endpoint().register_buffer(spans, access);
      if (!descriptors) return refused("the provider refuses");
      // Each descriptor is for one part, or for a piece of it.
      std::size_t part = 0, at = 0;
      for (const BufferDescriptorV1& one : *descriptors) {
        while (part < spans.size() && at >= spans[part].size()) ++part, at = 0;
        if (part == spans.size()) break;
        parts_[one.token] = {one.offset, spans[part].subspan(at)};
        at += one.length;
      }
      return std::move(*descriptors);
    });
  }
  bool limit_registrations(std::size_t parts) override {
    return with([&](Layer& layer) { layer.registrar().limit(parts); });
  }
  std::size_t registrations() override {
    std::size_t count = 0;
    with([&](Layer& layer) { count = layer.registrar().registered(); });
    return count;
  }
  OctetBuffer memory(const BufferDescriptorV1& part) override {
    const auto found = parts_.find(part.token);
    if (found == parts_.end()) return {};
    const auto octets = found->second.memory.first(std::min<std::size_t>(part.length, found->second.memory.size()));
    return {octets.begin(), octets.end()};
  }
  Outcome<void> deregister_buffer(const Descriptors& descriptors) override {
    return call<void>([&](Layer& layer) -> Outcome<void> {
      if (layer.endpoint().deregister_buffer(descriptors)) return {};
      return refused("the provider knows no such token");
    });
  }
  Outcome<TransferId> write(OctetBuffer octets, const Descriptors& remote, std::uint64_t offset) override {
    return call<TransferId>(
        [&](Layer& layer) { return said(layer.endpoint().write(std::move(octets), remote, offset)); });
  }
  Outcome<TransferId> read(std::size_t octets, const Descriptors& remote, std::uint64_t offset) override {
    return call<TransferId>([&](Layer& layer) {
      OctetBuffer& into = kept_->buffers.emplace_back(octets);
      auto id = said(layer.endpoint().read(into, remote, offset));
      if (id) reads_[*id] = &into;
      return id;
    });
  }
  OctetBuffer read_octets(TransferId id) override {
    const auto found = reads_.find(id);
    return found == reads_.end() ? OctetBuffer{} : *found->second;
  }
  void close() override {
    with([&](Layer& layer) { layer.endpoint().close(time_.now()); });
  }
  std::optional<Event> event() override {
    if (kept_->events.empty()) return std::nullopt;
    Event next = std::move(kept_->events.front());
    kept_->events.pop_front();
    return next;
  }

 private:
  struct Part {
    std::uint64_t offset = 0;
    std::span<Octet> memory;
  };

  static tl::unexpected<CallError> refused(std::string_view why) { return tl::unexpected(CallError{std::string(why)}); }
  template <class Result, class Error>
  static Outcome<Result> said(tl::expected<Result, Error>&& outcome) {
    if (outcome) return std::move(*outcome);
    return refused(text_of(outcome.error()));
  }
  // Calls the layer, and lets it handle the result. False if there is no connection.
  template <class Act>
  bool with(Act act) {
    const auto connection = reach_();
    if (!connection) return false;
    auto& layer = static_cast<Layer&>(connection->above);
    act(layer);
    layer.proceed(connection->below, time_.now());
    return true;
  }
  template <class Result, class Act>
  Outcome<Result> call(Act act) {
    Outcome<Result> outcome = refused("there is no connection");
    with([&](Layer& layer) { outcome = act(layer); });
    return outcome;
  }

  rdmap::ReachUpper reach_;
  VirtualTime& time_;
  std::shared_ptr<Kept> kept_ = std::make_shared<Kept>();
  std::map<Token, Part> parts_;
  std::map<TransferId, OctetBuffer*> reads_;
};

}  // namespace

std::unique_ptr<UpperLayer> make_driven(rdmap::ReachUpper reach, VirtualTime& time) {
  return std::make_unique<Driven>(std::move(reach), time);
}

}  // namespace wirelaw::smbd
