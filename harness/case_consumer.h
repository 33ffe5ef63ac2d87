// SPDX-License-Identifier: Apache-2.0
// What a case holds of a consumer: every call goes through the runner, which keeps the case's time and notes what has
// happened.
#pragma once

#include "conformance/verbs.h"
#include "harness/case_calls.h"

namespace wirelaw {

class CaseConsumer final : public verbs::Consumer, private CaseCalls {
 public:
  CaseConsumer(verbs::Consumer& inner, std::string_view name, CaseCalls::Hooks hooks)
      : CaseCalls(name, std::move(hooks)), inner_(inner) {}

  const verbs::DeviceInfo& device() const override { return inner_.device(); }
  Instant now() const override { return inner_.now(); }

  Outcome<void> connect(const verbs::ConnParam& param) override;
  Outcome<void> accept(const verbs::ConnParam& param) override;
  Outcome<void> reject(Octets private_data) override;
  Outcome<void> disconnect() override;
  Awaited<verbs::CmEvent> cm_event(Instant deadline) override;
  Outcome<std::span<Octet>> allocate(std::size_t octets) override;
  Outcome<verbs::Region> reg_mr(std::span<Octet> memory, const verbs::Access& access) override;
  Outcome<void> dereg_mr(const verbs::Region& region) override;
  Outcome<void> post_recv(const verbs::RecvWr& wr) override;
  Outcome<void> post_send(const verbs::SendWr& wr) override;
  Awaited<verbs::Wc> poll_cq(verbs::Cq cq, Instant deadline) override;
  Outcome<void> req_notify_cq(verbs::Cq cq, bool solicited_only) override;
  tl::expected<bool, CarriageError> cq_event(verbs::Cq cq, Instant deadline) override;
  Awaited<verbs::AsyncEvent> async_event(Instant deadline) override;
  Outcome<verbs::QpInfo> query_qp() override;
  Outcome<void> modify_qp_to_err() override;

 private:
  verbs::Consumer& inner_;
};

}  // namespace wirelaw
