// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/smb2_application.h"

#include <deque>
#include <map>
#include <set>
#include <utility>
#include <variant>

#include "harness/peers/smbd_application.h"
#include "reference/smb2/server.h"
#include "reference/smb2/visit.h"

namespace wirelaw::smbd {
namespace {

class Serving final : public Application {
 public:
  void take(Event& event, Endpoint& endpoint, Instant now) override {
    if (const auto* const established = std::get_if<Established>(&event))
      server_.limit(established->parameters.max_fragmented_send_size, established->parameters.max_read_write_size);
    if (auto* const received = std::get_if<Received>(&event)) {
      auto answer = server_.answer(received->data);
      if (!answer) return endpoint.close(now);
      waiting_.push_back(std::move(*answer));
      begin_what_can(endpoint, now);
    }
    if (const auto* const moved = std::get_if<Transferred>(&event)) finish(*moved, endpoint, now);
  }

 private:
  // Octets that are moved by RDMA at a time; one answer may have more.
  static constexpr std::size_t kMostMoving = std::size_t{16} << 20;

  // An answer whose octets are being moved.
  struct Moving {
    smb2::Answer answer;
    std::size_t left = 0;
    std::size_t octets = 0;
    std::deque<OctetBuffer> fetched = {};  // one for each movement; its place stays
  };
  struct Transfer {
    std::uint64_t answer = 0;
    std::size_t movement = 0;
  };

  static std::size_t octets_of(const smb2::Answer& answer) {
    std::size_t octets = 0;
    for (const smb2::Movement& one : answer.movements) octets += one.octets;
    return octets;
  }

  // Starts waiting operations in order, as far as there is room.
  void begin_what_can(Endpoint& endpoint, Instant now) {
    while (!waiting_.empty() && (octets_moving_ == 0 || octets_moving_ + octets_of(waiting_.front()) <= kMostMoving)) {
      smb2::Answer answer = std::move(waiting_.front());
      waiting_.pop_front();
      if (!begin(std::move(answer), endpoint)) return endpoint.close(now);
    }
  }
  bool begin(smb2::Answer&& answer, Endpoint& endpoint) {
    if (answer.movements.empty()) return send(answer, endpoint);
    const std::uint64_t number = next_++;
    Moving& moving = moving_[number];
    moving.octets = octets_of(answer);
    moving.left = answer.movements.size();
    octets_moving_ += moving.octets;
    moving.answer = std::move(answer);
    for (const smb2::Movement& one : moving.answer.movements) {
      OctetBuffer& fetched = moving.fetched.emplace_back(one.is_fetch ? one.octets : 0);
      std::vector<BufferDescriptorV1> remote;
      for (const smb2::ChannelBuffer& each : one.buffers)
        remote.push_back({.offset = each.offset, .token = each.token, .length = each.length});
      const auto id = one.is_fetch ? endpoint.read(fetched, remote) : endpoint.write(server_.octets_of(one), remote);
      if (!id) return false;
      transfers_[*id] = {number, moving.fetched.size() - 1};
    }
    return true;
  }
  void finish(const Transferred& moved, Endpoint& endpoint, Instant now) {
    const auto transfer = transfers_.extract(moved.id);
    if (!transfer || !moved.ok) return;
    const auto found = moving_.find(transfer.mapped().answer);
    Moving& moving = found->second;
    const smb2::Movement& movement = moving.answer.movements[transfer.mapped().movement];
    if (movement.is_fetch) server_.keep(movement, moving.fetched[transfer.mapped().movement]);
    if (--moving.left > 0) return;
    octets_moving_ -= moving.octets;
    const smb2::Answer answer = std::move(moving.answer);
    moving_.erase(found);
    if (!send(answer, endpoint)) return endpoint.close(now);
    begin_what_can(endpoint, now);
  }
  static bool send(const smb2::Answer& answer, Endpoint& endpoint) {
    return answer.message.empty() || endpoint.send(answer.message, answer.invalidate).has_value();
  }

