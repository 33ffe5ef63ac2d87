// SPDX-License-Identifier: Apache-2.0
// An SRD queue pair through efadv. The id of each work request identifies its kind and its buffer.
#if __has_include(<infiniband/efadv.h>)
#include "harness/transports/srd/queue_pair.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <thread>

namespace wirelaw {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kSendTime = std::chrono::seconds(5);  // until a peer that takes nothing is given up
constexpr std::size_t kRdmaTotal = std::size_t{1} << 30;

constexpr int kLocal = IBV_ACCESS_LOCAL_WRITE;

struct Registration {
  VerbsObject<ibv_mr> region;

  Registration(const VerbsLibrary& verbs, ibv_pd* domain, std::span<Octet> octets, int access)
      : region((verbs.reg_mr)(domain, octets.data(), octets.size(), access), verbs.dereg_mr) {}
  explicit operator bool() const { return region != nullptr; }
  std::uint32_t lkey() const { return region->lkey; }
  std::uint32_t rkey() const { return region->rkey; }
};

// Holds as many buffers of one size as there are places, registered together.
class Buffers {
 public:
  Buffers(const VerbsLibrary& verbs, ibv_pd* domain, std::size_t places, std::size_t size)
      : size_(size), octets_(new Octet[places * size]), known_(verbs, domain, {octets_.get(), places * size}, kLocal) {}

  bool registered() const { return static_cast<bool>(known_); }
  std::span<Octet> at(std::size_t place) const { return {octets_.get() + place * size_, size_}; }
  ibv_sge sge(std::size_t place, std::size_t length) const {
    return {reinterpret_cast<std::uintptr_t>(at(place).data()), static_cast<std::uint32_t>(length), known_.lkey()};
  }
  std::size_t size() const { return size_; }

 private:
  std::size_t size_;
  std::unique_ptr<Octet[]> octets_;  // untouched pages cost nothing
  Registration known_;
};

enum class Work : std::uint8_t { receive, send, rdma };

constexpr unsigned kWorkShift = 56;

constexpr std::uint64_t id_of(Work work, std::uint64_t number) {
  return std::uint64_t{static_cast<std::uint8_t>(work)} << kWorkShift | number;
}

// The fields of a completion, copied while the queue is being polled.
struct Completed {
  Work work = Work::receive;
  std::uint64_t number = 0;
  ibv_wc_status status = IBV_WC_SUCCESS;
  ibv_wc_opcode opcode = IBV_WC_RECV;
  std::size_t octets = 0;
  std::uint32_t immediate = 0;
  std::uint32_t qpn = 0;
  std::optional<Gid> gid = {};  // the sender's, if it could be found
};

class QueuePair final : public SrdSocket {
 public:
  QueuePair(SrdContext& device, std::uint32_t connid);
  ~QueuePair() override;

  // Why it could not be made; empty if it was.
  const std::string& error() const { return error_; }

  const SrdAddress& local() const override { return local_; }
  tl::expected<void, TransportError> send(const SrdAddress& to, Octets packet) override;
  std::optional<SrdEvent> wait(Clock::time_point deadline) override;

  std::optional<RdmaRange> expose(std::span<Octet> octets, RdmaAccess access) override;
  void withdraw(std::uint64_t key) override { exposed_.erase(key); }
  bool could_take(std::uint64_t octets) override;
  std::uint64_t read(const SrdAddress& from, const RdmaRange& what) override;
  std::uint64_t write(const SrdAddress& to, const RdmaRange& where, Octets octets,
                      std::optional<std::uint64_t> immediate) override;

 private:
  struct Rdma {
    std::uint64_t id = 0;
    bool is_read = true;
    SrdAddress peer = {};
    RdmaRange remote = {};
    std::optional<std::uint32_t> immediate = {};
    OctetBuffer octets = {};  // read or written
    std::optional<Registration> known = {};
    bool posted = false;
  };

