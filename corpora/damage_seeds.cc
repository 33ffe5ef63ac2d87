// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string_view>
#include <utility>

#include "corpora/formats/damage.h"
#include "corpora/formats/smbd_steps.h"
#include "corpora/seed.h"

namespace wirelaw::corpora {
namespace {

constexpr std::string_view kSmbdPair = "fuzz_smbd_pair";  // over iWARP, and over RoCEv2

// Each target of a conversation of honest endpoints, with the target of its damaged captures.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kTargets{{
    {"fuzz_ramcloud_network", "fuzz_ramcloud_capture"},
    {"fuzz_rdmap_pair", "fuzz_rdmap_capture"},
    {"fuzz_efa_pair", "fuzz_efa_capture"},
    {kSmbdPair, "fuzz_smbd_capture"},
    {"fuzz_umsp_job", "fuzz_umsp_capture"},
}};

struct NamedDamage {
  std::string_view name;
  Damage damage;
};
constexpr std::array<NamedDamage, 8> kDamages{{
    {"whole", {}},
    {"lossy", {.kinds = Damage::lose, .rate = 24, .seed = 1}},
    {"reordered", {.kinds = Damage::swap, .rate = 64, .seed = 2}},
    {"cut", {.kinds = Damage::cut, .rate = 128, .length = 40, .seed = 3}},
    {"of-a", {.kinds = Damage::one_direction}},
    {"of-b", {.kinds = Damage::one_direction | Damage::of_side_b}},
    {"late", {.kinds = Damage::late_start, .start = 5}},
    {"all", {.kinds = Damage::lose | Damage::swap | Damage::cut | Damage::twice, .rate = 16, .length = 64, .seed = 4}},
}};

void add_damaged(const std::string& target, const Seed& conversation, std::vector<Seed>& seeds) {
  for (const auto& [name, damage] : kDamages)
    seeds.push_back({target, conversation.name + "-" + std::string(name), with_damage(damage, conversation.octets)});
}

}  // namespace

std::vector<Seed> damage_seeds(const std::vector<Seed>& conversations) {
  std::vector<Seed> seeds;
  for (const Seed& conversation : conversations)
    for (const auto& [pair, capture] : kTargets) {
      if (conversation.target != pair) continue;
      add_damaged(std::string(capture), conversation, seeds);
      if (pair != kSmbdPair) continue;
      Seed over_roce = conversation;
      over_roce.name += "-roce";
      over_roce.octets.at(0) |= kSmbdOverRoce;
      add_damaged(std::string(capture), over_roce, seeds);
    }
  return seeds;
}

}  // namespace wirelaw::corpora
