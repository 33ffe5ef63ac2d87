// SPDX-License-Identifier: Apache-2.0
#include "conformance/edit.h"
#include "corpora/formats/case_input.h"
#include "corpora/seed.h"

namespace wirelaw::corpora {
namespace {

constexpr Octet kUsual = CaseInput::features, kDriven = CaseInput::driven | CaseInput::features,
                kBoth = kDriven | CaseInput::pair;

struct NamedFlags {
  const char* name;
  Octet flags;
};
constexpr NamedFlags kPeers[] = {{"spoken", kUsual}, {"driven", kDriven}, {"pair", kBoth}};

}  // namespace

// Seeds for every protocol: each place is an index into the protocol's own cases.
std::vector<Seed> case_seeds() {
  std::vector<Seed> seeds;
  for (std::uint16_t place = 0; place < 256; place = static_cast<std::uint16_t>(place + 16)) {
    for (const NamedFlags& peer : kPeers) {
      const auto add = [&](const char* what, const CaseInput& input) {
        seeds.push_back(
            {"fuzz_case", std::string(peer.name) + "-" + std::to_string(place) + "-" + what, octets_of(input)});
      };
      add("honest", {.place = place, .flags = peer.flags});
      add("honest-initiator", {.place = place, .flags = static_cast<Octet>(peer.flags | CaseInput::initiator)});
    }
  }
  seeds.push_back({"fuzz_case", "rough",
                   octets_of({.flags = kUsual | CaseInput::network_faults | CaseInput::twice,
                              .rate = 50,
                              .cut = 700,
                              .delay = 200,
                              .seed = 1})});
  // Each edit of `wirelaw fuzz`, applied to the first or the second message that the case sends.
  for (Octet op = 0; op < edits::kOps; ++op) {
    for (const std::uint16_t place : {std::uint16_t{16}, std::uint16_t{80}}) {
      OctetBuffer input = octets_of({.place = place, .flags = kUsual});
      append(input, EditInput{.op = op,
                              .message = static_cast<Octet>(place == 80),
                              .repair = op,
                              .offset = 4,
                              .count = 1,
                              .octets = {0x01, 0x00, 0x00, 0x10}});
      seeds.push_back({"fuzz_case", "edited-" + std::to_string(place) + "-" + std::to_string(op), std::move(input)});
    }
  }
  for (Octet setting = 1; setting <= 3; ++setting)
    for (const Octet role : {Octet{0}, Octet{CaseInput::initiator}})
      seeds.push_back({"fuzz_case", "setting-" + std::to_string(setting) + (role == 0 ? "" : "-initiator"),
                       octets_of({.flags = static_cast<Octet>(setting << CaseInput::kSettingShift | kUsual | role)})});
  seeds.push_back({"fuzz_case", "faulty", octets_of({.deviation = 1, .flags = kUsual})});
  return seeds;
}

}  // namespace wirelaw::corpora
