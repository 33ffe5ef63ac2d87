// SPDX-License-Identifier: Apache-2.0
#include "harness/lab/fabric_responder.h"

#include <fmt/format.h>
#include <rdma/fi_tagged.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <deque>
#include <list>
#include <memory>
#include <optional>

#include "harness/lab/fabric_application.h"
#include "harness/lab/fabric_pattern.h"
#include "harness/lab/fabric_peer_address.h"
#include "harness/peers/peer_application.h"

namespace wirelaw::lab {
namespace {

constexpr std::size_t kReceives = 64;                          // for each kind, tagged and untagged
constexpr std::size_t kAnswerOctets = std::size_t{256} << 20;  // octets of answers in progress

struct Receive {
  fi_context2 context = {};
  bool tagged = false;
  // Not touched before something arrives.
  std::unique_ptr<std::uint8_t[]> octets = std::make_unique_for_overwrite<std::uint8_t[]>(kLongestMessage);
};

struct Answer {
  fi_context2 context = {};
  fi_addr_t to = FI_ADDR_NOTAVAIL;
  OctetBuffer octets = {};
  std::optional<std::uint64_t> tag = {};
  std::optional<std::uint64_t> cq_data = {};
};

std::optional<std::uint64_t> cq_data_of(const Event& event) {
  return (event.flags & FI_REMOTE_CQ_DATA) != 0 ? std::optional(event.data) : std::nullopt;
}

class Responder {
 public:
  Responder(FabricEndpoint& endpoint, Service application) : endpoint_(endpoint), application_(application) {}

  Result<> post_all() {
    for (std::size_t i = 0; i < receives_.size(); ++i) {
      receives_[i].tagged = i % 2 == 1;
      if (const auto posted = post(receives_[i]); !posted) return posted;
    }
    return {};
  }

  Result<> take(const Event& event) {
    Result<> result;
    const auto receive = std::ranges::find_if(receives_, [&](const Receive& one) { return event.context == &one; });
    const auto answer = std::ranges::find_if(answers_, [&](const Answer& one) { return event.context == &one; });
    if (receive != receives_.end()) {
      result = received(*receive, event);
    } else if (answer != answers_.end()) {
      if (!event.error.empty()) fmt::print("answering failed: {}\n", event.error);
      octets_under_way_ -= answer->octets.size();
      answers_.erase(answer);
    } else if (!event.error.empty()) {
      fmt::print("provider error: {}\n", event.error);
    } else if ((event.flags & FI_REMOTE_WRITE) != 0) {
      fmt::print("written to{}\n", cq_data_of(event) ? fmt::format(", CQ data {:#x}", event.data) : "");
      if (application_.answers() && cq_data_of(event))
        this->answer({.to = event.from, .octets = {}, .cq_data = cq_data_of(event)});
    }
    std::fflush(stdout);
    return result;
  }

  // Sends the answers that are waiting, as far as the provider takes them.
  void send_answers() {
    while (!waiting_.empty()) {
      Answer& next = *waiting_.front();
      const long error = send(next);
      if (error == -FI_EAGAIN) return;
      waiting_.pop_front();
      if (error == 0) continue;
      fmt::print("{}\n", fabric_error("answering", error));
      octets_under_way_ -= next.octets.size();
      answers_.remove_if([&](const Answer& one) { return &one == &next; });
    }
  }

  bool done() const { return done_; }

  // Cancels every receive, so that the next messages go to the other application.
  Result<> leave() {
    constexpr std::chrono::seconds kPatience{2};
    const auto until = std::chrono::steady_clock::now() + kPatience;
    for (Receive& one : receives_) fi_cancel(&endpoint_.ep()->fid, &one);
    for (std::size_t left = receives_.size(); left > 0;) {
      const auto event = endpoint_.poll();
      if (!event) return tl::unexpected(event.error());
      const auto is_it = [&](const Receive& one) { return *event && (*event)->context == &one; };
      left -= std::ranges::any_of(receives_, is_it) ? 1 : 0;
      if (std::chrono::steady_clock::now() >= until)
        return tl::unexpected(std::string("the provider keeps the receives"));
    }
    return {};
  }

 private:
  Result<> post(Receive& receive) {
    constexpr std::uint64_t kAnyTag = ~std::uint64_t{0};
    fid_ep* ep = endpoint_.ep();
    const long error =
        receive.tagged
            ? fi_trecv(ep, receive.octets.get(), kLongestMessage, nullptr, FI_ADDR_UNSPEC, 0, kAnyTag, &receive)
            : fi_recv(ep, receive.octets.get(), kLongestMessage, nullptr, FI_ADDR_UNSPEC, &receive);
    if (error != 0) return tl::unexpected(fabric_error("posting a receive", error));
    return {};
  }

