// SPDX-License-Identifier: Apache-2.0
#include "corpora/traces/smbd_builder.h"

#include <utility>

namespace wirelaw::corpora {

void SmbdTraceBuilder::connect() {
  below_->start();
}

void SmbdTraceBuilder::request(const RequestEdit& edit) {
  smbd::NegotiateRequest request{.credits_requested = kCredits,
                                 .preferred_send_size = kSize,
                                 .max_receive_size = kSize,
                                 .max_fragmented_size = smbd::kLeastMaxFragmentedSize};
  if (edit) edit(request);
  octets(Side::a, smbd::encode(request));
}

void SmbdTraceBuilder::response(const ResponseEdit& edit) {
  smbd::NegotiateResponse response{.negotiated_version = smbd::kVersion1,
                                   .credits_requested = kCredits,
                                   .credits_granted = kCredits,
                                   .max_read_write_size = kReadWriteSize,
                                   .preferred_send_size = kSize,
                                   .max_receive_size = kSize,
                                   .max_fragmented_size = smbd::kLeastMaxFragmentedSize};
  if (edit) edit(response);
  octets(Side::b, smbd::encode(response));
}

void SmbdTraceBuilder::failure(const ResponseEdit& edit) {
  smbd::NegotiateResponse response{.status = smbd::status::kInsufficientResources};
  if (edit) edit(response);
  octets(Side::b, smbd::encode(response));
}

void SmbdTraceBuilder::establish() {
  connect();
  request();
  response();
}

void SmbdTraceBuilder::segment(Side side, std::size_t octets_of_data, std::uint32_t remaining, const DataEdit& edit,
                               std::optional<std::uint32_t> token) {
  constexpr std::array<Octet, 4> kPadding{};
  const OctetBuffer buffer = pattern(octets_of_data);
  smbd::DataTransfer data{.credits_requested = kCredits,
                          .credits_granted = std::exchange(to_grant_[index(side)], std::uint16_t{0}),
                          .remaining_data_length = remaining,
                          .data_length = static_cast<std::uint32_t>(octets_of_data)};
  if (octets_of_data > 0) {
    data.data_offset = smbd::kUsualDataOffset;
    data.padding = kPadding;
    data.buffer = buffer;
  }
  if (edit) edit(data);
  add([&] { below_->send(side, smbd::encode(data), token); });
  ++to_grant_[index(other(side))];
}

void SmbdTraceBuilder::exchange() {
  data(Side::a, 100);
  data(Side::b, 100);
}

void SmbdTraceBuilder::lend(Side side, std::uint32_t length) {
  OctetBuffer octets = pattern(40);
  smbd::encode({.offset = kAddress, .token = kToken, .length = length}, octets);
  data(side, octets.size(), [&](smbd::DataTransfer& data) { data.buffer = octets; });
}

void SmbdTraceBuilder::close() {
  add([&] { below_->close(Side::a); });
  below_->close(Side::b);
}

}  // namespace wirelaw::corpora
