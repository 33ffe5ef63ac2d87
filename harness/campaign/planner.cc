// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/planner.h"

#include <algorithm>

#include "harness/campaign/phrase.h"

namespace wirelaw::campaign {
namespace {

constexpr std::size_t kMostEdits = 8;
constexpr std::uint32_t kMostCopies = 4;  // copies of one message that are changed one by one

// A message that can be changed: one of the case, or one that an edit sends after it.
struct Target {
  std::uint32_t message = 0, copy = 0;
  Octets octets;  // octets before any change
};

std::uint32_t copies_behind(std::uint32_t message, std::span<const Edit> edits) {
  std::uint32_t copies = 0;
  for (const Edit& one : edits)
    if (one.message == message) copies += one.op == Op::twice ? one.count : one.op == Op::say ? 1 : 0;
  return copies;
}

class Planner {
 public:
  Planner(const Corpus& corpus, const Tester& tester, const PlanOptions& options, const Entry& entry, Random& random)
      : corpus_(corpus), tester_(tester), options_(options), entry_(entry), random_(random) {}

  void add_to(std::vector<Edit>& edits) {
    constexpr std::size_t kPhrases = 40;  // per cent
    if (options_.composes && !tester_.words().empty() && random_.chance(kPhrases))
      return PhrasePlanner(corpus_, tester_, random_).plan(any_message(), edits);
    static constexpr Way kWays[] = {{45, &Planner::change_field}, {58, &Planner::change_order},
                                    {76, &Planner::say_again},    {86, &Planner::say_another},
                                    {90, &Planner::take_edits},   {100, &Planner::change_octets}};
    const std::size_t kind = random_.below(100);
    const auto way = std::ranges::find_if(kWays, [&](const Way& one) { return kind < one.below; });
    (this->*way->plan)(edits);
  }

 private:
  struct Way {
    std::size_t below;
    void (Planner::*plan)(std::vector<Edit>&);
  };

  Octets octets(std::uint32_t message) const { return entry_.stimuli[message]; }
  std::uint32_t any_message() { return static_cast<std::uint32_t>(random_.below(entry_.stimuli.size())); }
  bool keeps_structure() { return random_.chance(options_.repair_percent); }

  // Messages that edits send are as likely as the case's own.
  Target any_target(const std::vector<Edit>& edits) {
    const std::uint32_t message = any_message();
    std::vector<Target> there{{.message = message, .octets = octets(message)}};
    std::uint32_t copy = 0;
    for (const Edit& one : edits) {
      if (one.message != message) continue;
      if (one.op == Op::say) there.push_back({message, ++copy, one.octets});
      for (std::uint32_t i = 0; one.op == Op::twice && i < std::min(one.count, kMostCopies); ++i)
        there.push_back({message, ++copy, octets(message)});
    }
    return random_.any(there);
  }

  void change_field(std::vector<Edit>& edits) { change_field_of(any_target(edits), edits); }
  void change_field_of(const Target& target, std::vector<Edit>& edits) {
    Edit edit = of_field(target);
    edit.repair = keeps_structure();
    edits.push_back(std::move(edit));
  }
  void change_octets(std::vector<Edit>& edits) {
    const Target target = any_target(edits);
    Edit edit = of_octets(target, 0, target.octets.size());
    edit.repair = keeps_structure();
    edits.push_back(std::move(edit));
  }

  Edit of_field(const Target& target) {
    const Decoded decoded = tester_.carried().decode(target.octets);
    std::vector<const Field*> fields;
    for (const Field& one : decoded.fields)
      if (one.length > 0 && one.offset + one.length <= target.octets.size()) fields.push_back(&one);
    if (fields.empty()) return of_octets(target, 0, target.octets.size());
    const Field& field = *random_.any(fields);
    if (field.length > 8) return of_octets(target, field.offset, field.length);
    Edit edit{.message = target.message, .copy = target.copy, .offset = static_cast<std::uint32_t>(field.offset)};
    switch (random_.below(6)) {
      case 0:  // a bit
        edit.op = Op::flip;
        edit.octets.resize(field.length);
        edit.octets[random_.below(field.length)] = static_cast<Octet>(1 << random_.below(8));
        break;
      case 1: {  // near the old value
        edit.op = Op::add;
        static constexpr std::uint64_t kNear[] = {1, 1, 1, 2, 3, 4, 8, 16, 32, 64, 100, 256};
        const std::uint64_t by = kNear[random_.below(std::size(kNear))];
        edit.octets = number(random_.chance(50) ? by : ~by + 1, field.length);
        break;
      }
      case 2:  // as in another message
        if (const auto values = corpus_.values(field.name); !values.empty()) {
          edit.op = Op::put;
          edit.octets = random_.any(values);
          break;
        }
        [[fallthrough]];
      case 3: {  // values that matter because of the message's size
        edit.op = Op::put;
        const std::size_t rest = target.octets.size() - field.offset - field.length;
        const std::uint64_t sizes[] = {target.octets.size(),    rest, rest / 4, rest + 1, rest * 2,
                                       rest == 0 ? 0 : rest - 1};
        edit.octets = number(sizes[random_.below(std::size(sizes))], field.length);
        break;
      }
      default:
        edit.op = Op::put;
        edit.octets = number(notable(field.length), field.length);
        break;
    }
    return edit;
  }

  OctetBuffer number(std::uint64_t value, std::size_t length) const {
    OctetBuffer octets(length);
    put_number(value, octets, tester_.dialect());
    return octets;
  }

