// SPDX-License-Identifier: Apache-2.0
#include "harness/lab/verbs_responder.h"

#include <fmt/format.h>
#include <poll.h>

#include <cerrno>
#include <cstdio>
#include <map>

namespace wirelaw::lab {
namespace {

using rdmap::kBufferOctets;

class Served {
 public:
  static Result<std::unique_ptr<Served>> on(rdma_cm_id* id, PeerApplication& application) {
    auto connection = VerbsConnection::on(id);
    if (!connection) return tl::unexpected(connection.error());
    auto served = std::make_unique<Served>(std::move(*connection), application);
    if (const auto accepted = served->accept(); !accepted) return tl::unexpected(accepted.error());
    return served;
  }
  Served(std::unique_ptr<VerbsConnection> connection, PeerApplication& application)
      : application_(application), connection_(std::move(connection)) {}

  int descriptor() const { return connection_->completions_descriptor(); }
  void proceed() {
    connection_->for_each_completion([&](const ibv_wc& one) { on(one); });
  }
  // The peer has closed, or the stream is broken.
  void disconnected() { rdma_disconnect(connection_->id()); }

 private:
  Result<> accept() {
    constexpr int kRead = IBV_ACCESS_REMOTE_READ, kWrite = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_LOCAL_WRITE;
    std::vector<rdmap::AdvertisedBuffer> offered;
    for (const int access : {kRead | kWrite, kRead, kWrite}) {
      auto& one =
          memory_.emplace_back(std::make_unique<RegisteredMemory>(connection_->domain(), kBufferOctets, access));
      if (!one->registered()) return tl::unexpected(failure("ibv_reg_mr"));
      offered.push_back(one->advertised());
    }
    for (std::size_t i = 0; i < kBufferOctets; ++i) memory_[1]->octets()[i] = static_cast<Octet>(i + (i >> 8));
    const OctetBuffer advertisement = rdmap::encode_advertisement(offered);
    rdma_conn_param parameters = VerbsConnection::parameters(advertisement);
    if (rdma_accept(connection_->id(), &parameters) != 0) return tl::unexpected(failure("rdma_accept"));
    return {};
  }
  void on(const ibv_wc& completion) {
    const std::size_t place = completion.wr_id;       // of its echo too
    if (completion.status != IBV_WC_SUCCESS) return;  // the connection's end follows
    if ((completion.opcode & IBV_WC_RECV) == 0 || !application_.answers()) {
      connection_->post_receive(place);
      return;
    }
    const Octets request = connection_->received(place, completion.byte_len);
    const OctetBuffer answer = application_.answer_to({request.begin(), request.end()});
    std::ranges::copy(answer, const_cast<Octet*>(request.data()));  // it is never longer
    connection_->send_received(place, place, answer.size());
  }

  PeerApplication& application_;
  std::unique_ptr<VerbsConnection> connection_;
  std::vector<std::unique_ptr<RegisteredMemory>> memory_;  // gone before the connection's domain is
};

class Service {
 public:
  explicit Service(Application application) : application_(application) {}
  ~Service() {
    served_.clear();
    if (listener_ != nullptr) rdma_destroy_id(listener_);
  }

  Result<> listen(const std::string& host, const std::string& port) {
    channel_.reset(rdma_create_event_channel());
    if (!channel_) return tl::unexpected(failure("rdma_create_event_channel"));
    if (rdma_create_id(channel_.get(), &listener_, nullptr, RDMA_PS_TCP) != 0)
      return tl::unexpected(failure("rdma_create_id"));
    rdma_addrinfo hints{}, *found = nullptr;
    hints.ai_flags = RAI_PASSIVE;
    hints.ai_port_space = RDMA_PS_TCP;
    if (rdma_getaddrinfo(host.c_str(), port.c_str(), &hints, &found) != 0)
      return tl::unexpected(failure("rdma_getaddrinfo " + host));
    const int bound = bind(found->ai_src_addr);
    rdma_freeaddrinfo(found);
    if (bound != 0) return tl::unexpected(failure("rdma_bind_addr"));
    constexpr int kBacklog = 64;
    if (rdma_listen(listener_, kBacklog) != 0) return tl::unexpected(failure("rdma_listen"));
    fmt::print("verbs_peer ready uri=tcp://{}:{}\n", host, ntohs(rdma_get_src_port(listener_)));
    std::fflush(stdout);
    return {};
  }

  Result<> serve(const volatile std::sig_atomic_t& stopped) {
    while (stopped == 0) {
      std::vector<pollfd> waited{{channel_->fd, POLLIN, 0}};
      std::vector<rdma_cm_id*> ids{nullptr};
      for (const auto& [id, served] : served_) {
        waited.push_back({served->descriptor(), POLLIN, 0});
        ids.push_back(id);
      }
      if (::poll(waited.data(), waited.size(), -1) < 0) {
        if (errno == EINTR) continue;
        return tl::unexpected(failure("poll"));
      }
      for (std::size_t i = 1; i < waited.size(); ++i)
        if (waited[i].revents != 0) served_.at(ids[i])->proceed();
      if (waited[0].revents == 0) continue;
      if (const auto taken = take_event(); !taken) return taken;
    }
    return {};
  }

 private:
  // A process that was ended a moment ago may still hold the port.
  int bind(sockaddr* address) {
    constexpr int kTries = 500, kPause = 10;  // ms
    for (int left = kTries; rdma_bind_addr(listener_, address) != 0; --left) {
      if (errno != EADDRINUSE || left == 0) return -1;
      ::poll(nullptr, 0, kPause);
    }
    return 0;
  }
  Result<> take_event() {
    rdma_cm_event* event = nullptr;
    if (rdma_get_cm_event(channel_.get(), &event) != 0) return tl::unexpected(failure("rdma_get_cm_event"));
    rdma_cm_id* const id = event->id;
    const rdma_cm_event_type type = event->event;
    rdma_ack_cm_event(event);  // an id is not destroyed before its events are acknowledged
    if (type == RDMA_CM_EVENT_CONNECT_REQUEST) {
      auto served = Served::on(id, application_);
      if (served) {
        served_.emplace(id, std::move(*served));
      } else {
        fmt::print(stderr, "verbs_peer: a connection is not served: {}\n", served.error());
      }
      return {};
    }
    const auto found = served_.find(id);
    if (found == served_.end() || type == RDMA_CM_EVENT_ESTABLISHED) return {};
    found->second->proceed();  // what came before the end
    found->second->disconnected();
    served_.erase(found);
    return {};
  }

  PeerApplication application_;
  Channel channel_;
  rdma_cm_id* listener_ = nullptr;
  std::map<rdma_cm_id*, std::unique_ptr<Served>> served_;
};

}  // namespace

Result<> respond(const std::string& host, const std::string& port, Application application,
                 const volatile std::sig_atomic_t& stopped) {
  Service service(application);
  if (const auto listening = service.listen(host, port); !listening) return listening;
  return service.serve(stopped);
}

}  // namespace wirelaw::lab
