// SPDX-License-Identifier: Apache-2.0
// The catalogue: the rules of one or more protocols, in the order of their specifications.
#pragma once

#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "conformance/rule.h"
#include "conformance/sheet.h"

namespace wirelaw {

// The rules of one section, as the source file of that section exports them.
using RuleList = std::span<const Rule* const>;

class Catalogue {
 public:
  // Assigns each rule its slot. A rule belongs to one protocol and has the same slot in every catalogue of the process,
  // because a process-wide counter assigns each slot once.
  explicit Catalogue(std::initializer_list<RuleList> sections);
  explicit Catalogue(std::span<const RuleList> sections);
  // Same, for the rules of one protocol. Sets Rule::protocol.
  Catalogue(std::string_view protocol, std::initializer_list<RuleList> sections);
  Catalogue(std::string_view protocol, std::span<const RuleList> sections);
  Catalogue(std::string_view protocol, std::span<const RuleSheet> sheets);

  RuleList rules() const { return rules_; }
  const Rule* find(std::string_view id) const;  // nullptr if there is none
  std::size_t slots() const { return slots_; }  // greater than every slot of these rules

 private:
  void add(std::string_view protocol, const Rule& rule);

  std::vector<const Rule*> rules_;
  std::size_t slots_ = 0;
};

}  // namespace wirelaw
