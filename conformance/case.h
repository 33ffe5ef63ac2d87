// SPDX-License-Identifier: Apache-2.0
// A case: a stimulus for an implementation under test (IUT), and what must come back. Whatever the IUT sends is judged
// by the protocol's observer at the same time; a case adds what only a stimulus can show.
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

// What the application above the IUT does, declared by the user. The contract is in `wirelaw test --help`. Each is good
// for the cases that need one before it.
enum class Service : std::uint8_t {
  none,   // answers nothing that a case could foresee
  smb2,   // is a server of SMB2 (of SMB Direct alone), which answers requests of many lengths, each by as many octets
  echo,   // answers a request with the request's own octets
  count,  // as echo, and a request that begins with kCountRequest is answered with the number of times that the
          // application has been called with such a request, as four little-endian octets
};
inline constexpr std::string_view kCountRequest = "WIRELAW-COUNT";

struct Case {
  std::string_view id;  // "open/token-is-accepted"
  Role iut;             // the role that the IUT plays
  std::vector<const Rule*> rules;
  std::string_view purpose;  // one sentence
  Service needs = Service::none;
  std::function<void(CaseRun&)> run;  // may hold the row of a table that it is made from
  // It takes the place of the application above the peer, for good: nobody is there who would serve an honest exchange
  // behind it.
  bool takes_application = false;
};

// An RPC or transfer that an IUT in the initiator's role is asked to start. One that checks its responses against the
// echo contract, and makes no more calls after a wrong one, lets cases see what it made of them.
struct TriggerRequest {
  std::size_t octets = 64;  // size of the request
  unsigned count = 1;       // how many, one after the other unless `parallel`
  bool parallel = false;
};

// What a running case may do. The runner implements it; the verdict is what the case has reported when it returns.
class CaseRun {
 public:
  virtual ~CaseRun() = default;

  // IUT as responder: a new conversation from a fresh port of the route's node. IUT as initiator: the listening side;
  // the peer is the first endpoint that sends. If there is no such route, the error is TransportError::no_way, which a
  // case may answer by another route; what it gives to broken() is its reason to be skipped.
  virtual tl::expected<std::unique_ptr<Transport>, TransportError> connect(const Route& route = {}) = 0;
  // The listening side, whatever the IUT plays: a conversation that waits for the next who connects to the route's
  // node, at its port.
  virtual tl::expected<std::unique_ptr<Transport>, TransportError> accept(const Route& route) = 0;
  // IUT as initiator: makes it start. Nothing to do for a responder.
  virtual tl::expected<void, TransportError> trigger(const TriggerRequest& request) = 0;

  // How long the IUT may take to answer, and how long silence must last to count as silence.
  virtual std::chrono::nanoseconds answer_time() const = 0;
  virtual std::chrono::nanoseconds silence_time() const = 0;
  // How long the whole case may take: one that knows that it takes longer is skipped, and says so.
  virtual std::chrono::nanoseconds deadline() const { return std::chrono::nanoseconds::max(); }
  virtual Service application() const = 0;
  // What the user has said of the IUT (Protocol::parameters), by name; empty where nothing was said.
  virtual std::string_view parameter(std::string_view) const { return {}; }
  // A number for names of what a case creates in the IUT, so that no other case or run uses the same names: random for
  // a live IUT. In memory it is always 0, because a seed must give the same run again.
  virtual std::uint64_t nonce() const { return 0; }
  // Whether the user has declared this feature of the IUT (Protocol::features).
  virtual bool declares(std::string_view) const { return false; }

  // --- outcomes; the first failure or skip decides, `require` may be called any number of times
  // Counts the rule as exercised; where it does not hold, the case fails and a finding is kept that points at the last
  // message from the IUT (`octets` empty where the fault is silence).
  virtual bool require(const Rule& rule, bool holds, std::string_view expected, std::string_view actual,
                       std::string_view explanation = {}) = 0;
  // The same as a warning: another reading of the specification allows it.
  virtual bool advise(const Rule& rule, bool holds, std::string_view expected, std::string_view actual,
                      std::string_view explanation = {}) = 0;
  // What is sent from here on is the stimulus of this rule: a peer that dies of it breaks the rule.
  virtual void stimulates(const Rule&) {}
  virtual void skip(std::string_view reason) = 0;
  virtual void inconclusive(std::string_view reason) = 0;
  // The transport failed: the peer cannot be reached, or died. Where it is only that there is no such way to it, the
  // case is skipped.
  virtual void broken(const TransportError& error) = 0;

  // --- for the senders that many cases share
  // As stimulates(), of the first of the case's rules that only a stimulus can show, unless the case has named one.
  virtual void stimulates_own_rule() {}
  // From here on what is sent is nobody's stimulus: no peer has to expect it, and one that dies of it breaks nothing.
  virtual void stimulates_nothing() {}
};

}  // namespace wirelaw
