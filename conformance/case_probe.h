// SPDX-License-Identifier: Apache-2.0
// What the probes of all protocols are: a conversation of a case, and the outcomes that it may have. A case is written
// as a straight line: once something has failed, is missing or is broken, a probe stays stopped, and every further call
// does nothing.
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
  // Speaks through a conversation that it gets of the run, or is stopped.
  explicit CaseProbe(CaseRun& run, const Route& route = {}) : run_(run) { connect(route); }
  // Waits for the IUT to connect to that node of ours, whatever it plays.
  struct Awaited {
    Route route;
  };
  CaseProbe(CaseRun& run, const Awaited& awaited) : run_(run) { accept(awaited.route); }
  // Through one that the case has got itself.
  CaseProbe(CaseRun& run, std::unique_ptr<Transport> transport) : run_(run), transport_(std::move(transport)) {}
  CaseProbe(const CaseProbe&) = delete;
  CaseProbe& operator=(const CaseProbe&) = delete;

  bool ok() const { return ok_; }
  CaseRun& run() const { return run_; }

  // --- outcomes; each stops the probe, `advise` and a `require` that holds do not
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

  // --- octets, as they are
  void send_octets(Octets octets) {
    if (!ok_) return;
    if (const auto sent = transport_->send(octets); !sent) broken(sent.error());
  }
  // What comes next; nothing where `deadline` has passed, the stream has ended or the probe has stopped.
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

  // A conversation in place of the one so far, if any.
  void connect(const Route& route = {}) { take(run_.connect(route)); }
  // One that waits for the IUT to connect to us.
  void accept(const Route& route) { take(run_.accept(route)); }
  void replace(std::unique_ptr<Transport> transport) { transport_ = std::move(transport); }
  void stop() { ok_ = false; }
  bool connected() const { return transport_ != nullptr; }
  // Only of a probe that is connected; a probe that is ok() is.
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

// Case::run from what a case does with its probe, which is named after the IUT that it probes:
//   .run = with<ServerProbe>([](ServerProbe& server) { … })
// Cases whose shape repeats are rows of a table, and the body holds its row:
//   .run = with<ServerProbe>([&row](ServerProbe& server) { … })
template <class Probe, class Body>
auto with(Body body) {
  return [body](CaseRun& run) {
    Probe probe(run);
    body(probe);
  };
}

}  // namespace wirelaw