  std::uint64_t notable(std::size_t length) {
    const unsigned bits = static_cast<unsigned>(length) * 8;
    const std::uint64_t most = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    const std::uint64_t top = std::uint64_t{1} << (bits - 1);
    const std::uint64_t values[] = {0,
                                    1,
                                    2,
                                    3,
                                    most,
                                    most - 1,
                                    top,
                                    top - 1,
                                    most / 2 - 1,
                                    top + 1,
                                    random_.next() & most,
                                    std::uint64_t{1} << random_.below(bits),
                                    random_.below(16),
                                    random_.below(256)};
    return values[random_.below(std::size(values))] & most;
  }

  void change_order(std::vector<Edit>& edits) {
    static constexpr Op kOrders[] = {Op::drop, Op::drop,  Op::twice, Op::twice, Op::hold,
                                     Op::cut,  Op::split, Op::close, Op::wait};
    Edit edit{.op = kOrders[random_.below(std::size(kOrders))], .message = any_message()};
    const bool of_stream = edit.op == Op::split || edit.op == Op::close;
    if (of_stream && !tester_.is_stream()) edit.op = Op::hold;
    if (edit.op == Op::close && random_.chance(30)) edit.op = Op::reset;
    if (edit.op == Op::twice) edit.count = random_.chance(80) ? 1 : static_cast<std::uint32_t>(2 + random_.below(30));
    if (edit.op == Op::split) {
      const std::size_t size = octets(edit.message).size();
      edit.offset = static_cast<std::uint32_t>(1 + random_.below(std::max<std::size_t>(size, 2) - 1));
    }
    if (edit.op == Op::wait) {
      static constexpr std::uint32_t kTimes[] = {1, 10, 50, 200, 600, 2500};
      edit.count = kTimes[random_.below(std::size(kTimes))];
    }
    edits.push_back(std::move(edit));
  }

  // Sends a message of this conversation once more, with some fields changed: it stays bound to the conversation.
  void say_again(std::vector<Edit>& edits) {
    const std::uint32_t message = any_message();
    const std::uint32_t copy = copies_behind(message, edits) + 1;
    edits.push_back({.op = Op::twice, .message = message, .count = 1});
    const Target target{message, copy, octets(message)};
    for (std::size_t more = 1 + random_.below(3); more > 0; --more) change_field_of(target, edits);
  }

  // Returns a message of the vocabulary, or of any conversation.
  const OctetBuffer& another() {
    if (const auto& vocabulary = tester_.vocabulary(); !vocabulary.empty() && random_.chance(50))
      return random_.any(vocabulary);
    std::vector<const Entry*> speaking;
    for (const Entry& one : corpus_.entries())
      if (!one.stimuli.empty()) speaking.push_back(&one);
    return random_.any(random_.any(speaking)->stimuli);
  }

  // Inserts such a message, perhaps with a changed field.
  void say_another(std::vector<Edit>& edits) {
    Edit edit{.op = Op::say, .message = any_message(), .octets = another()};
    if (random_.chance(50)) {
      Edit change = of_field({.octets = edit.octets});
      change.repair = keeps_structure();
      apply(change, edit.octets, tester_.dialect());
    }
    edit.repair = keeps_structure();
    edits.push_back(std::move(edit));
  }

  // The changes that another input makes to the same case.
  void take_edits(std::vector<Edit>& edits) {
    std::vector<const Entry*> others;
    for (const Entry& one : corpus_.entries())
      if (&one != &entry_ && !one.input.edits.empty() && one.input.test_case == entry_.input.test_case)
        others.push_back(&one);
    if (others.empty()) return change_field(edits);
    const Entry& other = *random_.any(others);
    edits.insert(edits.end(), other.input.edits.begin(), other.input.edits.end());
  }

  Edit of_octets(const Target& target, std::size_t begin, std::size_t length) {
    constexpr std::size_t kFew = 8, kMany = 600;
    Edit edit{.message = target.message,
              .copy = target.copy,
              .offset = static_cast<std::uint32_t>(begin + random_.below(length + 1))};
    const std::size_t size = random_.chance(85) ? 1 + random_.below(kFew) : 1 + random_.below(kMany);
    switch (random_.below(6)) {
      case 0:
        edit.op = Op::put;
        break;
      case 1:
        edit.op = Op::flip;
        break;
      case 2:
        edit.op = Op::insert;
        break;
      case 3:
        edit.op = Op::erase;
        edit.count = static_cast<std::uint32_t>(size);
        return edit;
      case 4:
        edit.op = Op::truncate;
        return edit;
      default:
        edit.op = Op::append;
        edit.offset = 0;
        break;
    }
    edit.octets.resize(edit.op == Op::flip || edit.op == Op::put ? std::min(size, kFew) : size);
    const bool zeros = random_.chance(25);
    for (Octet& octet : edit.octets) octet = zeros ? Octet{0} : static_cast<Octet>(random_.next());
    if (edit.op == Op::flip) edit.octets = {static_cast<Octet>(1 << random_.below(8))};
    return edit;
  }

  const Corpus& corpus_;
  const Tester& tester_;
  const PlanOptions& options_;
  const Entry& entry_;
  Random& random_;
};

}  // namespace

Input plan(Corpus& corpus, const Tester& tester, const PlanOptions& options, Random& random) {
  std::size_t chosen = corpus.choose(options.guidance, random);
  while (corpus.entries()[chosen].stimuli.empty()) chosen = random.below(corpus.entries().size());
  const Entry& entry = corpus.entries()[chosen];
  Input input = entry.input;
  // Now and then another change takes the place of one.
  while (!input.edits.empty() && (input.edits.size() >= kMostEdits || random.chance(15)))
    input.edits.erase(input.edits.begin() + static_cast<std::ptrdiff_t>(random.below(input.edits.size())));
  Planner planner(corpus, tester, options, entry, random);
  std::size_t more = 1;
  while (more < 3 && random.chance(25)) ++more;
  for (; more > 0; --more) planner.add_to(input.edits);
  return input;
}

}  // namespace wirelaw::campaign
