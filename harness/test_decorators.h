// SPDX-License-Identifier: Apache-2.0
// For tests: pass-through wrappers for an IUT. A test overrides what it needs.
#pragma once

#include <memory>
#include <utility>

#include "harness/environment.h"

namespace wirelaw {

class ConversationAround : public Conversation {
 public:
  explicit ConversationAround(std::unique_ptr<Conversation> inner) : inner_(std::move(inner)) {}
  std::string tester() const override { return inner_->tester(); }
  std::string iut() const override { return inner_->iut(); }
  bool may_end() override { return inner_->may_end(); }
  tl::expected<void, TransportError> send(Octets octets) override { return inner_->send(octets); }
  tl::expected<std::optional<OctetBuffer>, TransportError> receive(Instant deadline) override {
    return inner_->receive(deadline);
  }
  Instant now() const override { return inner_->now(); }
  void end(Ending ending) override { inner_->end(ending); }
  Ending ending() const override { return inner_->ending(); }

 protected:
  Conversation& inner() { return *inner_; }

 private:
  std::unique_ptr<Conversation> inner_;
};

// Passes each of its conversations, opened or accepted, through around().
class EnvironmentAround : public Environment {
 public:
  explicit EnvironmentAround(std::unique_ptr<Environment> inner) : inner_(std::move(inner)) {}
  tl::expected<Connected, TransportError> connect(const Route& route) override { return made(inner_->connect(route)); }
  tl::expected<Connected, TransportError> accept(const Route& route) override { return made(inner_->accept(route)); }
  tl::expected<void, TransportError> trigger(const TriggerRequest& request) override {
    return inner_->trigger(request);
  }
  Instant now() const override { return inner_->now(); }
  std::int64_t epoch_ns() const override { return inner_->epoch_ns(); }
  std::string peer_state() const override { return inner_->peer_state(); }
  std::uint64_t nonce() const override { return inner_->nonce(); }
  IutParameters parameters() const override { return inner_->parameters(); }
  std::optional<Death> death(bool expected) override { return inner_->death(expected); }
  std::optional<Death> stop() override { return inner_->stop(); }

 protected:
  Environment& inner() { return *inner_; }
  virtual std::unique_ptr<Conversation> around(std::unique_ptr<Conversation> wire) { return wire; }

 private:
  tl::expected<Connected, TransportError> made(tl::expected<Connected, TransportError> connected) {
    if (connected) connected->wire = around(std::move(connected->wire));
    return connected;
  }

  std::unique_ptr<Environment> inner_;
};

// Passes the environment of each of its cases through around().
class IutAround : public Iut {
 public:
  explicit IutAround(std::unique_ptr<Iut> inner) : inner_(std::move(inner)) {}
  std::string name() const override { return inner_->name(); }
  std::string capture_note() const override { return inner_->capture_note(); }
  Framing framing() const override { return inner_->framing(); }
  bool learn(std::string_view line) override { return inner_->learn(line); }
  void at_case(std::size_t place, std::size_t all) override { inner_->at_case(place, all); }
  tl::expected<std::unique_ptr<Environment>, TransportError> begin(const Case& next) override {
    auto made = inner_->begin(next);
    if (made) *made = around(std::move(*made), next);
    return made;
  }
  void pause(std::chrono::nanoseconds duration) override { inner_->pause(duration); }

 protected:
  virtual std::unique_ptr<Environment> around(std::unique_ptr<Environment> environment, const Case& next) = 0;

 private:
  std::unique_ptr<Iut> inner_;
};

}  // namespace wirelaw
