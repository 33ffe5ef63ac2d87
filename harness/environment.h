// SPDX-License-Identifier: Apache-2.0
// Where a case runs: the implementation under test (IUT) and the ways to it. There is one for a peer in memory, and
// one for live peers.
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

// What the user has declared about the IUT, by name (Protocol::parameters).
using IutParameters = std::vector<std::pair<std::string, std::string>>;

// A wire that knows its two ends, as people write them: "192.0.2.1:31201".
class Conversation : public Wire {
 public:
  virtual std::string tester() const = 0;
  // Empty as long as a listening tester has received nothing from the IUT; of a stream, as long as there is no
  // connection.
  virtual std::string iut() const = 0;
  // Whether the IUT tolerates an end of the conversation that no case has requested.
  virtual bool may_end() { return true; }
};

// A conversation, and what there is beyond its wire. A decorator of the wire leaves the rest as it is.
struct Connected {
  std::unique_ptr<Conversation> wire;
  Offers offers = {};      // last as long as the wire
  bool datagrams = false;  // datagrams to an IUT that uses streams (Route::datagrams)
};

// How the messages of an IUT travel.
struct Framing {
  std::string_view transport;       // as written before a flow's addresses: "udp", "tcp"
  bool is_stream = false;           // octets without boundaries, on a connection that has a beginning and an end
  std::string_view dissector = {};  // for a transport without network headers: the Wireshark dissector of its packets,
                                    // which are recorded as exported PDUs
  bool is_spoken = true;            // false: both ends have consumers, and the tester does not speak the wire protocol
                                    // between them
  bool is_rendered = false;         // a device speaks the wire: what carries the protocol here is our own rendering of
                                    // that, and is not judged
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

// How the IUT's process has ended.
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

  // Both as CaseRun has them.
  virtual tl::expected<Connected, TransportError> connect(const Route& route = {}) = 0;
  virtual tl::expected<Connected, TransportError> accept(const Route&) {
    return tl::unexpected(no_way("the tester does not listen beside this transport"));
  }
  virtual tl::expected<void, TransportError> trigger(const TriggerRequest& request) = 0;
  virtual Instant now() const = 0;
  // What Message::time_ns is at Instant{0}.
  virtual std::int64_t epoch_ns() const = 0;
  // What is known of the IUT's inner state, for people; empty if nothing is.
  virtual std::string peer_state() const = 0;

  // What the IUT itself printed when it was started, so that the user need not give it.
  virtual IutParameters parameters() const { return {}; }
  // CaseRun::nonce().
  virtual std::uint64_t nonce() const { return 0; }
  // Set if the IUT's process has ended, or, if `expected`, ends soon.
  virtual std::optional<Death> death(bool) { return std::nullopt; }
  // Asks a process that was started for this case alone to end, and reports how it has crashed, if it has: it may crash
  // while it cleans up what the case has left, or report memory that it has not freed.
  virtual std::optional<Death> stop() { return std::nullopt; }
};

class Iut {
 public:
  virtual ~Iut() = default;

  // The URI that the user gave.
  virtual std::string name() const = 0;
  // Which end of a recorded flow is judged: "iut=ADDRESS:PORT", or "tester=ADDRESS:PORT" if the IUT has no address that
  // identifies it.
  virtual std::string capture_note() const = 0;
  virtual Framing framing() const = 0;
  // For an IUT that was started for the next case: takes the first line that it has written. The line may contain the
  // URI at which it listens. False if the line lacks what is needed.
  virtual bool learn(std::string_view) { return true; }
  // What begins next belongs to the case of this place among `all`, wherever the others are run.
  virtual void at_case([[maybe_unused]] std::size_t place, [[maybe_unused]] std::size_t all) {}
  virtual tl::expected<std::unique_ptr<Environment>, TransportError> begin(const Case& next) = 0;
  // Gives a peer that has gone a moment to come back.
  virtual void pause(std::chrono::nanoseconds duration) = 0;
};

}  // namespace wirelaw
