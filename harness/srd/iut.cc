// SPDX-License-Identifier: Apache-2.0
#include "harness/srd/iut.h"

#include <thread>

#include "harness/listening_environment.h"
#include "harness/srd/conversation.h"
#include "harness/uri.h"

namespace wirelaw {
namespace {

class SrdIut final : public Iut {
 public:
  SrdIut(std::unique_ptr<SrdDevice> device, SrdPlace said)
      : device_(std::move(device)), said_(std::move(said)), place_(said_) {}

  std::string name() const override { return "srd://" + to_string(said_); }
  std::string capture_note() const override {
    if (!place_.gid || !place_.qpn) return {};
    return "iut=" + pcap::to_string(endpoint_of({*place_.gid, *place_.qpn, 0}));
  }
  std::string_view transport() const override { return "srd"; }
  std::string_view dissector() const override { return kSrdDissector; }
  tl::expected<std::unique_ptr<Environment>, CarriageError> begin(const Case&) override {
    return std::make_unique<ListeningEnvironment<SrdIut>>(*this);
  }
  void pause(std::chrono::nanoseconds duration) override { std::this_thread::sleep_for(duration); }

  bool heard(std::string_view line) override {
    place_ = said_;
    if (auto said = uri_in(line, "srd")) {
      if (!said_.gid || said_.gid == said->srd->gid) place_.gid = said->srd->gid;
      if (!said_.qpn) place_.qpn = said->srd->qpn;
      if (!said_.connid) place_.connid = said->srd->connid;
    }
    return place_.whole().has_value();
  }

  tl::expected<std::unique_ptr<Conversation>, CarriageError> connect() const {
    return connect_srd(*device_, *place_.whole(), clock_);
  }
  const LiveClock& clock() const { return clock_; }

 private:
  std::unique_ptr<SrdDevice> device_;
  SrdPlace said_;   // by the user
  SrdPlace place_;  // with what the peer itself has said
  LiveClock clock_;
};

}  // namespace

tl::expected<std::unique_ptr<Iut>, CarriageError> make_listening_srd_iut(const SrdPlace& peer) {
  auto device = SrdDevice::open(peer.device, std::nullopt);
  if (!device) return tl::unexpected(device.error());
  return std::make_unique<SrdIut>(std::move(*device), peer);
}

}  // namespace wirelaw