  Result<> received(Receive& receive, const Event& event) {
    if (!event.error.empty()) {
      fmt::print("receive failed: {}\n", event.error);
    } else if (receive.tagged && event.tag == kReportTag) {
      OctetBuffer report(sizeof report_);
      std::memcpy(report.data(), &report_, sizeof report_);
      answer({.to = event.from, .octets = std::move(report), .tag = kAnswerTag});
    } else if (receive.tagged && event.tag == kByeTag) {
      done_ = true;
    } else {
      take_message(receive, event);
    }
    return post(receive);
  }

  void take_message(const Receive& receive, const Event& event) {
    const std::span octets(receive.octets.get(), std::min(event.octets, kLongestMessage));
    const auto wrong = first_wrong(octets, octets.size());
    ++report_.messages;
    if (wrong) ++report_.wrong;
    fmt::print("received {} octets {}: {}\n", event.octets,
               receive.tagged ? fmt::format("tagged {:#x}", event.tag) : "untagged",
               wrong ? fmt::format("octet {} is no pattern's", *wrong) : "good");
    if (application_.answers())
      answer({.to = event.from,
              .octets = application_.answer_to(OctetBuffer(octets.begin(), octets.end())),
              .tag = receive.tagged ? std::optional(event.tag) : std::nullopt,
              .cq_data = cq_data_of(event)});
  }

  void answer(Answer&& answer) {
    if (answer.to == FI_ADDR_NOTAVAIL || octets_under_way_ + answer.octets.size() > kAnswerOctets) {
      fmt::print("not answered: {}\n", answer.to == FI_ADDR_NOTAVAIL ? "the provider does not say who has sent it"
                                                                     : "too many answers are under way");
      return;
    }
    octets_under_way_ += answer.octets.size();
    answers_.push_back(std::move(answer));
    waiting_.push_back(&answers_.back());
    send_answers();
  }

  long send(Answer& answer) {
    const iovec part{answer.octets.data(), answer.octets.size()};
    const std::uint64_t flags = FI_COMPLETION | (answer.cq_data ? FI_REMOTE_CQ_DATA : 0);
    if (!answer.tag) {
      const fi_msg message{.msg_iov = &part,
                           .desc = nullptr,
                           .iov_count = 1,
                           .addr = answer.to,
                           .context = &answer,
                           .data = answer.cq_data.value_or(0)};
      return fi_sendmsg(endpoint_.ep(), &message, flags);
    }
    const fi_msg_tagged message{.msg_iov = &part,
                                .desc = nullptr,
                                .iov_count = 1,
                                .addr = answer.to,
                                .tag = *answer.tag,
                                .ignore = 0,
                                .context = &answer,
                                .data = answer.cq_data.value_or(0)};
    return fi_tsendmsg(endpoint_.ep(), &message, flags);
  }

  FabricEndpoint& endpoint_;
  PeerApplication application_;
  std::array<Receive, 2 * kReceives> receives_;
  std::list<Answer> answers_;    // in progress and waiting
  std::deque<Answer*> waiting_;  // for the provider to take them, in order
  std::size_t octets_under_way_ = 0;
  Report report_ = {};
  bool done_ = false;
};

}  // namespace

Result<> respond(FabricEndpoint& endpoint, Service application, const volatile std::sig_atomic_t& stopped) {
  std::vector<std::uint8_t> memory(kMemory);
  fill(std::span(memory).first(kReadable), 0);
  if (const auto offered = endpoint.offer(memory); !offered) return offered;
  const auto address = endpoint.address();
  if (!address) return tl::unexpected(address.error());
  Responder responder(endpoint, application);
  if (const auto posted = responder.post_all(); !posted) return posted;

  PeerAddress self{.raw = *address, .length = memory.size(), .key = endpoint.key()};
  self.memory = reinterpret_cast<std::uintptr_t>(memory.data());
  fmt::print("{}\n", ready_line(self, endpoint.version()));
  std::fflush(stdout);
  const OtherApplication echoes{.leave = [&] { return responder.leave(); },
                                .proceed = [&]() -> Result<> {
                                  const auto event = endpoint.poll();
                                  if (!event) return tl::unexpected(event.error());
                                  if (*event)
                                    if (const auto taken = responder.take(**event); !taken) return taken;
                                  responder.send_answers();
                                  return {};
                                },
                                .done = [&] { return responder.done(); }};
  return drive(endpoint, echoes, stopped);
}

}  // namespace wirelaw::lab
