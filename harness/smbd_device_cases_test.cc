// SPDX-License-Identifier: Apache-2.0
// The cases of SMB Direct through a device (harness/peers/verbs/gateway.h), here the reference's own. They give the
// same verdicts as over iWARP, and find the same faults.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "conformance/rdmap/probes/upper_probe.h"
#include "harness/check/check_files.h"
#include "harness/pcapng_recording.h"
#include "harness/peers/reference_peers.h"
#include "harness/peers/verbs/gateway_wire.h"
#include "harness/runner.h"
#include "harness/test_decorators.h"
#include "harness/transports/memory/memory_iut.h"
#include "harness/verdict_lines.h"
#include "pcap/temporary_directory.h"

namespace wirelaw {
namespace {

class DeviceEnvironment final : public EnvironmentAround {
 public:
  DeviceEnvironment(std::unique_ptr<Environment> below, Role iut) : EnvironmentAround(std::move(below)), iut_(iut) {}

  tl::expected<Connected, TransportError> connect(const Route& route) override {
    auto connected = inner().connect(route);
    if (!connected) return connected;
    auto wire = std::make_unique<verbs::GatewayWire>(std::move(connected->wire), other(iut_));
    connected->offers.add_reference(rdmap::kMemoryDevice, wire->memory());
    connected->wire = std::move(wire);
    return connected;
  }
  tl::expected<Connected, TransportError> accept(const Route& route) override { return Environment::accept(route); }

 private:
  Role iut_;
};

class DeviceIut final : public IutAround {
 public:
  using IutAround::IutAround;
  Framing framing() const override { return {.transport = "tcp", .is_stream = true, .is_rendered = true}; }

 private:
  std::unique_ptr<Environment> around(std::unique_ptr<Environment> environment, const Case& next) override {
    return std::make_unique<DeviceEnvironment>(std::move(environment), next.iut);
  }
};

struct Tried {
  Role role = Role::responder;
  Service application = Service::echo;
  std::vector<std::string> deviations = {};
};

using Verdicts = std::map<std::string, std::string>;

RunOutcome run(const Tried& tried, bool by_device, Recording* recording = nullptr) {
  const Protocol& protocol = *find_protocol("smbd");
  const ReferencePeer& reference = *find_reference_peer(protocol.name);
  const PeerOptions peer{.role = tried.role, .application = tried.application, .deviations = tried.deviations};
  std::unique_ptr<Iut> iut = make_memory_iut(*reference.maker(peer), {.framing = memory_framing(protocol)});
  if (by_device) iut = std::make_unique<DeviceIut>(std::move(iut));
  RunOptions options{.iut = tried.role, .application = tried.application};
  options.parameters = offers_of(reference, peer);
  options.is_known = true;
  return run_cases(protocol, *iut, options, recording);
}

Verdicts verdicts_of(const Tried& tried, bool by_device) {
  Verdicts verdicts;
  for (const CaseResult& one : run(tried, by_device).results.cases)
    verdicts[one.id] = std::string(to_string(one.verdict)) + (one.reason.empty() ? "" : ": " + one.reason);
  return verdicts;
}

// The cases whose result through a device differs.
std::vector<std::string> differences(const Tried& tried) {
  const Verdicts direct = verdicts_of(tried, false), by_device = verdicts_of(tried, true);
  std::vector<std::string> found;
  EXPECT_FALSE(direct.empty());
  EXPECT_EQ(direct.size(), by_device.size());
  for (const auto& [id, verdict] : direct)
    if (const auto other = by_device.find(id); other == by_device.end() || other->second != verdict)
      found.push_back(id + "\n  direct: " + verdict +
                      "\n  by device: " + (other == by_device.end() ? "" : other->second));
  return found;
}

std::set<std::string> failing(const Verdicts& verdicts) {
  std::set<std::string> ids;
  for (const auto& [id, verdict] : verdicts)
    if (verdict.starts_with("fail")) ids.insert(id);
  return ids;
}

TEST(SmbdDevice, HonestPeersPassWhatTheyPassOverIwarp) {
  for (const Role role : {Role::responder, Role::initiator})
    for (const Service application : {Service::echo, Service::smb2}) {
      SCOPED_TRACE(testing::Message() << (role == Role::initiator ? "initiator " : "listener ")
                                      << word_of(application));
      EXPECT_THAT(differences({role, application}), testing::IsEmpty());
    }
}

// The tester alone provides the layers below SMB Direct there. So no rule of RDMAP, DDP or MPA is judged, neither in
// the run nor in its recording. Otherwise both are judged alike.
TEST(SmbdDevice, WhatIsBelowIsNotJudged) {
  const pcap::testing::TemporaryDirectory directory;
  const std::string path = directory.path("run.pcapng");
  const Protocol& protocol = *find_protocol("smbd");
  const auto judged_below = [&](const Results& results) {
    return std::ranges::count_if(results.rules, [&](const RuleResult& one) {
      return one.exercised > 0 && std::ranges::count(protocol.catalogue().rules(), one.rule) == 0;
    });
  };
  for (const bool by_device : {false, true}) {
    auto sink = PcapngSink::create(
        path, section_comment({.iut = "iut=192.0.2.2", .protocol = protocol.name, .is_rendered = by_device}));
    ASSERT_TRUE(sink);
    Recording recording(*sink);
    const RunOutcome live = run({}, by_device, &recording);
    recording.flush();
    sink->say_complete();
    ASSERT_TRUE(sink->commit());
    const auto offline = check_files(std::vector<std::string>{path}, {});
    EXPECT_EQ(judged_below(live.results) > 0, !by_device);
    EXPECT_EQ(judged_below(offline.results) > 0, !by_device);
    EXPECT_THAT(trace_verdicts(live.results, protocol), testing::Contains(testing::HasSubstr("exercised 1")));
    EXPECT_EQ(trace_verdicts(offline.results, protocol), trace_verdicts(live.results, protocol));
  }
}

// One of each kind: a wrong size, an account, an order, silence, memory.
constexpr std::string_view kFaults[] = {"segment-above-receive-size", "grants-nothing", "fragments-swapped",
                                        "keepalive-unanswered", "deregistered-stays"};

TEST(SmbdDevice, WhatAPeerDoesWrongIsFound) {
  for (const DeviationName& deviation : find_reference_peer("smbd")->deviations()) {
    if (std::ranges::find(kFaults, deviation.name) == std::end(kFaults)) continue;
    const Role role = deviation.role == Role::initiator ? Role::initiator : Role::responder;
    SCOPED_TRACE(deviation.name);
    const Tried tried{role, Service::echo, {std::string(deviation.name)}};
    const std::set<std::string> found = failing(verdicts_of(tried, true));
    EXPECT_FALSE(found.empty());
    EXPECT_EQ(found, failing(verdicts_of(tried, false)));
  }
}

}  // namespace
}  // namespace wirelaw
