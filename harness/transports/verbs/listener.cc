// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/verbs/listener.h"

#include <fmt/format.h>

#include <cerrno>

#include "harness/transports/verbs/address.h"
#include "harness/wait.h"

namespace wirelaw::verbs {
namespace {

constexpr int kBacklog = 128;
// A process that has just ended may still hold the port, because its kernel releases connections one by one.
constexpr std::chrono::seconds kHeld{5};
constexpr std::chrono::milliseconds kTryEvery{10};

int bind_patiently(Manager& manager, rdma_cm_id* id, const pcap::Endpoint& at) {
  sockaddr_storage address = sockaddr_of(at);
  const auto until = LiveClock::Steady::now() + kHeld;
  while (manager.rdma().bind_addr(id, reinterpret_cast<sockaddr*>(&address)) != 0) {
    if (errno != EADDRINUSE || LiveClock::Steady::now() >= until) return -1;
    static_cast<void>(wait_for({}, LiveClock::Steady::now() + kTryEvery));
  }
  return 0;
}

constexpr const char* kSeeDevices = "see `wirelaw devices` for what there is, and at which addresses";

}  // namespace

tl::expected<Manager::Id, TransportError> bind_to(Manager& manager, const DeviceAddress& at) {
  auto id = manager.make_id();
  if (!id) return id;
  const std::string where = pcap::to_string(at.endpoint);
  if (bind_patiently(manager, id->get(), at.endpoint) != 0)
    return tl::unexpected(failed(fmt::format("no RDMA device can be had at {}", where), errno, kSeeDevices));
  if (at.device.empty()) return id;
  const ibv_context* const bound = (*id)->verbs;
  const std::string_view name = bound ? manager.verbs().get_device_name(bound->device) : "no single device";
  if (name != at.device)
    return tl::unexpected(
        TransportError{fmt::format("{} is an address of {}, not of {}", where, name, at.device), kSeeDevices});
  return id;
}

tl::expected<std::unique_ptr<VerbsListener>, TransportError> VerbsListener::listen(Manager& manager,
                                                                                   const DeviceAddress& at,
                                                                                   Asked asked) {
  auto id = bind_to(manager, at);
  if (!id) return tl::unexpected(id.error());
  std::unique_ptr<VerbsListener> made(new VerbsListener(std::move(*id), std::move(asked)));
  made->id_->context = static_cast<Concerned*>(made.get());
  if (manager.rdma().listen(made->id_.get(), kBacklog) != 0)
    return tl::unexpected(failed("cannot listen at " + pcap::to_string(at.endpoint), errno, kSeeDevices));
  return made;
}

pcap::Endpoint VerbsListener::local() const {
  return endpoint_of(id_->route.addr.src_addr);
}

void VerbsListener::on_connection(CmEvent event, rdma_cm_id* fresh) {
  if (fresh == nullptr) return;  // the device is being removed: connections have their own notification
  const pcap::Endpoint from = endpoint_of(fresh->route.addr.dst_addr);
  asked_(std::move(event), fresh, from);
}

}  // namespace wirelaw::verbs
