// SPDX-License-Identifier: Apache-2.0
// The base of the probes of all protocols: a conversation of a case and its outcomes. A case reads as a straight
// line: once something fails, is missing or is broken, the probe stops, and every further call does nothing.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "conformance/case.h"

namespace wirelaw {

class CaseProbe {
 public:
  // Uses a conversation that the run opens. The probe is stopped if the run cannot open it.
  explicit CaseProbe(CaseRun& run, const Route& route = {}) : run_(run) { connect(route); }
  // Waits for the IUT to connect to this node of the tester, whatever role the IUT plays.
  struct Awaited {
    Route route;
  };
  CaseProbe(CaseRun& run, const Awaited& awaited) : run_(run) { accept(awaited.route); }
  // Uses a conversation that the case has opened itself.
  CaseProbe(CaseRun& run, std::unique_ptr<Transport> transport) : run_(run), transport_(std::move(transport)) {}
  CaseProbe(const CaseProbe&) = delete;
  CaseProbe& operator=(const CaseProbe&) = delete;

  bool ok() const { return ok_; }
  CaseRun& run() const { return run_; }

  // --- outcomes: each stops the probe, except `advise` and a `require` that holds
  bool require(const Rule& rule, bool holds, std::string_view expected, std::string_view actual,
               std::string_view explanation = {}) {
    if (!ok_) return false;
    ok_ = run_.require(rule, holds, expected, actual, explanation);
    return ok_;
  }
  bool advise(const Rule& rule, bool holds, std::string_view expected, std::string_view actual,
              std::string_view explanation = {}) {
    return ok_ && run_.advise(rule, holds, expected, actual, explanation);
  }
  void stimulates(const Rule& rule) {
    if (ok_) run_.stimulates(rule);
  }
  void stimulates_own_rule() {
    if (ok_) run_.stimulates_own_rule();
  }
  void stimulates_nothing() {
    if (ok_) run_.stimulates_nothing();
  }
  void inconclusive(std::string_view reason) {
    if (ok_) run_.inconclusive(reason);
    ok_ = false;
  }
  void skip(std::string_view reason) {
    if (ok_) run_.skip(reason);
    ok_ = false;
  }

  // --- raw octets
  void send_octets(Octets octets) {
    if (!ok_) return;
    if (const auto sent = transport_->send(octets); !sent) broken(sent.error());
  }
  // Returns what arrives next. Empty if `deadline` has passed, the stream has ended or the probe has stopped.
  std::optional<OctetBuffer> receive_octets(Instant deadline) {
    if (!ok_) return std::nullopt;
    auto octets = transport_->receive(deadline);
    if (octets) return std::move(*octets);
    broken(octets.error());
    return std::nullopt;
  }

  // --- time
  Instant now() const { return transport_ ? transport_->now() : Instant{}; }
  Instant in(std::chrono::nanoseconds time) const { return now() + time; }

 protected:
  ~CaseProbe() = default;

  // Opens a conversation, which replaces the present one if there is one.
  void connect(const Route& route = {}) { take(run_.connect(route)); }
  // For a protocol that knows nodes by their addresses: on one machine, the tester must not have the address of the
  // IUT. Connects from another one if it has. Returns the tester's node.
  unsigned avoid_address_of_iut(Route route = {}) {
    constexpr unsigned kInstead = 200;
    if (!ok_ || route.node != 0) return route.node;
    const auto ends = transport_->ends();
    if (!ends || ends->tester.address != ends->iut.address) return route.node;
    route.node = kInstead;
    connect(route);
    return route.node;
  }
  // Like connect(), but waits for the IUT to connect.
  void accept(const Route& route) { take(run_.accept(route)); }
  void replace(std::unique_ptr<Transport> transport) { transport_ = std::move(transport); }
  void stop() { ok_ = false; }
  bool connected() const { return transport_ != nullptr; }
  // Only valid if the probe is connected. A probe that is ok() is connected.
  Transport& transport() const { return *transport_; }

 private:
  void take(tl::expected<std::unique_ptr<Transport>, TransportError> transport) {
    if (transport)
      transport_ = std::move(*transport);
    else
      broken(transport.error());
  }
  void broken(const TransportError& error) {
    run_.broken(error);
    ok_ = false;
  }

  CaseRun& run_;
  std::unique_ptr<Transport> transport_;
  bool ok_ = true;
};

}  // namespace wirelaw
