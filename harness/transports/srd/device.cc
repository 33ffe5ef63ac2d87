// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/srd/device.h"

#include <fmt/format.h>

#include <csignal>

#if __has_include(<infiniband/efadv.h>)
#include <algorithm>
#include <random>

#include "harness/transports/srd/queue_pair.h"

namespace wirelaw {

ibv_ah* SrdContext::handle_of(const Gid& peer) {
  if (const auto known = handles_.find(peer); known != handles_.end()) return known->second.get();
  if (handles_.size() >= kHandles) return nullptr;
  ibv_ah_attr attributes = {};
  attributes.is_global = 1;
  attributes.port_num = 1;
  std::ranges::copy(peer, attributes.grh.dgid.raw);
  VerbsObject<ibv_ah> handle(verbs.create_ah(domain.get(), &attributes), verbs.destroy_ah);
  efadv_ah_attr numbered = {};
  if (!handle || verbs.efa_query_ah(handle.get(), &numbered, sizeof numbered) != 0) return nullptr;
  gids_[numbered.ahn] = peer;
  return handles_.emplace(peer, std::move(handle)).first->second.get();
}

const Gid* SrdContext::gid_of(std::uint32_t number) const {
  const auto found = gids_.find(number);
  return found == gids_.end() ? nullptr : &found->second;
}

namespace {

// Leaves out the high bit, which qkeys reserve for the kernel.
std::uint32_t random_connid() {
  std::random_device chance;
  return (chance() & 0x7fff'ffffu) | 1;
}

class EfaDevice final : public SrdDevice {
 public:
  EfaDevice(std::string name, SrdContext context) : name_(std::move(name)), context_(std::move(context)) {}

  const std::string& name() const override { return name_; }
  const Gid& gid() const override { return context_.gid; }
  std::size_t packet_octets() const override { return context_.packet_octets; }
  const EfaAbilities& abilities() const override { return context_.abilities; }
  tl::expected<std::unique_ptr<SrdSocket>, TransportError> make_socket(std::optional<std::uint32_t> connid) override {
    return make_queue_pair(context_, connid ? *connid : random_connid());
  }

 private:
  std::string name_;
  SrdContext context_;
};

bool has_gid(const RdmaDevice& device, const Gid& gid) {
  return !device.ports.empty() &&
         std::ranges::any_of(device.ports.front().gids, [&](const pcap::Address& one) { return one.as_ipv6() == gid; });
}

tl::expected<std::unique_ptr<SrdDevice>, TransportError> open(const VerbsLibrary& verbs, const RdmaDevice& chosen,
                                                              const std::optional<Gid>& gid) {
  const auto failed = [&](const char* what) {
    return tl::unexpected(TransportError{fmt::format("{}: {}", chosen.name, what),
                                         "see what the kernel says of the device, and who may use /dev/infiniband"});
  };
  ibv_device** const list = verbs.get_device_list(nullptr);
  ibv_context* opened = nullptr;
  for (ibv_device** next = list; next != nullptr && *next != nullptr && opened == nullptr; ++next)
    if (chosen.name == verbs.get_device_name(*next)) opened = verbs.open_device(*next);
  if (list != nullptr) verbs.free_device_list(list);
  VerbsObject<ibv_context> context(opened, verbs.close_device);
  if (!context) return failed("the device cannot be opened");
  efadv_device_attr attributes = {};
  if (verbs.efa_query_device(context.get(), &attributes, sizeof attributes) != 0) return failed("is no EFA device");
  VerbsObject<ibv_pd> domain(verbs.alloc_pd(context.get()), verbs.dealloc_pd);
  if (!domain) return failed("no protection domain can be had");
  const RdmaPort& port = chosen.ports.front();
  SrdContext made(verbs, std::move(context), std::move(domain));
  made.gid = gid ? *gid : port.gids.front().as_ipv6();
  made.packet_octets = port.max_message;
  made.abilities = chosen.efa_abilities;
  made.reports_senders = (attributes.device_caps & EFADV_DEVICE_ATTR_CAPS_CQ_WITH_SGID) != 0;
  return std::make_unique<EfaDevice>(chosen.name, std::move(made));
}

}  // namespace

tl::expected<std::unique_ptr<SrdDevice>, TransportError> SrdDevice::open(const std::string& name,
                                                                         std::optional<Gid> gid) {
  const auto library = verbs_library();
  if (!library) return tl::unexpected(library.error());
  const auto devices = rdma_devices();
  if (!devices) return tl::unexpected(devices.error());
  for (const RdmaDevice& one : *devices)
    if (one.efa && !one.ports.empty() && !one.ports.front().gids.empty() && (name.empty() || name == one.name) &&
        (!gid || has_gid(one, *gid)))
      return wirelaw::open(**library, one, gid);
  const std::string wanted = !name.empty() ? " called " + name
                             : gid         ? " with the GID " + pcap::to_string(pcap::Address::ipv6(gid->data()))
                                           : "";
  return tl::unexpected(TransportError{fmt::format("there is no EFA device{}", wanted),
                                       "SRD needs one, or soft-EFA in its place (harness/lab/soft_efa)"});
}

}  // namespace wirelaw

#else

namespace wirelaw {

tl::expected<std::unique_ptr<SrdDevice>, TransportError> SrdDevice::open(const std::string&, std::optional<Gid>) {
  return tl::unexpected(TransportError{"wirelaw was built without libibverbs",
                                       "build it where its headers are (Debian: libibverbs-dev)"});
}

}  // namespace wirelaw
#endif

namespace wirelaw {
namespace {

volatile std::sig_atomic_t stopped = 0;

}  // namespace

void stop_srd_on_signals() {
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { stopped = 1; });
}

bool srd_stopped() {
  return stopped != 0;
}

}  // namespace wirelaw
