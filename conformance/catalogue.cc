// SPDX-License-Identifier: Apache-2.0
#include "conformance/catalogue.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <mutex>
#include <utility>

namespace wirelaw {
namespace {

std::mutex slot_mutex;
RuleSlot next_slot = 0;

// "RAMCLOUD-ack-13" is number 13 of "RAMCLOUD-ack".
std::string_view section_of(const Rule& rule) {
  return rule.id.substr(0, rule.id.rfind('-'));
}

unsigned number_of(const Rule& rule) {
  const std::string_view digits = rule.id.substr(rule.id.rfind('-') + 1);
  unsigned number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

// Orders sections by their first rule, and the rules of a section by number, because rules that a trace shows and rules
// that need a stimulus are declared in different files.
void put_in_order(std::vector<const Rule*>& rules) {
  // Find each position once, not in every comparison: every command runs this.
  struct Placed {
    std::size_t section;
    unsigned number;
    const Rule* rule;
  };
  std::map<std::string_view, std::size_t> sections;
  std::vector<Placed> placed;
  placed.reserve(rules.size());
  std::string_view latest;
  std::size_t place = 0;
  for (const Rule* rule : rules) {
    const std::string_view section = section_of(*rule);
    if (section != latest) place = sections.emplace(section, sections.size()).first->second;
    latest = section;
    placed.push_back({place, number_of(*rule), rule});
  }
  std::ranges::stable_sort(placed, {}, [](const Placed& one) { return std::pair(one.section, one.number); });
  std::ranges::transform(placed, rules.begin(), &Placed::rule);
}

}  // namespace

Catalogue::Catalogue(std::initializer_list<RuleList> sections) : Catalogue(std::string_view(), sections) {}

Catalogue::Catalogue(std::span<const RuleList> sections) : Catalogue(std::string_view(), sections) {}

Catalogue::Catalogue(std::string_view protocol, std::initializer_list<RuleList> sections)
    : Catalogue(protocol, std::span(sections.begin(), sections.end())) {}

Catalogue::Catalogue(std::string_view protocol, std::span<const RuleList> sections) {
  const std::scoped_lock lock(slot_mutex);
  for (const RuleList section : sections)
    for (const Rule* rule : section) add(protocol, *rule);
  put_in_order(rules_);
}

Catalogue::Catalogue(std::string_view protocol, std::span<const RuleSheet> sheets) {
  const std::scoped_lock lock(slot_mutex);
  for (const RuleSheet sheet : sheets)
    for (const Rule& rule : sheet) add(protocol, rule);
  put_in_order(rules_);
}

void Catalogue::add(std::string_view protocol, const Rule& rule) {
  if (rule.slot == kNoSlot) rule.slot = next_slot++;
  if (!protocol.empty()) rule.protocol = protocol;
  slots_ = std::max<std::size_t>(slots_, rule.slot + 1u);
  rules_.push_back(&rule);
}

const Rule* Catalogue::find(std::string_view id) const {
  const auto found = std::ranges::find(rules_, id, &Rule::id);
  return found == rules_.end() ? nullptr : *found;
}

}  // namespace wirelaw
