// SPDX-License-Identifier: Apache-2.0
// A libfabric endpoint whose application a case drives (conformance/efa/application.h): calls become libfabric's, as
// soon as the provider takes them, and what its queues report is kept until it is asked for. It never waits.
#pragma once

#include <csignal>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <optional>

#include "conformance/efa/application.h"
#include "harness/lab/fabric_endpoint.h"

namespace wirelaw::lab {

class FabricApplication final : public fabric::Application {
 public:
  FabricApplication(FabricEndpoint& endpoint, const efa::RawAddress& far);

  // Passes pending operations to the provider, and takes its completions.
  void proceed();

  const fabric::Abilities* begin(const efa::RawAddress&) override { return &abilities_; }
  Instant now() const override { return {}; }
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
  struct Operation {
    fi_context2 provider = {};  // owned by libfabric while the operation is in progress
    fabric::Context context = 0;
    OctetBuffer octets = {};   // octets to send or write, or received or read
    OctetBuffer operand = {};  // operand of an atomic, followed by the value that it compares with
    OctetBuffer compare = {};
    bool has_buffer = false;  // memory that the application reads
    std::function<long(Operation&)> post = {};
  };
  struct Region {
    OctetBuffer octets;
    Owned<fid_mr> registered;  // destroyed first
  };

  Operation& begin_call(fabric::Context context);
  Outcome<void> submit(Operation& operation);
  fi_addr_t far();
  void take(const Event& event);

  FabricEndpoint& endpoint_;
  lab::RawAddress far_name_;
  std::optional<fi_addr_t> far_;
  fabric::Abilities abilities_;
  std::list<Operation> operations_;  // all that there were
  std::deque<Operation*> waiting_;   // for the provider to take them, in order
  std::map<std::uint64_t, Region> regions_;
  std::deque<fabric::Completion> completions_;
  bool closed_ = false;
};

// Lets WIRELAW_CONTROL drive the endpoint in place of another application, which leaves when it is asked to. Runs until
// `stopped`, or until the endpoint fails. While the other application is active, `other` does its work.
struct OtherApplication {
  std::function<Result<>()> leave = {};
  std::function<Result<>()> proceed = {};
  std::function<bool()> done = [] { return false; };
};
Result<> drive(FabricEndpoint& endpoint, const OtherApplication& other, const volatile std::sig_atomic_t& stopped);

}  // namespace wirelaw::lab
