// SPDX-License-Identifier: Apache-2.0
// verbs://HOST:PORT[?device=NAME]: for a protocol above RDMAP, the way to a peer through an RDMA device of this machine
// (harness/transports/verbs/stream.h). For RDMAP itself, an RDMA device of this machine is the IUT, driven through
// verbs: verbs://HOST:PORT[?device=NAME][&far=HOST[&far_device=NAME]].
#include "harness/transports/scheme.h"

#include "harness/transports/live_iut.h"
#include "harness/transports/verbs/iut.h"
#include "harness/transports/verbs/service.h"
#include "harness/transports/verbs/stream.h"

namespace wirelaw {
namespace {

constexpr Feature kOptions[] = {{"device", "The RDMA device that has the address"},
                                {"far", "The address of a device at the far end, which the suite drives as well"},
                                {"far_device", "The RDMA device that has that address"}};

bool is_above_rdmap(const Protocol& protocol) {
  return !protocol.above.empty();
}

std::string_view starts_itself(const Protocol& protocol) {
  return is_above_rdmap(protocol) ? "" : "the device of a verbs:// URI needs none";
}

tl::expected<TestedIut, Refusal> make_iut(const IutRequest& request) {
  if (is_above_rdmap(request.protocol)) {
    if (!request.uri.option("far").empty())
      return tl::unexpected(Refusal{"far=HOST is for protocols whose implementation is the device itself"});
    return make_live_iut(request);
  }
  auto iut = request.role == Role::initiator ? make_verbs_initiator(request.uri)
                                             : make_verbs_responder(request.uri, request.application);
  if (!iut) return tl::unexpected(peer_lost(iut.error()));
  return TestedIut{std::move(*iut), request.uri.query};
}

// Wirelaw does not choose the protocol that the device speaks.
tl::expected<std::unique_ptr<PeerService>, Refusal> serve(const ServeRequest& request) {
  if (is_above_rdmap(*find_protocol(request.reference.protocol))) return serve_verbs_streams(request);
  if (!request.options.deviations.empty())
    return tl::unexpected(Refusal{"--deviate: a device cannot commit deviations"});
  if (!request.options.features.empty())
    return tl::unexpected(Refusal{"--feature: the features of a device cannot be chosen"});
  auto service = request.options.role == Role::initiator ? verbs_initiator(request.uri, request.requests)
                                                         : verbs_listener(request.uri, request.options.application);
  if (!service) return tl::unexpected(peer_lost(service.error()));
  return std::move(*service);
}

}  // namespace

extern const Scheme kVerbsScheme;
constinit const Scheme kVerbsScheme{
    .name = kVerbs,
    .framing = {.transport = kStreams.transport, .is_stream = true, .is_rendered = true},
    .form = "verbs://HOST:PORT, verbs://[IPV6]:PORT",
    .options = kOptions,
    .needs = "an RDMA device of this machine",
    .wrong = wrong_host_and_port,
    .test_help =
        R"(  verbs://HOST:PORT           for SMB Direct: a peer that listens there, reached through an RDMA device of
                              this machine (RoCE, iWARP or InfiniBand). With --listen, HOST is an address of the device.
                              For RDMAP: the device of this machine that has the address HOST (see `wirelaw devices`;
                              ?device=NAME if several have it). An application of the suite drives it through verbs,
                              and the tester is the other end of the same connection. With --listen, the device is the
                              initiator, and needs no trigger
  verbs://HOST:PORT?far=HOST  for RDMAP: the same, with a second device, or the same one, at the far end
                              (far_device=NAME). Only devices speak the wire protocol, which may be RoCE or InfiniBand
                              (cases pair/*); --capture-on shows the wire of iWARP. The far end connects from HOST;
                              with --listen, the device connects to HOST
)",
    .serve_help =
        R"(  verbs://[HOST][:PORT]       by the RDMA device that has this address; ?device=NAME if several have it
)",
    .connect = verbs_connector,
    .listen = verbs_stream_listener,
    .make_iut = make_iut,
    .starts_itself = starts_itself,
    .serve = serve,
};

}  // namespace wirelaw
