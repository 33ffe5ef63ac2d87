// SPDX-License-Identifier: Apache-2.0
#include "harness/lab/fabric_responder.h"

#include <fmt/format.h>
#include <rdma/fi_tagged.h>

#include <array>
#include <chrono>
#include <cstdio>

#include "harness/lab/fabric_pattern.h"
#include "harness/lab/fabric_peer_address.h"

namespace wirelaw::lab {
namespace {

constexpr std::size_t kReceives = 4;  // of each kind, tagged and untagged

struct Receive {
  fi_context2 context = {};
  bool tagged = false;
  std::vector<std::uint8_t> octets = std::vector<std::uint8_t>(kLongestMessage);
};

class Responder {
 public:
  explicit Responder(FabricEndpoint& endpoint) : endpoint_(endpoint) {}

  Result<> post_all() {
    for (std::size_t i = 0; i < receives_.size(); ++i) {
      receives_[i].tagged = i % 2 == 1;
      if (const auto posted = post(receives_[i]); !posted) return posted;
    }
    return {};
  }

  Result<> take(const Event& event) {
    for (Receive& receive : receives_)
      if (event.context == &receive) return received(receive, event);
    if (event.context == nullptr) fmt::print("provider error: {}\n", event.error);
    std::fflush(stdout);
    return {};  // or the end of an answer
  }

  bool done() const { return done_; }

 private:
  Result<> post(Receive& receive) {
    constexpr std::uint64_t kAnyTag = ~std::uint64_t{0};
    fid_ep* ep = endpoint_.ep();
    const long error =
        receive.tagged
            ? fi_trecv(ep, receive.octets.data(), receive.octets.size(), nullptr, FI_ADDR_UNSPEC, 0, kAnyTag, &receive)
            : fi_recv(ep, receive.octets.data(), receive.octets.size(), nullptr, FI_ADDR_UNSPEC, &receive);
    if (error != 0) return tl::unexpected(fabric_error("posting a receive", error));
    return {};
  }

  Result<> received(Receive& receive, const Event& event) {
    Result<> result;
    if (!event.error.empty()) {
      fmt::print("receive failed: {}\n", event.error);
    } else if (receive.tagged && event.tag == kReportTag) {
      result = answer(event.from);
    } else if (receive.tagged && event.tag == kByeTag) {
      done_ = true;
    } else {
      check(receive, event);
    }
    std::fflush(stdout);
    return result ? post(receive) : result;
  }

  void check(const Receive& receive, const Event& event) {
    const std::span octets(receive.octets.data(), std::min(event.octets, receive.octets.size()));
    const auto wrong = first_wrong(octets, octets.size());
    ++report_.messages;
    if (wrong) ++report_.wrong;
    fmt::print("received {} octets {}: {}\n", event.octets,
               receive.tagged ? fmt::format("tagged {:#x}", event.tag) : "untagged",
               wrong ? fmt::format("octet {} is wrong", *wrong) : "good");
  }

  Result<> answer(fi_addr_t to) {
    const auto done = finish(
        endpoint_, &answering_,
        [&] {
          return static_cast<long>(
              fi_tsend(endpoint_.ep(), &report_, sizeof report_, nullptr, to, kAnswerTag, &answering_));
        },
        [&](const Event& event) { late_.push_back(event); }, std::chrono::seconds(30));
    if (!done) fmt::print("answering failed: {}\n", done.error());
    std::vector<Event> late;
    late.swap(late_);
    for (const Event& event : late)
      if (const auto taken = take(event); !taken) return taken;
    return {};
  }

  FabricEndpoint& endpoint_;
  std::array<Receive, 2 * kReceives> receives_;
  fi_context2 answering_ = {};
  std::vector<Event> late_;  // what came while an answer was on its way
  Report report_ = {};
  bool done_ = false;
};

}  // namespace

Result<> respond(FabricEndpoint& endpoint, const volatile std::sig_atomic_t& stopped) {
  std::vector<std::uint8_t> memory(kMemory);
  fill(std::span(memory).first(kReadable), 0);
  if (const auto offered = endpoint.offer(memory); !offered) return offered;
  const auto address = endpoint.address();
  if (!address) return tl::unexpected(address.error());
  Responder responder(endpoint);
  if (const auto posted = responder.post_all(); !posted) return posted;

  PeerAddress self{.raw = *address, .length = memory.size(), .key = endpoint.key()};
  self.memory = reinterpret_cast<std::uintptr_t>(memory.data());
  fmt::print("{}\n", ready_line(self, endpoint.version()));
  std::fflush(stdout);
  while (!stopped && !responder.done()) {
    const auto event = endpoint.poll();
    if (!event) return tl::unexpected(event.error());
    if (!*event) continue;
    if (const auto taken = responder.take(**event); !taken) return taken;
  }
  return {};
}

}  // namespace wirelaw::lab
