// SPDX-License-Identifier: Apache-2.0
// Adapts a consumer whose device never waits: waiting here lets virtual time pass.
#pragma once

#include "conformance/verbs.h"
#include "harness/virtual_time.h"

namespace wirelaw {

class WaitingConsumer final : public verbs::Consumer {
 public:
  WaitingConsumer(VirtualTime& time, verbs::Consumer& device) : time_(time), device_(device) {}

  const verbs::DeviceInfo& device() const override { return device_.device(); }
  Instant now() const override { return time_.now(); }

  Outcome<void> connect(const verbs::ConnParam& param) override { return device_.connect(param); }
  Outcome<void> accept(const verbs::ConnParam& param) override { return device_.accept(param); }
  Outcome<void> reject(Octets private_data) override { return device_.reject(private_data); }
  Outcome<void> disconnect() override { return device_.disconnect(); }
  Awaited<verbs::CmEvent> cm_event(Instant deadline) override {
    return time_.await(deadline, [&] { return device_.cm_event(deadline); });
  }
  Outcome<std::span<Octet>> allocate(std::size_t octets) override { return device_.allocate(octets); }
  Outcome<verbs::Region> reg_mr(std::span<Octet> memory, const verbs::Access& access) override {
    return device_.reg_mr(memory, access);
  }
  Outcome<void> dereg_mr(const verbs::Region& region) override { return device_.dereg_mr(region); }
  Outcome<void> post_recv(const verbs::RecvWr& wr) override { return device_.post_recv(wr); }
  Outcome<void> post_send(const verbs::SendWr& wr) override { return device_.post_send(wr); }
  Awaited<verbs::Wc> poll_cq(verbs::Cq cq, Instant deadline) override {
    return time_.await(deadline, [&] { return device_.poll_cq(cq, deadline); });
  }
  Outcome<void> req_notify_cq(verbs::Cq cq, bool solicited_only) override {
    return device_.req_notify_cq(cq, solicited_only);
  }
  tl::expected<bool, TransportError> cq_event(verbs::Cq cq, Instant deadline) override {
    return time_.wait(deadline, [&] { return device_.cq_event(cq, deadline).value_or(false); });
  }
  Awaited<verbs::AsyncEvent> async_event(Instant deadline) override {
    return time_.await(deadline, [&] { return device_.async_event(deadline); });
  }
  Outcome<verbs::QpInfo> query_qp() override { return device_.query_qp(); }
  Outcome<void> modify_qp_to_err() override { return device_.modify_qp_to_err(); }

 private:
  VirtualTime& time_;
  verbs::Consumer& device_;
};

}  // namespace wirelaw
