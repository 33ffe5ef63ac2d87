// SPDX-License-Identifier: Apache-2.0
#include "conformance/catalogue.h"

#include <algorithm>
#include <mutex>

namespace wirelaw {
namespace {

std::mutex slot_mutex;
RuleSlot next_slot = 0;

}  // namespace

Catalogue::Catalogue(std::initializer_list<RuleList> sections)
    : Catalogue(std::span(sections.begin(), sections.end())) {}

Catalogue::Catalogue(std::span<const RuleList> sections) {
  const std::scoped_lock lock(slot_mutex);
  for (const RuleList section : sections) add(section);
}

void Catalogue::add(RuleList section) {
  for (const Rule* rule : section) {
    if (rule->slot == kNoSlot) rule->slot = next_slot++;
    slots_ = std::max<std::size_t>(slots_, rule->slot + 1u);
    rules_.push_back(rule);
  }
}

const Rule* Catalogue::find(std::string_view id) const {
  const auto found = std::ranges::find(rules_, id, &Rule::id);
  return found == rules_.end() ? nullptr : *found;
}

}  // namespace wirelaw
