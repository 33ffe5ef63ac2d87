// SPDX-License-Identifier: Apache-2.0
#include "conformance/script/composer.h"

#include <fmt/format.h>

#include <variant>

#include "conformance/script/parser.h"

namespace wirelaw::script {
namespace {

constexpr std::size_t kMostHeld = 1u << 20;  // octets of a stream that wait for the rest of a unit

}  // namespace

std::vector<OctetBuffer> Composer::compose(std::string_view line) {
  if (line.find('\n') != std::string_view::npos) return {};
  const auto script = parse(fmt::format("{} {}\n", own_ == Side::a ? 'a' : 'b', line));
  if (!script || script->parts.size() != 1 || script->parts.front().steps.size() != 1) return {};
  const auto* const said = std::get_if<Said>(&script->parts.front().steps.front().what);
  if (said == nullptr || said->alternatives.size() != 1 || said->alternatives.front().all.size() != 1) return {};
  const What& what = said->alternatives.front().all.front();
  if (what.kind != What::Kind::message) return {};
  auto draft = speaker_.draft(what, own_, 1);
  return draft ? std::move(draft->frames) : std::vector<OctetBuffer>();
}

void Composer::follow(Side sender, Octets octets) {
  Speech& speech = speaker_.speech(1);
  if (!language_.is_stream()) return speech.heard(sender, octets);
  OctetBuffer& stream = streams_[static_cast<std::size_t>(sender)];
  if (stream.size() + octets.size() > kMostHeld) stream.clear();
  stream.insert(stream.end(), octets.begin(), octets.end());
  Framing& framing = speaker_.framing(1);
  while (!stream.empty()) {
    const auto unit = framing.next(sender, stream);
    if (!unit || unit->length == 0) return;
    const auto end = stream.begin() + static_cast<std::ptrdiff_t>(std::min(unit->length, stream.size()));
    const OctetBuffer whole(stream.begin(), end);
    stream.erase(stream.begin(), end);
    framing.passed(sender, whole, unit->message ? Octets(*unit->message) : Octets());
    if (!unit->message) continue;
    speech.heard(sender, *unit->message);
    speech.passed(sender, *unit->message);
  }
}

Addresses addresses_of(const Transport& transport, Side own) {
  Addresses all = sample_addresses();
  OwnAddress& mine = all[static_cast<std::size_t>(own)];
  if (const auto ends = transport.ends()) {
    mine.endpoint = ends->tester;
    all[static_cast<std::size_t>(other(own))].endpoint = ends->iut;
  }
  if (const auto told = own_address_of(transport)) mine = *told;
  return all;
}

}  // namespace wirelaw::script
