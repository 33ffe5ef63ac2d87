// SPDX-License-Identifier: Apache-2.0
#include "harness/lab/fabric_application.h"

#include <dlfcn.h>
#include <rdma/fi_atomic.h>
#include <rdma/fi_rma.h>
#include <rdma/fi_tagged.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "harness/control/server.h"
#include "harness/peers/efa/application_calls.h"

namespace wirelaw::lab {
namespace {

using fabric::CallError;

constexpr std::size_t kMtu = 8928;  // on every EFA device
constexpr std::size_t kMostOctets = std::size_t{64} << 20;

static_assert(fabric::cq::kMsg == FI_MSG && fabric::cq::kRma == FI_RMA && fabric::cq::kTagged == FI_TAGGED &&
              fabric::cq::kAtomic == FI_ATOMIC && fabric::cq::kRead == FI_READ && fabric::cq::kWrite == FI_WRITE &&
              fabric::cq::kRecv == FI_RECV && fabric::cq::kSend == FI_SEND &&
              fabric::cq::kRemoteWrite == FI_REMOTE_WRITE && fabric::cq::kRemoteCqData == FI_REMOTE_CQ_DATA);

std::size_t mtu_of_device() {
  const char* const said = std::getenv("WIRELAW_SOFT_EFA_MTU");
  const unsigned long octets = said == nullptr ? 0 : std::strtoul(said, nullptr, 10);
  return octets == 0 ? kMtu : octets;
}

// Finds the function of a preloaded soft device (soft_efa/trouble.h). A queue that is full before it holds what the
// device has announced is no trouble that a provider must expect.
auto troublemaker() {
  return reinterpret_cast<void (*)(int, int)>(dlsym(RTLD_DEFAULT, "wirelaw_soft_efa_trouble"));
}

std::uint64_t flags_of(const std::optional<std::uint64_t>& cq_data, bool delivery_complete) {
  return FI_COMPLETION | (cq_data ? FI_REMOTE_CQ_DATA : 0) | (delivery_complete ? FI_DELIVERY_COMPLETE : 0);
}

OctetBuffer octets_of(std::uint64_t number) {
  OctetBuffer octets(sizeof number);
  std::memcpy(octets.data(), &number, sizeof number);
  return octets;
}

fi_rma_iov iov_of(const efa::RmaIov& iov) {
  return {.addr = iov.addr, .len = iov.len, .key = iov.key};
}

}  // namespace

FabricApplication::FabricApplication(FabricEndpoint& endpoint, const efa::RawAddress& far)
    : endpoint_(endpoint),
      abilities_{.name = endpoint.version(),
                 .mtu = mtu_of_device(),
                 .fails_registrations = troublemaker() != nullptr,
                 .loses_peer = troublemaker() != nullptr} {
  std::replace(abilities_.name.begin(), abilities_.name.end(), ' ', '-');
  encode(far, far_name_);
}

// ----------------------------------------------------------------------------------------------------------- progress

void FabricApplication::proceed() {
  if (closed_) return;
  while (!waiting_.empty()) {
    Operation& next = *waiting_.front();
    const long error = next.post(next);
    if (error == -FI_EAGAIN) break;
    waiting_.pop_front();
    if (error != 0) completions_.push_back({.context = next.context, .error = fabric_error("posting", error)});
  }
  const auto event = endpoint_.poll();
  if (!event)
    completions_.push_back({.error = event.error()});
  else if (*event)
    take(**event);
}

void FabricApplication::take(const Event& event) {
  const auto operation =
      std::ranges::find_if(operations_, [&](const Operation& one) { return event.context == &one.provider; });
  fabric::Completion entry{.flags = event.flags, .len = event.octets, .error = event.error};
  if (operation != operations_.end()) entry.context = operation->context;
  if ((event.flags & FI_REMOTE_CQ_DATA) != 0) entry.cq_data = event.data;
  if ((event.flags & FI_TAGGED) != 0 && (event.flags & FI_RECV) != 0) entry.tag = event.tag;
  if (event.from != FI_ADDR_NOTAVAIL) entry.source = event.from;
  completions_.push_back(std::move(entry));
}

FabricApplication::Awaited<fabric::Completion> FabricApplication::completion(Instant) {
  if (completions_.empty()) proceed();
  if (completions_.empty()) return std::nullopt;
  fabric::Completion first = std::move(completions_.front());
  completions_.pop_front();
  return first;
}

// ------------------------------------------------------------------------------------------------------- the endpoint

FabricApplication::Outcome<efa::RawAddress> FabricApplication::name() {
  const auto name = endpoint_.address();
  const auto decoded = name ? efa::decode_raw_address(*name) : std::nullopt;
  if (!decoded) return tl::unexpected(CallError{name ? "fi_getname gives too few octets" : name.error()});
  return *decoded;
}

FabricApplication::Outcome<efa::RawAddress> FabricApplication::name_of_another() {
  const auto other = FabricEndpoint::open();
  const auto name = other ? (*other)->address() : tl::unexpected(other.error());
  const auto decoded = name ? efa::decode_raw_address(*name) : std::nullopt;
  if (!decoded) return tl::unexpected(CallError{name ? "fi_getname gives too few octets" : name.error()});
  return *decoded;
}

FabricApplication::Outcome<void> FabricApplication::close(Instant) {
  closed_ = true;
  const auto closed = endpoint_.close();
  if (!closed) return tl::unexpected(CallError{closed.error()});
  return {};
}

FabricApplication::Outcome<void> FabricApplication::trouble(const fabric::Trouble& trouble) {
  const auto device = troublemaker();
  if (device == nullptr) return tl::unexpected(CallError{"the device makes no trouble"});
  device(trouble.registers, trouble.reaches);
  return {};
}

fi_addr_t FabricApplication::far() {
  if (!far_) far_ = endpoint_.insert(far_name_).value_or(FI_ADDR_NOTAVAIL);
  return *far_;
}

// -------------------------------------------------------------------------------------------------------------- memory

FabricApplication::Outcome<efa::RmaIov> FabricApplication::register_memory(Octets initial) {
  Region region{.octets = OctetBuffer(initial.begin(), initial.end()), .registered = nullptr};
  auto registered = endpoint_.register_memory(region.octets);
  if (!registered) return tl::unexpected(CallError{registered.error()});
  const efa::RmaIov iov{reinterpret_cast<std::uintptr_t>(region.octets.data()), region.octets.size(),
                        fi_mr_key(registered->get())};
  region.registered = std::move(*registered);
  regions_.insert_or_assign(iov.key, std::move(region));
  return iov;
}

FabricApplication::Outcome<void> FabricApplication::withdraw(std::uint64_t key) {
  regions_.erase(key);
  return {};
}

FabricApplication::Outcome<OctetBuffer> FabricApplication::memory(std::uint64_t key) {
  const auto found = regions_.find(key);
  if (found == regions_.end()) return tl::unexpected(CallError{"nothing is registered under this key"});
  return found->second.octets;
}

// --------------------------------------------------------------------------------------------------------------- calls

FabricApplication::Operation& FabricApplication::begin_call(fabric::Context context) {
  Operation& operation = operations_.emplace_back();
  operation.context = context;
  return operation;
}

FabricApplication::Outcome<void> FabricApplication::submit(Operation& operation) {
  if (closed_) return tl::unexpected(CallError{"the endpoint is closed"});
  waiting_.push_back(&operation);
  proceed();
  return {};
}

FabricApplication::Outcome<void> FabricApplication::post(const fabric::Receive& call) {
  if (call.octets > kMostOctets) return tl::unexpected(CallError{"the buffer is too long"});
  Operation& operation = begin_call(call.context);
  operation.octets.resize(call.octets);
  operation.has_buffer = true;
  operation.post = [this, tag = call.tag](Operation& self) -> long {
    return tag ? fi_trecv(endpoint_.ep(), self.octets.data(), self.octets.size(), nullptr, FI_ADDR_UNSPEC, *tag, 0,
                          &self.provider)
               : fi_recv(endpoint_.ep(), self.octets.data(), self.octets.size(), nullptr, FI_ADDR_UNSPEC,
                         &self.provider);
  };
  return submit(operation);
}

FabricApplication::Outcome<void> FabricApplication::post(const fabric::Send& call) {
  Operation& operation = begin_call(call.context);
  operation.octets = call.data;
  operation.post = [this, tag = call.tag, cq_data = call.cq_data, to = call.to.value_or(far()),
                    flags = flags_of(call.cq_data, call.delivery_complete)](Operation& self) -> long {
    const iovec part{self.octets.data(), self.octets.size()};
    if (!tag) {
      const fi_msg message{.msg_iov = &part,
                           .desc = nullptr,
                           .iov_count = 1,
                           .addr = to,
                           .context = &self.provider,
                           .data = cq_data.value_or(0)};
      return fi_sendmsg(endpoint_.ep(), &message, flags);
    }
    const fi_msg_tagged message{.msg_iov = &part,
                                .desc = nullptr,
                                .iov_count = 1,
                                .addr = to,
                                .tag = *tag,
                                .ignore = 0,
                                .context = &self.provider,
                                .data = cq_data.value_or(0)};
    return fi_tsendmsg(endpoint_.ep(), &message, flags);
  };
  return submit(operation);
}

FabricApplication::Outcome<void> FabricApplication::post(const fabric::Write& call) {
  Operation& operation = begin_call(call.context);
  operation.octets = call.data;
  operation.post = [this, remote = iov_of(call.to), cq_data = call.cq_data, to = far(),
                    flags = flags_of(call.cq_data, call.delivery_complete)](Operation& self) -> long {
    const iovec part{self.octets.data(), self.octets.size()};
    const fi_msg_rma message{.msg_iov = &part,
                             .desc = nullptr,
                             .iov_count = 1,
                             .addr = to,
                             .rma_iov = &remote,
                             .rma_iov_count = 1,
                             .context = &self.provider,
                             .data = cq_data.value_or(0)};
    return fi_writemsg(endpoint_.ep(), &message, flags);
  };
  return submit(operation);
}

FabricApplication::Outcome<void> FabricApplication::post(const fabric::Read& call) {
  if (call.from.len > kMostOctets) return tl::unexpected(CallError{"the buffer is too long"});
  Operation& operation = begin_call(call.context);
  operation.octets.resize(static_cast<std::size_t>(call.from.len));
  operation.has_buffer = true;
  operation.post = [this, remote = iov_of(call.from), from = far()](Operation& self) -> long {
    const iovec part{self.octets.data(), self.octets.size()};
    const fi_msg_rma message{.msg_iov = &part,
                             .desc = nullptr,
                             .iov_count = 1,
                             .addr = from,
                             .rma_iov = &remote,
                             .rma_iov_count = 1,
                             .context = &self.provider,
                             .data = 0};
    return fi_readmsg(endpoint_.ep(), &message, FI_COMPLETION);
  };
  return submit(operation);
}

FabricApplication::Outcome<void> FabricApplication::post(const fabric::Atomic& call) {
  Operation& operation = begin_call(call.context);
  operation.octets.resize(sizeof(std::uint64_t));
  operation.operand = octets_of(call.operand);
  operation.compare = octets_of(call.compare);
  operation.has_buffer = call.call != efa::AtomicCall::write;
  operation.post = [this, kind = call.call, op = static_cast<fi_op>(call.op),
                    remote = fi_rma_ioc{.addr = call.on.addr, .count = 1, .key = call.on.key},
                    to = far()](Operation& self) -> long {
    const fi_ioc operand{.addr = self.operand.data(), .count = 1};
    const fi_ioc compare{.addr = self.compare.data(), .count = 1};
    void* no_descriptor = nullptr;  // libfabric 2.1 looks into the lists of them, and a list that is none kills it
    fi_ioc result{.addr = self.octets.data(), .count = 1};
    const fi_msg_atomic message{.msg_iov = &operand,
                                .desc = nullptr,
                                .iov_count = 1,
                                .addr = to,
                                .rma_iov = &remote,
                                .rma_iov_count = 1,
                                .datatype = FI_UINT64,
                                .op = op,
                                .context = &self.provider,
                                .data = 0};
    if (kind == efa::AtomicCall::write) return fi_atomicmsg(endpoint_.ep(), &message, FI_COMPLETION);
    if (kind == efa::AtomicCall::fetch)
      return fi_fetch_atomicmsg(endpoint_.ep(), &message, &result, &no_descriptor, 1, FI_COMPLETION);
    return fi_compare_atomicmsg(endpoint_.ep(), &message, &compare, &no_descriptor, 1, &result, &no_descriptor, 1,
                                FI_COMPLETION);
  };
  return submit(operation);
}

FabricApplication::Outcome<OctetBuffer> FabricApplication::buffer(fabric::Context context) {
  const auto found = std::ranges::find_if(
      operations_, [context](const Operation& one) { return one.context == context && one.has_buffer; });
  if (found == operations_.end()) return tl::unexpected(CallError{"no call with a buffer has this context"});
  return found->octets;
}

Result<> drive(FabricEndpoint& endpoint, const OtherApplication& other, const volatile std::sig_atomic_t& stopped) {
  std::optional<FabricApplication> driven;
  const auto take = [&](const efa::RawAddress& far) -> fabric::Application* {
    if (other.leave && !other.leave()) return nullptr;
    return &driven.emplace(endpoint, far);
  };
  auto control = control::Server::from_environment(std::make_unique<efa::ApplicationCalls>(take));
  while (!stopped && (driven || !other.done())) {
    if (control && !control->proceed(std::chrono::steady_clock::now())) control.reset();
    if (driven)
      driven->proceed();
    else if (other.proceed)
      if (const auto proceeded = other.proceed(); !proceeded) return proceeded;
  }
  return {};
}

}  // namespace wirelaw::lab
