// SPDX-License-Identifier: Apache-2.0
#include "reference/smbd/transfer_request.h"

#include <algorithm>
#include <string_view>

#include "reference/octets/octets.h"

namespace wirelaw::smbd {
namespace {

constexpr std::string_view kMark = "WLRDMA";
constexpr std::size_t kHead = kMark.size() + 2 + 4 + 4;

}  // namespace

OctetBuffer encode(const TransferRequest& request) {
  OctetBuffer octets(kMark.begin(), kMark.end());
  Writer writer(octets);
  writer.little_endian(static_cast<std::uint8_t>(request.kind));
  writer.little_endian(static_cast<std::uint8_t>(request.remote.size()));
  writer.little_endian(request.offset);
  writer.little_endian(request.length);
  for (const BufferDescriptorV1& one : request.remote) encode(one, octets);
  octets.insert(octets.end(), request.data.begin(), request.data.end());
  return octets;
}

std::optional<TransferRequest> decode_transfer_request(Octets octets) {
  if (octets.size() < kHead || !std::equal(kMark.begin(), kMark.end(), octets.begin())) return std::nullopt;
  TransferRequest request{.kind = static_cast<TransferRequest::Kind>(octets[kMark.size()]),
                          .offset = load_little_endian<std::uint32_t>(octets.data() + kMark.size() + 2),
                          .length = load_little_endian<std::uint32_t>(octets.data() + kMark.size() + 6)};
  if (request.kind != TransferRequest::Kind::fetch && request.kind != TransferRequest::Kind::store) return std::nullopt;
  const std::size_t descriptors = octets[kMark.size() + 1];
  if (descriptors > kMostDescriptors) return std::nullopt;
  Octets rest = octets.subspan(kHead);
  for (std::size_t i = 0; i < descriptors; ++i) {
    const auto one = decode_buffer_descriptor(rest);
    if (!one) return std::nullopt;
    request.remote.push_back(*one);
    rest = rest.subspan(describe(MessageType::buffer_descriptor_v1).octets);
  }
  if (rest.size() != (request.kind == TransferRequest::Kind::store ? request.length : 0)) return std::nullopt;
  request.data.assign(rest.begin(), rest.end());
  return request;
}

}  // namespace wirelaw::smbd
