// SPDX-License-Identifier: Apache-2.0
// For tests: one endpoint in virtual time, and its work for the RDMA layer.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "reference/octets/hex.h"
#include "reference/smbd/make_endpoint.h"

namespace wirelaw::smbd {

using std::chrono::milliseconds;
using std::chrono::seconds;

inline OctetBuffer pattern(std::size_t size, unsigned seed = 1) {
  OctetBuffer octets(size);
  for (std::size_t i = 0; i < size; ++i) octets[i] = static_cast<Octet>(i * 7 + i / 251 + seed);
  return octets;
}

// A provider with a limited amount of memory.
class TestRegistrar final : public Registrar {
 public:
  struct Region {
    std::span<Octet> memory;
    Access access;
    std::uint64_t base;
  };

  std::optional<RemoteBuffer> register_memory(std::span<Octet> memory, Access access) override {
    if (regions.size() >= most_regions) return std::nullopt;
    const Token token = next_token++;
    const std::uint64_t base = 0x10000u * token;
    regions.emplace(token, Region{memory, access, base});
    return RemoteBuffer{token, base};
  }
  bool deregister_memory(Token token) override { return regions.erase(token) > 0; }
  std::size_t most_octets() const override { return most; }

  // Returns the memory of a range; nothing if the token, the range or the access is wrong.
  std::optional<std::span<Octet>> look(RemoteBuffer at, std::size_t octets, bool write) const {
    const auto found = regions.find(at.token);
    if (found == regions.end()) return std::nullopt;
    const Region& region = found->second;
    if (write ? !region.access.write : !region.access.read) return std::nullopt;
    if (at.offset < region.base || at.offset - region.base > region.memory.size()) return std::nullopt;
    const std::size_t begin = at.offset - region.base;
    if (region.memory.size() - begin < octets) return std::nullopt;
    return region.memory.subspan(begin, octets);
  }

  std::map<Token, Region> regions;
  std::size_t most_regions = 100;
  std::size_t most = 1u << 20;
  Token next_token = 0x100;
};

// Fields of a Data Transfer from the peer; octets after them are given separately.
struct Fields {
  std::uint16_t credits_requested = 10;
  std::uint16_t credits_granted = 0;
  std::uint16_t flags = 0;
  std::uint32_t remaining = 0;
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
};
inline OctetBuffer message_of(const Fields& fields, const OctetBuffer& behind = {}) {
  return encode(DataTransfer{.credits_requested = fields.credits_requested,
                             .credits_granted = fields.credits_granted,
                             .flags = fields.flags,
                             .remaining_data_length = fields.remaining,
                             .data_offset = fields.offset,
                             .data_length = fields.length,
                             .trailing = behind});
}
// A well-formed Data Transfer with data.
inline OctetBuffer data_of(const OctetBuffer& data, Fields fields = {}) {
  OctetBuffer behind(4);
  behind.insert(behind.end(), data.begin(), data.end());
  fields.offset = kUsualDataOffset;
  fields.length = static_cast<std::uint32_t>(data.size());
  return message_of(fields, behind);
}

// One endpoint, whose peer is the test.
struct Rig {
  explicit Rig(Role role, const Options& options = {}, const Deviations& deviations = {})
      : endpoint(make_endpoint(role, options, registrar, deviations)) {
    endpoint->begin(now);
    drain();
  }

  void connect() {
    endpoint->connected(now);
    drain();
  }
  void feed(const OctetBuffer& octets, std::optional<Token> invalidated = std::nullopt) {
    endpoint->receive(octets, invalidated, now);
    drain();
  }
  void pass(Instant time) {
    now += time;
    endpoint->advance(now);
    drain();
  }
  void drain() {
    // Work may cause events, and events work.
    for (bool more = true; more;) {
      more = false;
      for (Event event; endpoint->next_event(event); more = true) events.push_back(std::move(event));
      for (Work one; endpoint->next_work(one); more = true) take(std::move(one));
    }
  }
  void take(Work&& one) {
    if (const auto* receive = std::get_if<PostReceive>(&one)) receives.push_back(receive->octets);
    if (auto* send = std::get_if<PostSend>(&one)) sent.push_back(std::move(*send));
    if (auto* write = std::get_if<PostWrite>(&one)) writes.push_back(std::move(*write));
    if (auto* read = std::get_if<PostRead>(&one)) reads.push_back(*read);
    if (const auto* disconnect = std::get_if<Disconnect>(&one)) ended = *disconnect;
  }

  // Negotiates, with `credits` credits for each side.
  void negotiate(std::uint16_t credits = 10, std::uint32_t receive_size = 1024) {
    connect();
    if (endpoint->role() == Role::responder)
      feed(encode(request(credits, receive_size)));
    else
      feed(encode(response(credits, receive_size)));
  }
  static NegotiateRequest request(std::uint16_t credits = 10, std::uint32_t receive_size = 1024) {
    return {.credits_requested = credits,
            .preferred_send_size = 1024,
            .max_receive_size = receive_size,
            .max_fragmented_size = 131'072};
  }
  static NegotiateResponse response(std::uint16_t credits = 10, std::uint32_t receive_size = 1024) {
    return {.negotiated_version = kVersion1,
            .credits_requested = credits,
            .credits_granted = credits,
            .max_read_write_size = 1'048'576,
            .preferred_send_size = 1024,
            .max_receive_size = receive_size,
            .max_fragmented_size = 131'072};
  }

  // The messages sent since the last call.
  std::vector<DataTransfer> messages() {
    std::vector<DataTransfer> all;
    for (; looked < sent.size(); ++looked)
      if (const auto message = decode_data_transfer(sent[looked].octets)) all.push_back(*message);
    return all;
  }
  template <class What>
  std::vector<What> all() const {
    std::vector<What> some;
    for (const Event& event : events)
      if (const auto* one = std::get_if<What>(&event)) some.push_back(*one);
    return some;
  }
  std::optional<Reason> reason() const {
    const auto some = all<Terminated>();
    return some.empty() ? std::nullopt : std::optional(some.front().reason);
  }
  std::vector<OctetBuffer> received() const {
    std::vector<OctetBuffer> data;
    for (const Received& one : all<Received>()) data.push_back(one.data);
    return data;
  }

  Instant now{};
  TestRegistrar registrar;
  std::unique_ptr<Endpoint> endpoint;
  std::vector<std::size_t> receives;
  std::deque<PostSend> sent;  // elements are not moved, since messages() refers to them
  std::size_t looked = 0;
  std::vector<PostWrite> writes;
  std::vector<PostRead> reads;
  std::vector<Event> events;
  std::optional<Disconnect> ended;
};

}  // namespace wirelaw::smbd
