// SPDX-License-Identifier: Apache-2.0
#include "reference/rdmap/message.h"

#include <algorithm>
#include <array>

namespace wirelaw::rdmap {
namespace {

constexpr bool kTagged = true, kUntagged = false;
constexpr bool kInvalidates = true, kPayload = true, kExtension = true;

// RFC 5040, figures 4 and 5; RFC 7306, figures 2 and 3. The index of a row is its opcode.
constexpr std::array<OpcodeRow, 12> kOpcodes{{
    {Opcode::write, "Write", kTagged, 0, !kInvalidates, 0, kPayload, !kExtension},
    {Opcode::read_request, "Read Request", kUntagged, kReadRequestQueue, !kInvalidates, layout::kReadRequest, !kPayload,
     !kExtension},
    {Opcode::read_response, "Read Response", kTagged, 0, !kInvalidates, 0, kPayload, !kExtension},
    {Opcode::send, "Send", kUntagged, kSendQueue, !kInvalidates, 0, kPayload, !kExtension},
    {Opcode::send_invalidate, "Send with Invalidate", kUntagged, kSendQueue, kInvalidates, 0, kPayload, !kExtension},
    {Opcode::send_se, "Send with SE", kUntagged, kSendQueue, !kInvalidates, 0, kPayload, !kExtension},
    {Opcode::send_se_invalidate, "Send with SE and Invalidate", kUntagged, kSendQueue, kInvalidates, 0, kPayload,
     !kExtension},
    {Opcode::terminate, "Terminate", kUntagged, kTerminateQueue, !kInvalidates, layout::kTerminate, !kPayload,
     !kExtension},
    {Opcode::immediate_data, "Immediate Data", kUntagged, kSendQueue, !kInvalidates, layout::kImmediateData, !kPayload,
     kExtension},
    {Opcode::immediate_data_se, "Immediate Data with SE", kUntagged, kSendQueue, !kInvalidates, layout::kImmediateData,
     !kPayload, kExtension},
    {Opcode::atomic_request, "Atomic Request", kUntagged, kReadRequestQueue, !kInvalidates, layout::kAtomicRequest,
     !kPayload, kExtension},
    {Opcode::atomic_response, "Atomic Response", kUntagged, kAtomicResponseQueue, !kInvalidates,
     layout::kAtomicResponse, !kPayload, kExtension},
}};

}  // namespace

const OpcodeRow* find_opcode(std::uint8_t opcode) {
  return opcode < kOpcodes.size() ? &kOpcodes[opcode] : nullptr;
}

std::span<const OpcodeRow> opcodes() {
  return kOpcodes;
}

std::optional<ReadRequest> decode_read_request(Octets payload) {
  if (payload.size() < layout::kReadRequest) return std::nullopt;
  const Octet* const at = payload.data();
  return ReadRequest{.sink_stag = load_big_endian<std::uint32_t>(at + layout::kSinkStag),
                     .sink_to = load_big_endian<std::uint64_t>(at + layout::kSinkTo),
                     .size = load_big_endian<std::uint32_t>(at + layout::kReadSize),
                     .source_stag = load_big_endian<std::uint32_t>(at + layout::kSourceStag),
                     .source_to = load_big_endian<std::uint64_t>(at + layout::kSourceTo)};
}

void encode(const ReadRequest& request, OctetBuffer& out) {
  Writer(out)
      .big_endian(request.sink_stag)
      .big_endian(request.sink_to)
      .big_endian(request.size)
      .big_endian(request.source_stag)
      .big_endian(request.source_to);
}

std::optional<AtomicRequest> decode_atomic_request(Octets payload) {
  if (payload.size() < layout::kAtomicRequest) return std::nullopt;
  const Octet* const at = payload.data();
  return AtomicRequest{.reserved_and_opcode = load_big_endian<std::uint32_t>(at + layout::kAtomicOpcode),
                       .request_identifier = load_big_endian<std::uint32_t>(at + layout::kAtomicIdentifier),
                       .stag = load_big_endian<std::uint32_t>(at + layout::kAtomicStag),
                       .to = load_big_endian<std::uint64_t>(at + layout::kAtomicTo),
                       .data = load_big_endian<std::uint64_t>(at + layout::kAtomicData),
                       .data_mask = load_big_endian<std::uint64_t>(at + layout::kAtomicDataMask),
                       .compare = load_big_endian<std::uint64_t>(at + layout::kAtomicCompare),
                       .compare_mask = load_big_endian<std::uint64_t>(at + layout::kAtomicCompareMask)};
}

void encode(const AtomicRequest& request, OctetBuffer& out) {
  Writer(out)
      .big_endian(request.reserved_and_opcode)
      .big_endian(request.request_identifier)
      .big_endian(request.stag)
      .big_endian(request.to)
      .big_endian(request.data)
      .big_endian(request.data_mask)
      .big_endian(request.compare)
      .big_endian(request.compare_mask);
}

std::optional<AtomicResponse> decode_atomic_response(Octets payload) {
  if (payload.size() < layout::kAtomicResponse) return std::nullopt;
  const Octet* const at = payload.data();
  return AtomicResponse{.request_identifier = load_big_endian<std::uint32_t>(at + layout::kOriginalIdentifier),
                        .original_value = load_big_endian<std::uint64_t>(at + layout::kOriginalValue)};
}

void encode(const AtomicResponse& response, OctetBuffer& out) {
  Writer(out).big_endian(response.request_identifier).big_endian(response.original_value);
}

}  // namespace wirelaw::rdmap
