// SPDX-License-Identifier: Apache-2.0
// What a protocol adds to the script language: its messages, the places of their fields, and an honest sender.
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

// What a line names, for a sender that has to know before it writes the message.
class Wishes {
 public:
  virtual ~Wishes() = default;
  // The integer that the line gives to this field.
  virtual std::optional<std::uint64_t> number(std::string_view field) const = 0;
  // The octets that it gives, such as a payload.
  virtual std::optional<Octets> octets(std::string_view field) const = 0;
  // Some field begins with these characters: "rma_iov[0]".
  virtual bool names(std::string_view prefix) const = 0;
};

// The honest sides of one conversation. They know what passed, and what each of them would send next.
class Speech {
 public:
  virtual ~Speech() = default;
  // What an honest sender sends next as this message. The error says why it sends none: "there is no such message".
  virtual tl::expected<OctetBuffer, std::string> next(Side sender, std::string_view message,
                                                      const Wishes& wishes) const = 0;
  // This message was sent. Any octets are possible: live ones come from a peer.
  virtual void heard(Side sender, Octets message) = 0;
  // This segment went into the stream, with whatever its line changed: what a report of an error quotes.
  virtual void passed(Side, Octets) {}
};

struct MessageRow {
  std::string_view name;  // as a line says it; upper and lower case count as the same
  std::string_view text;  // one phrase for people
  bool is_below = false;  // a message of the protocol below
};
// A word for a time that the protocol names.
struct TimerRow {
  std::string_view name;
  std::int64_t nanoseconds;
  std::string_view text;
};
struct Greeting {
  Side sender;
  std::string_view message;
  std::string_view wish = {};  // a field that the line names, with the value 1
  // It starts the protocol below: it is said before a script that is bare, too, unless the script begins below itself.
  bool is_below = false;
};

// Where side a and side b are.
using Addresses = std::array<OwnAddress, 2>;
// Documentation addresses (RFC 5737), for a conversation that nobody has.
Addresses sample_addresses();

struct Language {
  std::span<const MessageRow> (*messages)();
  // Words that a line may give to a message and that are no fields in its octets: "size".
  std::span<const MessageRow> wishes;
  std::span<const TimerRow> timers = {};
  // What a conversation begins with, unless a script is bare.
  std::span<const Greeting> greetings = {};
  // An honest exchange that every peer serves, whatever happened before.
  std::span<const Greeting> control = {};
  // Messages that a peer owes now and then, whatever a script is about: they do not break silence.
  std::span<const std::string_view> owed = {};
  bool big_endian = false;
  // In the order of the wire. Octets that are no message: the fields that are there.
  std::vector<Located> (*locate)(Octets message);
  // The name of the message, of `messages`; empty if it has none.
  std::string_view (*name_of)(Octets message);
  std::unique_ptr<Speech> (*speech)(const Addresses& addresses);
  // --- of streams alone; nullptr: each message is a datagram
  std::unique_ptr<Framing> (*framing)() = nullptr;
  Layers layers = {};
  std::string_view over = {};  // the protocol below, as the setting `over` names it

  bool is_stream() const { return framing != nullptr; }
};

const MessageRow* find_message(const Language& language, std::string_view name);
// n octets that count upwards.
OctetBuffer pattern(std::size_t n);
// The nearest of these names to a misspelt or shortened one, as a hint; empty if none is near.
std::string nearest(std::string_view name, const std::vector<std::string_view>& names);

}  // namespace wirelaw::script
