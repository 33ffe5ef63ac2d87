// SPDX-License-Identifier: Apache-2.0
// An IUT whose application a case drives (conformance/efa/application.h), from both ends of one conversation: the probe
// speaks the wire protocol, and RDMA if the transport has it. A case acts at one end and judges at the other.
//
// DrivenResponder and DrivenRequester have the same functions for rules that bind both roles. If nothing can drive the
// application, the case is skipped. As with every probe, calls after a failure do nothing.
#pragma once

#include <deque>
#include <optional>

#include "conformance/efa/application.h"
#include "conformance/efa/probes/case_file.h"

namespace wirelaw::efa {

// The application's end of the conversation, for a probe of either role.
class Driver {
 public:
  Driver(Probe& probe, fabric::Application* application) : probe_(probe), application_(application) {}

  // Skips the case if no application takes calls.
  void begin();
  bool there() const { return application_ != nullptr; }
  // Valid only while the case continues:
  fabric::Application& calls() const { return *application_; }
  const fabric::Abilities& abilities() const { return *abilities_; }

  // --- calls: the case is inconclusive if one is refused
  template <class Call>
  void post(const Call& call) {
    if (!probe_.ok()) return;
    if (const auto posted = application_->post(call); !posted) refused(posted.error());
  }
  // Makes a call that may be refused or fail, and returns its outcome.
  template <class Call>
  std::optional<fabric::Completion> outcome_of(const Call& call) {
    if (!probe_.ok()) return std::nullopt;
    if (const auto posted = application_->post(call); !posted)
      return fabric::Completion{.context = call.context, .error = posted.error().message};
    return completion_of(call.context);
  }
  RmaIov region(Octets initial);
  // Causes this trouble; skips the case if the device cannot.
  void trouble(const fabric::Trouble& trouble);
  OctetBuffer buffer(fabric::Context context);
  OctetBuffer memory(std::uint64_t key);

  // --- what is reported; the wire is served meanwhile
  std::optional<fabric::Completion> completion(std::chrono::nanoseconds time);
  // The completion of this call; other completions stay in the queue.
  std::optional<fabric::Completion> completion_of(fabric::Context context);
  std::optional<fabric::Completion> completion() { return completion(probe_.run().answer_time()); }
  // Expects that the call completes with success.
  bool expect_completion(const Rule& rule, fabric::Context context, std::string_view explanation = {});
  // Expects no packet at all during the silence time.
  bool expect_silence(const Rule& rule, std::string_view explanation = {});

 private:
  void refused(const fabric::CallError& error);
  std::optional<fabric::Completion> next(Instant deadline);
  template <class T>
  T had(fabric::Application::Outcome<T> outcome) {
    if (outcome) return std::move(*outcome);
    refused(outcome.error());
    return {};
  }

  Probe& probe_;
  fabric::Application* application_;
  const fabric::Abilities* abilities_ = nullptr;
  std::deque<fabric::Completion> kept_;
};

std::string to_text(const std::optional<fabric::Completion>& completion);

// The common part of the driven peers of both roles, above the probe that sends and receives packets.
template <class Wire>
class Driven : public Wire {
 public:
  explicit Driven(CaseRun& run);

  // Does what must happen before the probe can send: a listening tester knows its peer only after the peer has begun.
  // Neither side sends a HANDSHAKE. The case is inconclusive if this fails.
  void approach();
  // Exchanges the first message and both HANDSHAKEs. The case is inconclusive if this fails.
  void meet();
  // Sends a message to the application as a correct peer does.
  void send_to_app(const OctetBuffer& message);
  // The next message of the application; empty if none comes.
  std::optional<WholeMessage> take_message();

  Driver app;
};

class DrivenResponder : public Driven<ResponderProbe> {
  using Driven::Driven;
};
class DrivenRequester : public Driven<RequesterProbe> {
  using Driven::Driven;
};

// A row of a table of cases: one rule, for an IUT whose application can be driven.
CaseRow driven_case(std::string_view id, const Rule& rule, std::string_view purpose, void (*body)(DrivenResponder&));
CaseRow driven_case(std::string_view id, const Rule& rule, std::string_view purpose, void (*body)(DrivenRequester&));

// Contexts of calls must differ. The context of meet() is the highest.
inline constexpr fabric::Context kMeeting = 0xfeed;
// The address range of the tester's memory that an application accesses by packets. The tester answers for all of it.
inline constexpr RmaIov kLent{.addr = 0x7000'0000, .len = std::uint64_t{1} << 20, .key = 0x1122'3344'5566'7788};

}  // namespace wirelaw::efa
