// SPDX-License-Identifier: Apache-2.0
// Shared by the cases of RFC 7306: Atomic Operations on a word of the IUT, and Immediate Data.
#pragma once

#include "conformance/rdmap/rdmap/terminate_cases.h"

namespace wirelaw::rdmap {

inline constexpr std::uint64_t kAllOnes = ~std::uint64_t{0};

// Returns true if the IUT declares the extensions; otherwise the case is skipped.
bool declares_extensions(Probe& probe);
// A buffer for Atomic Operations; the case is skipped without one.
template <class Peer>
std::optional<TargetBuffer> word_of(Peer& peer) {
  if (!peer.ok() || !declares_extensions(peer)) return std::nullopt;
  return need(peer, targets_of(peer.run(), peer.advertisement()).read_write, "may be read and written");
}

AtomicRequest fetch_add_of(const TargetBuffer& at, std::uint64_t add, std::uint64_t mask = 0);
AtomicRequest cmp_swap_of(const TargetBuffer& at, std::uint64_t swap, std::uint64_t swap_mask, std::uint64_t compare,
                          std::uint64_t compare_mask);

// Each returns the ULPDU that was sent.
OctetBuffer send_atomic(Probe& probe, const AtomicRequest& request, const Probe::HeaderEdit& edit = {},
                        const Probe::Faults& faults = {});
OctetBuffer send_immediate(Probe& probe, std::size_t octets, const Probe::HeaderEdit& edit = {});

// The Atomic Response, or the answer that came instead.
Response await_response(Probe& probe);
std::optional<AtomicResponse> response_in(const Response& answer);

// Does an operation, whose answer must be `original`.
void expect_original(Probe& probe, const Rule& rule, const AtomicRequest& request, std::uint64_t original,
                     std::string_view explanation);
void set_word(Probe& probe, const TargetBuffer& at, std::uint64_t value);
// The word as an operation finds it that changes nothing: the byte order of the IUT's memory is its own.
void expect_word(Probe& probe, const Rule& rule, const TargetBuffer& at, std::uint64_t value,
                 std::string_view explanation);

// Sends a faulty request and expects a Terminate for it.
Response expect_terminate(Probe& probe, const Rule& rule, Outcomes outcomes, std::string_view explanation);

}  // namespace wirelaw::rdmap
