// SPDX-License-Identifier: Apache-2.0
// What the harness, the reports and the command need to know of a protocol, in one value. Adding a protocol is adding
// a row to protocols.inc.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case.h"
#include "conformance/catalogue.h"
#include "conformance/observer.h"
#include "conformance/trace.h"
#include "reference/network/address.h"

namespace wirelaw {

namespace edits {
struct Dialect;
}

// One field of a decoded message, for people. Names are those of the Wireshark dissector.
struct Field {
  std::string name;  // "ramcloud.rpc_id"
  std::string value;
  std::size_t offset = 0;  // in the message
  std::size_t length = 0;
};

struct Decoded {
  std::string summary;  // one line, as Wireshark's Info column
  std::vector<Field> fields;
  std::string error;  // not empty where the octets are no message
};

// A feature of the implementation conformance statement (ICS): "rfc7306".
struct Feature {
  std::string_view name;
  std::string_view text;  // one line
};

// How much an observer may hold, what the implementations declare, and where they are.
struct ObserverLimits {
  std::size_t octets = 4u << 20;               // of memory for one flow; the least recently used session goes first
  std::span<const std::string> features = {};  // Protocol::features, by name; outlive the observer
  // Protocol::revisions, by name: of the document that the implementations follow. Empty: as their traffic shows it.
  std::string_view revision = {};
  // The flow is one of datagrams on a network, which may bring one of them two times.
  bool may_double = false;
  // Of side a and side b; nothing where no network carried the flow.
  std::optional<std::array<Endpoint, 2>> addresses = {};
};

// Whether what has been seen of a flow is a protocol. A port may lie, and so may a few octets.
enum class Plausible : std::uint8_t { no, yes, undecided };  // undecided: more octets will show it

// What a side has sent first: the head of its stream, or one of its first datagrams.
struct Head {
  Side sender = Side::a;
  Octets octets;
  bool from_start = true;  // nothing of the stream came before
};
// What both sides have sent first on a flow that has an assigned port.
struct Opening {
  std::span<const Head> heads;
  bool is_stream = false;
  // The port is that of the side that was connected to, or to which the first datagram went. A client that happens to
  // have it, and a connection whose handshake was not seen, are weaker evidence.
  bool to_port = false;
  bool is_all = false;      // the flow has ended, or no more of it is kept
  bool is_certain = false;  // octets behind these certainly are the protocol
};

// How a protocol is found in a capture. What is believed, in this order: what the user says (--decode-as, or the note
// of a recording), content that is certain, an assigned port with plausible content. All else is unrecognised, and
// listed.
//
// A flow may be recognised although its beginning was not captured. What proves a beginning:
//   - of a stream: the SYN of its side, or a key that the protocol sends only at its own beginning (`begins_protocol`).
//     A port does not, and neither does a message in order, which may come at any time.
//   - of datagrams: a first message before which nothing can come, such as RAMCloud's open request. EFA's HANDSHAKE and
//     RoCE's Communication Manager messages prove only what they state.
//   - above another protocol: what the protocol below has seen.
// Otherwise the flow is partial. What rests on what came before is not judged, or is held back. That holds with
// --complete too: it says that no frame was dropped, not that the capture began before the connection.
struct OnDatagrams {
  // Whether a flow that begins with this message is certainly this protocol; nullptr: content alone never proves it.
  bool (*recognises)(const Message& first) = nullptr;
  std::span<const std::uint16_t> ports = {};          // of UDP, assigned
  bool (*plausible)(const Message& first) = nullptr;  // it may be one of its messages
  // Whether a flow with an assigned port is the protocol, by its first datagrams; nullptr: it is by a plausible one.
  Plausible (*weigh)(const Opening& opening) = nullptr;
};
// What the sides of a connection have sent, each from where one of its TCP segments begins. Nothing of its beginning
// was captured.
struct Middle {
  std::array<Octets, 2> from_segment;  // of side a and side b; empty: what it sends is not the protocol
  bool has_port = false;               // a port is assigned to the protocol, or to one above it (Above::ports)
};
struct OnStreams {
  // Where in these octets (the end of what one side has sent so far) the protocol certainly begins, or one of its
  // messages, if it does; kNotHere where it does not.
  std::size_t (*begins_in)(Octets octets) = nullptr;
  // What is found is the protocol's own beginning, for both sides, whatever the stream held before.
  bool begins_protocol = false;
  // What was found may be data that only looks like the protocol, above all if other octets came before it. Says
  // whether the octets from there on, and what the other side has sent since, confirm it. `is_first`: it is the first
  // that its sender says, and may be the protocol with a fault. nullptr: nothing looks like it by chance.
  Plausible (*confirms)(Octets from_here, Octets answer, bool is_first) = nullptr;
  // Whether a connection whose beginning the capture does not hold is the protocol: from where its segments begin, up
  // to the end of the latest. Asked only if `may_continue` is true of a segment's first octets, which has to cost
  // nothing. nullptr: it is known by its beginning alone.
  bool (*may_continue)(Octets segment) = nullptr;
  Plausible (*continues)(const Middle& middle) = nullptr;
  std::span<const std::uint16_t> ports = {};  // of TCP, assigned
  // Whether a connection with an assigned port is the protocol, by the first octets of each side.
  Plausible (*weigh)(const Opening& opening) = nullptr;
};
// On another protocol, whose observer delivers messages (conformance/delivery.h).
struct Above {
  std::string_view protocol;  // the one below: "rdmap"
  bool (*recognises)(const Delivery& first) = nullptr;
  std::span<const std::uint16_t> ports = {};  // of what carries the protocol below, or of the service asked for
  bool (*plausible)(const Delivery& first) = nullptr;
  // Whether a recognised message is the second one of a connection, so that the one before it, which was not recognised
  // for its faults, is the first: where the beginning of the connection below was not seen.
  bool (*answers)(const Delivery& first, const Delivery& second) = nullptr;
};

struct Protocol {
  std::string_view name;        // "ramcloud": the word of the command line
  std::string_view title;       // "RAMCloud RPC"
  std::string_view initiator;   // "client"
  std::string_view responder;   // "server"
  std::string_view transports;  // URI schemes, space separated: "udp"
  const Catalogue& (*catalogue)();
  std::span<const Case> (*cases)();
  std::unique_ptr<Observer> (*observer)(const ObserverLimits& limits);
  // Decodes a message: a datagram, what the observer of a stream found in it, or what the protocol below delivered.
  Decoded (*decode)(Octets octets);
  static constexpr std::size_t kNotHere = static_cast<std::size_t>(-1);  // of OnStreams::begins_in

