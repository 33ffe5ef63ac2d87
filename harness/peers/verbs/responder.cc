// SPDX-License-Identifier: Apache-2.0
// The responder of harness/peers/verbs/application.h.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "harness/peers/verbs/application.h"
#include "harness/peers/verbs/slots.h"
#include "reference/rdmap/advertisement.h"

namespace wirelaw::verbs {
namespace {

struct Offer {
  std::size_t octets;
  bool read, write;
  bool filled = false;
};

class Responder final : public ConsumerApplication {
 public:
  Responder(Consumer& consumer, PeerApplication& above) : consumer_(consumer), above_(above) {}

  void proceed() override {
    while (const auto event = next_cm_event(consumer_)) on(*event);
    while (const auto wc = next_wc(consumer_, Cq::send)) on_sent(*wc);
    while (const auto wc = next_wc(consumer_, Cq::receive)) on_received(*wc);
  }
  bool is_over() const override { return over_; }
  std::string state() const override {
    return fmt::format("verbs responder on {}: {} Sends received{}{}{}\n", consumer_.device().name, received_,
                       over_ ? ", over" : "", error_.empty() ? "" : "; ", error_);
  }

 private:
  void on(const CmEvent& event) {
    switch (event.type) {
      case CmEventType::connect_request:
        if (const auto accepted = accept(event); !accepted) {
          error_ = accepted.error().message;
          static_cast<void>(consumer_.reject({}));
          over_ = true;
        }
        break;
      case CmEventType::disconnected:
        static_cast<void>(consumer_.disconnect());
        over_ = true;
        break;
      case CmEventType::established:
      case CmEventType::addr_change:
        break;
      default:  // there is no connection any more, or there never was
        error_ = to_string(event.type);
        over_ = true;
    }
  }

  tl::expected<void, VerbsError> accept(const CmEvent& request) {
    std::vector<rdmap::AdvertisedBuffer> offered;
    for (const Offer& offer : kOffers) {
      const auto buffer = advertise(offer);
      if (!buffer) return tl::unexpected(buffer.error());
      offered.push_back(*buffer);
    }
    if (auto posted = slots_.open(consumer_); !posted) return posted;
    // Allows as many Reads as the initiator offers. An initiator that declares none of them (revision 1 of MPA) is
    // reported as 0.
    ConnParam param{.private_data = rdmap::encode_advertisement(offered)};
    if (request.responder_resources > 0) param.responder_resources = request.responder_resources;
    if (request.initiator_depth > 0) param.initiator_depth = request.initiator_depth;
    return consumer_.accept(param);
  }

  static constexpr std::array<Offer, 4> kOffers{{{rdmap::kBufferOctets, true, true},
                                                 {rdmap::kBufferOctets, true, false, true},
                                                 {rdmap::kBufferOctets, false, true},
                                                 {0, true, true}}};

  // No device registers zero octets: the end of a region of one octet is advertised instead.
  tl::expected<rdmap::AdvertisedBuffer, VerbsError> advertise(const Offer& offer) {
    const auto memory = consumer_.allocate(std::max<std::size_t>(offer.octets, 1));
    if (!memory) return tl::unexpected(memory.error());
    for (std::size_t i = 0; offer.filled && i < memory->size(); ++i) (*memory)[i] = static_cast<Octet>(i + (i >> 8));
    const auto region =
        consumer_.reg_mr(*memory, {.local_write = offer.write,
                                   .remote_write = offer.write,
                                   .remote_read = offer.read,
                                   .remote_atomic = offer.read && offer.write && consumer_.device().atomics});
    if (!region) return tl::unexpected(region.error());
    return rdmap::AdvertisedBuffer{{region->rkey, region->addr + (offer.octets == 0 ? 1 : 0)},
                                   static_cast<std::uint32_t>(offer.octets)};
  }

  void on_received(const Wc& wc) {
    if (wc.status != WcStatus::success) return failed_with(wc);
    ++received_;
    if (!above_.answers()) return note(slots_.post(consumer_, wc.wr_id));
    note(slots_.replace(consumer_));  // before the answer, after which the peer may send again
    const std::span<Octet> octets = slots_.octets(wc.wr_id, wc.byte_len);
    const OctetBuffer answer = above_.answer_to({octets.begin(), octets.end()});
    const std::span<Octet> to = slots_.octets(wc.wr_id, std::min(answer.size(), rdmap::kReceiveOctets));
    std::copy_n(answer.begin(), to.size(), to.begin());
    note(consumer_.post_send({.wr_id = wc.wr_id, .sge = slots_.sge(wc.wr_id, to.size())}));
  }
  void on_sent(const Wc& wc) {
    if (wc.status != WcStatus::success) return failed_with(wc);
    note(slots_.release(consumer_, wc.wr_id));
  }
  void note(const tl::expected<void, VerbsError>& posted) {
    if (!posted) error_ = posted.error().message;
  }
  void failed_with(const Wc& wc) {
    if (wc.status != WcStatus::wr_flush_err) error_ = to_text(wc);
  }

  Consumer& consumer_;
  PeerApplication& above_;
  Slots slots_;
  std::uint64_t received_ = 0;
  std::string error_;  // the last
  bool over_ = false;
};

}  // namespace

std::unique_ptr<ConsumerApplication> make_responder(Consumer& consumer, PeerApplication& above) {
  return std::make_unique<Responder>(consumer, above);
}

}  // namespace wirelaw::verbs
