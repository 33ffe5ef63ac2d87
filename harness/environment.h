// SPDX-License-Identifier: Apache-2.0
// The environment of a case: the implementation under test (IUT) and the routes to it. There is one class for a peer in
// memory, and one for live peers.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "conformance/case.h"
#include "conformance/offers.h"
#include "conformance/route.h"
#include "conformance/transport.h"

namespace wirelaw {

// Values that the user has declared for the IUT, by name (Protocol::parameters).
using IutParameters = std::vector<std::pair<std::string, std::string>>;

// A wire that knows the addresses of its two ends, as text: "192.0.2.1:31201".
class Conversation : public Wire {
 public:
  virtual std::string tester() const = 0;
  // Empty while a listening tester has received nothing from the IUT or, for a stream, while there is no connection.
  virtual std::string iut() const = 0;
  // True if the IUT tolerates an end of the conversation that no case has requested.
  virtual bool may_end() { return true; }
};

// A conversation, and what it offers beyond its wire. Decorators of the wire leave the offers as they are.
struct Connected {
  std::unique_ptr<Conversation> wire;
  Offers offers = {};      // last as long as the wire
  bool datagrams = false;  // datagrams to an IUT that uses streams (Route::datagrams)
};

// The transport that carries the messages of an IUT.
struct Framing {
  std::string_view transport;       // as written before a flow's addresses: "udp", "tcp"
  bool is_stream = false;           // octets without boundaries, on a connection that has a beginning and an end
  std::string_view dissector = {};  // for a transport without network headers: the Wireshark dissector of its packets,
                                    // which are recorded as exported PDUs
  bool is_spoken = true;            // false: both ends have consumers, and the tester does not speak the wire protocol
                                    // between them
  // A device speaks the wire protocol; the octets are our own rendering of its transport, which is not judged.
  bool is_rendered = false;
};

inline constexpr Framing kDatagrams{.transport = "udp"};
inline constexpr Framing kStreams{.transport = "tcp", .is_stream = true};

inline TransportError no_way(std::string why, std::string hint = {}) {
  return {.message = std::move(why), .hint = std::move(hint), .no_way = true};
}
inline TransportError no_datagrams() {
  return no_way("this transport has no datagrams beside its streams");
}
// For a transport that knows one node and one transport: an error for any other route.
inline std::optional<TransportError> refuse(const Route& route, const Framing& framing) {
  if (route.node > 0) return no_way("the tester has no second address towards the IUT");
  if (route.datagrams && framing.is_stream) return no_datagrams();
  return std::nullopt;
}

// The end of the IUT's process.
struct Death {
  std::string how;  // "killed by signal 6 (Aborted)"
  // It cannot have ended on purpose. Otherwise it may have completed its job, or lost what it needed.
  bool is_failure = true;

  bool operator==(const Death&) const = default;
};

// The surroundings of one case. Conversations must not outlive it.
class Environment {
 public:
  virtual ~Environment() = default;

  // Both as in CaseRun.
  virtual tl::expected<Connected, TransportError> connect(const Route& route = {}) = 0;
  virtual tl::expected<Connected, TransportError> accept(const Route&) {
    return tl::unexpected(no_way("the tester does not listen beside this transport"));
  }
  virtual tl::expected<void, TransportError> trigger(const TriggerRequest& request) = 0;
  virtual Instant now() const = 0;
  // Message::time_ns at Instant{0}.
  virtual std::int64_t epoch_ns() const = 0;
  // Returns the known parts of the IUT's inner state, as text. Empty if nothing is known.
  virtual std::string peer_state() const = 0;

  // Parameters that the IUT printed when it was started, so that the user need not give them.
  virtual IutParameters parameters() const { return {}; }
  // Same as CaseRun::nonce().
  virtual std::uint64_t nonce() const { return 0; }
  // Set if the IUT's process has ended, or, if `expected`, ends soon.
  virtual std::optional<Death> death(bool) { return std::nullopt; }
  // Asks a process that was started for this case only to end. Returns how it crashed, if it did: it may crash while it
  // cleans up after the case, or report memory that it has not freed.
  virtual std::optional<Death> stop() { return std::nullopt; }
};

class Iut {
 public:
  virtual ~Iut() = default;

  // The URI that the user gave.
  virtual std::string name() const = 0;
  // States which end of a recorded flow is judged: "iut=ADDRESS:PORT", or "tester=ADDRESS:PORT" if no address
  // identifies the IUT.
  virtual std::string capture_note() const = 0;
  virtual Framing framing() const = 0;
  // For an IUT that was started for the next case: takes the first line that it has written. The line may contain the
  // URI at which it listens. False if the line lacks what is needed.
  virtual bool learn(std::string_view) { return true; }
  // The next environment is for the case with this index among `all`, even if other processes run the others.
  virtual void at_case([[maybe_unused]] std::size_t place, [[maybe_unused]] std::size_t all) {}
  virtual tl::expected<std::unique_ptr<Environment>, TransportError> begin(const Case& next) = 0;
  // Waits for a peer that is gone to come back.
  virtual void pause(std::chrono::nanoseconds duration) = 0;
};

}  // namespace wirelaw
