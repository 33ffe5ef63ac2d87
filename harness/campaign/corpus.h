// SPDX-License-Identifier: Apache-2.0
// The inputs that are worth mutating: the unchanged cases, and the inputs that reached something new. For each feature
// reached so far, it also counts the inputs that reached it, because rare features are preferred.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "harness/campaign/feature.h"
#include "harness/campaign/random.h"
#include "harness/campaign/trial.h"

namespace wirelaw::campaign {

enum class Guidance : std::uint8_t {
  none,      // inputs come from the cases alone, each equally often
  answers,   // states alone, by the IUT's answers: for comparisons
  protocol,  // states and rules
  coverage,  // and edges of the IUT's code
};

struct Entry {
  Input input;
  std::uint64_t run = 0;                  // the run of the campaign that produced it; 0 for a case
  std::vector<std::uint64_t> features;    // features that it was the first to reach
  std::vector<OctetBuffer> stimuli = {};  // messages that its case wanted to send
  std::vector<OctetBuffer> heard = {};    // the first octets of what the IUT has sent
  std::uint64_t chosen = 0;               // number of mutations made from it
};

class Corpus {
 public:
  const std::vector<Entry>& entries() const { return entries_; }
  std::size_t features() const { return reached_.size(); }
  std::size_t features(FeatureKind kind) const { return of_kind_[static_cast<std::size_t>(kind)]; }
  // Adds an unchanged case, even if it reaches nothing new.
  void add_case(Input input, std::uint64_t run, const Trial& trial);
  // Counts what it reached; keeps it if it reached something new and may be kept.
  void consider(const Input& input, std::uint64_t run, const Trial& trial, bool may_keep);
  // Chooses the entry to mutate next. The corpus must not be empty. Guided: it takes an unchanged case, or prefers an
  // entry that reached what few others reach, has few changes, and was seldom chosen.
  std::size_t choose(Guidance guidance, Random& random);

  // The number of entries that were not mutated yet, and how often each has been mutated at least.
  std::uint64_t pending() const;
  std::uint64_t cycles() const;

  // The number of entries with a line that names this message.
  std::uint64_t lines_of(std::string_view message) const;

  // Octets that messages have had in a field of this name.
  std::span<const OctetBuffer> values(const std::string& field) const;

  // --- for a resumed campaign
  void restore(Entry entry, const Tester& tester);
  void restore_reached(std::uint64_t feature, std::uint64_t times);
  std::map<std::uint64_t, std::uint64_t> reached() const { return {reached_.begin(), reached_.end()}; }
  // Learns values from its messages in both directions, so that an identifier assigned by the IUT may appear where the
  // IUT does not expect it.
  void learn_values(const Entry& entry, const Tester& tester);

 private:
  std::size_t choose_guided(Random& random) const;
  std::uint64_t weight_of(const Entry& entry) const;
  std::vector<std::uint64_t> count(const Trial& trial);

  void keep(Entry entry);

  std::vector<Entry> entries_;
  std::map<std::string, std::uint64_t, std::less<>> lines_;   // by message
  std::unordered_map<std::uint64_t, std::uint64_t> reached_;  // number of inputs
  std::array<std::size_t, kFeatureKinds> of_kind_{};
  std::map<std::string, std::vector<OctetBuffer>, std::less<>> values_;
};

}  // namespace wirelaw::campaign
