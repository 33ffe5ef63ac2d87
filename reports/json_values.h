// SPDX-License-Identifier: Apache-2.0
// Reads JSON values from untrusted files: nothing throws.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace wirelaw {

using Json = nlohmann::json;

// False if the value exists but has another type. If it is absent, `to` stays as it is: later versions add keys, and
// earlier ones did not have all of them.
inline bool take(const Json& from, const char* key, std::string& to) {
  const auto value = from.find(key);
  if (value == from.end()) return true;
  if (!value->is_string()) return false;
  to = value->get<std::string>();
  return true;
}

inline bool take(const Json& from, const char* key, std::uint64_t& to) {
  const auto value = from.find(key);
  if (value == from.end()) return true;
  if (!value->is_number_unsigned()) return false;
  to = value->get<std::uint64_t>();
  return true;
}

inline bool take(const Json& from, const char* key, std::vector<std::string>& to) {
  const auto value = from.find(key);
  if (value == from.end()) return true;
  if (!value->is_array()) return false;
  for (const Json& one : *value) {
    if (!one.is_string()) return false;
    to.push_back(one.get<std::string>());
  }
  return true;
}

template <class Int>
bool take_count(const Json& from, const char* key, Int& to) {
  auto value = static_cast<std::uint64_t>(to);
  if (!take(from, key, value)) return false;
  to = static_cast<Int>(value);
  return true;
}

inline bool take(const Json& from, const char* key, bool& to) {
  const auto value = from.find(key);
  if (value == from.end()) return true;
  if (!value->is_boolean()) return false;
  to = value->get<bool>();
  return true;
}

}  // namespace wirelaw
