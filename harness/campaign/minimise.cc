// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/minimise.h"

#include <algorithm>

namespace wirelaw::campaign {
namespace {

bool ends_conversation(const Edit& edit) {
  return edit.op == Op::cut || edit.op == Op::close || edit.op == Op::reset;
}

class Minimiser {
 public:
  Minimiser(Tester& tester, const Input& input, std::string_view signature, const Pace& pace, std::size_t most_trials,
            const std::function<void(const Input&)>& smaller)
      : tester_(tester),
        signature_(signature),
        pace_(pace),
        most_trials_(most_trials),
        smaller_(smaller),
        best_(input) {}

  Minimised run() && {
    drop_edits();
    cut_conversation();
    leave_out_messages();
    for (std::size_t i = 0; i < best_.edits.size(); ++i) shorten(i);
    return {std::move(best_), trials_};
  }

 private:
  bool is_spent() const { return trials_ >= most_trials_ || tester_.is_over(); }

  bool take(Input candidate) {
    if (is_spent() || candidate == best_) return false;
    ++trials_;
    Trial trial = tester_.run(candidate, pace_);
    if (trial.find(signature_) == nullptr) return false;
    best_ = std::move(candidate);
    messages_ = trial.stimuli.size();
    if (smaller_) smaller_(best_);
    return true;
  }
  Input without(std::size_t edit) const {
    Input input = best_;
    input.edits.erase(input.edits.begin() + static_cast<std::ptrdiff_t>(edit));
    return input;
  }
  Input with(Edit edit) const {
    Input input = best_;
    input.edits.push_back(std::move(edit));
    return input;
  }

  void drop_edits() {
    if (take({.test_case = best_.test_case})) return;
    for (bool smaller = true; smaller && best_.edits.size() > 1;) {
      smaller = false;
      for (std::size_t i = best_.edits.size(); i-- > 0;) smaller |= best_.edits.size() > 1 && take(without(i));
    }
  }

  // Cuts after the earliest message that still shows the finding. An end that was edited in stays in place.
  void cut_conversation() {
    if (std::ranges::any_of(best_.edits, ends_conversation)) return;
    std::uint32_t first = 1;
    for (const Edit& one : best_.edits) first = std::max(first, one.message + 1);
    if (messages_ == 0 && !is_spent()) {
      ++trials_;
      messages_ = tester_.run(best_, pace_).stimuli.size();
    }
    for (std::uint32_t at = first; at < messages_ && !is_spent(); ++at)
      if (take(with({.op = Op::cut, .message = at}))) return;
  }

  void leave_out_messages() {
    std::uint32_t end = 0;
    for (const Edit& one : best_.edits) end = std::max(end, one.message);
    for (std::uint32_t message = end; message-- > 0 && !is_spent();)
      if (std::ranges::count(best_.edits, message, &Edit::message) == 0)
        take(with({.op = Op::drop, .message = message}));
  }

  void replace(std::size_t index, const Edit& edit, bool& smaller) {
    Input input = best_;
    input.edits[index] = edit;
    smaller |= take(std::move(input));
  }

  // Removes halves, then single octets, from either end.
  void shorten(std::size_t index) {
    for (bool smaller = true; smaller && !is_spent();) {
      smaller = false;
      const Edit now = best_.edits[index];
      if (now.op == Op::twice && now.count > 1)
        replace(index, {.op = now.op, .message = now.message, .count = now.count / 2}, smaller);
      const bool may_shrink = now.op == Op::put || now.op == Op::insert || now.op == Op::append;
      if (!may_shrink || now.octets.size() < 2) continue;
      for (const std::size_t away : {now.octets.size() / 2, std::size_t{1}}) {
        const auto count = static_cast<std::ptrdiff_t>(away);
        Edit back = best_.edits[index], front = back;
        if (back.octets.size() <= away) break;
        back.octets.erase(back.octets.end() - count, back.octets.end());
        replace(index, back, smaller);
        if (smaller || now.op != Op::put) continue;
        front.octets.erase(front.octets.begin(), front.octets.begin() + count);
        front.offset += static_cast<std::uint32_t>(away);
        replace(index, front, smaller);
      }
    }
  }

  Tester& tester_;
  std::string_view signature_;
  const Pace& pace_;
  std::size_t most_trials_;
  const std::function<void(const Input&)>& smaller_;
  std::size_t trials_ = 0;
  Input best_;
  std::size_t messages_ = 0;  // messages that the case sends, once known
};

}  // namespace

Minimised minimise(Tester& tester, const Input& input, std::string_view signature, const Pace& pace,
                   std::size_t most_trials, const std::function<void(const Input&)>& smaller) {
  return Minimiser(tester, input, signature, pace, most_trials, smaller).run();
}

}  // namespace wirelaw::campaign
