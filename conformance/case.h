// SPDX-License-Identifier: Apache-2.0
// A case: a stimulus for an implementation under test (IUT), and the required reaction. The protocol's observer judges
// everything that the IUT sends at the same time; a case adds rules that only a stimulus can test.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/route.h"
#include "conformance/rule.h"
#include "conformance/transport.h"

namespace wirelaw {

class CaseRun;

// The behaviour of the application above the IUT, declared by the user. `wirelaw test --help` states the contract. An
// application also serves the cases that need one earlier in this list.
enum class Service : std::uint8_t {
  none,   // answers nothing that a case could predict
  smb2,   // an SMB2 server (SMB Direct only): answers requests of many lengths, each with the same number of octets
  echo,   // answers a request with the octets of the request
  count,  // as echo, but answers a request that begins with kCountRequest with the number of such requests so far, as
          // four little-endian octets
};
inline constexpr std::string_view kCountRequest = "WIRELAW-COUNT";

struct Case {
  std::string_view id;  // "open/token-is-accepted"
  Role iut;             // the role that the IUT plays
  std::vector<const Rule*> rules;
  std::string_view purpose;  // one sentence
  Service needs = Service::none;
  std::function<void(CaseRun&)> run;  // may hold the table row that the case is made from
  // The case replaces the application above the peer for good: nothing is left to serve an honest exchange after it.
  bool takes_application = false;
  // What a pass rests on, if the case itself decides nothing.
  std::string_view pass_note = {};
};

// An RPC or transfer that an IUT in the initiator role is asked to start. An IUT that checks responses against the
// echo contract, and stops calling after a wrong one, shows cases how it read them.
struct TriggerRequest {
  std::size_t octets = 64;  // size of the request
  unsigned count = 1;       // number of requests, in sequence unless `parallel`
  bool parallel = false;
};

// The operations of a running case, implemented by the runner. The verdict is what the case has reported when it
// returns.
class CaseRun {
 public:
  virtual ~CaseRun() = default;

  // IUT as responder: opens a conversation from a fresh port of the route's node. IUT as initiator: listens, and the
  // first endpoint that sends is the peer. If the route does not exist, the error is TransportError::no_way: a case
  // may then try another route, or pass the error to broken(), which skips the case.
  virtual tl::expected<std::unique_ptr<Transport>, TransportError> connect(const Route& route = {}) = 0;
  // Listens for the next connection to the route's node and port, whatever role the IUT plays.
  virtual tl::expected<std::unique_ptr<Transport>, TransportError> accept(const Route& route) = 0;
  // IUT as initiator: makes it start. IUT as responder: does nothing.
  virtual tl::expected<void, TransportError> trigger(const TriggerRequest& request) = 0;

  // The longest time that the IUT may take to answer, and the shortest time that counts as silence.
  virtual std::chrono::nanoseconds answer_time() const = 0;
  virtual std::chrono::nanoseconds silence_time() const = 0;
  // The longest time that the whole case may take. A case that needs longer skips itself with that reason.
  virtual std::chrono::nanoseconds deadline() const { return std::chrono::nanoseconds::max(); }
  virtual Service application() const = 0;
  // The value that the user declared for the IUT (Protocol::parameters), by name. Empty if none was declared.
  virtual std::string_view parameter(std::string_view) const { return {}; }
  // A number for the names that a case creates in the IUT, so that no other case or run uses them. Random for a live
  // IUT. Always 0 in memory, because the same seed must repeat the same run.
  virtual std::uint64_t nonce() const { return 0; }
  // True if the user declared this feature of the IUT (Protocol::features).
  virtual bool declares(std::string_view) const { return false; }

  // --- outcomes: the first failure or skip decides; `require` may be called any number of times
  // Counts the rule as exercised. If `holds` is false, the case fails and a finding is kept that points at the last
  // message from the IUT. `octets` is empty if the fault is silence.
  virtual bool require(const Rule& rule, bool holds, std::string_view expected, std::string_view actual,
                       std::string_view explanation = {}) = 0;
  // Like require(), but reports a warning, because another reading of the specification allows the behaviour.
  virtual bool advise(const Rule& rule, bool holds, std::string_view expected, std::string_view actual,
                      std::string_view explanation = {}) = 0;
  // Names the rule that the following messages stimulate. A peer that they crash breaks this rule.
  virtual void stimulates(const Rule&) {}
  virtual void skip(std::string_view reason) = 0;
  virtual void inconclusive(std::string_view reason) = 0;
  // The transport failed: the peer cannot be reached, or died. If the error is only that the route does not exist,
  // the case is skipped.
  virtual void broken(const TransportError& error) = 0;

  // --- for senders that many cases share
  // Like stimulates(), for the first rule of the case that only a stimulus can show. Does nothing if the case has named
  // a rule.
  virtual void stimulates_own_rule() {}
  // The following messages stimulate no rule: no peer must expect them, and a peer that they crash breaks no rule.
  virtual void stimulates_nothing() {}
};

}  // namespace wirelaw
