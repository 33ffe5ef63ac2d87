// SPDX-License-Identifier: Apache-2.0
// The objects of a node (RFC 3018 6.6): each has a number, versions, data and procedures, and may have a name.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "reference/octets/octets.h"
#include "reference/umsp/vm/return_code.h"

namespace wirelaw::umsp {

// The ranges of numbers (6.6).
enum class ObjectRange : std::uint8_t {
  standard,   // I
  user,       // II
  free,       // III: also made by SYS_NEW
  transient,  // IV: made by NEW, belongs to one job
  reserved,   // V
};
constexpr ObjectRange range_of(std::uint32_t number) {
  if (number < 0x2000'0000) return ObjectRange::standard;
  if (number < 0x3000'0000) return ObjectRange::user;
  if (number < 0x5000'0000) return ObjectRange::free;
  return number < 0xe000'0000 ? ObjectRange::transient : ObjectRange::reserved;
}
// Objects and their procedures may have names only in the ranges III and IV (6.6.3.2, 6.6.4).
constexpr bool may_have_names(std::uint32_t number) {
  const ObjectRange range = range_of(number);
  return range == ObjectRange::free || range == ObjectRange::transient;
}

inline constexpr std::size_t kLeastObjectName = 4;  // octets (6.6.5)
inline constexpr std::size_t kMostObjectName = 254;
bool is_object_name(std::string_view name);

struct Procedure {
  std::uint32_t number = 0;
  std::string name = {};
  OctetBuffer code = {};
};

struct ObjectVersion {
  std::uint16_t version = 0;
  std::uint16_t realization = 0;  // the latest one; it includes all earlier ones
  friend constexpr bool operator==(const ObjectVersion&, const ObjectVersion&) = default;
};

struct Object {
  std::uint32_t number = 0;
  std::vector<ObjectVersion> versions = {};  // OBJECT reports the first one; empty: the object has none
  std::string name = {};
  OctetBuffer data = {};
  std::vector<Procedure> procedures = {};
  std::optional<std::uint64_t> maker = {};  // the task that made it; nothing: a permanent object

  ObjectVersion version() const { return versions.empty() ? ObjectVersion{} : versions.front(); }
  // A version of 0 and 0, and a realization of 0, mean any.
  bool has(ObjectVersion wanted) const;
  const Procedure* find(std::uint32_t procedure) const;
  const Procedure* find(std::string_view procedure) const;
};

std::vector<Procedure> offered_procedures();
// The two objects of offered.h.
std::vector<Object> permanent_objects();

class ObjectTable {
 public:
  // If two objects have the same number or the same name, the first counts. Objects with forbidden names are left out.
  explicit ObjectTable(std::vector<Object> permanent);

  const Object* find(std::uint32_t number) const;
  Object* find(std::uint32_t number);
  const Object* find(std::string_view name, std::uint64_t task) const;  // as visible to that task
  // Returns true if an object of this range and this maker may have the name: it must be unique for all tasks that
  // would see it.
  bool is_free(std::string_view name, ObjectRange range, std::uint64_t task) const;
  // Returns an unused number of the range; nothing if there is none.
  std::optional<std::uint32_t> next_number(ObjectRange range) const;
  void add(Object object);
  void remove(std::uint32_t number);

  auto begin() const { return objects_.begin(); }
  auto end() const { return objects_.end(); }

 private:
  std::map<std::uint32_t, Object> objects_;
  std::uint32_t last_free_ = 0x3fff'ffff;       // last one made in range III
  std::uint32_t last_transient_ = 0x4fff'ffff;  // last one made in range IV
};

// An object of the ranges I to III is visible to all; one of IV to the job that made it, and not to the zero-session
// (6.6).
constexpr bool is_visible(const Object& object, std::uint64_t task) {
  switch (range_of(object.number)) {
    case ObjectRange::transient:
      return task != 0 && object.maker == task;
    case ObjectRange::reserved:
      return false;
    default:
      return true;
  }
}

}  // namespace wirelaw::umsp
