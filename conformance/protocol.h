// SPDX-License-Identifier: Apache-2.0
// Everything that the harness, the reports and the command need to know of a protocol, in one value. To add a protocol,
// add a row to protocols.inc.
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

// One field of a decoded message, as text. Names are those of the Wireshark dissector.
struct Field {
  std::string name;  // "ramcloud.rpc_id"
  std::string value;
  std::size_t offset = 0;  // offset in the message
  std::size_t length = 0;
};

struct Decoded {
  std::string summary;  // one line, like Wireshark's Info column
  std::vector<Field> fields;
  std::string error;  // empty if the octets are a valid message
};

// A feature of the implementation conformance statement (ICS): "rfc7306".
struct Feature {
  std::string_view name;
  std::string_view text;  // one line
};

// The limits of an observer, what the implementations declare, and their addresses.
struct ObserverLimits {
  std::size_t octets = 4u << 20;               // memory for one flow; the least recently used session is dropped first
  std::span<const std::string> features = {};  // names from Protocol::features; outlive the observer
  // The name of the revision (Protocol::revisions) that the implementations follow. Empty: the traffic shows it.
  std::string_view revision = {};
  // True for datagrams on a network, which may deliver a datagram twice.
  bool may_double = false;
  // The addresses of side a and side b. Empty if no network carried the flow.
  std::optional<std::array<Endpoint, 2>> addresses = {};
};

// The answer to the question if the octets seen of a flow are a given protocol. A port may mislead, and so may a few
// octets.
enum class Plausible : std::uint8_t { no, yes, undecided };  // undecided: more octets are needed

// The first octets of a side: the head of its stream, or one of its first datagrams.
struct Head {
  Side sender = Side::a;
  Octets octets;
  bool from_start = true;  // nothing of the stream came before it
};
// The first octets of both sides on a flow that has an assigned port.
struct Opening {
  std::span<const Head> heads;
  bool is_stream = false;
  // The assigned port is that of the side that accepted the connection, or that got the first datagram. The evidence is
  // weaker if a client happens to use the port, or if the handshake was not seen.
  bool to_port = false;
  bool is_all = false;      // the flow has ended, or no more of it is kept
  bool is_certain = false;  // later octets certainly are the protocol
};

// The functions that recognise a protocol in a capture. The order of decision is: the user's choice (--decode-as, or
// the note in a recording), content that is certain, an assigned port with plausible content. All other flows are
// listed as unrecognised.
//
// A flow may be recognised although its beginning was not captured. A beginning is proved by:
//   - in a stream: the SYN of its side, or a key that the protocol sends only at its own beginning (`begins_protocol`).
//     A port proves nothing, and neither does a message in order, which may come at any time.
//   - in datagrams: a first message that nothing can precede, such as RAMCloud's open request. EFA's HANDSHAKE and
//     RoCE's Communication Manager messages prove only what they state.
//   - above another protocol: what the protocol below has seen.
// Otherwise the flow is partial, and checks that depend on earlier messages are not made or are held back. That holds
// with --complete too: it says that no frame was dropped, not that the capture began before the connection.
struct OnDatagrams {
  // True if a flow that begins with this message certainly is the protocol. nullptr: content alone never proves it.
  bool (*recognises)(const Message& first) = nullptr;
  std::span<const std::uint16_t> ports = {};          // assigned UDP ports
  bool (*plausible)(const Message& first) = nullptr;  // true if it may be a message of the protocol
  // Decides from its first datagrams if a flow with an assigned port is the protocol. nullptr: one plausible datagram
  // decides.
  Plausible (*weigh)(const Opening& opening) = nullptr;
};
// The octets that both sides of a connection have sent, each from the beginning of a TCP segment. The beginning of the
// connection was not captured.
struct Middle {
  std::array<Octets, 2> from_segment;  // side a, side b; empty if what the side sends is not the protocol
  bool has_port = false;               // a port is assigned to the protocol, or to one above it (Above::ports)
};
struct OnStreams {
  // Returns the position in these octets (the end of what one side has sent so far) at which the protocol, or one of
  // its messages, certainly begins. kNotHere if there is none.
  std::size_t (*begins_in)(Octets octets) = nullptr;
  // The position that begins_in() finds is the beginning of the protocol for both sides, whatever the stream held
  // before.
  bool begins_protocol = false;
  // What was found may be data that only looks like the protocol, above all if other octets came before it. Decides if
  // the octets from there on, and what the other side has sent since, confirm it. `is_first`: it is the first message
  // of its sender, and may be faulty. nullptr: no data looks like the protocol by chance.
  Plausible (*confirms)(Octets from_here, Octets answer, bool is_first) = nullptr;
  // Decides if a connection whose beginning was not captured is the protocol, from the beginning of a segment of each
  // side to the latest octet. It is called only if `may_continue`, which must be cheap, is true for the first octets of
  // a segment. nullptr: the protocol is only recognised by its beginning.
  bool (*may_continue)(Octets segment) = nullptr;
  Plausible (*continues)(const Middle& middle) = nullptr;
  std::span<const std::uint16_t> ports = {};  // assigned TCP ports
  // Decides from the first octets of each side if a connection with an assigned port is the protocol.
  Plausible (*weigh)(const Opening& opening) = nullptr;
};
// For a protocol above another one, whose observer delivers messages (conformance/delivery.h).
struct Above {
  std::string_view protocol;  // the protocol below: "rdmap"
  bool (*recognises)(const Delivery& first) = nullptr;
  std::span<const std::uint16_t> ports = {};  // ports of the transport below, or of the service asked for
  bool (*plausible)(const Delivery& first) = nullptr;
  // Used if the beginning of the connection below was not seen. True if `second`, which was recognised, answers
  // `first`, which was not because of its faults. Then `first` is the first message of the connection.
  bool (*answers)(const Delivery& first, const Delivery& second) = nullptr;
};

