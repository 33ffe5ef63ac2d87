// SPDX-License-Identifier: Apache-2.0
// A case of a protocol, and a reference peer in memory that it meets: an honest one is not blamed, whatever the network
// does; a faulty one ends no case but by a verdict; the same again is the same. CMake compiles it for each row of
// conformance/protocols.inc.
#include <string>

#include "conformance/efa/efa.h"
#include "conformance/ramcloud/ramcloud.h"
#include "conformance/rdmap/rdmap.h"
#include "conformance/smbd/smbd.h"
#include "conformance/umsp/umsp.h"
#include "corpora/formats/case_input.h"
#include "fuzz/target.h"
#include "harness/carriages/memory/memory_iut.h"
#include "harness/memory_run.h"
#include "harness/peers/reference_peers.h"

namespace wirelaw {
namespace {

using corpora::CaseInput;

const Protocol& protocol() {
  return WIRELAW_CASE_PROTOCOL::kProtocol;
}

// Of a role: what does not change from input to input.
struct Choices {
  explicit Choices(Role role) : cases(select_cases(protocol(), role, {.cases = {"*"}})) {
    // A message of 131072 segments takes a sanitizer a minute.
    std::erase_if(cases, [](const Case* one) { return one->id.find("131072") != std::string_view::npos; });
    for (const DeviationName& one : find_reference_peer(protocol().name)->deviations())
      if (one.role == role || one.role == Role::any) deviations.push_back(one.name);
    for (const Feature& one : protocol().features) features.emplace_back(one.name);
    for (const Service one : {Service::count, Service::echo, Service::smb2, Service::none})
      if (protocol().applications.find(word_of(one)) != std::string_view::npos) applications.push_back(one);
  }

  std::vector<const Case*> cases;
  std::vector<std::string_view> deviations;
  std::vector<std::string> features;
  std::vector<Service> applications;
};

const Choices& choices_of(Role role) {
  static const Choices kResponder(Role::responder), kInitiator(Role::initiator);
  return role == Role::responder ? kResponder : kInitiator;
}

// What each protocol demands of the network below is kept: SRD delivers each packet once, and TCP each octet.
Impairments impairments_of(const CaseInput& input) {
  if (!input.has(CaseInput::impairments)) return {};
  const double rate = input.rate / 1024.0;
  const bool may_double = protocol().name == std::string_view("ramcloud");
  return {.duplication = may_double ? rate : 0,
          .reordering = rate,
          .cut = std::size_t{1} + input.cut % 1460,
          .delay_max = std::chrono::microseconds{10} + input.delay * std::chrono::microseconds{100}};
}

RunOutcome run(const CaseInput& input) {
  const Role role = input.has(CaseInput::initiator) ? Role::initiator : Role::responder;
  const Choices& choices = choices_of(role);
  RunOptions options{.iut = role,
                     .selection = {.cases = {std::string(choices.cases[input.place % choices.cases.size()]->id)}},
                     .application = choices.applications[input.application % choices.applications.size()],
                     .limits = {.deadline = std::chrono::minutes{20}}};
  MemoryRun memory{.impairments = impairments_of(input), .seed = input.seed};
  if (input.has(CaseInput::features)) options.features = choices.features;
  if (input.deviation > 0)
    memory.deviations.emplace_back(choices.deviations[(input.deviation - 1u) % choices.deviations.size()]);
  if (input.has(CaseInput::driven) && protocol().name == std::string_view("rdmap")) {
    memory.settings = {"verbs"};
    memory.pair = input.has(CaseInput::pair);
  }
  auto outcome = run_in_memory(protocol(), options, memory);
  fuzz::require(outcome.has_value(), "there is such a peer");
  return std::move(*outcome);
}

// Of a run of one case.
std::string told(const RunOutcome& outcome) {
  std::string all;
  for (const CaseResult& one : outcome.results.cases)
    all += one.id + " " + std::string(to_string(one.verdict)) + ": " + one.reason + "\n";
  for (const Finding& one : outcome.results.findings)
    all += std::string(one.rule->id) + " " + std::to_string(one.frame) + ": " + one.explanation + "\n";
  return all;
}

void expect_no_blame(const RunOutcome& outcome) {
  bool blamed = false;
  for (const CaseResult& one : outcome.results.cases) blamed |= one.verdict == Verdict::fail;
  for (const Finding& one : outcome.results.findings) blamed |= one.severity == Severity::violation;
  if (blamed) std::fputs(told(outcome).c_str(), stderr);
  fuzz::require(!blamed, "an honest peer is not blamed");
}

}  // namespace
}  // namespace wirelaw

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wirelaw;
  const CaseInput input = corpora::read_case_input({data, size});
  const RunOutcome outcome = run(input);
  fuzz::require(outcome.results.cases.size() == 1, "one case has one result");
  if (input.deviation == 0) expect_no_blame(outcome);
  if (input.has(CaseInput::twice)) fuzz::require(told(run(input)) == told(outcome), "the same again is the same");
  return 0;
}
