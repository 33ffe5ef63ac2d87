// SPDX-License-Identifier: Apache-2.0
// The functions of libibverbs and libefa that a provider for EFA calls. They have no symbol versions: such definitions
// satisfy versioned references.
#include <infiniband/efadv.h>
#include <infiniband/verbs.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "harness/lab/soft_efa/attributes.h"
#include "harness/lab/soft_efa/create.h"
#include "harness/lab/soft_efa/device.h"
#include "harness/lab/soft_efa/engine.h"
#include "harness/lab/soft_efa/queue_pair.h"
#include "harness/lab/soft_efa/trouble.h"

#pragma GCC visibility push(default)

#undef ibv_query_port
#undef ibv_reg_mr

using namespace wirelaw::soft_efa;

namespace {

// A caller that was built against another version may know a shorter or longer structure than this file does.
template <typename T>
void give(const T& from, T* to, std::size_t size) {
  std::memset(static_cast<void*>(to), 0, size);
  std::memcpy(static_cast<void*>(to), &from, std::min(size, sizeof from));
}

}  // namespace

extern "C" {

struct efadv_mr_attr;  // rdma-core 44 does not declare it, rdma-core 56 does
int efadv_query_mr(ibv_mr* mr, efadv_mr_attr* out, std::uint32_t size);

// ------------------------------------------------------------------------------------------------ device
ibv_device** ibv_get_device_list(int* count) {
  ibv_device* device = the_device();
  if (count != nullptr) *count = device != nullptr ? 1 : 0;
  auto** list = static_cast<ibv_device**>(std::calloc(2, sizeof(ibv_device*)));
  if (list != nullptr) list[0] = device;
  return list;
}

void ibv_free_device_list(ibv_device** list) {
  std::free(list);
}

const char* ibv_get_device_name(ibv_device* device) {
  return device->name;
}

ibv_context* ibv_open_device(ibv_device* device) {
  return &open_device(*device)->context;
}

int ibv_close_device(ibv_context* context) {
  Context& closed = context_of(context);
  // A library that handles SIGTERM by exit() gets here in the middle of a poll, when the lock will never be released.
  if (!closed.queue_pairs.empty()) return EBUSY;
  closed.engine.reset();
  delete &closed;
  return 0;
}

int ibv_query_device(ibv_context*, ibv_device_attr* out) {
  *out = device_attributes();
  return 0;
}

int ibv_query_port(ibv_context* context, std::uint8_t port, _compat_ibv_port_attr* out) {
  // The structure of old callers ends before port_cap_flags2.
  return query_port(context, port, reinterpret_cast<ibv_port_attr*>(out), offsetof(ibv_port_attr, port_cap_flags2));
}

int ibv_query_gid(ibv_context* context, std::uint8_t port, int index, ibv_gid* out) {
  if (port != 1 || index != 0) return EINVAL;
  std::ranges::copy(context_of(context).settings.gid, out->raw);
  return 0;
}

int ibv_query_pkey(ibv_context*, std::uint8_t port, int index, __be16* out) {
  if (port != 1 || index != 0) return EINVAL;
  *out = 0xffff;
  return 0;
}

int efadv_query_device(ibv_context* context, efadv_device_attr* out, std::uint32_t size) {
  give(efa_attributes(context), out, size);
  return 0;
}

int ibv_fork_init() {
  return 0;
}

ibv_fork_status ibv_is_fork_initialized() {
  return IBV_FORK_UNNEEDED;
}

// ------------------------------------------------------------------------------------------------ memory
ibv_pd* ibv_alloc_pd(ibv_context* context) {
  auto* pd = new ibv_pd{};
  pd->context = context;
  return pd;
}

int ibv_dealloc_pd(ibv_pd* pd) {
  delete pd;
  return 0;
}

ibv_mr* ibv_reg_mr_iova2(ibv_pd* pd, void* address, std::size_t length, std::uint64_t iova, unsigned access) {
  Context& context = context_of(pd->context);
  if (context.settings.refuses(length) || !trouble().registers) {
    errno = ENOMEM;
    return nullptr;
  }
  auto* mr = new ibv_mr{};
  mr->context = pd->context;
  mr->pd = pd;
  mr->addr = address;
  mr->length = length;
  const Locked locked(context.lock);
  mr->lkey = mr->rkey = context.memory.add(address, iova, length, access);
  return mr;
}

ibv_mr* ibv_reg_mr(ibv_pd* pd, void* address, std::size_t length, int access) {
  return ibv_reg_mr_iova2(pd, address, length, reinterpret_cast<std::uintptr_t>(address),
                          static_cast<unsigned>(access));
}

ibv_mr* ibv_reg_dmabuf_mr(ibv_pd*, std::uint64_t, std::size_t, std::uint64_t, int, int) {
  errno = EOPNOTSUPP;
  return nullptr;
}

// It is unknown here which interconnect reaches a region.
int efadv_query_mr(ibv_mr*, efadv_mr_attr* out, std::uint32_t size) {
  std::memset(static_cast<void*>(out), 0, size);
  return 0;
}

int ibv_dereg_mr(ibv_mr* mr) {
  Context& context = context_of(mr->context);
  const Locked locked(context.lock);
  context.memory.remove(mr->lkey);
  delete mr;
  return 0;
}

// ------------------------------------------------------------------------------------------------ addresses
ibv_ah* ibv_create_ah(ibv_pd* pd, ibv_ah_attr* attributes) {
  Context& context = context_of(pd->context);
  auto* handle = new AddressHandle{};
  handle->context = pd->context;
  handle->pd = pd;
  std::copy_n(attributes->grh.dgid.raw, handle->gid.size(), handle->gid.begin());
  const Locked locked(context.lock);
  const auto ahn = context.handles.add(handle->gid);
  if (!ahn) {
    delete handle;
    errno = ENOMEM;
    return nullptr;
  }
  handle->handle = *ahn;
  return handle;
}

int ibv_destroy_ah(ibv_ah* handle) {
  auto* destroyed = static_cast<AddressHandle*>(handle);
  Context& context = context_of(handle->context);
  const Locked locked(context.lock);
  context.handles.remove(destroyed->gid);
  delete destroyed;
  return 0;
}

int efadv_query_ah(ibv_ah* handle, efadv_ah_attr* out, std::uint32_t size) {
  efadv_ah_attr attributes = {};
  attributes.ahn = static_cast<std::uint16_t>(handle->handle);
  give(attributes, out, size);
  return 0;
}

// ------------------------------------------------------------------------------------------------ completion queues
ibv_cq_ex* efadv_create_cq(ibv_context* context, ibv_cq_init_attr_ex* attributes, efadv_cq_init_attr*, std::uint32_t) {
  return create_cq_ex(context, attributes);
}

efadv_cq* efadv_cq_from_ibv_cq_ex(ibv_cq_ex* queue) {
  return &queue_of(queue).efa();
}

ibv_cq* ibv_create_cq(ibv_context* context, int entries, void* cq_context, ibv_comp_channel* channel, int vector) {
  ibv_cq_init_attr_ex attributes = {};
  attributes.cqe = static_cast<std::uint32_t>(std::max(entries, 0));
  attributes.cq_context = cq_context;
  attributes.channel = channel;
  attributes.comp_vector = static_cast<std::uint32_t>(vector);
  return ibv_cq_ex_to_cq(create_cq_ex(context, &attributes));
}

int ibv_destroy_cq(ibv_cq* queue) {
  delete &queue_of(queue);
  return 0;
}

// A channel never signals: programs have to poll for completions.
ibv_comp_channel* ibv_create_comp_channel(ibv_context* context) {
  return new ibv_comp_channel{context, eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), 0};
}