  bool make();
  bool make_ready(std::uint32_t connid);
  void post_receive(std::size_t place);
  template <class Begin>
  bool post(std::uint64_t id, const SrdAddress& to, const ibv_sge& octets, Begin begin);
  std::uint64_t start(Rdma rdma);
  void post_rdmas();
  bool post_rdma(Rdma& rdma);
  void end_rdma(std::map<std::uint64_t, Rdma>::iterator ended, bool ok, std::string reason);
  bool poll();
  std::optional<Completed> next_completed();
  void take(const Completed& one);
  void take_receive(const Completed& one);
  void rest();

  const char* words_of(ibv_wc_status status) const { return device_.verbs.wc_status_str(status); }

  SrdContext& device_;
  std::string error_;
  SrdAddress local_;
  Buffers receives_, sends_;
  VerbsObject<ibv_cq> queue_;
  ibv_cq_ex* polled_ = nullptr;  // the same
  efadv_cq* efa_queue_ = nullptr;
  VerbsObject<ibv_qp> pair_;
  ibv_qp_ex* posted_ = nullptr;  // the same

  std::vector<std::size_t> free_sends_;
  std::vector<pcap::Endpoint> sent_to_ = std::vector<pcap::Endpoint>(kSends);
  // Events, with the receive whose buffer each uses until it is returned.
  std::deque<std::pair<SrdEvent, std::optional<std::size_t>>> events_;
  std::map<std::uint64_t, Registration> exposed_;  // by key
  std::map<std::uint64_t, Rdma> rdmas_;            // by id, in order
  std::uint64_t next_rdma_ = 1;
  std::size_t rdmas_posted_ = 0;
  unsigned found_nothing_ = 0;
};

QueuePair::QueuePair(SrdContext& device, std::uint32_t connid)
    : device_(device),
      receives_(device.verbs, device.domain.get(), kReceives, device.packet_octets),
      sends_(device.verbs, device.domain.get(), kSends, device.packet_octets),
      queue_(nullptr, device.verbs.destroy_cq),
      pair_(nullptr, device.verbs.destroy_qp) {
  if (!make() || !make_ready(connid)) return;
  local_ = {device.gid, pair_->qp_num, connid};
  for (std::size_t place = 0; place < kReceives; ++place) post_receive(place);
  for (std::size_t place = kSends; place-- > 0;) free_sends_.push_back(place);
}

QueuePair::~QueuePair() {
  pair_.reset();  // before the resources that it uses
}

bool QueuePair::make() {
  if (!receives_.registered() || !sends_.registered()) {
    error_ = "its buffers cannot be registered";
    return false;
  }
  const EfaAbilities& can = device_.abilities;
  ibv_cq_init_attr_ex queue = {};
  queue.cqe = kReceives + kSends + kRdmas;
  queue.wc_flags = IBV_WC_STANDARD_FLAGS;
  efadv_cq_init_attr efa_queue = {};
  if (device_.reports_senders) efa_queue.wc_flags = EFADV_WC_EX_WITH_SGID;
  polled_ = device_.verbs.efa_create_cq(device_.context.get(), &queue, &efa_queue, sizeof efa_queue);
  if (polled_ == nullptr) {
    error_ = "there is no completion queue to be had";
    return false;
  }
  queue_.reset(ibv_cq_ex_to_cq(polled_));
  efa_queue_ = device_.verbs.efa_cq_from_ibv_cq_ex(polled_);
  ibv_qp_init_attr_ex pair = {};
  pair.send_cq = pair.recv_cq = queue_.get();
  pair.cap.max_send_wr = kSends + kRdmas;
  pair.cap.max_recv_wr = kReceives;
  pair.cap.max_send_sge = pair.cap.max_recv_sge = 1;
  pair.qp_type = IBV_QPT_DRIVER;
  pair.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
  pair.pd = device_.domain.get();
  pair.send_ops_flags = IBV_QP_EX_WITH_SEND;
  if (can.rdma_read) pair.send_ops_flags |= IBV_QP_EX_WITH_RDMA_READ;
  if (can.rdma_write) pair.send_ops_flags |= IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM;
  efadv_qp_init_attr srd = {};
  srd.driver_qp_type = EFADV_QP_DRIVER_TYPE_SRD;
  pair_.reset(device_.verbs.efa_create_qp_ex(device_.context.get(), &pair, &srd, sizeof srd));
  if (!pair_) {
    error_ = fmt::format("there is no queue pair to be had: {}", std::strerror(errno));
    return false;
  }
  posted_ = device_.verbs.qp_to_qp_ex(pair_.get());
  return true;
}

bool QueuePair::make_ready(std::uint32_t connid) {
  ibv_qp_attr attributes = {};
  attributes.qkey = connid;
  attributes.port_num = 1;
  struct Step {
    ibv_qp_state state;
    int mask;
  };
  for (const Step& step : {Step{IBV_QPS_INIT, IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY}, Step{IBV_QPS_RTR, 0},
                           Step{IBV_QPS_RTS, IBV_QP_SQ_PSN}}) {
    attributes.qp_state = step.state;
    if (device_.verbs.modify_qp(pair_.get(), &attributes, step.mask | IBV_QP_STATE) == 0) continue;
    error_ = "its queue pair does not become ready";
    return false;
  }
  return true;
}

void QueuePair::post_receive(std::size_t place) {
  ibv_sge into = receives_.sge(place, receives_.size());
  ibv_recv_wr request = {};
  request.wr_id = id_of(Work::receive, place);
  request.sg_list = &into;
  request.num_sge = 1;
  ibv_recv_wr* bad = nullptr;
  static_cast<void>(ibv_post_recv(pair_.get(), &request, &bad));  // there is room for all of them
}

template <class Begin>
bool QueuePair::post(std::uint64_t id, const SrdAddress& to, const ibv_sge& octets, Begin begin) {
  ibv_ah* const handle = device_.handle_of(to.gid);
  if (handle == nullptr) return false;
  ibv_wr_start(posted_);
  posted_->wr_id = id;
  posted_->wr_flags = IBV_SEND_SIGNALED;
  begin();
  ibv_wr_set_sge(posted_, octets.lkey, octets.addr, octets.length);
  ibv_wr_set_ud_addr(posted_, handle, to.qpn, to.connid);
  return ibv_wr_complete(posted_) == 0;
}

tl::expected<void, TransportError> QueuePair::send(const SrdAddress& to, Octets packet) {
  if (packet.size() > sends_.size())
    return tl::unexpected(TransportError{
        fmt::format("a packet of {} octets is longer than the {} of the device", packet.size(), sends_.size()),
        "say the size of packets in the URI: ?mtu="});
  for (const auto late = Clock::now() + kSendTime; free_sends_.empty();) {
    if (poll()) continue;
    if (srd_stopped() || Clock::now() >= late)
      return tl::unexpected(TransportError{fmt::format("{} takes no packets", to_string(to)), "see what keeps it"});
    rest();
  }
  const std::size_t place = free_sends_.back();
  std::ranges::copy(packet, sends_.at(place).begin());
  if (!post(id_of(Work::send, place), to, sends_.sge(place, packet.size()), [&] { ibv_wr_send(posted_); }))
    return tl::unexpected(TransportError{fmt::format("the device sends nothing to {}", to_string(to)),
                                         "check the GID; it may be of another subnet"});
  free_sends_.pop_back();
  sent_to_[place] = endpoint_of(to);
  return {};
}

std::optional<SrdEvent> QueuePair::wait(Clock::time_point deadline) {
  while (events_.empty()) {
    if (srd_stopped()) return std::nullopt;
    if (poll()) continue;
    if (Clock::now() >= deadline) return std::nullopt;
    rest();
  }
  auto [event, place] = std::move(events_.front());
  events_.pop_front();
  if (place) post_receive(*place);
  return std::move(event);
}

// A device's queue is polled; there is nothing to sleep on. After a while without completions others get the processor.
void QueuePair::rest() {
  constexpr unsigned kSpins = 1000;
  if (++found_nothing_ > kSpins) std::this_thread::sleep_for(std::chrono::microseconds(50));
}

// ---------------------------------------------------------------------------------------------------- completions

std::optional<Completed> QueuePair::next_completed() {
  ibv_poll_cq_attr attributes = {};
  if (ibv_start_poll(polled_, &attributes) != 0) return std::nullopt;
  Completed one{.work = static_cast<Work>(polled_->wr_id >> kWorkShift),
                .number = polled_->wr_id & ((std::uint64_t{1} << kWorkShift) - 1),
                .status = polled_->status};
  if (one.work == Work::receive && one.status == IBV_WC_SUCCESS) {
    one.opcode = ibv_wc_read_opcode(polled_);
    one.octets = ibv_wc_read_byte_len(polled_);
    one.qpn = ibv_wc_read_src_qp(polled_);
    if (one.opcode == IBV_WC_RECV_RDMA_WITH_IMM) one.immediate = ibv_wc_read_imm_data(polled_);
    ibv_gid gid = {};
    if (device_.reports_senders && efadv_wc_read_sgid(efa_queue_, &gid) >= 0) {
      one.gid.emplace();
      std::ranges::copy(gid.raw, one.gid->begin());
    } else if (const Gid* const known = device_.gid_of(ibv_wc_read_slid(polled_))) {
      one.gid = *known;
    }
  }
  ibv_end_poll(polled_);
  return one;
}

bool QueuePair::poll() {
  const auto one = next_completed();
  if (!one) return false;
  found_nothing_ = 0;
  take(*one);
  return true;
}

void QueuePair::take(const Completed& one) {
  if (one.work == Work::receive) return take_receive(one);
  const bool ok = one.status == IBV_WC_SUCCESS;
  if (one.work == Work::rdma) {
    --rdmas_posted_;
    if (const auto ended = rdmas_.find(one.number); ended != rdmas_.end())
      end_rdma(ended, ok, ok ? std::string() : words_of(one.status));
    return post_rdmas();
  }
  const auto place = static_cast<std::size_t>(one.number);
  free_sends_.push_back(place);
  if (!ok)
    events_.emplace_back(
        SrdEvent{.kind = SrdEvent::Kind::undelivered, .peer = sent_to_[place], .reason = words_of(one.status)},
        std::nullopt);
}

// A sender that cannot be identified cannot be answered, so its packet is ignored.
void QueuePair::take_receive(const Completed& one) {
  const auto place = static_cast<std::size_t>(one.number);
  if (one.status != IBV_WC_SUCCESS || !one.gid) return post_receive(place);
  SrdEvent event{.peer = endpoint_of({*one.gid, one.qpn, 0})};
  if (one.opcode == IBV_WC_RECV_RDMA_WITH_IMM) {
    event.kind = SrdEvent::Kind::written;
    event.length = one.octets;
    event.immediate = one.immediate;
  } else {
    const auto octets = receives_.at(place).first(std::min(one.octets, receives_.size()));
    event.octets.assign(octets.begin(), octets.end());
  }
  events_.emplace_back(std::move(event), place);
}

// ------------------------------------------------------------------------------------------------------------ RDMA

std::optional<RdmaRange> QueuePair::expose(std::span<Octet> octets, RdmaAccess access) {
  const EfaAbilities& can = device_.abilities;
  int flags = kLocal;
  if (can.rdma_read && allows(access, RdmaAccess::read)) flags |= IBV_ACCESS_REMOTE_READ;
  if (can.rdma_write && allows(access, RdmaAccess::write)) flags |= IBV_ACCESS_REMOTE_WRITE;
  if (flags == kLocal || octets.empty()) return std::nullopt;
  Registration known(device_.verbs, device_.domain.get(), octets, flags);
  if (!known) return std::nullopt;
  const std::uint64_t key = known.rkey();
  exposed_.insert_or_assign(key, std::move(known));
  return RdmaRange{reinterpret_cast<std::uintptr_t>(octets.data()), octets.size(), key};
}

bool QueuePair::could_take(std::uint64_t octets) {
  if (octets > kRdmaTotal) return false;
  if (octets == 0) return true;
  const std::unique_ptr<Octet[]> room(new Octet[static_cast<std::size_t>(octets)]);
  return static_cast<bool>(
      Registration(device_.verbs, device_.domain.get(), {room.get(), static_cast<std::size_t>(octets)}, kLocal));
}

std::uint64_t QueuePair::read(const SrdAddress& from, const RdmaRange& what) {
  Rdma rdma{.peer = from, .remote = what};
  if (what.len <= kRdmaTotal) rdma.octets.resize(static_cast<std::size_t>(what.len));
  return start(std::move(rdma));
}

std::uint64_t QueuePair::write(const SrdAddress& to, const RdmaRange& where, Octets octets,
                               std::optional<std::uint64_t> immediate) {
  Rdma rdma{.is_read = false, .peer = to, .remote = where};
  rdma.octets.assign(octets.begin(), octets.end());
  if (immediate) rdma.immediate = static_cast<std::uint32_t>(*immediate);
  return start(std::move(rdma));
}

std::uint64_t QueuePair::start(Rdma rdma) {
  const std::uint64_t id = rdma.id = next_rdma_++;
  rdmas_.emplace(id, std::move(rdma));
  post_rdmas();
  return id;
}

void QueuePair::post_rdmas() {
  for (auto next = rdmas_.begin(); next != rdmas_.end() && rdmas_posted_ < kRdmas;) {
    const auto one = next++;
    if (one->second.posted) continue;
    one->second.posted = post_rdma(one->second);
    if (one->second.posted)
      ++rdmas_posted_;
    else
      end_rdma(one, false, "the device does not take it");
  }
}

bool QueuePair::post_rdma(Rdma& rdma) {
  const EfaAbilities& can = device_.abilities;
  if (!(rdma.is_read ? can.rdma_read : can.rdma_write) || rdma.octets.size() != rdma.remote.len ||
      rdma.remote.len > can.max_rdma || rdma.remote.key > UINT32_MAX)
    return false;
  ibv_sge local = {};
  if (!rdma.octets.empty()) {
    rdma.known.emplace(device_.verbs, device_.domain.get(), std::span(rdma.octets), kLocal);
    if (!*rdma.known) return false;
    local = {reinterpret_cast<std::uintptr_t>(rdma.octets.data()), static_cast<std::uint32_t>(rdma.octets.size()),
             rdma.known->lkey()};
  }
  const auto key = static_cast<std::uint32_t>(rdma.remote.key);
  return post(id_of(Work::rdma, rdma.id), rdma.peer, local, [&] {
    if (rdma.is_read)
      ibv_wr_rdma_read(posted_, key, rdma.remote.addr);
    else if (rdma.immediate)
      ibv_wr_rdma_write_imm(posted_, key, rdma.remote.addr, *rdma.immediate);
    else
      ibv_wr_rdma_write(posted_, key, rdma.remote.addr);
  });
}

void QueuePair::end_rdma(std::map<std::uint64_t, Rdma>::iterator ended, bool ok, std::string reason) {
  Rdma& rdma = ended->second;
  rdma.known.reset();
  SrdEvent event{.kind = SrdEvent::Kind::rdma, .id = rdma.id, .ok = ok, .reason = std::move(reason)};
  if (ok && rdma.is_read) event.octets = std::move(rdma.octets);
  rdmas_.erase(ended);
  events_.emplace_back(std::move(event), std::nullopt);
}

}  // namespace

tl::expected<std::unique_ptr<SrdSocket>, TransportError> make_queue_pair(SrdContext& device, std::uint32_t connid) {
  auto made = std::make_unique<QueuePair>(device, connid);
  if (!made->error().empty())
    return tl::unexpected(
        TransportError{"the EFA device: " + made->error(), "see how much memory a process may lock: ulimit -l"});
  return made;
}

}  // namespace wirelaw
#endif
