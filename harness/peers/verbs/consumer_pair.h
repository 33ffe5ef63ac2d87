// SPDX-License-Identifier: Apache-2.0
// Two consumers joined back to back, for tests of the applications above them: work completes as soon as it is posted,
// and only keys and lengths are checked.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <list>
#include <map>

#include "conformance/verbs.h"

namespace wirelaw::verbs {

class PairedConsumer final : public Consumer {
 public:
  explicit PairedConsumer(Instant& now) : now_(now) {}
  void join(PairedConsumer& far) {
    far_ = &far;
    far.far_ = this;
  }

  const DeviceInfo& device() const override { return info_; }
  Instant now() const override { return now_; }

  Outcome<void> connect(const ConnParam& param) override {
    far_->events.push_back({.type = CmEventType::connect_request,
                            .private_data = param.private_data,
                            .responder_resources = param.initiator_depth,
                            .initiator_depth = param.responder_resources});
    return {};
  }
  Outcome<void> accept(const ConnParam& param) override {
    accepted = param;
    events.push_back({.type = CmEventType::established});
    far_->events.push_back({.type = CmEventType::established, .private_data = param.private_data});
    return {};
  }
  Outcome<void> reject(Octets) override {
    far_->events.push_back({.type = CmEventType::rejected});
    return {};
  }
  Outcome<void> disconnect() override {
    if (std::exchange(gone_, true)) return {};
    events.push_back({.type = CmEventType::disconnected});
    far_->events.push_back({.type = CmEventType::disconnected});
    return {};
  }
  Awaited<CmEvent> cm_event(Instant) override { return next(events); }

  Outcome<std::span<Octet>> allocate(std::size_t octets) override { return memory_.emplace_back(octets); }
  Outcome<Region> reg_mr(std::span<Octet> memory, const Access& access) override {
    if (registers == 0) return tl::unexpected(VerbsError{"ibv_reg_mr: no more"});
    --registers;
    const std::uint32_t key = next_key_++;
    regions_.emplace(key, std::pair(memory, access));
    return Region{memory, reinterpret_cast<std::uint64_t>(memory.data()), key, key};
  }
  Outcome<void> dereg_mr(const Region& region) override {
    regions_.erase(region.rkey);
    return {};
  }

  Outcome<void> post_recv(const RecvWr& wr) override {
    receives_.push_back(wr);
    return {};
  }
  Outcome<void> post_send(const SendWr& wr) override {
    Wc done{.wr_id = wr.wr_id};
    const std::span<Octet> local = octets_at(wr.sge.addr, wr.sge.length);
    if (wr.opcode == WrOpcode::send) {
      done.opcode = WcOpcode::send;
      if (!far_->take({local.begin(), local.end()})) done.status = WcStatus::rnr_retry_exc_err;
    } else {
      const bool writes = wr.opcode == WrOpcode::rdma_write;
      done.opcode = writes ? WcOpcode::rdma_write : WcOpcode::rdma_read;
      done.byte_len = wr.sge.length;
      const auto remote = far_->remote(wr.remote_addr, wr.sge.length, wr.rkey, writes);
      if (!remote)
        done.status = WcStatus::rem_access_err;
      else if (writes)
        std::ranges::copy(local, remote->begin());
      else
        std::ranges::copy(*remote, local.begin());
    }
    completions_[0].push_back(done);
    return {};
  }
  Awaited<Wc> poll_cq(Cq cq, Instant) override {
    if (cq == Cq::send && !completes) return std::nullopt;
    return next(completions_[static_cast<std::size_t>(cq)]);
  }
  Outcome<void> req_notify_cq(Cq, bool) override { return {}; }
  tl::expected<bool, TransportError> cq_event(Cq, Instant) override { return false; }
  Awaited<AsyncEvent> async_event(Instant) override { return std::nullopt; }
  Outcome<QpInfo> query_qp() override { return QpInfo{}; }
  Outcome<void> modify_qp_to_err() override { return {}; }

  // True if the octets have reached a receive.
  bool take(OctetBuffer octets) {
    if (spoil) spoil(octets);
    if (receives_.empty()) return false;
    const RecvWr wr = receives_.front();
    receives_.pop_front();
    const std::span<Octet> to = octets_at(wr.sge.addr, wr.sge.length);
    std::copy_n(octets.begin(), std::min(octets.size(), to.size()), to.begin());
    completions_[1].push_back(
        {.wr_id = wr.wr_id, .opcode = WcOpcode::recv, .byte_len = static_cast<std::uint32_t>(octets.size())});
    return true;
  }
  // Returns the memory that the peer may access in this way.
  std::optional<std::span<Octet>> remote(std::uint64_t addr, std::size_t length, std::uint32_t key, bool writes) {
    const auto found = regions_.find(key);
    if (found == regions_.end()) return std::nullopt;
    const auto& [memory, access] = found->second;
    const std::uint64_t at = addr - reinterpret_cast<std::uint64_t>(memory.data());
    if (at > memory.size() || length > memory.size() - at) return std::nullopt;
    if (writes ? !access.remote_write : !access.remote_read) return std::nullopt;
    return memory.subspan(at, length);
  }

  std::deque<CmEvent> events;
  ConnParam accepted;                       // the last
  std::size_t registers = 64;               // number of further registrations that succeed
  bool completes = true;                    // sent messages are acknowledged, as far as this end knows
  std::function<void(OctetBuffer&)> spoil;  // changes received octets

 private:
  static std::span<Octet> octets_at(std::uint64_t addr, std::size_t length) {
    return {reinterpret_cast<Octet*>(addr), length};
  }
  template <class One>
  static tl::expected<std::optional<One>, TransportError> next(std::deque<One>& queue) {
    if (queue.empty()) return std::nullopt;
    One one = std::move(queue.front());
    queue.pop_front();
    return one;
  }

  Instant& now_;
  DeviceInfo info_{.name = "pair0"};
  PairedConsumer* far_ = nullptr;
  std::list<OctetBuffer> memory_;
  std::map<std::uint32_t, std::pair<std::span<Octet>, Access>> regions_;  // by rkey
  std::uint32_t next_key_ = 1;
  std::deque<RecvWr> receives_;
  std::array<std::deque<Wc>, 2> completions_;
  bool gone_ = false;
};

}  // namespace wirelaw::verbs
