// SPDX-License-Identifier: Apache-2.0
// Connections for fuzz_tcp: what happens to segments on the way, and how peers choose their numbers.
#include "corpora/formats/tcp_steps.h"
#include "corpora/seed.h"

namespace wirelaw::corpora {
namespace {

using namespace tcp_control;

Seed seed(const char* name, std::vector<TcpStep> steps, bool opened = true, std::uint32_t isn = 1000) {
  TcpSteps conversation{isn, isn + 5000, {}};
  if (opened) conversation.steps = {{.control = kSyn}, {.control = kSyn | kAck | kSideB}, {.control = kAck}};
  conversation.steps.insert(conversation.steps.end(), steps.begin(), steps.end());
  return {"fuzz_tcp", name, write_tcp_steps(conversation)};
}

TcpStep a(std::uint32_t offset, std::uint16_t length, Octet control = 0, std::uint32_t ack = 0) {
  return {.control = static_cast<Octet>(control | kAck), .length = length, .offset = offset, .ack = ack};
}
TcpStep b(std::uint32_t offset, std::uint16_t length, Octet control = 0, std::uint32_t ack = 0) {
  return a(offset, length, static_cast<Octet>(control | kSideB), ack);
}

}  // namespace

std::vector<Seed> tcp_seeds() {
  const std::vector<TcpStep> talk = {a(0, 100),           b(0, 50, 0, 100),    a(100, 250, 0, 50), b(50, 7, 0, 350),
                                     a(350, 0, kFin, 57), b(57, 0, kFin, 351), a(351, 0, 0, 58)};
  std::vector<TcpStep> held, strangers;
  for (std::uint32_t i = 0; i < 40; ++i) held.push_back(a(100 + 200 * i, 150));
  for (std::uint32_t i = 0; i < 9; ++i) strangers.push_back(a(0x60000000 + 100 * i, 100));
  return {
      seed("in-order", talk),
      seed("wrap", talk, true, 0xfffffff0),
      seed("midway", {a(5000, 100), b(700, 50, 0, 5100), a(5100, 100, 0, 750)}, false),
      seed("one-side", {a(0, 100, 0, 70), a(100, 50, 0, 300), a(150, 0, kFin, 300)}),
      seed("answer-only", {{.control = kSyn | kAck | kSideB}, b(0, 50, 0, 200), a(200, 10), b(50, 9, kFin, 300)},
           false),
      seed("reversed", {a(300, 100), a(200, 100), a(100, 100), a(0, 100)}),
      seed("doubled", {a(0, 100), a(0, 100), a(100, 100), a(0, 200), a(150, 100)}),
      seed("overlapping", {a(50, 20), a(100, 20), a(40, 100), a(0, 45), a(130, 70)}),
      seed("differing", {a(100, 100), a(50, 100, kDiffers), a(0, 100), a(20, 30, kDiffers)}),
      seed("syn-with-octets", {{.control = kSyn, .length = 20}, a(0, 40), {.control = kSyn, .length = 20}}, false),
      seed("syn-again", {a(0, 100), {.control = kSyn}, {.control = kSyn | kAck | kSideB}, a(100, 100)}),
      seed("ports-again", {a(0, 100), a(300, 9), {.control = kSyn, .offset = 77777}, a(77777, 20)}),
      seed("late-syn", {a(0, 100), {.control = kSyn}, a(100, 20)}, false),
      seed("octets-behind-fin", {a(0, 100, kFin), a(50, 100), a(300, 10), a(100, 0, kFin)}),
      seed("fin-in-front", {a(300, 10), a(100, 50), a(120, 0, kFin), a(0, 100)}),
      seed("reset", {a(200, 100), b(10, 20), b(0, 0, kRst, 0), a(0, 100)}),
      seed("reset-refuses", {{.control = kSyn}, {.control = kRst | kAck | kSideB, .offset = 0xffff0000}}, false),
      seed("keep-alive", {a(0, 100), a(99, 0), a(99, 1), a(99, 1, kDiffers), a(100, 1), a(100, 50)}),
      seed("lost", {a(0, 100), a(300, 100), b(0, 0, 0, 400), a(500, 10), b(0, 30, 0, 700), a(200, 50), a(700, 9)}),
      seed("cut", {{.control = kAck, .cut = 50, .length = 100},
                   a(150, 50),
                   {.control = kAck, .cut = 9, .offset = 300},
                   {.control = kAck | kFin, .cut = 200, .length = 10, .offset = 250}}),
      seed("too-much-held", held),
      seed("far", {a(0, 100), a(0x60000000, 100), a(0xa0000000, 100), a(100, 9, kFin), b(0, 10, 0, 0x60000000)}),
      seed("strangers", strangers),
  };
}

}  // namespace wirelaw::corpora
