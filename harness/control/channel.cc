// SPDX-License-Identifier: Apache-2.0
#include "harness/control/channel.h"

namespace wirelaw::control {
namespace {

class ControlledConversation final : public Conversation {
 public:
  ControlledConversation(std::unique_ptr<Conversation> inner, fabric::Application& application)
      : inner_(std::move(inner)), application_(application) {}

  fabric::Application* application() override { return &application_; }

  tl::expected<void, CarriageError> send(Octets message) override { return inner_->send(message); }
  tl::expected<std::optional<OctetBuffer>, CarriageError> receive(Instant deadline) override {
    return inner_->receive(deadline);
  }
  Instant now() const override { return inner_->now(); }
  void end(Ending ending) override { inner_->end(ending); }
  Ending ending() const override { return inner_->ending(); }
  std::string tester() const override { return inner_->tester(); }
  Rdma* rdma() override { return inner_->rdma(); }
  verbs::Consumer* consumer() override { return inner_->consumer(); }
  verbs::Consumer* far_consumer() override { return inner_->far_consumer(); }
  void take_consumer() override { inner_->take_consumer(); }
  std::optional<OwnAddress> own_address() const override { return inner_->own_address(); }
  std::string iut() const override { return inner_->iut(); }

 private:
  std::unique_ptr<Conversation> inner_;
  fabric::Application& application_;
};

}  // namespace

std::unique_ptr<Channel> Channel::open(bool& ignored) {
  auto listener = Listener::open();
  if (!listener) return nullptr;
  return std::unique_ptr<Channel>(new Channel(std::move(*listener), ignored));
}

std::unique_ptr<Conversation> Channel::above(std::unique_ptr<Conversation> conversation) {
  application_.go_by(*conversation);
  return std::make_unique<ControlledConversation>(std::move(conversation), application_);
}

}  // namespace wirelaw::control
