// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/probes/driven.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/efa/roles.h"

namespace wirelaw::efa {
namespace {

// The time for which the wire is served between two queries to the application.
constexpr std::chrono::milliseconds kSlice{2};

}  // namespace

std::string to_text(const std::optional<fabric::Completion>& completion) {
  return completion ? fabric::to_text(*completion) : "no completion";
}

void Driver::begin() {
  if (!probe_.ok()) return;
  if (there()) abilities_ = application_->begin(probe_.identity().address);
  if (abilities_ == nullptr)
    probe_.skip("needs an IUT whose application can be driven: WIRELAW_CONTROL in its environment, see --help");
}

void Driver::refused(const fabric::CallError& error) {
  probe_.inconclusive("a call of the application failed: " + error.message);
}

RmaIov Driver::region(Octets initial) {
  return probe_.ok() ? had(application_->register_memory(initial)) : RmaIov{};
}

void Driver::trouble(const fabric::Trouble& trouble) {
  if (!probe_.ok()) return;
  const bool able = (!trouble.packets || abilities().fills_queue) &&
                    (trouble.registers || abilities().fails_registrations) &&
                    (trouble.reaches || abilities().loses_peer);
  if (!able) return probe_.skip("needs a device that can be made to refuse work");
  if (const auto made = application_->trouble(trouble); !made) refused(made.error());
}

OctetBuffer Driver::buffer(fabric::Context context) {
  return probe_.ok() ? had(application_->buffer(context)) : OctetBuffer{};
}

OctetBuffer Driver::memory(std::uint64_t key) {
  return probe_.ok() ? had(application_->memory(key)) : OctetBuffer{};
}

std::optional<fabric::Completion> Driver::next(Instant deadline) {
  while (probe_.ok()) {
    auto reported = application_->completion(probe_.now());
    if (!reported) return std::nullopt;  // the runner knows
    if (*reported) return std::move(**reported);
    if (probe_.now() >= deadline) return std::nullopt;
    probe_.pump(std::min<Instant>(deadline, probe_.in(kSlice)));
  }
  return std::nullopt;
}

std::optional<fabric::Completion> Driver::completion(std::chrono::nanoseconds time) {
  if (kept_.empty()) return next(probe_.in(time));
  fabric::Completion first = std::move(kept_.front());
  kept_.pop_front();
  return first;
}

std::optional<fabric::Completion> Driver::completion_of(fabric::Context context) {
  const auto is_it = [context](const fabric::Completion& one) { return one.context == context; };
  if (const auto found = std::ranges::find_if(kept_, is_it); found != kept_.end()) {
    fabric::Completion one = std::move(*found);
    kept_.erase(found);
    return one;
  }
  const Instant deadline = probe_.in(probe_.run().answer_time());
  while (auto one = next(deadline)) {
    if (is_it(*one)) return one;
    kept_.push_back(std::move(*one));
  }
  return std::nullopt;
}

bool Driver::expect_completion(const Rule& rule, fabric::Context context, std::string_view explanation) {
  if (!probe_.ok()) return false;
  const auto reported = completion_of(context);
  return probe_.ok() && probe_.require(rule, reported && reported->ok(), fmt::format("success of context {}", context),
                                       to_text(reported), explanation);
}

bool Driver::expect_silence(const Rule& rule, std::string_view explanation) {
  if (!probe_.ok()) return false;
  const auto reported = completion(probe_.run().silence_time());
  return probe_.ok() && probe_.require(rule, !reported, "no completion", to_text(reported), explanation);
}

// --------------------------------------------------------------------------------------------------------- both ends

template <class Wire>
Driven<Wire>::Driven(CaseRun& run)
    : Wire(run), app(*this, this->ok() ? fabric::application_of(this->transport()) : nullptr) {
  if constexpr (std::is_same_v<Wire, RequesterProbe>) {
    this->hold();
    if (app.there()) this->trigger({.octets = 0, .count = 0});
  }
  app.begin();
}

template <>
void Driven<ResponderProbe>::send_to_app(const OctetBuffer& message) {
  send_message(message);
}

template <>
void Driven<RequesterProbe>::send_to_app(const OctetBuffer& message) {
  if (ok()) intake().send_message({.msg_id = next_msg_id(), .octets = message});
}

template <class Wire>
std::optional<WholeMessage> Driven<Wire>::take_message() {
  auto& messages = this->intake().messages();
  if (!this->await_until(this->in(2 * this->run().answer_time()), [&] { return !messages.empty(); }))
    return std::nullopt;
  WholeMessage message = std::move(messages.front());
  messages.pop_front();
  return message;
}

template <>
void Driven<ResponderProbe>::approach() {}

template <>
void Driven<RequesterProbe>::approach() {
  handshake_by_hand();
  app.post(fabric::Send{.context = kMeeting, .data = text("a plain eager message")});
  if (!take_message()) inconclusive("the application's first message did not come");
  if (const auto completion = app.completion_of(kMeeting); !completion || !completion->ok())
    inconclusive("the application's first message was not completed: " + to_text(completion));
}

template <class Wire>
void Driven<Wire>::meet() {
  const OctetBuffer hello = text("a plain eager message");
  if constexpr (std::is_same_v<Wire, ResponderProbe>) {
    app.post(fabric::Receive{.context = kMeeting, .octets = 64});
    send_to_app(hello);
  } else {
    app.post(fabric::Send{.context = kMeeting, .data = hello});
    if (!take_message()) this->inconclusive("the application's first message did not come");
  }
  if (!this->await_handshake()) this->inconclusive("no HANDSHAKE came, so the case could not begin");
  const auto completion = this->ok() ? app.completion_of(kMeeting) : std::nullopt;
  if (!completion || !completion->ok())
    this->inconclusive("the first message was not completed, so the case could not begin: " + to_text(completion));
  this->settle();
}

template class Driven<ResponderProbe>;
template class Driven<RequesterProbe>;

CaseRow driven_case(std::string_view id, const Rule& rule, std::string_view purpose, void (*body)(DrivenResponder&)) {
  return {id, {&rule}, purpose, with<DrivenResponder>(body), Service::none, true};
}
CaseRow driven_case(std::string_view id, const Rule& rule, std::string_view purpose, void (*body)(DrivenRequester&)) {
  return {id, {&rule}, purpose, with<DrivenRequester>(body), Service::none, true};
}

}  // namespace wirelaw::efa
