// SPDX-License-Identifier: Apache-2.0
// What a case holds of a consumer: every call goes through the runner, which keeps the case's time and notes what has
// happened.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "conformance/verbs.h"

namespace wirelaw {

class CaseConsumer final : public verbs::Consumer {
 public:
  struct Hooks {
    std::function<std::optional<CarriageError>()> gate;  // an error where the case's time is up
    std::function<void(const CarriageError&)> broken;
    std::function<void(const std::string&)> tell;
    Instant deadline;  // of the case
  };

  CaseConsumer(verbs::Consumer& inner, std::string_view name, Hooks hooks)
      : inner_(inner), name_(name), hooks_(std::move(hooks)) {}

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
  template <class Call>
  auto guarded(std::string_view what, const Call& call) -> decltype(call());
  template <class Call>
  auto awaited(Instant deadline, const Call& call) -> decltype(call(deadline));
  void tell(std::string_view what);

  verbs::Consumer& inner_;
  std::string name_;
  Hooks hooks_;
};

}  // namespace wirelaw
