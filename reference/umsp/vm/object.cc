// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/vm/object.h"

#include <algorithm>

#include "reference/umsp/vm/offered.h"

namespace wirelaw::umsp {
namespace {

struct Numbers {
  std::uint32_t first, last;
};
constexpr Numbers kFree{0x3000'0000, 0x4fff'ffff};
constexpr Numbers kTransient{0x5000'0000, 0xdfff'ffff};

}  // namespace

bool is_object_name(std::string_view name) {
  return name.size() >= kLeastObjectName && name.size() <= kMostObjectName &&
         std::ranges::all_of(name, [](char one) { return static_cast<unsigned char>(one) < 0x80 && one != 0; });
}

bool Object::has(ObjectVersion wanted) const {
  if (wanted.version == 0) return wanted.realization == 0;
  return std::ranges::any_of(versions, [&](const ObjectVersion& one) {
    return one.version == wanted.version && wanted.realization <= one.realization;
  });
}

const Procedure* Object::find(std::uint32_t procedure) const {
  const auto found = std::ranges::find(procedures, procedure, &Procedure::number);
  return found == procedures.end() ? nullptr : &*found;
}

const Procedure* Object::find(std::string_view procedure) const {
  if (!may_have_names(number) || procedure.empty()) return nullptr;
  const auto found = std::ranges::find(procedures, procedure, &Procedure::name);
  return found == procedures.end() ? nullptr : &*found;
}

std::vector<Procedure> offered_procedures() {
  using namespace offered;
  return {{kEchoNumber, std::string(kEchoName), echo_code()}, {kSumNumber, std::string(kSumName), sum_code()}};
}

std::vector<Object> permanent_objects() {
  using namespace offered;
  Object named{.number = kObject, .versions = {{kObjectVersion, kObjectRealization}}, .name = std::string(kObjectName)};
  for (std::size_t i = 0; i < kObjectOctets; ++i) named.data.push_back(pattern(i));
  named.procedures = offered_procedures();
  Object numbered = named;
  numbered.number = kNumberedObject;
  numbered.name.clear();
  return {std::move(named), std::move(numbered)};
}

ObjectTable::ObjectTable(std::vector<Object> permanent) {
  for (Object& one : permanent) {
    const bool named = is_object_name(one.name) && may_have_names(one.number);
    if (!named || !is_free(one.name, range_of(one.number), 0)) one.name.clear();
    objects_.try_emplace(one.number, std::move(one));
  }
}

const Object* ObjectTable::find(std::uint32_t number) const {
  const auto found = objects_.find(number);
  return found == objects_.end() ? nullptr : &found->second;
}

Object* ObjectTable::find(std::uint32_t number) {
  const auto found = objects_.find(number);
  return found == objects_.end() ? nullptr : &found->second;
}

const Object* ObjectTable::find(std::string_view name, std::uint64_t task) const {
  if (name.empty()) return nullptr;
  for (const auto& [number, object] : objects_)
    if (object.name == name && is_visible(object, task)) return &object;
  return nullptr;
}

bool ObjectTable::is_free(std::string_view name, ObjectRange range, std::uint64_t task) const {
  return std::ranges::none_of(objects_, [&](const auto& entry) {
    const Object& other = entry.second;
    return other.name == name && (range != ObjectRange::transient || is_visible(other, task));
  });
}

// A number is not reused before all others have been used.
std::optional<std::uint32_t> ObjectTable::next_number(ObjectRange range) const {
  const Numbers numbers = range == ObjectRange::free ? kFree : kTransient;
  std::uint32_t number = range == ObjectRange::free ? last_free_ : last_transient_;
  for (std::size_t i = 0; i <= objects_.size(); ++i) {
    number = number >= numbers.last || number < numbers.first ? numbers.first : number + 1;
    if (!objects_.contains(number)) return number;
  }
  return std::nullopt;
}

void ObjectTable::add(Object object) {
  (range_of(object.number) == ObjectRange::free ? last_free_ : last_transient_) = object.number;
  const std::uint32_t number = object.number;
  objects_.insert_or_assign(number, std::move(object));
}

void ObjectTable::remove(std::uint32_t number) {
  objects_.erase(number);
}

}  // namespace wirelaw::umsp
