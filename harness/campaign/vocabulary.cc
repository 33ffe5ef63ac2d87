// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/vocabulary.h"

#include <algorithm>

#include "conformance/script/languages.h"

namespace wirelaw::campaign {
namespace {

// A line that names one field at most.
class Wish final : public script::Wishes {
 public:
  explicit Wish(std::string_view field = {}) : field_(field) {}
  std::optional<std::uint64_t> number(std::string_view field) const override {
    return !field_.empty() && field == field_ ? std::optional<std::uint64_t>(1) : std::nullopt;
  }
  std::optional<Octets> octets(std::string_view) const override { return std::nullopt; }
  bool names(std::string_view prefix) const override { return !field_.empty() && field_.starts_with(prefix); }

 private:
  std::string_view field_;
};

// One conversation after its greetings.
class Scene {
 public:
  explicit Scene(const script::Language& language)
      : speech_(language.speech(script::sample_addresses())),
        framing_(language.is_stream() ? language.framing() : nullptr) {
    for (const script::Greeting& one : language.greetings) greet(one);
  }

  // The message as this side sends it next; empty if it sends none.
  OctetBuffer message(Side sender, std::string_view name) const {
    auto octets = speech_->next(sender, name, Wish());
    return octets ? std::move(*octets) : OctetBuffer();
  }
  // The octets that carry it.
  OctetBuffer said(Side sender, std::string_view name) const {
    const OctetBuffer octets = message(sender, name);
    if (!framing_ || octets.empty()) return octets;
    OctetBuffer all;
    const auto framing = framing_->copy();
    for (const OctetBuffer& segment : framing->segments(sender, octets)) {
      const auto frame = framing->wrap(sender, segment);
      if (!frame) return {};
      framing->passed(sender, *frame, segment);
      all.insert(all.end(), frame->begin(), frame->end());
    }
    return all;
  }

 private:
  void greet(const script::Greeting& greeting) {
    const auto octets = speech_->next(greeting.sender, greeting.message, Wish(greeting.wish));
    if (!octets) return;
    speech_->heard(greeting.sender, *octets);
    if (!framing_) return;
    for (const OctetBuffer& segment : framing_->segments(greeting.sender, *octets))
      if (const auto frame = framing_->wrap(greeting.sender, segment))
        framing_->passed(greeting.sender, *frame, segment);
  }

  std::unique_ptr<script::Speech> speech_;
  std::unique_ptr<script::Framing> framing_;
};

}  // namespace

std::vector<OctetBuffer> vocabulary_of(const Protocol& protocol) {
  const script::Language* const language = script::language_of(protocol);
  if (language == nullptr) return {};
  const Scene scene(*language);
  std::vector<OctetBuffer> all;
  for (const script::MessageRow& row : language->messages())
    for (const Side sender : {Side::a, Side::b}) {
      OctetBuffer octets = scene.said(sender, row.name);
      if (!octets.empty() && std::ranges::find(all, octets) == all.end()) all.push_back(std::move(octets));
    }
  return all;
}

std::vector<Word> words_of(const Protocol& protocol) {
  const script::Language* const language = script::language_of(protocol);
  if (language == nullptr) return {};
  const Scene scene(*language);
  std::vector<Word> all;
  for (const script::MessageRow& row : language->messages()) {
    Word word{.name = row.name, .is_below = row.is_below};
    OctetBuffer octets = scene.message(Side::a, row.name);
    if (octets.empty()) octets = scene.message(Side::b, row.name);
    if (!octets.empty()) word.fields = language->locate(octets);
    std::erase_if(word.fields, [](const script::Located& field) { return field.bits == 0; });
    word.octets = octets.size();
    all.push_back(std::move(word));
  }
  return all;
}

}  // namespace wirelaw::campaign
