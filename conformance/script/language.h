// SPDX-License-Identifier: Apache-2.0
// The interface with which a protocol extends the script language: its messages, the fields in them, and a conforming
// sender.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/own_address.h"
#include "conformance/script/framing.h"
#include "conformance/script/located.h"
#include "reference/network/stream_piece.h"
#include "reference/octets/octets.h"

namespace wirelaw::script {

// The fields that a line sets, for a sender that must know them before it writes the message.
class Wishes {
 public:
  virtual ~Wishes() = default;
  // The integer that the line sets for this field.
  virtual std::optional<std::uint64_t> number(std::string_view field) const = 0;
  // The octets that the line sets, such as a payload.
  virtual std::optional<Octets> octets(std::string_view field) const = 0;
  // True if the name of some field begins with these characters: "rma_iov[0]".
  virtual bool names(std::string_view prefix) const = 0;
};

// The conforming sides of one conversation. They keep track of the messages and can generate the next one of each side.
class Speech {
 public:
  virtual ~Speech() = default;
  // Returns the message of this name that a conforming sender sends next. The error is the reason why it sends none:
  // "there is no such message".
  virtual tl::expected<OctetBuffer, std::string> next(Side sender, std::string_view message,
                                                      const Wishes& wishes) const = 0;
  // The message was sent. Live messages come from a peer, so any octets are possible.
  virtual void heard(Side sender, Octets message) = 0;
  // The segment went into the stream, with all changes of its line. An error report may quote it.
  virtual void passed(Side, Octets) {}
};

struct MessageRow {
  std::string_view name;  // name in a line; case does not matter
  std::string_view text;  // one phrase of description
  bool is_below = false;  // a message of the protocol below
};
// A name for a time of the protocol.
struct TimerRow {
  std::string_view name;
  std::int64_t nanoseconds;
  std::string_view text;
};
struct Greeting {
  Side sender;
  std::string_view message;
  std::string_view wish = {};  // a field that the line sets to 1
  // It starts the protocol below. A bare script has it too, unless the script itself begins below.
  bool is_below = false;
};

// The addresses of side a and side b.
using Addresses = std::array<OwnAddress, 2>;
// Documentation addresses (RFC 5737), for a conversation without real addresses.
Addresses sample_addresses();

struct Language {
  std::span<const MessageRow> (*messages)();
  // Names that a line may set and that are no fields of the message: "size".
  std::span<const MessageRow> wishes;
  std::span<const TimerRow> timers = {};
  // The beginning of a conversation, unless a script is bare.
  std::span<const Greeting> greetings = {};
  // An honest exchange that every working peer serves, whatever happened before.
  std::span<const Greeting> control = {};
  // Messages that a peer sends now and then, whatever the script: they do not count against silence.
  std::span<const std::string_view> owed = {};
  // How fields begin that a message has or not, depending on what its sender has received by then.
  std::span<const std::string_view> optional = {};
  bool big_endian = false;
  // Returns the fields in the order of the wire; those that exist if the octets are no valid message.
  std::vector<Located> (*locate)(Octets message);
  // The name of the message, from `messages`. Empty if it has none.
  std::string_view (*name_of)(Octets message);
  std::unique_ptr<Speech> (*speech)(const Addresses& addresses);
  // --- only for streams; nullptr: each message is a datagram
  std::unique_ptr<Framing> (*framing)() = nullptr;
  Layers layers = {};
  std::string_view over = {};  // the protocol below, as in the setting `over`
  // Nodes are known by their addresses, and a conversation of two of them may use several connections.
  bool joins_connections = false;

  bool is_stream() const { return framing != nullptr; }
};

const MessageRow* find_message(const Language& language, std::string_view name);
// Returns n octets that count upwards.
OctetBuffer pattern(std::size_t n);
// A hint with the name nearest to a misspelt or shortened one. Empty if none is near.
std::string nearest(std::string_view name, const std::vector<std::string_view>& names);

}  // namespace wirelaw::script
