// SPDX-License-Identifier: Apache-2.0
// The consumer that a case gets: each call goes through the runner, which limits the time of the case and logs the
// outcome.
#include <fmt/format.h>

#include "conformance/verbs.h"

namespace wirelaw::verbs {
namespace {

class CaseConsumer final : public Consumer, private CaseCalls {
 public:
  CaseConsumer(Consumer& inner, std::string_view prefix, CallHooks hooks)
      : CaseCalls("consumer", prefix, std::move(hooks)), inner_(inner) {}

  const DeviceInfo& device() const override { return inner_.device(); }
  Instant now() const override { return inner_.now(); }

  Outcome<void> connect(const ConnParam& param) override;
  Outcome<void> accept(const ConnParam& param) override;
  Outcome<void> reject(Octets private_data) override;
  Outcome<void> disconnect() override;
  Awaited<CmEvent> cm_event(Instant deadline) override;
  Outcome<std::span<Octet>> allocate(std::size_t octets) override;
  Outcome<Region> reg_mr(std::span<Octet> memory, const Access& access) override;
  Outcome<void> dereg_mr(const Region& region) override;
  Outcome<void> post_recv(const RecvWr& wr) override;
  Outcome<void> post_send(const SendWr& wr) override;
  Awaited<Wc> poll_cq(Cq cq, Instant deadline) override;
  Outcome<void> req_notify_cq(Cq cq, bool solicited_only) override;
  tl::expected<bool, TransportError> cq_event(Cq cq, Instant deadline) override;
  Awaited<AsyncEvent> async_event(Instant deadline) override;
  Outcome<QpInfo> query_qp() override;
  Outcome<void> modify_qp_to_err() override;

 private:
  Consumer& inner_;
};

CaseConsumer::Outcome<void> CaseConsumer::connect(const ConnParam& param) {
  return guarded("rdma_connect", [&] { return inner_.connect(param); });
}

CaseConsumer::Outcome<void> CaseConsumer::accept(const ConnParam& param) {
  return guarded("rdma_accept", [&] { return inner_.accept(param); });
}

CaseConsumer::Outcome<void> CaseConsumer::reject(Octets private_data) {
  return guarded("rdma_reject", [&] { return inner_.reject(private_data); });
}

CaseConsumer::Outcome<void> CaseConsumer::disconnect() {
  return guarded("rdma_disconnect", [&] { return inner_.disconnect(); });
}

CaseConsumer::Awaited<CmEvent> CaseConsumer::cm_event(Instant deadline) {
  auto event = awaited(deadline, [&](Instant until) { return inner_.cm_event(until); });
  if (event && *event) note(to_string((*event)->type));
  return event;
}

CaseConsumer::Outcome<std::span<Octet>> CaseConsumer::allocate(std::size_t octets) {
  return quiet([&] { return inner_.allocate(octets); });
}

CaseConsumer::Outcome<Region> CaseConsumer::reg_mr(std::span<Octet> memory, const Access& access) {
  auto region = guarded("ibv_reg_mr", [&] { return inner_.reg_mr(memory, access); });
  if (region) note(fmt::format("rkey 0x{:08x}, {} octets", region->rkey, memory.size()));
  return region;
}

CaseConsumer::Outcome<void> CaseConsumer::dereg_mr(const Region& region) {
  return guarded(fmt::format("ibv_dereg_mr rkey 0x{:08x}", region.rkey), [&] { return inner_.dereg_mr(region); });
}

CaseConsumer::Outcome<void> CaseConsumer::post_recv(const RecvWr& wr) {
  return guarded(fmt::format("ibv_post_recv wr_id {}", wr.wr_id), [&] { return inner_.post_recv(wr); });
}

CaseConsumer::Outcome<void> CaseConsumer::post_send(const SendWr& wr) {
  return guarded(fmt::format("ibv_post_send wr_id {}, {}", wr.wr_id, to_string(wr.opcode)),
                 [&] { return inner_.post_send(wr); });
}

CaseConsumer::Awaited<Wc> CaseConsumer::poll_cq(Cq cq, Instant deadline) {
  auto wc = awaited(deadline, [&](Instant until) { return inner_.poll_cq(cq, until); });
  if (wc && *wc) note(to_text(**wc));
  return wc;
}

CaseConsumer::Outcome<void> CaseConsumer::req_notify_cq(Cq cq, bool solicited_only) {
  return guarded("ibv_req_notify_cq", [&] { return inner_.req_notify_cq(cq, solicited_only); });
}

tl::expected<bool, TransportError> CaseConsumer::cq_event(Cq cq, Instant deadline) {
  auto come = awaited(deadline, [&](Instant until) { return inner_.cq_event(cq, until); });
  if (come && *come) note("completion event");
  return come;
}

CaseConsumer::Awaited<AsyncEvent> CaseConsumer::async_event(Instant deadline) {
  auto event = awaited(deadline, [&](Instant until) { return inner_.async_event(until); });
  if (event && *event) note(to_string(**event));
  return event;
}

CaseConsumer::Outcome<QpInfo> CaseConsumer::query_qp() {
  auto info = quiet([&] { return inner_.query_qp(); });
  if (info) note(fmt::format("the queue pair is in {}", to_string(info->state)));
  return info;
}

CaseConsumer::Outcome<void> CaseConsumer::modify_qp_to_err() {
  return guarded("ibv_modify_qp to IBV_QPS_ERR", [&] { return inner_.modify_qp_to_err(); });
}

template <bool Far>
std::unique_ptr<Consumer> for_case(Consumer& consumer, const CallHooks& hooks) {
  return std::make_unique<CaseConsumer>(consumer, Far ? "far end: " : "", hooks);
}

}  // namespace

constinit const OfferKind<Consumer> kConsumer{for_case<false>};
constinit const OfferKind<Consumer> kFarConsumer{for_case<true>};

}  // namespace wirelaw::verbs
