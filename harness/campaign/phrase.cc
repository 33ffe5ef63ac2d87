// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/phrase.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "reference/octets/hex.h"

namespace wirelaw::campaign {
namespace {

constexpr std::string_view kGrant = "credits_granted";  // SMB Direct's

// The integer in a parameter of the IUT, such as an STag or an address.
std::optional<std::uint64_t> number_in_text(std::string_view text) {
  const bool is_hex = text.starts_with("0x");
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + (is_hex ? 2 : 0), end, value, is_hex ? 16 : 10);
  if (text.empty() || read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return value;
}

}  // namespace

// Half of the time a message whose lines have reached something new, by how often they have. Otherwise any, but seldom
// one of the protocol below.
const Word& PhrasePlanner::any_word() {
  constexpr std::uint64_t kMost = 16;
  constexpr unsigned kBelowPercent = 20;
  std::vector<std::uint64_t> sums;
  std::uint64_t sum = 0;
  for (const Word& one : tester_.words()) sums.push_back(sum += std::min(corpus_.lines_of(one.name), kMost));
  if (sum == 0 || random_.chance(50)) {
    const auto own = std::ranges::count(tester_.words(), false, &Word::is_below);  // they come first
    return tester_
        .words()[random_.below(random_.chance(kBelowPercent) ? tester_.words().size() : static_cast<std::size_t>(own))];
  }
  return tester_.words()[static_cast<std::size_t>(std::ranges::upper_bound(sums, random_.below(sum)) - sums.begin())];
}

Edit PhrasePlanner::line(std::uint32_t message, std::string text, std::uint32_t times) const {
  return {.op = Op::compose, .message = message, .count = times - 1, .octets = {text.begin(), text.end()}};
}

// Mostly once. Otherwise often enough to use up credits and windows.
std::uint32_t PhrasePlanner::times() {
  static constexpr std::uint32_t kTimes[] = {2, 3, 4, 8, 12, 16, 24, 32};
  return random_.chance(60) ? 1 : kTimes[random_.below(std::size(kTimes))];
}

// A boundary of the field, a small number, or one that the IUT has told the user.
std::uint64_t PhrasePlanner::value(unsigned bits) {
  const std::uint64_t most = bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  const std::uint64_t top = most / 2 + 1;
  const IutParameters& parameters = tester_.arena().parameters;
  if (!parameters.empty() && random_.chance(25))
    if (const auto told = number_in_text(random_.any(parameters).second)) return *told & most;
  const std::uint64_t values[] = {0,
                                  1,
                                  2,
                                  3,
                                  most,
                                  most - 1,
                                  top,
                                  top - 1,
                                  random_.below(16),
                                  random_.below(256),
                                  std::uint64_t{1} << random_.below(bits),
                                  random_.next()};
  return values[random_.below(std::size(values))] & most;
}

std::string PhrasePlanner::change_of(const script::Located& field) {
  static constexpr std::uint64_t kSteps[] = {1, 1, 2, 4, 8, 16, 100};
  const std::uint64_t step = kSteps[random_.below(std::size(kSteps))];
  switch (random_.below(5)) {
    case 0:
      return fmt::format(" {}+={}", field.name, step);
    case 1:
      return fmt::format(" {}+=0-{}", field.name, step);
    case 2:
      return fmt::format(" {}^={}", field.name, std::uint64_t{1} << random_.below(field.bits));
    default:
      return fmt::format(" {}={}", field.name, value(field.bits));
  }
}

// A wish is a number, or octets. The first octets are often lengths or types, and small.
std::string PhrasePlanner::wish() {
  const auto wishes = tester_.language()->wishes;
  if (wishes.empty()) return {};
  const std::string_view name = wishes[random_.below(wishes.size())].name;
  static constexpr std::size_t kSizes[] = {0, 1, 2, 3, 4, 7, 8, 9, 16, 64, 100, 1000, 1400, 4096, 9000};
  const std::size_t size = kSizes[random_.below(std::size(kSizes))];
  if (name == "size") return fmt::format(" size={}", size);
  static constexpr std::size_t kShort[] = {1, 2, 2, 2, 4, 4, 8, 16};
  OctetBuffer octets(kShort[random_.below(std::size(kShort))]);
  for (std::size_t i = 0; i < octets.size(); ++i)
    octets[i] = static_cast<Octet>(i == 0 ? random_.below(5) : random_.next());
  return fmt::format(" {}=hex:{}", name, to_hex(octets));
}

std::string PhrasePlanner::damage(const Word& word) {
  if (const script::Layers& layers = tester_.language()->layers; !layers.sealed.empty() && random_.chance(30))
    return fmt::format(" / {} {}^=1", layers.frame, layers.sealed);
  if (random_.chance(30)) return " twice";
  if (random_.chance(50)) return fmt::format(" append hex:{}", to_hex(OctetBuffer(1 + random_.below(8))));
  return fmt::format(" cut {}", random_.below(word.octets + 1));
}

std::string PhrasePlanner::unusual(const Word& word) {
  std::string text(word.name);
  std::size_t changes = 1;
  while (changes < 3 && random_.chance(30)) ++changes;
  for (; changes > 0; --changes) {
    if (!word.fields.empty() && random_.chance(80))
      text += change_of(random_.any(word.fields));
    else
      text += wish();
  }
  return random_.chance(10) ? text + damage(word) : text;
}

// Lets the IUT use up its credits, and then grants it more. If it sends on, it has received all that came before.
void PhrasePlanner::exhaust(std::uint32_t message, std::vector<Edit>& edits) {
  constexpr std::uint32_t kMostCredits = 256;
  for (const Word& word : tester_.words())
    for (const script::Located& field : word.fields)
      if (field.name == kGrant) {
        edits.push_back(line(message, fmt::format("{} {}=0", word.name, field.name), kMostCredits));
        edits.push_back(line(message, std::string(word.name), 1));
        return;
      }
}

// An unusual message, with usual ones before and after it: those after it show what became of it.
void PhrasePlanner::begin(std::uint32_t message, std::vector<Edit>& edits) {
  const Word& word = any_word();
  if (random_.chance(40)) {
    const Word& before = random_.chance(50) ? word : any_word();
    edits.push_back(line(message, std::string(before.name), times()));
  }
  edits.push_back(line(message, unusual(word), random_.chance(80) ? 1 : times()));
  if (random_.chance(30)) return exhaust(message, edits);
  if (random_.chance(70)) {
    const Word& after = random_.chance(60) ? word : any_word();
    edits.push_back(line(message, std::string(after.name), times()));
  }
}

// Adds a line, changes one, repeats it, or takes it away.
void PhrasePlanner::extend(std::vector<Edit>& edits) {
  std::vector<std::size_t> lines;
  for (std::size_t i = 0; i < edits.size(); ++i)
    if (edits[i].op == Op::compose) lines.push_back(i);
  const std::size_t at = random_.any(lines);
  const Word& word = any_word();
  const std::uint32_t message = edits[at].message;
  switch (random_.below(6)) {
    case 0:
      edits[at] = line(message, unusual(word), 1);
      break;
    case 1:
      edits[at].count = times() - 1;
      break;
    case 2:
      if (lines.size() > 1) edits.erase(edits.begin() + static_cast<std::ptrdiff_t>(at));
      break;
    case 3: {  // one more change of the same message
      const std::string text(edits[at].octets.begin(), edits[at].octets.end());
      const auto same = std::ranges::find(tester_.words(), text.substr(0, text.find(' ')), &Word::name);
      if (same != tester_.words().end() && !same->fields.empty() && text.find(" / ") == std::string::npos)
        edits[at] = line(message, text + change_of(random_.any(same->fields)), edits[at].count + 1);
      break;
    }
    default: {
      const Edit more = line(message, random_.chance(50) ? std::string(word.name) : unusual(word), times());
      edits.insert(edits.begin() + static_cast<std::ptrdiff_t>(at + random_.below(2)), more);
      break;
    }
  }
}

void PhrasePlanner::plan(std::uint32_t message, std::vector<Edit>& edits) {
  if (std::ranges::count(edits, Op::compose, &Edit::op) > 0) return extend(edits);
  begin(message, edits);
}

}  // namespace wirelaw::campaign
