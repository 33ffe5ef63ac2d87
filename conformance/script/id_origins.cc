// SPDX-License-Identifier: Apache-2.0
#include "conformance/script/id_origins.h"

#include <algorithm>
#include <utility>

namespace wirelaw::script {
namespace {

constexpr std::size_t kMostSources = 4096;

bool is(const Located& field, IdUse use) {
  return field.id == use || field.id == IdUse::both;
}

// The id as it is on the wire. Empty if it names nothing: it is zero, or no field is there.
OctetBuffer value_of(Octets message, const Located& field) {
  if (field.offset + field.length > message.size()) return {};
  const Octets octets = message.subspan(field.offset, field.length);
  if (std::ranges::all_of(octets, [](Octet one) { return one == 0; })) return {};
  return {octets.begin(), octets.end()};
}

const Located* named(const std::vector<Located>& fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &Located::name);
  return found == fields.end() ? nullptr : &*found;
}

}  // namespace

std::optional<std::size_t> IdOrigins::add(Side sender, std::uint32_t connection, Octets message) {
  if (messages_.size() == kMostSources) return std::nullopt;
  bool is_new = false;
  for (const Located& field : language_.locate(message)) {
    OctetBuffer value = is(field, IdUse::offers) ? value_of(message, field) : OctetBuffer();
    if (value.empty()) continue;
    const Place place{messages_.size(), field.name};
    is_new |= places_.try_emplace({sender, scope(connection), field.id_space, std::move(value)}, place).second;
  }
  if (!is_new) return std::nullopt;
  messages_.emplace_back(message.begin(), message.end());
  return messages_.size() - 1;
}

const IdOrigins::Place* IdOrigins::place_of(Side user, std::uint32_t connection, Octets message,
                                            const Located& field) const {
  const auto found = places_.find({other(user), scope(connection), field.id_space, value_of(message, field)});
  return found == places_.end() ? nullptr : &found->second;
}

std::optional<IdOrigins::Origin> IdOrigins::find(Side user, std::uint32_t connection, Octets message,
                                                 const Located& field) const {
  if (!field.of_id.empty()) return with_its_id(user, connection, message, field);
  const Place* const place = is(field, IdUse::uses) ? place_of(user, connection, message, field) : nullptr;
  return place == nullptr ? std::nullopt : std::optional(Origin{place->message, place->field});
}

// The value that came with the id, and how far this one is from it: an offset counts from where the memory begins.
std::optional<IdOrigins::Origin> IdOrigins::with_its_id(Side user, std::uint32_t connection, Octets message,
                                                        const Located& field) const {
  const std::vector<Located> fields = language_.locate(message);
  const Located* const id = named(fields, field.of_id);
  const Place* const place =
      id == nullptr || !is(*id, IdUse::uses) ? nullptr : place_of(user, connection, message, *id);
  if (place == nullptr) return std::nullopt;
  const Octets source = messages_[place->message];
  for (const Located& one : language_.locate(source)) {
    if (one.of_id != place->field) continue;
    const auto begin = get(source, one, language_.big_endian), value = get(message, field, language_.big_endian);
    const bool is_offset = field.bits == 64;  // anything narrower is the same value or another one
    if (begin && value && (is_offset || begin == value)) return Origin{place->message, one.name, *value - *begin};
  }
  return std::nullopt;
}

}  // namespace wirelaw::script
