// SPDX-License-Identifier: Apache-2.0
#include "harness/lab/verbs_initiator.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <deque>

#include "harness/peers/peer_application.h"

namespace wirelaw::lab {
namespace {

using rdmap::kBufferOctets;
using rdmap::kReceives;

class Initiator {
 public:
  explicit Initiator(const TriggerRequest& request) : request_(request), left_(request.count) {}

  Result<> run(const std::string& host, const std::string& port) {
    if (auto connected = connect(host, port); !connected) return connected;
    for (std::size_t i = 0; i < (request_.parallel ? kReceives : 1) && left_ > 0; ++i) begin_round();
    while (error_.empty() && !rounds_.empty()) wait();
    rdma_disconnect(connection_->id());
    if (!error_.empty()) return tl::unexpected(error_);
    return {};
  }

 private:
  struct Round {
    std::uint64_t number = 0;
    std::size_t octets = 0;  // of the Send
    std::size_t stored = 0;  // of them, in the peer's buffer and back
    bool echoed = false, read = true, sent = false;
  };
  enum Kind : std::uint64_t { kWrite, kSend, kRead };  // with a round's number above, in a work request's id
  static constexpr std::uint64_t id_of(Kind kind, std::uint64_t number) { return number << 2 | kind; }

  Result<> next_event(rdma_cm_event_type wanted, rdma_cm_event*& event) {
    if (rdma_get_cm_event(channel_.get(), &event) != 0) return tl::unexpected(failure("rdma_get_cm_event"));
    if (event->event == wanted) return {};
    auto text = fmt::format("{} instead of {} (status {})", rdma_event_str(event->event), rdma_event_str(wanted),
                            event->status);
    rdma_ack_cm_event(event);
    return tl::unexpected(std::move(text));
  }
  Result<> passed(rdma_cm_event_type wanted) {
    rdma_cm_event* event = nullptr;
    auto came = next_event(wanted, event);
    if (came) rdma_ack_cm_event(event);
    return came;
  }

  Result<> connect(const std::string& host, const std::string& port) {
    constexpr int kPatience = 2000;  // ms
    channel_.reset(rdma_create_event_channel());
    if (!channel_) return tl::unexpected(failure("rdma_create_event_channel"));
    rdma_cm_id* id = nullptr;
    if (rdma_create_id(channel_.get(), &id, nullptr, RDMA_PS_TCP) != 0)
      return tl::unexpected(failure("rdma_create_id"));
    std::unique_ptr<rdma_cm_id, int (*)(rdma_cm_id*)> own(id, rdma_destroy_id);
    rdma_addrinfo hints{}, *found = nullptr;
    hints.ai_port_space = RDMA_PS_TCP;
    if (rdma_getaddrinfo(host.c_str(), port.c_str(), &hints, &found) != 0)
      return tl::unexpected(failure("rdma_getaddrinfo " + host));
    const int resolving = rdma_resolve_addr(id, nullptr, found->ai_dst_addr, kPatience);
    rdma_freeaddrinfo(found);
    if (resolving != 0) return tl::unexpected(failure("rdma_resolve_addr"));
    if (auto came = passed(RDMA_CM_EVENT_ADDR_RESOLVED); !came) return came;
    if (rdma_resolve_route(id, kPatience) != 0) return tl::unexpected(failure("rdma_resolve_route"));
    if (auto came = passed(RDMA_CM_EVENT_ROUTE_RESOLVED); !came) return came;

    auto connection = VerbsConnection::on(own.release());
    if (!connection) return tl::unexpected(connection.error());
    connection_ = std::move(*connection);
    constexpr int kBoth = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE;
    for (auto* memory : {&offered_, &source_, &sink_}) {
      *memory = std::make_unique<RegisteredMemory>(connection_->domain(), kBufferOctets, kBoth);
      if (!(*memory)->registered()) return tl::unexpected(failure("ibv_reg_mr"));
    }
    const rdmap::AdvertisedBuffer offered = offered_->advertised();
    const OctetBuffer advertisement = rdmap::encode_advertisement({&offered, 1});
    rdma_conn_param parameters = VerbsConnection::parameters(advertisement);
    if (rdma_connect(connection_->id(), &parameters) != 0) return tl::unexpected(failure("rdma_connect"));
    rdma_cm_event* event = nullptr;
    if (auto came = next_event(RDMA_CM_EVENT_ESTABLISHED, event); !came) return came;
    const auto* data = static_cast<const Octet*>(event->param.conn.private_data);
    if (const auto theirs = rdmap::decode_advertisement(Octets(data, event->param.conn.private_data_len));
        theirs && !theirs->empty())
      target_ = theirs->front();
    rdma_ack_cm_event(event);
    return {};
  }

  // Rounds that are under way together have each a part of the buffers.
  std::size_t part() const { return kBufferOctets / (request_.parallel ? kReceives : 1); }
  std::size_t place(const Round& round) const { return round.number % (request_.parallel ? kReceives : 1) * part(); }