struct Protocol {
  std::string_view name;        // "ramcloud", as on the command line
  std::string_view title;       // "RAMCloud RPC"
  std::string_view initiator;   // "client"
  std::string_view responder;   // "server"
  std::string_view transports;  // URI schemes, space separated: "udp"
  const Catalogue& (*catalogue)();
  std::span<const Case> (*cases)();
  std::unique_ptr<Observer> (*observer)(const ObserverLimits& limits);
  // Decodes a message: a datagram, a message that the observer found in a stream, or one that the protocol below
  // delivered.
  Decoded (*decode)(Octets octets);
  static constexpr std::size_t kNotHere = static_cast<std::size_t>(-1);  // result of OnStreams::begins_in

  // --- what it is found in; at least one is set
  std::optional<OnDatagrams> datagrams = {};
  std::optional<OnStreams> streams = {};
  std::span<const Above> above = {};  // live runs use the first

  // Features that an implementation may declare (ICS), and that widen what it may send.
  std::span<const Feature> features = {};
  // Revisions of the document that an implementation may declare (ICS), the oldest first. Each is judged by its own
  // text. Empty if there is only one.
  std::span<const Feature> revisions = {};
  // Values that a user may declare for an IUT in its URI, for cases that cannot find them out:
  // tcp://HOST:PORT?stag=0x1234
  std::span<const Feature> parameters = {};
  // Values of --application that are valid for the protocol, separated by spaces.
  std::string_view applications = "echo count none";
  // Ids of cases that are an honest exchange, the most telling first (controls_of()). Every working IUT passes them.
  // Conclusions from silence, a refusal or an end count only if a control passes.
  std::span<const std::string_view> controls = {};
  // Wireshark's name for the dissector, also used in captures of exported PDUs. Empty if it is `name`.
  std::string_view dissector = {};
  // The rules that keep changed messages valid (conformance/dialect.h). nullptr: nothing has to be known.
  const edits::Dialect* dialect = nullptr;
};

std::span<const Protocol* const> protocols();           // the rows of protocols.inc
std::span<const Protocol* const> captured_protocols();  // the same, and protocols that only carry others in captures
const Protocol* find_protocol(std::string_view name);   // nullptr if there is none

// The protocol's controls for this role of the IUT that need no more than this application, in their order. If a
// control is skipped because something was not declared, the next one takes its place.
std::vector<const Case*> controls_of(const Protocol& protocol, Role iut, Service application);

}  // namespace wirelaw
