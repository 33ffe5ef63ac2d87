// SPDX-License-Identifier: Apache-2.0
// The inputs that are worth going on from: the cases as they are, and those that reached something new. And everything
// that was reached so far, by how many inputs: what is rare is gone after first.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "harness/campaign/random.h"
#include "harness/campaign/trial.h"

namespace wirelaw::campaign {

enum class Guidance : std::uint8_t {
  none,      // inputs come of the cases alone, each as often as any other
  protocol,  // states and rules
  coverage,  // and edges of the IUT's code
};

struct Entry {
  Input input;
  std::uint64_t run = 0;                  // of the campaign, in which it came; 0 of a case
  std::vector<std::uint64_t> features;    // that it was the first to reach
  std::vector<OctetBuffer> stimuli = {};  // what its case wanted to send
  std::uint64_t chosen = 0;               // how often it was gone on from
};

class Corpus {
 public:
  const std::vector<Entry>& entries() const { return entries_; }
  std::size_t features() const { return reached_.size(); }
  // A case as it is: whatever it reaches.
  void add_case(Input input, std::uint64_t run, const Trial& trial);
  // Counts what it reached; keeps it where something of it is new, if it may be kept.
  void consider(const Input& input, std::uint64_t run, const Trial& trial, bool may_keep);
  // The entry to go on from; there is one at least. By preference one that reached what few others do, and was not
  // chosen often.
  std::size_t choose(Guidance guidance, Random& random);

  // Octets that messages have had in a field of this name.
  std::span<const OctetBuffer> values(const std::string& field) const;

  // --- of a campaign that goes on
  void restore(Entry entry, const Tester& tester);
  void restore_reached(std::uint64_t feature, std::uint64_t times) { reached_[feature] = times; }
  std::map<std::uint64_t, std::uint64_t> reached() const { return {reached_.begin(), reached_.end()}; }
  void learn_values(const Entry& entry, const Tester& tester);

 private:
  std::uint64_t weight_of(const Entry& entry) const;
  std::vector<std::uint64_t> count(const Trial& trial);

  std::vector<Entry> entries_;
  std::unordered_map<std::uint64_t, std::uint64_t> reached_;  // by how many inputs
  std::map<std::string, std::vector<OctetBuffer>, std::less<>> values_;
};

}  // namespace wirelaw::campaign
