// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutators.h"

#include <algorithm>

#include "corpora/formats/damage.h"
#include "fuzz/capture_mutator.h"
#include "fuzz/efa_mutator.h"
#include "fuzz/iwarp_mutator.h"
#include "fuzz/record_mutator.h"
#include "fuzz/smbd_mutator.h"

namespace wirelaw::fuzz {
namespace {

template <const RecordShape& kShape>
std::size_t records(std::span<Octet> buffer, std::size_t size, std::uint32_t seed) {
  return mutate(kShape, buffer, size, seed);
}

// Sometimes changes an octet of the damage, with which the input begins; else mutates the steps after it.
template <const RecordShape& kShape>
std::size_t damaged(std::span<Octet> buffer, std::size_t size, std::uint32_t seed) {
  constexpr std::size_t kDamage = corpora::kDamageOctets;
  constexpr unsigned kDamageInstead = 4;  // one time in this many
  if (buffer.size() < kDamage) return size;
  if (size < kDamage) {
    std::fill(buffer.begin() + static_cast<std::ptrdiff_t>(size), buffer.begin() + kDamage, Octet{0});
    size = kDamage;
  }
  if (seed % kDamageInstead != 0) return kDamage + mutate(kShape, buffer.subspan(kDamage), size - kDamage, seed);
  buffer[seed / kDamageInstead % kDamage] = static_cast<Octet>(seed >> 8);
  return size;
}

// Pieces of both sides' iWARP streams.
std::size_t streams(std::span<Octet> buffer, std::size_t size, std::uint32_t seed) {
  return seed / 2 % 2 == 0 ? mutate_pieces(buffer, 1, size, seed) : mutate(kStreamShape, buffer, size, seed);
}

std::size_t smbd_streams(std::span<Octet> buffer, std::size_t size, std::uint32_t seed) {
  if (seed % 2 == 0 && mutate_smbd_pieces(buffer, size, seed / 2)) return size;
  return streams(buffer, size, seed / 2);
}

struct Row {
  std::string_view target;
  Mutator mutator;
};
constexpr Row kMutators[] = {
    {"fuzz_check", mutate_capture},
    {"fuzz_datagrams", records<kFrameShape>},
    {"fuzz_tcp", records<kTcpShape>},
    {"fuzz_tcp_stream", records<kTcpShape>},
    {"fuzz_roce", records<kRoceShape>},
    {"fuzz_mpa", mutate_mpa_stream},
    {"fuzz_mpa_cuts", mutate_mpa_stream},
    {"fuzz_ramcloud_server", records<kStepsShape>},
    {"fuzz_ramcloud_client", records<kStepsShape>},
    {"fuzz_ramcloud_network", records<kStepsShape>},
    {"fuzz_ramcloud_capture", damaged<kStepsShape>},
    {"fuzz_rdmap_message", mutate_ulpdu},
    {"fuzz_rdmap_shown", mutate_ulpdu},
    {"fuzz_rdmap_trace", streams},
    {"fuzz_rdmap_initiator", records<kRdmapStepsShape>},
    {"fuzz_rdmap_responder", records<kRdmapStepsShape>},
    {"fuzz_rdmap_pair", records<kRdmapStepsShape>},
    {"fuzz_rdmap_capture", damaged<kRdmapStepsShape>},
    {"fuzz_efa_packet", mutate_efa_packet},
    {"fuzz_efa_shown", mutate_efa_packet},
    {"fuzz_efa_trace", mutate_efa_trace},
    {"fuzz_efa_requester", records<kEfaStepsShape>},
    {"fuzz_efa_responder", records<kEfaStepsShape>},
    {"fuzz_efa_pair", records<kEfaStepsShape>},
    {"fuzz_efa_capture", damaged<kEfaStepsShape>},
    {"fuzz_smbd_message", mutate_smbd_message},
    {"fuzz_smbd_shown", mutate_smbd_message},
    {"fuzz_smbd_trace", smbd_streams},
    {"fuzz_smbd_initiator", mutate_smbd_script},
    {"fuzz_smbd_listener", mutate_smbd_script},
    {"fuzz_smbd_pair", records<kSmbdStepsShape>},
    {"fuzz_smbd_capture", damaged<kSmbdStepsShape>},
    {"fuzz_umsp_trace", streams},
    {"fuzz_umsp_node", records<kTraceShape>},
    {"fuzz_umsp_job", records<kJobStepsShape>},
    {"fuzz_umsp_capture", damaged<kJobStepsShape>},
};
// For the observers of datagrams, also for protocols that are not in this tree.
constexpr Row kDatagrams[] = {{"_trace", records<kTraceShape>}, {"_datagrams", records<kTraceShape>}};

}  // namespace

Mutator find_mutator(std::string_view target) {
  const auto named = std::ranges::find(kMutators, target, &Row::target);
  if (named != std::end(kMutators)) return named->mutator;
  const auto ending = std::ranges::find_if(kDatagrams, [&](const Row& row) { return target.ends_with(row.target); });
  return ending == std::end(kDatagrams) ? nullptr : ending->mutator;
}

}  // namespace wirelaw::fuzz
