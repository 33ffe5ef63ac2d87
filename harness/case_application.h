// SPDX-License-Identifier: Apache-2.0
// What a case holds of an application: every call goes through the runner.
#pragma once

#include "conformance/efa/application.h"
#include "harness/case_calls.h"

namespace wirelaw {

class CaseApplication final : public fabric::Application, private CaseCalls {
 public:
  CaseApplication(fabric::Application& inner, CaseCalls::Hooks hooks)
      : CaseCalls("", std::move(hooks)), inner_(inner) {}

  const fabric::Abilities* begin(const efa::RawAddress& far) override { return inner_.begin(far); }
  Instant now() const override { return inner_.now(); }

  Outcome<efa::RawAddress> name() override;
  Outcome<efa::RawAddress> name_of_another() override;
  Outcome<void> close(Instant deadline) override;
  Outcome<void> trouble(const fabric::Trouble& trouble) override;
  Outcome<efa::RmaIov> register_memory(Octets initial) override;
  Outcome<void> withdraw(std::uint64_t key) override;
  Outcome<OctetBuffer> memory(std::uint64_t key) override;
  Outcome<void> post(const fabric::Receive& call) override;
  Outcome<void> post(const fabric::Send& call) override;
  Outcome<void> post(const fabric::Write& call) override;
  Outcome<void> post(const fabric::Read& call) override;
  Outcome<void> post(const fabric::Atomic& call) override;
  Outcome<OctetBuffer> buffer(fabric::Context context) override;
  Awaited<fabric::Completion> completion(Instant deadline) override;

 private:
  fabric::Application& inner_;
};

}  // namespace wirelaw