int ibv_destroy_comp_channel(ibv_comp_channel* channel) {
  ::close(channel->fd);
  delete channel;
  return 0;
}

int ibv_get_cq_event(ibv_comp_channel*, ibv_cq**, void**) {
  errno = EAGAIN;
  return -1;
}

void ibv_ack_cq_events(ibv_cq*, unsigned) {}

// ------------------------------------------------------------------------------------------------ queue pairs
ibv_qp* efadv_create_qp_ex(ibv_context* context, ibv_qp_init_attr_ex* attributes, efadv_qp_init_attr*, std::uint32_t) {
  return create_qp_ex(context, attributes);
}

ibv_qp* ibv_create_qp(ibv_pd* pd, ibv_qp_init_attr* attributes) {
  ibv_qp_init_attr_ex extended = {};
  extended.qp_context = attributes->qp_context;
  extended.send_cq = attributes->send_cq;
  extended.recv_cq = attributes->recv_cq;
  extended.cap = attributes->cap;
  extended.qp_type = attributes->qp_type;
  extended.sq_sig_all = attributes->sq_sig_all;
  extended.comp_mask = IBV_QP_INIT_ATTR_PD;
  extended.pd = pd;
  return create_qp_ex(pd->context, &extended);
}

ibv_qp_ex* ibv_qp_to_qp_ex(ibv_qp* queue_pair) {
  return &pair_of(queue_pair);
}

int ibv_modify_qp(ibv_qp* queue_pair, ibv_qp_attr* attributes, int mask) {
  const Locked locked(context_of(queue_pair->context).lock);
  return pair_of(queue_pair).modify(*attributes, mask);
}

int ibv_query_qp_data_in_order(ibv_qp*, ibv_wr_opcode, std::uint32_t) {
  return 0;
}

int ibv_destroy_qp(ibv_qp* queue_pair) {
  Context& context = context_of(queue_pair->context);
  const Locked locked(context.lock);
  delete &pair_of(queue_pair);
  return 0;
}

}  // extern "C"

#pragma GCC visibility pop
