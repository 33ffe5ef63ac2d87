// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/smbd_application.h"

#include <fmt/format.h>

#include <deque>
#include <map>
#include <utility>
#include <variant>

#include "harness/peers/peer_application.h"
#include "harness/peers/smb2_application.h"
#include "reference/smbd/transfer_request.h"

namespace wirelaw::smbd {
namespace {

class Answering final : public Application {
 public:
  explicit Answering(Service service) : application_(service) {}

  void take(Event& event, Endpoint& endpoint, Instant) override {
    if (auto* const received = std::get_if<Received>(&event)) answer(std::move(received->data), endpoint);
    if (const auto* const moved = std::get_if<Transferred>(&event)) finish(*moved, endpoint);
  }

 private:
  // Answers that are sent once their octets have been moved.
  struct Moving {
    OctetBuffer octets;  // fetched so far; its place stays
    std::optional<Token> invalidate;
    OctetBuffer answer;
  };

  void answer(OctetBuffer&& message, Endpoint& endpoint) {
    if (!application_.answers()) return;
    if (auto request = decode_transfer_request(message)) return move(*request, endpoint);
    static_cast<void>(endpoint.send(application_.answer_to(std::move(message))));
  }

  void move(TransferRequest& request, Endpoint& endpoint) {
    const Parameters limits = endpoint.parameters();
    const bool fetches = request.kind == TransferRequest::Kind::fetch;
    if (fetches && request.length > std::min(limits.max_read_write_size, limits.max_fragmented_send_size)) return;
    Moving moving{.octets = OctetBuffer(fetches ? request.length : 0)};
    if (!request.remote.empty()) moving.invalidate = request.remote.front().token;
    OctetBuffer data = std::exchange(request.data, {});
    moving.answer = encode(request);
    const auto id = fetches ? endpoint.read(moving.octets, request.remote, request.offset)
                            : endpoint.write(std::move(data), request.remote, request.offset);
    if (id) moving_.emplace(*id, std::move(moving));
  }

  void finish(const Transferred& moved, Endpoint& endpoint) {
    auto found = moving_.extract(moved.id);
    if (!found || !moved.ok) return;
    Moving& done = found.mapped();
    static_cast<void>(endpoint.send(std::move(done.octets.empty() ? done.answer : done.octets), done.invalidate));
  }

  PeerApplication application_;
  std::map<TransferId, Moving> moving_;
};

class Asking final : public Application {
 public:
  Asking(const TriggerRequest& request, rdmap::UpperCounts& counts)
      : request_(request), counts_(counts), left_(request.count) {}

  void take(Event& event, Endpoint& endpoint, Instant now) override {
    if (std::holds_alternative<Established>(event)) {
      for (unsigned i = 0; i < (request_.parallel ? request_.count : 1); ++i) begin_round(endpoint, now);
      close_when_over(endpoint, now);
    }
    if (const auto* const received = std::get_if<Received>(&event)) end_round(received->data, endpoint, now);
    if (const auto* const terminated = std::get_if<Terminated>(&event))
      if (terminated->reason != Reason::closed_by_upper_layer) give_up(describe(terminated->reason).text);
    if (std::holds_alternative<Disconnected>(event)) give_up("the connection was lost");
  }
  void advance(Endpoint& endpoint, Instant now) override {
    if (rounds_.empty() || now < due_) return;
    give_up("no message has come back");
    endpoint.close(now);
  }
  std::optional<Instant> deadline() const override { return rounds_.empty() ? std::nullopt : std::optional(due_); }
  bool idle() const override { return left_ == 0 && rounds_.empty(); }

 private:
  void begin_round(Endpoint& endpoint, Instant now) {
    if (left_ == 0) return;
    --left_;
    rounds_.push_back(distinct_octets(number_++, request_.octets));
    due_ = now + kRoundTime;
    if (endpoint.send(rounds_.back())) return;
    give_up("the message cannot be sent");
    endpoint.close(now);
  }
  void end_round(const OctetBuffer& echo, Endpoint& endpoint, Instant now) {
    if (rounds_.empty()) return;
    if (echo != rounds_.front()) {
      give_up("an echo has other octets than the message");
      return endpoint.close(now);
    }
    rounds_.pop_front();
    ++counts_.done;
    due_ = now + kRoundTime;
    begin_round(endpoint, now);
    close_when_over(endpoint, now);
  }
  void close_when_over(Endpoint& endpoint, Instant now) {
    if (idle()) endpoint.close(now);
  }
  void give_up(std::string_view why) {
    if (idle()) return;
    counts_.failed += left_ + rounds_.size();
    counts_.error = why;
    left_ = 0;
    rounds_.clear();
  }

  TriggerRequest request_;
  rdmap::UpperCounts& counts_;
  unsigned left_;  // rounds that have not begun
  std::deque<OctetBuffer> rounds_;
  std::uint64_t number_ = 0;
  Instant due_{};
};

}  // namespace

std::unique_ptr<Application> make_answering(Service service) {
  if (service == Service::smb2) return make_smb2_server();
  return std::make_unique<Answering>(service);
}

std::unique_ptr<Application> make_asking(Service service, const TriggerRequest& request, rdmap::UpperCounts& counts) {
  if (service == Service::smb2) return make_smb2_client(request, counts);
  return std::make_unique<Asking>(request, counts);
}

}  // namespace wirelaw::smbd
