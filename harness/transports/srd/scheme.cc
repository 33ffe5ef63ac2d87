// SPDX-License-Identifier: Apache-2.0
// srd://GID/QPN/CONNID: an SRD queue pair of an EFA device.
#include "harness/transports/scheme.h"

#include "harness/transports/live_iut.h"
#include "harness/transports/srd/conversation.h"
#include "harness/transports/srd/serve.h"

namespace wirelaw {
namespace {

// The name of Wireshark's EFA RDM dissector in captures (pcap/exported_pdu.h).
constexpr std::string_view kDissector = "efa_rdm";

constexpr Feature kOptions[] = {{"device", "Our own EFA device (default: the first)"}};

std::string wrong(const Uri& uri, UriUse use) {
  const auto place = parse_srd(uri.place);
  if (!place) return std::string(place.error());
  return (use == UriUse::peer || use == UriUse::tested) && !place->whole() ? "GID, QPN and CONNID are all required"
                                                                           : "";
}

SrdPlace place_of(const Uri& uri) {
  SrdPlace place = parse_srd(uri.place).value_or(SrdPlace{});
  place.device = uri.option("device");
  return place;
}

class SrdConnector final : public Connector {
 public:
  SrdConnector(std::unique_ptr<SrdDevice> device, SrdPlace given, const LiveClock& clock)
      : device_(std::move(device)), given_(std::move(given)), place_(given_), clock_(clock) {}

  std::string place() const override { return to_string(given_); }
  std::string capture_note() const override {
    if (!place_.gid || !place_.qpn) return {};
    return "iut=" + pcap::to_string(endpoint_of({*place_.gid, *place_.qpn, 0}));
  }
  bool learn(std::string_view line) override {
    place_ = given_;
    const auto uri = uri_in(line, "srd");
    if (const auto said = uri ? parse_srd(uri->place) : tl::unexpected(std::string_view())) {
      if (!given_.gid || given_.gid == said->gid) place_.gid = said->gid;
      if (!given_.qpn) place_.qpn = said->qpn;
      if (!given_.connid) place_.connid = said->connid;
    }
    return place_.whole().has_value();
  }
  tl::expected<Connected, TransportError> connect(const Route& route) override {
    if (auto refused = refuse(route, kDatagrams)) return tl::unexpected(std::move(*refused));
    return connect_srd(*device_, *place_.whole(), clock_);
  }

 private:
  std::unique_ptr<SrdDevice> device_;
  SrdPlace given_;  // given by the user
  SrdPlace place_;  // also with what the peer itself has reported
  const LiveClock& clock_;
};

tl::expected<std::unique_ptr<Connector>, TransportError> connect(const Uri& peer, const LiveClock& clock) {
  SrdPlace place = place_of(peer);
  auto device = SrdDevice::open(place.device, std::nullopt);
  if (!device) return tl::unexpected(device.error());
  return std::make_unique<SrdConnector>(std::move(*device), std::move(place), clock);
}

tl::expected<std::unique_ptr<Listener>, TransportError> listen(const Uri& at, const LiveClock& clock) {
  return listen_srd(place_of(at), clock);
}

tl::expected<std::unique_ptr<PeerService>, Refusal> serve(const ServeRequest& request) {
  return make_srd_service(request, place_of(request.uri));
}

}  // namespace

extern const Scheme kSrdScheme;
constinit const Scheme kSrdScheme{
    .name = "srd",
    .framing = {.transport = "srd", .dissector = kDissector},
    .form = kSrdForm,
    .options = kOptions,
    .needs = "an EFA device of this machine",
    .wrong = wrong,
    .test_help =
        R"(  srd://GID/QPN/CONNID        a peer at this SRD queue pair, through an EFA device of this machine
                              (?device=NAME if it has several). With --start, the URI may leave out what the peer's
                              first line contains
)",
    .serve_help =
        R"(  srd://[GID[/QPN[/CONNID]]]  at an SRD queue pair of the EFA device that has this GID, or of the first
                              device; ?device=NAME selects one
)",
    .connect = connect,
    .listen = listen,
    .make_iut = make_live_iut,
    .serve = serve,
};

}  // namespace wirelaw
