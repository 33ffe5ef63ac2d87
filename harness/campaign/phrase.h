// SPDX-License-Identifier: Apache-2.0
// Plans phrases: script lines that the tester sends in place of the rest of a case (Op::compose). A line names one
// message, which fits the conversation, and changes a few of its fields. So a phrase gets deeper into a conversation
// than changes of octets, which the layers below refuse.
#pragma once

#include <string>
#include <vector>

#include "harness/campaign/corpus.h"
#include "harness/campaign/random.h"
#include "harness/campaign/trial.h"

namespace wirelaw::campaign {

class PhrasePlanner {
 public:
  // There are words.
  PhrasePlanner(const Corpus& corpus, const Tester& tester, Random& random)
      : corpus_(corpus), tester_(tester), random_(random) {}

  // Appends a phrase after this message, or changes the phrase that is there.
  void plan(std::uint32_t message, std::vector<Edit>& edits);

 private:
  const Word& any_word();
  Edit line(std::uint32_t message, std::string text, std::uint32_t times) const;
  std::string unusual(const Word& word);
  std::string change_of(const script::Located& field);
  std::string wish();
  std::string damage(const Word& word);
  std::uint64_t value(unsigned bits);
  std::uint32_t times();
  void exhaust(std::uint32_t message, std::vector<Edit>& edits);
  void begin(std::uint32_t message, std::vector<Edit>& edits);
  void extend(std::vector<Edit>& edits);

  const Corpus& corpus_;
  const Tester& tester_;
  Random& random_;
};

}  // namespace wirelaw::campaign
