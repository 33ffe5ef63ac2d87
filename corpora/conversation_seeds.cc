// SPDX-License-Identifier: Apache-2.0
// Conversations with the reference endpoints, as steps (formats/ramcloud_steps.h): honest ones over good and bad
// networks, and one for each deviation that a peer can choose.
#include <algorithm>

#include "corpora/formats/ramcloud_steps.h"
#include "corpora/seed.h"

namespace wirelaw::corpora {
namespace {

using Steps = std::vector<Step>;

constexpr Octet kData = 0x00, kAsk = 0x02, kDrop = 0x04, kReserved = 0x08, kAck = 0x10, kOpen = 0x20, kBad = 0x40;

// Fragments of 16 octets in a window of ten, an ACK for every fifth, eight channels, and limits that no seed reaches.
constexpr Settings kUsual{15, 9, 4, 7, 15, 0x14, 255, 255};

constexpr Octet action(Action what) {
  return static_cast<Octet>(what);
}
constexpr Octet fault(Fault what) {
  return static_cast<Octet>(what);
}

Step packet(Octet flags, std::int8_t rpc = 0, std::uint16_t number = 0, std::uint16_t total = 1,
            std::uint16_t length = 12) {
  return {.flags = flags, .rpc = rpc, .number = number, .total = total, .length = length};
}
Step ack(std::uint16_t first_missing, std::uint32_t staging = 0) {
  return packet(kAck, 0, first_missing, static_cast<std::uint16_t>(staging), static_cast<std::uint16_t>(staging >> 16));
}
Step application(std::uint16_t length) {
  return {.action = action(Action::application), .length = length};
}
Step wait(std::uint16_t milliseconds) {
  return {.action = action(Action::time), .number = milliseconds};
}
Step wait_for_timer() {
  return {.action = action(Action::time), .relative = 1};
}
Step release(std::uint16_t which, bool of_endpoint) {
  return {.action = action(Action::release), .number = which, .relative = of_endpoint};
}
Step again(std::uint16_t back) {
  return {.action = action(Action::replay), .number = back};
}

template <class Change>
Step but(Step step, Change change) {
  change(step);
  return step;
}

// Settings with one octet changed.
Settings with(std::size_t at, Octet value) {
  Settings settings = kUsual;
  settings[at] = value;
  return settings;
}

Seed server(const char* name, Steps steps, const Settings& settings = kUsual) {
  steps.insert(steps.begin(), packet(kOpen, 0, 0, 0, 0));
  return {"fuzz_ramcloud_server", name, write_ramcloud_steps({settings, std::move(steps)})};
}

// A client whose open request is granted eight channels, and which then calls.
Seed client(const char* name, Steps steps, std::uint16_t request = 12, const Settings& settings = kUsual) {
  const Step open = but(packet(kOpen), [](Step& s) { s.channel = 8; });
  steps.insert(steps.begin(), {application(request), open});
  return {"fuzz_ramcloud_client", name, write_ramcloud_steps({settings, std::move(steps)})};
}

Steps fragments(std::uint16_t total, std::uint16_t ask_every = 5) {
  Steps steps;
  for (std::uint16_t i = 0; i < total; ++i)
    steps.push_back(packet(i % ask_every == ask_every - 1 ? kAsk : kData, 0, i, total));
  return steps;
}

Steps joined(std::initializer_list<Steps> parts) {
  Steps all;
  for (const Steps& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

std::vector<Seed> server_seeds() {
  const Steps rpc{packet(kData), application(40)};
  return {
      server("two-rpcs", joined({rpc, {packet(kData, 1), application(5)}})),
      server("two-channels",
             {packet(kData), but(packet(kData), [](Step& s) { s.channel = 3; }), application(1), application(2)}),
      server("many-fragments", joined({fragments(12), {application(400), ack(5), ack(10), ack(15), ack(20), ack(25)}})),
      server("fragments-reversed",
             {packet(kData, 0, 2, 3), packet(kAsk, 0, 1, 3), packet(kData, 0, 0, 3), application(0)}),
      server("fragments-doubled", {packet(kAsk, 0, 0, 2), again(0), packet(kData, 0, 1, 2), again(0), application(9)}),
      server("fragment-beyond-window", {packet(kAsk, 0, 40, 50), packet(kAsk, 0, 33, 50), packet(kAsk, 0, 0, 50)}),
      server("fragment-beyond-total", {packet(kAsk, 0, 2, 2), packet(kAsk, 0, 0, 2)}),
      server("total-changes", {packet(kAsk, 0, 0, 3), packet(kAsk, 0, 1, 4), packet(kAsk, 0, 2, 0)}),
      server("response-lost", joined({{packet(kData), but(application(40), [](Step& s) { s.fates = 0b01010100; }),
                                       wait(150), packet(kAsk), wait(150), packet(kAsk), packet(kData, 1)}})),
      server("responses-held", {packet(kData), but(application(60), [](Step& s) { s.fates = 0b11111100; }),
                                release(1, true), release(0, true), packet(kData, 1), release(0, true)}),
      server("requests-held", {but(packet(kAsk, 0, 0, 2), [](Step& s) { s.fates = 3; }), packet(kAsk, 0, 1, 2),
                               release(0, false), application(3)}),
      server("ack-staging", joined({{packet(kData), application(300), ack(0, 0b1011), ack(4, 0x80000001), ack(8)}})),
      server("ack-too-far", {packet(kData), application(40), ack(9), ack(0xffff), ack(0, 0xffffffff)}),
      server("ack-short", {packet(kData), application(40), but(ack(1), [](Step& s) { s.relative = 0x10; }),
                           but(ack(1), [](Step& s) { s.relative = 0xa0; })}),
      server("rpc-skipped", joined({rpc, {packet(kAsk, 2), packet(kAsk, -2), packet(kAsk, 0)}})),
      server("wrong-token", joined({rpc,
                                    {but(packet(kAsk, 1), [](Step& s) { s.token = fault(Fault::one_more); }),
                                     but(packet(kAsk), [](Step& s) { s.server_hint = fault(Fault::no_value); })}})),
      server("other-client-hint",
             {but(packet(kAsk), [](Step& s) { s.client_hint = fault(Fault::mirrored); }), application(4)}),
      server("channel-out-of-range", {but(packet(kAsk), [](Step& s) { s.channel = 8; }),
                                      but(packet(kAsk), [](Step& s) { s.channel = 7; }), application(1)}),
      server("odd-flags", {packet(kDrop | kAsk), packet(kReserved | kAsk), packet(kData | 1), packet(0x70),
                           packet(kBad), packet(kAsk), application(2)}),
      server("short-packets", {{.action = action(Action::raw), .flags = 0x20, .length = 25},
                               {.action = action(Action::raw), .flags = 0x20, .length = 0},
                               {.action = action(Action::raw), .flags = 0x20, .length = 26}}),
      server("sessions-expire", joined({rpc,
                                        {wait(20'000), packet(kOpen, 0, 0, 0, 0), packet(kAsk), application(7),
                                         but(packet(kAsk, 1), [](Step& s) { s.session = 1; })}})),
      server("more-sessions-than-allowed", joined({Steps(4, packet(kOpen, 0, 0, 0, 0)), rpc}), with(4, 2)),
      server("more-octets-than-allowed", joined({fragments(20, 1), rpc}), with(7, 0)),
  };
}

std::vector<Seed> client_seeds() {
  const auto answer = [](std::int8_t rpc = 0, std::uint16_t number = 0, std::uint16_t total = 1) {
    return packet(kData, rpc, number, total);
  };
  return {
      client("one-call", {answer()}),
      client("two-calls", {answer(), application(3), answer()}),
      client("parallel-calls", {application(1), application(2), but(answer(), [](Step& s) { s.channel = 2; }),
                                but(answer(), [](Step& s) { s.channel = 1; }), answer()}),
      client("many-fragments", {ack(5), ack(10), ack(13), answer(0, 0, 3), answer(0, 1, 3), answer(0, 2, 3)}, 200),
      client("request-lost", {ack(0, 0b10110), wait(150), ack(5), wait_for_timer(), answer()}, 200),
      client("response-in-part",
             {packet(kAsk, 0, 1, 3), wait(150), wait(150), wait(150), answer(0, 0, 3), packet(kAsk, 0, 2, 3)}),
      client("response-reversed", {packet(kAsk, 0, 2, 3), packet(kAsk, 0, 1, 3), packet(kAsk, 0, 0, 3), again(0)}),
      client("response-doubled", {answer(), again(0), packet(kAsk), application(1), packet(kAsk, -1), answer()}),
      client("never-answered", {wait_for_timer(), wait_for_timer(), wait_for_timer(), wait_for_timer()}),
      client("bad-session",
             {packet(kBad), but(packet(kOpen), [](Step& s) { s.channel = 7, s.session = 1; }), answer()}),
      client("bad-sessions-in-a-row",
             {packet(kBad), packet(kOpen), packet(kBad), packet(kOpen), packet(kBad), packet(kOpen)}),
      client("opened-twice", {but(packet(kOpen), [](Step& s) { s.session = 2; }), answer(),
                              but(answer(), [](Step& s) { s.session = 1; })}),
      client("no-channels", {answer(), but(packet(kOpen), [](Step& s) { s.channel = 0, s.relative = 0x10; })}),
      client("late-packets",
             {but(answer(), [](Step& s) { s.fates = 3; }), packet(kAsk), application(2), release(0, false), answer()}),
      client("ack-too-far", {ack(14), ack(0xffff), ack(0, 0xffffffff), answer()}, 200),
      client("wrong-rpc", {answer(1), answer(-1), but(answer(), [](Step& s) { s.channel = 1; }), answer()}),
      client("wrong-token", {but(answer(), [](Step& s) { s.token = fault(Fault::one_more); }),
                             but(answer(), [](Step& s) { s.client_hint = fault(Fault::ones); }), answer()}),
      client("odd-flags", {packet(kDrop), packet(kData | 1), packet(kReserved), packet(0x70)}),
      client("total-changes", {answer(0, 0, 3), answer(0, 1, 2), answer(0, 2, 0), answer(0, 1, 3), answer(0, 2, 3)}),
      client("request-too-long", {answer()}, 4095, with(0, 0)),
  };
}

Step arrives(std::uint16_t which, Fate fate = Fate::arrives) {
  return {.action = action(Action::deliver), .number = which, .fates = static_cast<Octet>(fate)};
}

Seed network(const char* name, Steps steps, const Settings& settings = kUsual) {
  return {"fuzz_ramcloud_network", name, write_ramcloud_steps({settings, std::move(steps)})};
}

std::vector<Seed> network_seeds() {
  const Steps calls{application(10), application(200), application(500)};
  Steps lossy = calls, reordering = calls, doubling = calls;
  for (std::uint16_t i = 0; i < 60; ++i) {
    lossy.push_back(arrives(0, i % 7 == 3 ? Fate::lost : Fate::arrives));
    if (i % 20 == 19) lossy.push_back(wait_for_timer());
    reordering.push_back(arrives(static_cast<std::uint16_t>(i * 5)));
    doubling.push_back(arrives(static_cast<std::uint16_t>(i % 3), i % 4 == 1 ? Fate::doubled : Fate::arrives));
  }
  return {
      network("fair-weather", calls),
      network("loss", lossy),
      network("reordering", reordering),
      network("doubling", doubling),
      network("nothing-arrives", {application(10), arrives(0, Fate::lost), wait_for_timer(), arrives(0, Fate::lost),
                                  wait_for_timer(), arrives(0, Fate::lost), wait_for_timer()}),
      network("narrow-window", calls, {15, 0, 0, 0, 0, 0, 255, 255}),
      network("wide-window", reordering, {3, 47, 15, 7, 1, 0x37, 255, 255}),
      network("little-memory", lossy, {15, 9, 4, 7, 15, 0x14, 2, 2}),
  };
}

// The path (fuzz/delayed_capture.h), the settings, and the steps.
Seed delayed(const char* name, OctetBuffer input) {
  for (const Octet one : kUsual) input.push_back(one);
  for (int i = 0; i < 16; ++i) input.push_back(static_cast<Octet>(i * 37));
  return {"fuzz_ramcloud_delayed", name, std::move(input)};
}

std::vector<Seed> delayed_seeds() {
  return {delayed("3s", {255, 1, 0x1f, 0, 0}), delayed("loss", {110, 2, 0x28, 192, 0}),
          delayed("overtaking", {255, 3, 0x00, 16, 0}), delayed("late", {110, 4, 0x15, 0, 7})};
}

}  // namespace

std::vector<Seed> conversation_seeds() {
  std::vector<Seed> seeds;
  for (const auto& some : {server_seeds(), client_seeds(), network_seeds(), delayed_seeds()})
    seeds.insert(seeds.end(), some.begin(), some.end());
  return seeds;
}

}  // namespace wirelaw::corpora
