// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/verbs/completions.h"

#include <arpa/inet.h>
#include <fcntl.h>

#include <cerrno>

namespace wirelaw::verbs {
namespace {

Wc wc_of(const ibv_wc& from) {
  Wc wc{.wr_id = from.wr_id, .status = static_cast<WcStatus>(from.status)};
  if (from.status != IBV_WC_SUCCESS) return wc;
  wc.opcode = static_cast<WcOpcode>(from.opcode);
  wc.byte_len = from.byte_len;
  if ((from.wc_flags & IBV_WC_WITH_IMM) != 0) wc.imm_data = ntohl(from.imm_data);
  if ((from.wc_flags & IBV_WC_WITH_INV) != 0) wc.invalidated_rkey = from.invalidated_rkey;
  return wc;
}

}  // namespace

Completions::Completions(const VerbsLibrary& verbs)
    : verbs_(verbs),
      channel_(nullptr, verbs.destroy_comp_channel),
      queues_{std::unique_ptr<ibv_cq, decltype(VerbsLibrary::destroy_cq)>(nullptr, verbs.destroy_cq),
              std::unique_ptr<ibv_cq, decltype(VerbsLibrary::destroy_cq)>(nullptr, verbs.destroy_cq)} {}

Completions::~Completions() {
  if (channel_ && queues_[1]) read_events();  // one that is not acknowledged would make ibv_destroy_cq wait for ever
}

tl::expected<void, TransportError> Completions::open(ibv_context* device, int entries, void* context) {
  channel_.reset(verbs_.create_comp_channel(device));
  if (!channel_) return tl::unexpected(failed("ibv_create_comp_channel", errno));
  ::fcntl(channel_->fd, F_SETFL, ::fcntl(channel_->fd, F_GETFL) | O_NONBLOCK);
  for (auto& queue : queues_) {
    queue.reset(verbs_.create_cq(device, entries, context, channel_.get(), 0));
    if (!queue) return tl::unexpected(failed("ibv_create_cq", errno));
  }
  return {};
}

tl::expected<std::optional<Wc>, TransportError> Completions::poll(Cq cq) {
  ibv_wc wc = {};
  const int got = ibv_poll_cq(queue(cq), 1, &wc);
  if (got < 0) return tl::unexpected(TransportError{"ibv_poll_cq: the device has failed", "see the kernel's messages"});
  if (got == 0) return std::nullopt;
  return wc_of(wc);
}

tl::expected<void, VerbsError> Completions::request(Cq cq, bool solicited_only) {
  const int error = ibv_req_notify_cq(queue(cq), solicited_only ? 1 : 0);
  if (error != 0) return tl::unexpected(VerbsError{failed("ibv_req_notify_cq", error).message});
  return {};
}

void Completions::read_events() {
  ibv_cq* from = nullptr;
  for (void* context = nullptr; verbs_.get_cq_event(channel_.get(), &from, &context) == 0;) {
    ++events_[from == queues_[0].get() ? 0 : 1];
    verbs_.ack_cq_events(from, 1);
  }
}

bool Completions::take_event(Cq cq) {
  read_events();
  if (events_[index(cq)] == 0) return false;
  --events_[index(cq)];
  return true;
}

}  // namespace wirelaw::verbs
