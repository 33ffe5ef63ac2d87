// SPDX-License-Identifier: Apache-2.0
// The application interface of a case. Every call goes through the runner, which enforces the case's time limit and
// logs the outcome.
#include <fmt/format.h>

#include "conformance/efa/application.h"

namespace wirelaw::fabric {
namespace {

class CaseApplication final : public Application, private CaseCalls {
 public:
  CaseApplication(Application& inner, CallHooks hooks)
      : CaseCalls("application", "", std::move(hooks)), inner_(inner) {}

  const Abilities* begin(const efa::RawAddress& far) override { return inner_.begin(far); }
  Instant now() const override { return inner_.now(); }

  Outcome<efa::RawAddress> name() override;
  Outcome<efa::RawAddress> name_of_another() override;
  Outcome<void> close(Instant deadline) override;
  Outcome<void> trouble(const Trouble& trouble) override;
  Outcome<efa::RmaIov> register_memory(Octets initial) override;
  Outcome<void> withdraw(std::uint64_t key) override;
  Outcome<OctetBuffer> memory(std::uint64_t key) override;
  Outcome<void> post(const Receive& call) override;
  Outcome<void> post(const Send& call) override;
  Outcome<void> post(const Write& call) override;
  Outcome<void> post(const Read& call) override;
  Outcome<void> post(const Atomic& call) override;
  Outcome<OctetBuffer> buffer(Context context) override;
  Awaited<Completion> completion(Instant deadline) override;

 private:
  Application& inner_;
};

CaseApplication::Outcome<efa::RawAddress> CaseApplication::name() {
  return quiet([&] { return inner_.name(); });
}

CaseApplication::Outcome<efa::RawAddress> CaseApplication::name_of_another() {
  return quiet([&] { return inner_.name_of_another(); });
}

CaseApplication::Outcome<void> CaseApplication::close(Instant deadline) {
  return guarded_until(deadline, "fi_close", [&](Instant until) { return inner_.close(until); });
}

CaseApplication::Outcome<void> CaseApplication::trouble(const Trouble& trouble) {
  std::string what = fmt::format("the device {}registers memory, {} the peer", trouble.registers ? "" : "no longer ",
                                 trouble.reaches ? "reaches" : "does not reach");
  if (trouble.packets) what += fmt::format(", and accepts {} packets", *trouble.packets);
  return guarded(what, [&] { return inner_.trouble(trouble); });
}

CaseApplication::Outcome<efa::RmaIov> CaseApplication::register_memory(Octets initial) {
  auto region = guarded("fi_mr_reg", [&] { return inner_.register_memory(initial); });
  if (region) note(fmt::format("{} octets at 0x{:x} under key 0x{:x}", region->len, region->addr, region->key));
  return region;
}

CaseApplication::Outcome<void> CaseApplication::withdraw(std::uint64_t key) {
  return guarded(fmt::format("fi_close of the memory under key 0x{:x}", key), [&] { return inner_.withdraw(key); });
}

CaseApplication::Outcome<OctetBuffer> CaseApplication::memory(std::uint64_t key) {
  return quiet([&] { return inner_.memory(key); });
}

CaseApplication::Outcome<void> CaseApplication::post(const Receive& call) {
  return guarded(
      fmt::format("{} of {} octets, context {}", call.tag ? "fi_trecv" : "fi_recv", call.octets, call.context),
      [&] { return inner_.post(call); });
}

CaseApplication::Outcome<void> CaseApplication::post(const Send& call) {
  return guarded(
      fmt::format("{}{} of {} octets{}, context {}", call.tag ? "fi_tsend" : "fi_send", call.cq_data ? "data" : "",
                  call.data.size(), call.delivery_complete ? " with FI_DELIVERY_COMPLETE" : "", call.context),
      [&] { return inner_.post(call); });
}

CaseApplication::Outcome<void> CaseApplication::post(const Write& call) {
  return guarded(fmt::format("fi_write{} of {} octets{}, context {}", call.cq_data ? "data" : "", call.data.size(),
                             call.delivery_complete ? " with FI_DELIVERY_COMPLETE" : "", call.context),
                 [&] { return inner_.post(call); });
}

CaseApplication::Outcome<void> CaseApplication::post(const Read& call) {
  return guarded(fmt::format("fi_read of {} octets, context {}", call.from.len, call.context),
                 [&] { return inner_.post(call); });
}

CaseApplication::Outcome<void> CaseApplication::post(const Atomic& call) {
  return guarded(fmt::format("fi_atomic, fi_fetch_atomic or fi_compare_atomic, context {}", call.context),
                 [&] { return inner_.post(call); });
}

CaseApplication::Outcome<OctetBuffer> CaseApplication::buffer(Context context) {
  return quiet([&] { return inner_.buffer(context); });
}

CaseApplication::Awaited<Completion> CaseApplication::completion(Instant deadline) {
  auto completion = awaited(deadline, [&](Instant until) { return inner_.completion(until); });
  if (completion && *completion) note(to_text(**completion));
  return completion;
}

}  // namespace

constinit const OfferKind<Application> kApplication{
    [](Application& application, const CallHooks& hooks) -> std::unique_ptr<Application> {
      return std::make_unique<CaseApplication>(application, hooks);
    }};

}  // namespace wirelaw::fabric
