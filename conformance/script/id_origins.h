// SPDX-License-Identifier: Apache-2.0
// Where the ids in a conversation come from: a side uses ids that the other side chose and sent before. A script that
// names that message, and not the value, fits other peers too.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "conformance/script/language.h"

namespace wirelaw::script {

class IdOrigins {
 public:
  // A field of an earlier message, and what to add to it, modulo 2^64.
  struct Origin {
    std::size_t message = 0;  // the number that add() has returned
    std::string field;
    std::uint64_t plus = 0;
  };

  explicit IdOrigins(const Language& language) : language_(language) {}

  // Remembers the ids of a message that passed, and returns its number. Nothing if it brings no new id.
  std::optional<std::size_t> add(Side sender, std::uint32_t connection, Octets message);
  // The origin of a field in a message of `user`: an id that the field uses (Located::id), or a value that goes with
  // one (Located::of_id). Nothing if the other side has not offered the id.
  std::optional<Origin> find(Side user, std::uint32_t connection, Octets message, const Located& field) const;

 private:
  using Key = std::tuple<Side, std::uint32_t, std::string_view, OctetBuffer>;  // sender, connection, space, value
  struct Place {
    std::size_t message;
    std::string field;
  };

  std::uint32_t scope(std::uint32_t connection) const { return language_.joins_connections ? 0 : connection; }
  const Place* place_of(Side user, std::uint32_t connection, Octets message, const Located& field) const;
  std::optional<Origin> with_its_id(Side user, std::uint32_t connection, Octets message, const Located& field) const;

  const Language& language_;
  std::map<Key, Place> places_;  // the first message that brought each id
  std::vector<OctetBuffer> messages_;
};

}  // namespace wirelaw::script
