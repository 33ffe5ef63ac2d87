// SPDX-License-Identifier: Apache-2.0
// The initiator of harness/peers/verbs/application.h.
#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "harness/peers/verbs/application.h"
#include "harness/peers/verbs/slots.h"
#include "reference/rdmap/advertisement.h"

namespace wirelaw::verbs {
namespace {

using rdmap::kBufferOctets;
using rdmap::kReceiveOctets;
using rdmap::kReceives;

// For Writes and Sends whose completion is not awaited.
constexpr std::uint64_t kOthers = ~std::uint64_t{0};

class Initiator final : public ConsumerApplication {
 public:
  Initiator(Consumer& consumer, const TriggerRequest& request)
      : consumer_(consumer), request_(request), parts_(request.parallel ? kReceives : 1), left_(request.count) {
    if (const auto begun = begin(); !begun) give_up(begun.error().message);
  }

  void proceed() override {
    while (const auto event = next_cm_event(consumer_)) on(*event);
    while (const auto wc = next_wc(consumer_, Cq::send)) on_done(*wc);
    while (const auto wc = next_wc(consumer_, Cq::receive)) on_received(*wc);
    if (!rounds_.empty() && consumer_.now() >= due_) give_up("nothing has come back");
  }
  std::optional<Instant> deadline() const override {
    return rounds_.empty() ? std::nullopt : std::optional<Instant>(due_);
  }
  bool is_over() const override { return over_; }
  std::uint64_t failed() const override { return failed_; }
  std::string state() const override {
    return fmt::format("verbs initiator on {}: {} rounds done, {} failed{}{}{}\n", consumer_.device().name, done_,
                       failed_, over_ ? ", over" : "", error_.empty() ? "" : "; ", error_);
  }

 private:
  struct Round {
    std::uint64_t number = 0;
    std::size_t stored = 0;  // octets in the peer's buffer and back
    std::size_t sent = 0;
    bool read = false;
    bool echoed = false;
  };

  template <class Result>
  using Outcome = tl::expected<Result, VerbsError>;

  Outcome<Region> region(std::size_t octets, const Access& access) {
    const auto memory = consumer_.allocate(octets);
    if (!memory) return tl::unexpected(memory.error());
    return consumer_.reg_mr(*memory, access);
  }
  Outcome<void> begin() {
    const auto offered = region(
        kBufferOctets,
        {.local_write = true, .remote_write = true, .remote_read = true, .remote_atomic = consumer_.device().atomics});
    if (!offered) return tl::unexpected(offered.error());
    // On iWARP the remote side writes the sink of a Read.
    const auto sink = region(kBufferOctets, {.local_write = true, .remote_write = true});
    if (!sink) return tl::unexpected(sink.error());
    const auto source = region(parts_ * std::max<std::size_t>(request_.octets, 1), {});
    if (!source) return tl::unexpected(source.error());
    sink_ = *sink;
    source_ = *source;
    if (auto posted = slots_.open(consumer_); !posted) return posted;
    const rdmap::AdvertisedBuffer advertised{{offered->rkey, offered->addr}, kBufferOctets};
    return consumer_.connect({.private_data = rdmap::encode_advertisement({&advertised, 1})});
  }

  void on(const CmEvent& event) {
    switch (event.type) {
      case CmEventType::established:
        if (const auto offered = rdmap::decode_advertisement(event.private_data); offered && !offered->empty())
          target_ = offered->front();
        for (std::size_t i = 0; i < parts_; ++i) begin_round();
        end_when_done();
        break;
      case CmEventType::connect_response:
      case CmEventType::addr_change:
        break;
      default:
        give_up(std::string(to_string(event.type)));
        over_ = true;
    }
  }

  std::span<Octet> source(const Round& round, std::size_t octets) const {
    return source_.memory.subspan(round.number % parts_ * std::max<std::size_t>(request_.octets, 1), octets);
  }
  // Rounds in progress at the same time each use a separate part of the buffers.
  std::size_t offset(const Round& round) const { return round.number % parts_ * part(); }
  std::size_t part() const { return std::min<std::size_t>(target_.length, kBufferOctets) / parts_; }
  Sge source_sge(const Round& round, std::size_t octets) const {
    const auto at = static_cast<std::uint64_t>(source(round, octets).data() - source_.memory.data());
    return {.addr = source_.addr + at, .length = static_cast<std::uint32_t>(octets), .lkey = source_.lkey};
  }

