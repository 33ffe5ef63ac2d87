// SPDX-License-Identifier: Apache-2.0
// For tests of deviations: conversations whose packets overtake each other or come twice, several operations at once,
// and what an honest requester does seldom.
#pragma once

#include "reference/efa/test_script.h"

namespace wirelaw::efa {

inline Options asks_for_one_packet() {
  Options options = small();
  options.credit_request = 1;
  return options;
}

// Messages of several segments, at once, in either direction, and a read.
inline void use_many_segments(Script& script) {
  script.meet();
  World& world = script.world;
  const RmaIov region = script.region(8'000);
  for (const PeerId from : {kA, kB}) {
    Endpoint& to = from == kA ? world.b : world.a;
    for (int i = 0; i < 6; ++i) to.post_receive({.octets = 4'000}, world.now);
    for (unsigned i = 0; i < 3; ++i) {
      world.to(from).send(from == kA ? kB : kA, {.data = pattern(3'000, i), .transfer = Transfer::medium}, world.now);
      world.to(from).send(from == kA ? kB : kA, {.data = pattern(20, i)}, world.now);
    }
  }
  world.a.read(kB, {.from = {region}}, world.now);
  world.run();
}

inline void add_rough_scenes(std::vector<Scene>& all) {
  const Options rdma = told(with_rdma());
  all.push_back({small(), small(), [](Script& script) {  // a message that is longer than its receive
                   script.meet();
                   script.world.b.post_receive({.octets = 3}, script.world.now);
                   script.world.a.send(kB, {.data = pattern(10)}, script.world.now);
                   script.world.run();
                   script.message(5, {});
                 }});
  all.push_back({told({}), told({}), use_many_segments, {.reorder = true}});
  all.push_back({told({}),
                 told({}),
                 [](Script& script) {
                   script.injected = true;  // as many as UDP would hardly make
                   use_many_segments(script);
                 },
                 {.doubling = 100}});
  all.push_back({told({}), told({}), [](Script& script) {  // long messages at once
                   script.meet();
                   for (unsigned i = 0; i < 2; ++i) {
                     script.world.b.post_receive({.octets = 8'000}, script.world.now);
                     script.world.a.send(kB, {.data = pattern(8'000, i), .transfer = Transfer::long_cts},
                                         script.world.now);
                   }
                   script.world.run();
                 }});
  all.push_back({asks_for_one_packet(), small(), [](Script& script) {
                   script.meet();
                   script.message(8'000, Transfer::long_cts);
                 }});
  all.push_back({small(), announces_nothing(), [](Script& script) {
                   script.meet();
                   script.message(5, {});
                 }});
  all.push_back({told({}), told({}), [](Script& script) {  // a READRSP is lost
                   script.injected = true;
                   script.meet();
                   script.world.passes = [](PeerId, const OctetBuffer& octets) { return octets[0] != 5; };
                   script.world.a.read(kB, {.from = {script.region(8'000)}}, script.world.now);
                   script.world.run();
                   script.message(5, {});
                 }});
  all.push_back({small(), small(), [](Script& script) {  // a HANDSHAKE is lost
                   script.injected = true;
                   script.world.passes = [](PeerId from, const OctetBuffer& octets) {
                     return from != kA || octets[0] != 9;
                   };
                   script.meet();
                   script.message(5, {});
                 }});
  all.push_back({small(), small(), [](Script& script) {  // a message before its receive, to the requester
                   script.meet();
                   script.world.b.send(kA, {.data = pattern(20)}, script.world.now);
                   script.world.run();
                   script.world.a.post_receive({.octets = 20}, script.world.now);
                   script.world.run();
                 }});
  all.push_back({rdma, rdma, [](Script& script) {  // what RUNTREAD packets bring whole
                   script.meet();
                   script.message(1'500, Transfer::runting_read);
                 }});
  all.push_back({rdma, rdma, [](Script& script) {  // the device refuses
                   script.meet();
                   script.world.rdma_fails = true;
                   script.message(8'000, Transfer::long_read);
                   script.message(5, {});
                 }});
  all.push_back({small(), small(), [](Script& script) {  // memory that is not there, and in two parts
                   script.meet();
                   const RmaIov region = script.region(100);
                   const auto write = [&](const std::vector<RmaIov>& to, std::size_t octets) {
                     script.world.a.write(kB, {.data = pattern(octets, 9), .to = to}, script.world.now);
                     script.world.run();
                   };
                   write({{region.addr + 30, 10, region.key + 100}}, 10);
                   write({{region.addr + 95, 10, region.key}}, 10);
                   write({{region.addr, 10, region.key}, {region.addr + 50, 20, region.key}}, 30);
                 }});
  all.push_back({small(), small(), [](Script& script) {  // reads of nothing, and atomic ones
                   script.meet();
                   const RmaIov region = script.region(8);
                   script.world.a.atomic(kB, {.call = AtomicCall::fetch, .op = AtomicOp::atomic_read, .on = {region}},
                                         script.world.now);
                   script.world.run();
                   script.world.a.read(kB, {.from = {{region.addr, 0, region.key}}}, script.world.now);
                   script.world.run();
                   script.world.a.write(kB, {.data = pattern(8, 3), .to = {region}}, script.world.now);
                   script.world.run();
                   for (const std::uint64_t at : {0u, 4u})
                     script.world.a.read(kB, {.from = {{region.addr + at, 4, region.key}}}, script.world.now);
                   script.world.run();
                   script.message(5, {});
                 }});
}

}  // namespace wirelaw::efa
