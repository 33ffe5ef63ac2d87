// SPDX-License-Identifier: Apache-2.0
// A case of a protocol against a reference peer in memory. Oracles: an honest peer is not blamed, whatever the network
// does; with a faulty peer every case ends with a verdict; a second run gives the same result. If the input edits the
// case's messages, it is an input of `wirelaw fuzz`, and no oracle of a campaign reports an honest peer. CMake compiles
// this file for each row of conformance/protocols.inc.
#include <array>
#include <cstdlib>
#include <string>

#include "conformance/efa/efa.h"
#include "conformance/ramcloud/ramcloud.h"
#include "conformance/rdmap/rdmap.h"
#include "conformance/smbd/smbd.h"
#include "conformance/umsp/umsp.h"
#include "corpora/formats/case_input.h"
#include "fuzz/target.h"
#include "harness/campaign/finding.h"
#include "harness/campaign/trial.h"
#include "harness/memory_run.h"
#include "harness/peers/reference_peers.h"
#include "harness/transports/memory/memory_iut.h"

namespace wirelaw {
namespace {

using corpora::CaseInput;

const Protocol& protocol() {
  return WIRELAW_CASE_PROTOCOL::kProtocol;
}

// The data of a role that are the same for every input.
struct Choices {
  explicit Choices(Role role) : cases(select_cases(protocol(), role, {.cases = {"*"}})) {
    // With a sanitizer, a message of 131072 segments takes a minute.
    std::erase_if(cases, [](const Case* one) { return one->id.find("131072") != std::string_view::npos; });
    for (const DeviationName& one : find_reference_peer(protocol().name)->deviations())
      if (includes(one.role, role)) deviations.push_back(one.name);
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

// The network guarantees what each protocol requires: SRD delivers each packet once, TCP each octet once.
NetworkFaults network_faults_of(const CaseInput& input) {
  if (!input.has(CaseInput::network_faults)) return {};
  const double rate = input.rate / 1024.0;
  const bool may_double = protocol().name == std::string_view("ramcloud");
  return {.duplication = may_double ? rate : 0,
          .reordering = rate,
          .cut = std::size_t{16} + input.cut % 1445,  // other targets cut into single octets
          .delay_max = std::chrono::microseconds{10} + input.delay * std::chrono::microseconds{100}};
}

// Settings of reference peers that make cases take other paths.
struct PeerSettings {
  std::string_view protocol;
  std::array<std::string_view, 3> names;  // for setting 1, 2 and 3
};
constexpr PeerSettings kSettings[] = {{"ramcloud", {"eager"}},
                                      {"efa", {"no-registrations", "messages-only", "late-receives"}},
                                      {"smbd", {"one-credit", "small"}},
                                      {"umsp", {"remote-jcp", "address-2", "address-3"}}};

std::vector<std::string> settings_of(const CaseInput& input) {
  const auto known = std::ranges::find(kSettings, protocol().name, &PeerSettings::protocol);
  if (known == std::end(kSettings) || input.setting() == 0) return {};
  const std::string_view name = known->names[input.setting() - 1];
  return name.empty() ? std::vector<std::string>() : std::vector<std::string>{std::string(name)};
}

Role role_of(const CaseInput& input) {
  return input.has(CaseInput::initiator) ? Role::initiator : Role::responder;
}
std::string_view deviation_of(const CaseInput& input) {
  const auto& deviations = choices_of(role_of(input)).deviations;
  return input.deviation == 0 ? std::string_view() : deviations[(input.deviation - 1u) % deviations.size()];
}

RunOutcome run(const CaseInput& input) {
  const Role role = role_of(input);
  const Choices& choices = choices_of(role);
  RunOptions options{.iut = role,
                     .selection = {.cases = {std::string(choices.cases[input.place % choices.cases.size()]->id)}},
                     .application = choices.applications[input.application % choices.applications.size()],
                     .limits = {.deadline = std::chrono::minutes{20}}};
  MemoryRun memory{.settings = settings_of(input), .network_faults = network_faults_of(input), .seed = input.seed};
  if (input.has(CaseInput::features)) options.features = choices.features;
  if (input.deviation > 0) memory.deviations.emplace_back(deviation_of(input));
  if (input.has(CaseInput::driven) && protocol().name == std::string_view("rdmap")) {
    memory.settings = {"verbs"};
    memory.pair = input.has(CaseInput::pair);
  }
  auto outcome = run_in_memory(protocol(), options, memory);
  fuzz::require(outcome.has_value(), "there is such a peer");
  return std::move(*outcome);
}

// Describes the outcome of one case.
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

// --- inputs of a campaign

std::vector<edits::Edit> edits_of(Octets data) {
  std::vector<edits::Edit> edits;
  for (corpora::EditInput& one : corpora::read_edit_inputs(data))
    edits.push_back({.op = static_cast<edits::Op>(one.op % edits::kOps),
                     .message = one.message,
                     .copy = one.copy,
                     .offset = one.offset,
                     .count = one.count,
                     .octets = std::move(one.octets),
                     .repair = one.repair % 2 == 1});
  return edits;
}

// If an oracle is broken, prints the input and the result, and records them to WIRELAW_CASE_RECORD.
void try_edited(const CaseInput& input, std::vector<edits::Edit> edits) {
  const Role role = role_of(input);
  const Choices& choices = choices_of(role);
  PeerOptions peer{.role = role,
                   .application = choices.applications[input.application % choices.applications.size()],
                   .settings = settings_of(input),
                   .rdma = true};
  if (input.deviation > 0) peer.deviations.emplace_back(deviation_of(input));
  if (input.has(CaseInput::features)) peer.features = choices.features;
  const ReferencePeer& reference = *find_reference_peer(protocol().name);
  std::unique_ptr<Iut> iut;
  const campaign::Arena arena{.protocol = protocol(),
                              .role = role,
                              .application = peer.application,
                              .parameters = offers_of(reference, peer),
                              .features = peer.features,
                              .meet = [&](std::uint64_t seed) -> tl::expected<Iut*, TransportError> {
                                auto maker = reference.maker(peer);
                                fuzz::require(maker.has_value(), "there is such a peer");
                                iut = make_memory_iut(std::move(*maker), {.framing = memory_framing(protocol()),
                                                                          .network_faults = network_faults_of(input),
                                                                          .seed = seed});
                                return iut.get();
                              }};
  campaign::Tester tester(arena);
  const Case& one = *choices.cases[input.place % choices.cases.size()];
  constexpr campaign::Pace kPace{std::chrono::seconds{2}, std::chrono::milliseconds{500}, std::chrono::minutes{20}};
  const campaign::Input tried{.test_case = std::string(one.id), .edits = std::move(edits)};
  for (const edits::Edit& edit : tried.edits) fuzz::require(!to_text(edit).empty(), "what is changed is told in words");
  const campaign::Trial trial = tester.run(tried, kPace);
  if (input.deviation > 0 || trial.breaches.empty()) return;
  std::fprintf(stderr, "%s\n", tried.test_case.c_str());
  for (const edits::Edit& edit : tried.edits) std::fprintf(stderr, "  %s\n", to_text(edit).c_str());
  for (const campaign::Step& step : trial.steps)
    std::fprintf(stderr, "%s %s\n", step.from_iut ? "<" : ">", step.summary.c_str());
  for (const campaign::Breach& breach : trial.breaches)
    std::fprintf(stderr, "%s: %s, not %s; %s\n", breach.signature.c_str(), breach.actual.c_str(),
                 breach.expected.c_str(), breach.explanation.c_str());
  if (const char* const path = std::getenv("WIRELAW_CASE_RECORD"))
    static_cast<void>(campaign::record(tester, tried, trial.breaches.front().signature, kPace, path));
  fuzz::require(false, "of an honest peer no oracle of a campaign says anything");
}

}  // namespace
}  // namespace wirelaw

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wirelaw;
  const CaseInput input = corpora::read_case_input({data, size});
  if (auto edits = edits_of({data, size}); !edits.empty()) {
    try_edited(input, std::move(edits));
    return 0;
  }
  const RunOutcome outcome = run(input);
  fuzz::require(outcome.results.cases.size() == 1, "one case has one result");
  if (input.deviation == 0) expect_no_blame(outcome);
  if (input.has(CaseInput::twice)) fuzz::require(told(run(input)) == told(outcome), "the same again is the same");
  return 0;
}