  void begin_round() {
    if (left_ == 0) return;
    --left_;
    Round& round = rounds_.emplace_back();
    round.number = number_++;
    const OctetBuffer data = distinct_octets(round.number, request_.octets);
    std::ranges::copy(data, source(round, data.size()).begin());
    round.sent = std::min(data.size(), kReceiveOctets);
    round.stored = std::min(data.size(), part());
    due_ = consumer_.now() + rdmap::kRoundTime;
    if (const auto posted = post(round); !posted) give_up(posted.error().message);
  }
  Outcome<void> post(Round& round) {
    const bool stores = target_.length > 0;
    const std::uint64_t remote = target_.at.to + offset(round);
    if (stores) {
      auto written = consumer_.post_send({.wr_id = kOthers,
                                          .opcode = WrOpcode::rdma_write,
                                          .sge = source_sge(round, round.stored),
                                          .remote_addr = remote,
                                          .rkey = target_.at.stag});
      if (!written) return written;
    }
    if (auto sent = consumer_.post_send({.wr_id = kOthers, .sge = source_sge(round, round.sent)}); !sent) return sent;
    round.read = !stores;
    if (!stores) return {};
    return consumer_.post_send({.wr_id = round.number,
                                .opcode = WrOpcode::rdma_read,
                                .sge = {.addr = sink_.addr + offset(round),
                                        .length = static_cast<std::uint32_t>(round.stored),
                                        .lkey = sink_.lkey},
                                .remote_addr = remote,
                                .rkey = target_.at.stag});
  }

  void on_received(const Wc& wc) {
    if (wc.status != WcStatus::success) return failed_with(wc);
    const std::span<Octet> echo = slots_.octets(wc.wr_id, wc.byte_len);
    const auto round = std::ranges::find_if(rounds_, [](const Round& one) { return !one.echoed; });
    const bool expected = round != rounds_.end();
    const bool right = expected && std::ranges::equal(echo, source(*round, round->sent));
    static_cast<void>(slots_.post(consumer_, wc.wr_id));
    if (!expected) return;
    round->echoed = true;
    if (!right) return give_up("an echo has other octets than the Send");
    end_rounds();
  }
  void on_done(const Wc& wc) {
    if (wc.status != WcStatus::success) return failed_with(wc);
    if (wc.wr_id == kOthers) return;
    const auto round = std::ranges::find(rounds_, wc.wr_id, &Round::number);
    if (round == rounds_.end()) return;
    round->read = true;
    if (!std::ranges::equal(source(*round, round->stored), sink_.memory.subspan(offset(*round), round->stored)))
      return give_up("a read has given other octets than were written");
    end_rounds();
  }
  void failed_with(const Wc& wc) {
    if (wc.status != WcStatus::wr_flush_err) give_up(to_text(wc));
  }

  void end_rounds() {
    due_ = consumer_.now() + rdmap::kRoundTime;
    while (!rounds_.empty() && rounds_.front().echoed && rounds_.front().read) {
      rounds_.pop_front();
      ++done_;
      begin_round();
    }
    end_when_done();
  }
  void end_when_done() {
    if (left_ > 0 || !rounds_.empty() || ending_) return;
    ending_ = true;
    static_cast<void>(consumer_.disconnect());
  }
  void give_up(std::string why) {
    if (left_ == 0 && rounds_.empty()) return;
    failed_ += left_ + rounds_.size();
    error_ = std::move(why);
    left_ = 0;
    rounds_.clear();
    end_when_done();
  }

  Consumer& consumer_;
  TriggerRequest request_;
  std::size_t parts_;
  Slots slots_;
  Region sink_;
  Region source_;
  rdmap::AdvertisedBuffer target_;  // the peer's; no octets: none was advertised
  std::deque<Round> rounds_;
  Instant due_{};
  std::uint64_t number_ = 0;
  unsigned left_;  // rounds that have not begun
  std::uint64_t done_ = 0;
  std::uint64_t failed_ = 0;
  std::string error_;  // from the last operation that failed
  bool ending_ = false;
  bool over_ = false;
};

}  // namespace

std::unique_ptr<ConsumerApplication> make_initiator(Consumer& consumer, const TriggerRequest& request) {
  return std::make_unique<Initiator>(consumer, request);
}

}  // namespace wirelaw::verbs
