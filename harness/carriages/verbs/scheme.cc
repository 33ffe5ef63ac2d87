// SPDX-License-Identifier: Apache-2.0
// verbs://HOST:PORT[?device=NAME][&far=HOST[&far_device=NAME]]: an RDMA device of this machine, driven through verbs.
#include "harness/carriages/scheme.h"

#include "harness/carriages/verbs/iut.h"
#include "harness/carriages/verbs/service.h"

namespace wirelaw {
namespace {

constexpr Feature kOptions[] = {{"device", "The RDMA device that has the address"},
                                {"far", "The address of a device at the far end, which is driven as well"},
                                {"far_device", "The RDMA device that has that address"}};

tl::expected<TestedIut, Refusal> make_iut(const IutRequest& request) {
  auto iut = request.role == Role::initiator ? make_verbs_initiator(request.uri)
                                             : make_verbs_responder(request.uri, request.application);
  if (!iut) return tl::unexpected(peer_lost(iut.error()));
  return TestedIut{std::move(*iut), request.uri.query};
}

// What the device speaks is its own affair.
tl::expected<std::unique_ptr<PeerService>, Refusal> serve(const ServeRequest& request) {
  if (!request.options.deviations.empty())
    return tl::unexpected(Refusal{"--deviate: a device commits no faults that are asked for"});
  if (!request.options.features.empty()) return tl::unexpected(Refusal{"--feature: a device has what it has"});
  auto service = request.options.role == Role::initiator ? verbs_initiator(request.uri, request.requests)
                                                         : verbs_listener(request.uri, request.options.application);
  if (!service) return tl::unexpected(peer_lost(service.error()));
  return std::move(*service);
}

}  // namespace

extern const Scheme kVerbsScheme;
constinit const Scheme kVerbsScheme{
    .name = kVerbs,
    .framing = kStreams,
    .form = "verbs://HOST:PORT, verbs://[IPV6]:PORT",
    .options = kOptions,
    .needs = "an RDMA device of this machine",
    .wrong = wrong_host_and_port,
    .test_help =
        "  verbs://HOST:PORT           the RDMA device of this machine that has the address HOST (see `wirelaw "
        "devices`;\n"
        "                              ?device=NAME where several have it): an application of the suite drives it "
        "through\n"
        "                              verbs, and the other end of the same connection is the tester's own. Behind\n"
        "                              --listen the device is the initiator; it needs no trigger.\n"
        "  verbs://HOST:PORT?far=HOST  the same with a second device, or the same again, at the far end "
        "(far_device=NAME):\n"
        "                              nobody speaks the wire, and it may be RoCE or InfiniBand (cases pair/*);\n"
        "                              --capture-on shows the wire of iWARP. The far end connects from HOST, or, "
        "behind\n"
        "                              --listen, the device connects to HOST\n",
    .serve_help =
        "  verbs://[HOST][:PORT]       by the RDMA device that has this address; ?device=NAME where several have it\n",
    .make_iut = make_iut,
    .starts_itself = "the device of a verbs:// URI needs none",
    .serve = serve,
};

}  // namespace wirelaw
