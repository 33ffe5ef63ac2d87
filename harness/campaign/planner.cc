// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/planner.h"

#include <algorithm>

namespace wirelaw::campaign {
namespace {

constexpr std::size_t kMostEdits = 6;

class Planner {
 public:
  Planner(const Corpus& corpus, const Tester& tester, const PlanOptions& options, const Entry& entry, Random& random)
      : corpus_(corpus), tester_(tester), options_(options), entry_(entry), random_(random) {}

  Edit edit() {
    const auto message = static_cast<std::uint32_t>(random_.below(entry_.stimuli.size()));
    const std::size_t kind = random_.below(100);
    Edit edit = kind < 55   ? of_field(message)
                : kind < 75 ? of_order(message)
                : kind < 85 ? spliced(message)
                            : of_octets(message);
    edit.repair = random_.chance(options_.structure_percent);
    return edit;
  }

 private:
  const OctetBuffer& octets(std::uint32_t message) const { return entry_.stimuli[message]; }

  Edit of_field(std::uint32_t message) {
    const Decoded decoded = tester_.carried().decode(octets(message));
    std::vector<const Field*> fields;
    for (const Field& one : decoded.fields)
      if (one.length > 0 && one.offset + one.length <= octets(message).size()) fields.push_back(&one);
    if (fields.empty()) return of_octets(message);
    const Field& field = *random_.any(fields);
    if (field.length > 8) return of_octets(message, field.offset, field.length);
    Edit edit{.message = message, .offset = static_cast<std::uint32_t>(field.offset)};
    switch (random_.below(5)) {
      case 0:  // a bit
        edit.op = Op::flip;
        edit.octets.resize(field.length);
        edit.octets[random_.below(field.length)] = static_cast<Octet>(1 << random_.below(8));
        break;
      case 1: {  // near what it was
        edit.op = Op::add;
        static constexpr std::uint64_t kNear[] = {1, 2, 3, 4, 8, 16, 32, 64, 100, 256};
        const std::uint64_t by = kNear[random_.below(std::size(kNear))];
        edit.octets = number(random_.chance(50) ? by : ~by + 1, field.length);
        break;
      }
      case 2:  // as it was elsewhere
        if (const auto values = corpus_.values(field.name); !values.empty()) {
          edit.op = Op::put;
          edit.octets = random_.any(values);
          break;
        }
        [[fallthrough]];
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
                                    most,
                                    most - 1,
                                    top,
                                    top - 1,
                                    most / 2 - 1,
                                    top + 1,
                                    random_.next() & most,
                                    std::uint64_t{1} << random_.below(bits),
                                    random_.below(256)};
    return values[random_.below(std::size(values))] & most;
  }

  Edit of_order(std::uint32_t message) {
    Edit edit{.message = message};
    static constexpr Op kOrders[] = {Op::drop, Op::drop, Op::twice, Op::twice, Op::hold, Op::cut, Op::split, Op::close};
    edit.op = kOrders[random_.below(std::size(kOrders))];
    const bool of_stream = edit.op == Op::split || edit.op == Op::close;
    if (of_stream && !tester_.is_stream()) edit.op = Op::hold;
    if (edit.op == Op::close && random_.chance(30)) edit.op = Op::reset;
    if (edit.op == Op::twice) edit.count = random_.chance(80) ? 1 : static_cast<std::uint32_t>(2 + random_.below(30));
    if (edit.op == Op::split)
      edit.offset = static_cast<std::uint32_t>(1 + random_.below(std::max<std::size_t>(octets(message).size(), 2) - 1));
    return edit;
  }

  // A message of any conversation.
  Edit spliced(std::uint32_t message) {
    std::vector<const Entry*> speaking;
    for (const Entry& one : corpus_.entries())
      if (!one.stimuli.empty()) speaking.push_back(&one);
    return {.op = Op::say, .message = message, .octets = random_.any(random_.any(speaking)->stimuli)};
  }

  Edit of_octets(std::uint32_t message) { return of_octets(message, 0, octets(message).size()); }
  Edit of_octets(std::uint32_t message, std::size_t begin, std::size_t length) {
    constexpr std::size_t kFew = 8, kMany = 600;
    Edit edit{.message = message, .offset = static_cast<std::uint32_t>(begin + random_.below(length + 1))};
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
  if (!input.edits.empty() && (input.edits.size() >= kMostEdits || random.chance(20)))
    input.edits.erase(input.edits.begin() + static_cast<std::ptrdiff_t>(random.below(input.edits.size())));
  Planner planner(corpus, tester, options, entry, random);
  std::size_t more = 1;
  while (more < 3 && random.chance(25)) ++more;
  for (; more > 0; --more) input.edits.push_back(planner.edit());
  return input;
}

}  // namespace wirelaw::campaign
