// SPDX-License-Identifier: Apache-2.0
#include "conformance/edit.h"

#include <fmt/format.h>

#include <algorithm>

#include "reference/octets/hex.h"

namespace wirelaw::edits {
namespace {

// The most octets in an edit. A message longer than this is not made longer.
constexpr std::size_t kMostOctets = 1u << 20;

struct Row {
  Op op;
  std::string_view word;
  bool of_octets;   // changes the octets of a message
  bool has_octets;  // uses Edit::octets
};
constexpr std::array<Row, kOps> kRows{{
    {Op::put, "put", true, true},
    {Op::flip, "flip", true, true},
    {Op::add, "add", true, true},
    {Op::insert, "insert", true, true},
    {Op::erase, "erase", true, false},
    {Op::truncate, "truncate", true, false},
    {Op::append, "append", true, true},
    {Op::drop, "drop", false, false},
    {Op::twice, "twice", false, false},
    {Op::hold, "hold", false, false},
    {Op::split, "split", false, false},
    {Op::say, "say", false, true},
    {Op::wait, "wait", false, false},
    {Op::cut, "cut", false, false},
    {Op::close, "close", false, false},
    {Op::reset, "reset", false, false},
    {Op::compose, "compose", false, true},
}};

const Row& row_of(Op op) {
  return kRows[static_cast<std::size_t>(op)];
}

std::string shown(Octets octets) {
  constexpr std::size_t kShown = 16;
  return octets.size() <= kShown ? to_hex(octets) : to_hex(octets.first(kShown)) + "…";
}

std::string what(const Edit& edit) {
  const std::string octets = shown(edit.octets);
  const std::size_t size = edit.octets.size();
  switch (edit.op) {
    case Op::put:
      return fmt::format("{} octets at {} become {}", size, edit.offset, octets);
    case Op::flip:
      return fmt::format("bits {} at {} are flipped", octets, edit.offset);
    case Op::add:
      return fmt::format("the number of {} octets at {} grows by {}", size, edit.offset, octets);
    case Op::insert:
      return fmt::format("{} octets are inserted at {}: {}", size, edit.offset, octets);
    case Op::erase:
      return fmt::format("{} octets at {} are removed", edit.count, edit.offset);
    case Op::truncate:
      return fmt::format("it is cut to {} octets", edit.offset);
    case Op::append:
      return fmt::format("{} octets are appended: {}", size, octets);
    case Op::drop:
      return "it is not sent";
    case Op::twice:
      return fmt::format("it is sent {} more times", edit.count);
    case Op::hold:
      return "it is sent after the next message";
    case Op::split:
      return fmt::format("it is sent in two pieces, the first of {} octets", edit.offset);
    case Op::say:
      return fmt::format("a message of {} octets is sent after it: {}", size, octets);
    case Op::wait:
      return fmt::format("it is sent after a pause of {} ms", edit.count);
    case Op::cut:
      return "neither it nor any later message is sent";
    case Op::close:
      return "the tester closes its direction instead of sending it";
    case Op::reset:
      return "the tester resets the connection instead of sending it";
    case Op::compose: {
      std::string line(edit.octets.begin(), edit.octets.end());
      std::ranges::replace_if(
          line, [](char c) { return c < ' ' || c > '~'; }, '?');
      const std::string times = edit.count == 0 ? "" : fmt::format(", {} times", edit.count + 1);
      return fmt::format("after it a conforming sender sends '{}'{}", line, times);
    }
  }
  return {};
}

void change(const Edit& edit, OctetBuffer& message, const Dialect& dialect) {
  const std::size_t at = edit.offset;
  const auto place = [&](std::size_t offset) { return message.begin() + static_cast<std::ptrdiff_t>(offset); };
  if (edit.op == Op::append) {
    message.insert(message.end(), edit.octets.begin(), edit.octets.end());
    return;
  }
  if (at > message.size()) return;
  const std::span<Octet> there(place(at), std::min(edit.octets.size(), message.size() - at));
  if (edit.op == Op::put) std::copy_n(edit.octets.begin(), there.size(), there.begin());
  if (edit.op == Op::flip)
    for (std::size_t i = 0; i < there.size(); ++i) there[i] ^= edit.octets[i];
  if (edit.op == Op::add && there.size() == edit.octets.size())
    put_number(number_in(there, dialect) + number_in(edit.octets, dialect), there, dialect);
  if (edit.op == Op::insert) message.insert(place(at), edit.octets.begin(), edit.octets.end());
  if (edit.op == Op::erase)
    message.erase(place(at), place(at + std::min<std::size_t>(edit.count, message.size() - at)));
  if (edit.op == Op::truncate) message.resize(at);
}

}  // namespace

std::string_view word_of(Op op) {
  return row_of(op).word;
}

std::optional<Op> op_of(std::string_view word) {
  const auto found = std::ranges::find(kRows, word, &Row::word);
  return found == kRows.end() ? std::nullopt : std::optional(found->op);
}

bool is_of_octets(Op op) {
  return row_of(op).of_octets;
}

bool has_octets(Op op) {
  return row_of(op).has_octets;
}

std::string to_text(const Edit& edit) {
  const bool repairs = edit.repair && (is_of_octets(edit.op) || edit.op == Op::say);
  const bool is_of_copy = is_of_octets(edit.op) && edit.copy > 0;
  return fmt::format("{}message {}: {}{}", is_of_copy ? fmt::format("copy {} after ", edit.copy) : "", edit.message + 1,
                     what(edit),
                     !repairs             ? ""
                     : edit.op == Op::say ? ", with the values of this conversation"
                                          : ", with correct lengths and checksums");
}

void apply(const Edit& edit, OctetBuffer& message, const Dialect& dialect) {
  if (!is_of_octets(edit.op) || message.size() + edit.octets.size() > kMostOctets) return;
  const OctetBuffer before = message;
  change(edit, message, dialect);
  if (edit.repair && dialect.repair != nullptr && message != before) dialect.repair(before, message);
}

}  // namespace wirelaw::edits
