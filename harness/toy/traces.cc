// SPDX-License-Identifier: Apache-2.0
// The sample traces.
#include "corpora/traces/sample.h"
#include "harness/toy/toy.h"

namespace wirelaw::corpora {
namespace {

using toy::Type;

class ToyTraceBuilder {
 public:
  static constexpr bool kIsStream = false;

  void send(Side side, const toy::Packet& packet) {
    messages_.push_back({.sender = side, .octets = toy::encode(packet)});
  }
  void exchange(std::uint16_t number) {
    send(Side::a, {.type = Type::ping, .number = number});
    send(Side::b, {.type = Type::pong, .number = number});
  }
  std::vector<TraceMessage> take() { return std::move(messages_); }

 private:
  std::vector<TraceMessage> messages_;
};

constexpr Sample<ToyTraceBuilder> kSamples[] = {
    {"TOY-1-1", "A PING whose reserved octet is 1.",
     [](ToyTraceBuilder& s) {
       s.exchange(1);
       s.send(Side::a, {.type = Type::ping, .reserved = 1, .number = 2});
       s.send(Side::b, {.type = Type::pong, .number = 2});
     }},
    {"TOY-2-1", "A PONG whose number no PING has had.",
     [](ToyTraceBuilder& s) {
       s.exchange(1);
       s.send(Side::b, {.type = Type::pong, .number = 9});
     }},
    {{},
     "Three PINGs and their PONGs.",
     [](ToyTraceBuilder& s) {
       for (std::uint16_t number = 1; number <= 3; ++number) s.exchange(number);
     },
     "three"},
};

}  // namespace

TraceSet toy_traces() {
  return trace_set<ToyTraceBuilder>("toy", {kSamples});
}

}  // namespace wirelaw::corpora
