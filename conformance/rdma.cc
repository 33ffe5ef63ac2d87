// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdma.h"

#include <set>

namespace wirelaw {
namespace {

// Limits calls to the time of the case. The case destroys its buffers before the conversation ends, so they are
// withdrawn.
class CaseRdma final : public Rdma, private CaseCalls {
 public:
  CaseRdma(Rdma& inner, CallHooks hooks) : CaseCalls("RDMA", "", std::move(hooks)), inner_(inner) {}
  ~CaseRdma() override {
    for (const std::uint64_t key : exposed_) inner_.withdraw(key);
  }
  CaseRdma(const CaseRdma&) = delete;
  CaseRdma& operator=(const CaseRdma&) = delete;

  tl::expected<RdmaRange, TransportError> expose(std::span<Octet> octets, RdmaAccess access) override {
    const auto range = inner_.expose(octets, access);
    if (range) exposed_.insert(range->key);
    return range;
  }
  void withdraw(std::uint64_t key) override {
    if (exposed_.erase(key) > 0) inner_.withdraw(key);
  }
  tl::expected<std::optional<OctetBuffer>, TransportError> read(const RdmaRange& what, Instant deadline) override {
    if (const auto over = gate()) return tl::unexpected(*over);
    return inner_.read(what, until(deadline));
  }
  tl::expected<bool, TransportError> write(const RdmaRange& where, Octets octets,
                                           std::optional<std::uint64_t> immediate, Instant deadline) override {
    if (const auto over = gate()) return tl::unexpected(*over);
    return inner_.write(where, octets, immediate, until(deadline));
  }
  const std::vector<RdmaSeen>* seen() const override { return inner_.seen(); }

 private:
  Rdma& inner_;
  std::set<std::uint64_t> exposed_;  // keys
};

}  // namespace

constinit const OfferKind<Rdma> kRdma{[](Rdma& rdma, const CallHooks& hooks) -> std::unique_ptr<Rdma> {
  return std::make_unique<CaseRdma>(rdma, hooks);
}};

}  // namespace wirelaw