  // --- what it is found in: one of these at least
  std::optional<OnDatagrams> datagrams = {};
  std::optional<OnStreams> streams = {};
  std::span<const Above> above = {};  // the first is what live runs have below it

  // Features that an implementation may declare (ICS) and that widen what it may send.
  std::span<const Feature> features = {};
  // Revisions of the document that an implementation may declare (ICS) to follow, the oldest first: each is judged by
  // its own text. None where there is one alone.
  std::span<const Feature> revisions = {};
  // What a user may declare of an IUT in its URI, for cases that cannot find it out: tcp://HOST:PORT?stag=0x1234
  std::span<const Feature> parameters = {};
  // Words of --application that an IUT may be declared by, space separated.
  std::string_view applications = "echo count none";
  // Cases that are an honest exchange, which an IUT that is there and speaks the protocol serves: by id, the most
  // telling first (controls_of()). What a case concludes of silence, a refusal or an end is worth nothing without.
  std::span<const std::string_view> controls = {};
  // What Wireshark, and captures of exported PDUs, call the dissector of its packets, where that is not `name`.
  std::string_view dissector = {};
  // How its messages stay right where one is changed (conformance/dialect.h); nullptr: there is nothing to be known.
  const edits::Dialect* dialect = nullptr;
};

std::span<const Protocol* const> protocols();           // the rows of protocols.inc
std::span<const Protocol* const> captured_protocols();  // and what carries some of them in captures alone
const Protocol* find_protocol(std::string_view name);   // nullptr where there is none

// The protocol's controls for this role of the IUT that need no more of its application, in their order: one that is
// skipped, for want of something that was not declared, leaves its place to the next.
std::vector<const Case*> controls_of(const Protocol& protocol, Role iut, Service application);

}  // namespace wirelaw
