// SPDX-License-Identifier: Apache-2.0
// memory:?…: the reference peer in memory, with virtual time.
#include "harness/transports/scheme.h"

#include <fmt/format.h>

#include <utility>

#include "harness/transports/memory/memory_iut.h"
#include "harness/transports/memory/memory_uri.h"

namespace wirelaw {
namespace {

std::string wrong(const Uri& uri, UriUse) {
  const auto memory = parse_memory_uri(uri);
  return memory ? std::string() : memory.error();
}

tl::expected<TestedIut, Refusal> make_iut(const IutRequest& request) {
  const auto uri = parse_memory_uri(request.uri);
  if (!uri) return tl::unexpected(Refusal{uri.error()});
  if (!uri->over.empty() && !travels_over(request.protocol.transports, uri->over))
    return tl::unexpected(Refusal{
        fmt::format("over={}: {} travels over {}", uri->over, request.protocol.name, request.protocol.transports)});
  if (travels_over(request.protocol.transports, "srd") && uri->network_faults.loss > 0)
    return tl::unexpected(
        Refusal{fmt::format("loss={}: {} does not retransmit, because its datagrams travel over SRD, which loses none; "
                            "leave loss out",
                            uri->network_faults.loss, request.protocol.title)});
  const ReferencePeer* const reference = find_reference_peer(request.protocol.name);
  if (reference == nullptr)
    return tl::unexpected(Refusal{"there is no reference peer for " + std::string(request.protocol.name)});
  std::vector<std::string> settings = uri->settings;
  if (uri->verbs) settings.emplace_back("verbs");
  const PeerOptions options{.role = request.role,
                            .application = request.application,
                            .deviations = request.deviations,
                            .features = request.features,
                            .settings = std::move(settings),
                            .rdma = true,
                            .revision = request.revision};
  auto maker = reference->maker(options);
  if (!maker) return tl::unexpected(Refusal{maker.error()});
  auto iut =
      make_memory_iut(std::move(*maker), {.framing = memory_framing(request.protocol, uri->over),
                                          .network_faults = uri->network_faults,
                                          .seed = request.seed.value_or(uri->seed.value_or(1)) + request.repetition,
                                          .name = request.text,
                                          .pair = uri->pair});
  return TestedIut{std::move(iut), offers_of(*reference, options)};
}

}  // namespace

extern const Scheme kMemoryScheme;
constinit const Scheme kMemoryScheme{
    .name = "memory",
    .framing = kDatagrams,  // or as the protocol's first transport has it
    .form = kMemoryForm,
    .wrong = wrong,
    .test_help =
        R"(  memory:                     the reference peer in memory, with virtual time; also
                              memory:?loss=0.1&duplication=0.1&reordering=0.1&delay=1-20&seed=7
                              (no loss for efa, whose transport SRD loses nothing)
                              memory:?cut=7&delay=1-20: streams arrive in pieces of 1 to 7 octets
                              memory:?over=tcp: over this transport of the protocol instead of its first
                              memory:?setting=NAME: a peer that uses an option that its protocol leaves open
                              memory:?verbs: an RDMA device, which cases may drive
                              memory:?pair: the same, with another device at the far end
)",
    .make_iut = make_iut,
    .is_reference = true,
};

}  // namespace wirelaw