  void begin_round() {
    --left_;
    Round round{.number = number_++, .octets = std::min(request_.octets, part())};
    const std::size_t at = place(round), all = std::min<std::size_t>(target_.length, kBufferOctets);
    round.stored = at < all ? std::min(round.octets, all - at) : 0;
    std::ranges::copy(distinct_octets(round.number, round.octets), source_->at(at));
    std::fill_n(sink_->at(at), round.stored, Octet{0});
    if (target_.length > 0) {
      post(IBV_WR_RDMA_WRITE, kWrite, round, round.stored);
      round.read = false;
    }
    post(IBV_WR_SEND, kSend, round, round.octets);
    if (target_.length > 0) post(IBV_WR_RDMA_READ, kRead, round, round.stored);
    rounds_.push_back(round);
  }
  void post(ibv_wr_opcode opcode, Kind kind, const Round& round, std::size_t octets) {
    RegisteredMemory& memory = kind == kRead ? *sink_ : *source_;
    ibv_sge piece{reinterpret_cast<std::uintptr_t>(memory.at(place(round))), static_cast<std::uint32_t>(octets),
                  memory.local_key()};
    ibv_send_wr request{};
    request.wr_id = id_of(kind, round.number);
    request.opcode = opcode;
    request.send_flags = IBV_SEND_SIGNALED;
    request.sg_list = &piece;
    request.num_sge = octets == 0 ? 0 : 1;
    request.wr.rdma.remote_addr = target_.at.to + place(round);
    request.wr.rdma.rkey = target_.at.stag;
    if (!connection_->post(request)) give_up(failure("ibv_post_send"));
  }

  void wait() {
    pollfd waited[]{{channel_->fd, POLLIN, 0}, {connection_->completions_descriptor(), POLLIN, 0}};
    const int patience =
        static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(rdmap::kRoundTime).count());
    const int ready = ::poll(waited, std::size(waited), patience);
    if (ready == 0) return give_up("nothing has come back");
    if (ready < 0) return errno == EINTR ? void() : give_up(failure("poll"));
    if (waited[1].revents != 0) connection_->for_each_completion([&](const ibv_wc& one) { on(one); });
    if (waited[0].revents == 0) return;
    rdma_cm_event* event = nullptr;
    if (rdma_get_cm_event(channel_.get(), &event) != 0) return give_up(failure("rdma_get_cm_event"));
    const bool closed = event->event == RDMA_CM_EVENT_DISCONNECTED;
    const std::string text = rdma_event_str(event->event);
    rdma_ack_cm_event(event);
    if (!rounds_.empty()) give_up(closed ? "the responder has closed" : text);
  }
  void on(const ibv_wc& completion) {
    if (completion.status != IBV_WC_SUCCESS) return give_up(ibv_wc_status_str(completion.status));
    if ((completion.opcode & IBV_WC_RECV) != 0) return take_echo(completion.wr_id, completion.byte_len);
    const auto kind = static_cast<Kind>(completion.wr_id & 3);
    if (kind == kWrite) return;
    const auto round = std::ranges::find(rounds_, completion.wr_id >> 2, &Round::number);
    if (round == rounds_.end()) return;
    if (kind == kRead &&
        !std::equal(sink_->at(place(*round)), sink_->at(place(*round)) + round->stored, source_->at(place(*round))))
      return give_up("a read has given other octets than were written");
    (kind == kRead ? round->read : round->sent) = true;
    end_rounds();
  }
  void take_echo(std::size_t place_of_receive, std::size_t octets) {
    const Octets echo = connection_->received(place_of_receive, octets);
    const auto round = std::ranges::find_if(rounds_, [](const Round& one) { return !one.echoed; });
    if (round == rounds_.end()) return;
    round->echoed = true;
    if (echo.size() != round->octets || !std::equal(echo.begin(), echo.end(), source_->at(place(*round))))
      return give_up("an echo has other octets than the Send");
    connection_->post_receive(place_of_receive);
    end_rounds();
  }
  void end_rounds() {
    while (!rounds_.empty() && rounds_.front().echoed && rounds_.front().read && rounds_.front().sent) {
      rounds_.pop_front();
      if (left_ > 0) begin_round();
    }
  }
  void give_up(std::string why) {
    if (error_.empty()) error_ = std::move(why);
  }

  TriggerRequest request_;
  unsigned left_;
  std::uint64_t number_ = 0;
  Channel channel_;
  std::unique_ptr<VerbsConnection> connection_;
  std::unique_ptr<RegisteredMemory> offered_, source_, sink_;  // gone before the connection is
  rdmap::AdvertisedBuffer target_;                             // of the peer; no octets: none was advertised
  std::deque<Round> rounds_;
  std::string error_;
};

}  // namespace

Result<> initiate(const std::string& host, const std::string& port, const TriggerRequest& request) {
  return Initiator(request).run(host, port);
}

}  // namespace wirelaw::lab
