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

#include "conformance/carriage.h"
#include "conformance/case.h"
#include "conformance/own_address.h"
#include "conformance/rdma.h"
#include "conformance/verbs.h"

namespace wirelaw::fabric {
class Application;  // conformance/efa/application.h
}

namespace wirelaw {

// What the user has said of the IUT, by name (Protocol::parameters).
using IutParameters = std::vector<std::pair<std::string, std::string>>;

// A carriage that knows its two ends, as people write them: "192.0.2.1:31201".
class Conversation : public Carriage {
 public:
  virtual std::string tester() const = 0;
  // nullptr where it carries messages alone.
  virtual Rdma* rdma() { return nullptr; }
  // Where the IUT is driven through verbs: its application's end of this conversation, and ours where it has no wire.
  virtual verbs::Consumer* consumer() { return nullptr; }
  virtual verbs::Consumer* far_consumer() { return nullptr; }
  // Whether the IUT can stand an end of the conversation that no case has asked for.
  virtual bool may_end() { return true; }
  // A case drives the consumers from now on, in place of the application that was above them.
  virtual void take_consumer() {}
  virtual std::optional<OwnAddress> own_address() const { return std::nullopt; }
  // That above the IUT's endpoint, which a case drives from now on; nullptr where there is no way to it.
  virtual fabric::Application* application() { return nullptr; }
  // Empty as long as a listening tester has not heard from the IUT; of a stream, as long as there is no connection.
  virtual std::string iut() const = 0;
};

// Whether what travels this way is octets without boundaries, on a connection that has a beginning and an end.
constexpr bool is_stream(std::string_view transport) {
  return transport == "tcp";
}

// The surroundings of one case. Conversations must not outlive it.
class Environment {
 public:
  virtual ~Environment() = default;

  virtual tl::expected<std::unique_ptr<Conversation>, CarriageError> connect() = 0;
  virtual tl::expected<void, CarriageError> trigger(const TriggerRequest& request) = 0;
  virtual Instant now() const = 0;
  // What Message::time_ns is at Instant{0}.
  virtual std::int64_t epoch_ns() const = 0;
  // What is known of the IUT's inner state, for people; empty where nothing is.
  virtual std::string peer_state() const = 0;

  // What the IUT itself has said when it was started, and the user need not say.
  virtual IutParameters parameters() const { return {}; }
  // What an IUT in the initiator's role has to know of its tester before it begins, besides where to connect; known
  // before trigger().
  virtual void introduce(std::string_view, std::string) {}
  // How the IUT's process has ended, if it has, or does so soon where `expected`: "killed by signal 6 (Aborted)".
  virtual std::optional<std::string> death(bool) { return std::nullopt; }
};

class Iut {
 public:
  virtual ~Iut() = default;

  // The URI that the user gave.
  virtual std::string name() const = 0;
  // Which end of a recorded flow is judged: "iut=ADDRESS:PORT", or, where the IUT has no address of its own to tell it
  // by, "tester=ADDRESS:PORT".
  virtual std::string capture_note() const = 0;
  // How messages travel, as it stands before a flow's addresses: "udp", "tcp".
  virtual std::string_view transport() const = 0;
  // Of a transport that is no network's: the Wireshark dissector of its packets, which are recorded as exported PDUs.
  virtual std::string_view dissector() const { return {}; }
  // Of one that was started for the next case: the first line that it has written. It may say where it listens, as the
  // URI that others would use. False where it does not say what is needed.
  virtual bool heard(std::string_view) { return true; }
  virtual tl::expected<std::unique_ptr<Environment>, CarriageError> begin(const Case& next) = 0;
  // Gives a peer that has gone a moment to come back.
  virtual void pause(std::chrono::nanoseconds duration) = 0;
};

}  // namespace wirelaw