  smb2::Server server_;
  std::deque<smb2::Answer> waiting_;
  std::map<std::uint64_t, Moving> moving_;
  std::map<TransferId, Transfer> transfers_;
  std::uint64_t next_ = 0;
  std::size_t octets_moving_ = 0;
};

// The client's memory, registered at the endpoint of its connection.
class EndpointLender final : public smb2::Lender {
 public:
  void bind(Endpoint& endpoint) { endpoint_ = &endpoint; }
  void invalidated(Token token) { gone_.insert(token); }

  std::vector<smb2::ChannelBuffer> lend(std::span<Octet> memory, bool server_writes) override {
    const std::span<Octet> parts[] = {memory};
    const auto descriptors = endpoint_->register_buffer(parts, {.read = !server_writes, .write = server_writes});
    std::vector<smb2::ChannelBuffer> lent;
    if (descriptors)
      for (const BufferDescriptorV1& one : *descriptors)
        lent.push_back({.offset = one.offset, .token = one.token, .length = one.length});
    return lent;
  }
  bool take_back(const std::vector<smb2::ChannelBuffer>& buffers, bool invalidated) override {
    std::vector<BufferDescriptorV1> left;
    for (const smb2::ChannelBuffer& one : buffers)
      if (gone_.erase(one.token) == 0) left.push_back({.offset = one.offset, .token = one.token, .length = one.length});
    // The first of them is what the server invalidates.
    const bool as_asked = (left.size() + 1 == buffers.size()) == invalidated;
    return endpoint_->deregister_buffer(left) && as_asked;
  }

 private:
  Endpoint* endpoint_ = nullptr;
  std::set<Token> gone_;
};

class Visiting final : public Application {
 public:
  Visiting(const TriggerRequest& request, rdmap::UpperCounts& counts)
      : visit_({.octets = request.octets, .rounds = request.count}, &lender_), counts_(counts), left_(request.count) {}

  void take(Event& event, Endpoint& endpoint, Instant now) override {
    lender_.bind(endpoint);
    if (std::holds_alternative<Established>(event)) say(visit_.begin(), endpoint, now);
    if (const auto* const invalidated = std::get_if<Invalidated>(&event)) lender_.invalidated(invalidated->token);
    if (const auto* const received = std::get_if<Received>(&event)) hear(received->data, endpoint, now);
    if (const auto* const terminated = std::get_if<Terminated>(&event))
      if (terminated->reason != Reason::closed_by_upper_layer) give_up(describe(terminated->reason).text);
    if (std::holds_alternative<Disconnected>(event)) give_up("the connection was lost");
  }
  void advance(Endpoint& endpoint, Instant now) override {
    if (idle() || !due_ || now < *due_) return;
    give_up("no response has come");
    endpoint.close(now);
  }
  std::optional<Instant> deadline() const override { return idle() ? std::nullopt : due_; }
  bool idle() const override { return is_over_; }

 private:
  void say(const OctetBuffer& message, Endpoint& endpoint, Instant now) {
    due_ = now + kRoundTime;
    if (endpoint.send(message)) return;
    give_up("a request cannot be sent");
    endpoint.close(now);
  }
  void hear(const OctetBuffer& response, Endpoint& endpoint, Instant now) {
    if (is_over_) return;
    const auto next = visit_.take(response);
    for (; done_ < visit_.rounds(); ++done_, --left_) ++counts_.done;
    if (!next) {
      give_up(next.error());
      return endpoint.close(now);
    }
    if (!next->empty()) return say(*next, endpoint, now);
    is_over_ = true;
    endpoint.close(now);
  }
  void give_up(std::string_view why) {
    if (std::exchange(is_over_, true)) return;
    counts_.failed += std::max(left_, 1u);
    counts_.error = why;
  }

  EndpointLender lender_;
  smb2::Visit visit_;
  rdmap::UpperCounts& counts_;
  unsigned left_;  // rounds that are not done
  unsigned done_ = 0;
  std::optional<Instant> due_;  // when the response is due; nothing before the first request
  bool is_over_ = false;
};

}  // namespace

std::unique_ptr<Application> make_smb2_server() {
  return std::make_unique<Serving>();
}

std::unique_ptr<Application> make_smb2_client(const TriggerRequest& request, rdmap::UpperCounts& counts) {
  return std::make_unique<Visiting>(request, counts);
}

}  // namespace wirelaw::smbd
