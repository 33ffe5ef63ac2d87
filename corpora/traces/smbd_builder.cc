// SPDX-License-Identifier: Apache-2.0
#include "corpora/traces/smbd_builder.h"

#include <utility>

#include "reference/smb2/bodies.h"

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

void SmbdTraceBuilder::payload(Side side, Octets payload) {
  data(side, payload.size(), [&](smbd::DataTransfer& data) { data.buffer = payload; });
}

void SmbdTraceBuilder::lend(Side side) {
  OctetBuffer octets = pattern(40);
  smbd::encode({.offset = kAddress, .token = kToken, .length = 1'000}, octets);
  payload(side, octets);
}

void SmbdTraceBuilder::smb2(Side side, std::uint16_t command, const Buffers& buffers) {
  smb2_command_ = command;
  const smb2::Header header{.credit_charge = 1, .command = command, .credits = 1, .message_id = ++smb2_message_};
  OctetBuffer info;
  std::uint32_t length = 0;
  for (const smbd::BufferDescriptorV1& one : buffers) {
    smbd::encode(one, info);
    length += one.length;
  }
  const auto size = static_cast<std::uint16_t>(info.size());
  OctetBuffer message;
  smb2::encode(header, message);
  if (command == smb2::command::kRead)
    smb2::encode(smb2::ReadRequest{.length = length,
                                   .channel = smb2::channel::kRdmaV1,
                                   .channel_info_offset = smb2::kHeaderOctets + smb2::ReadRequest::kFixedOctets,
                                   .channel_info_length = size,
                                   .rest = info},
                 message);
  else
    smb2::encode(smb2::WriteRequest{.channel = smb2::channel::kRdmaV1Invalidate,
                                    .remaining_octets = length,
                                    .channel_info_offset = smb2::kHeaderOctets + smb2::WriteRequest::kFixedOctets,
                                    .channel_info_length = size,
                                    .rest = info},
                 message);
  payload(side, message);
}

void SmbdTraceBuilder::smb2_read(Side side, const Buffers& buffers) {
  smb2(side, smb2::command::kRead, buffers);
}
void SmbdTraceBuilder::smb2_write(Side side, const Buffers& buffers) {
  smb2(side, smb2::command::kWrite, buffers);
}

void SmbdTraceBuilder::smb2_respond(Side side) {
  OctetBuffer message;
  smb2::encode(smb2::Header{.credit_charge = 1,
                            .command = smb2_command_,
                            .credits = 1,
                            .flags = smb2::flag::kResponse,
                            .message_id = smb2_message_},
               message);
  if (smb2_command_ == smb2::command::kRead)
    smb2::encode(smb2::ReadResponse{.rest = {}}, message);
  else
    smb2::encode(smb2::WriteResponse{.rest = {}}, message);
  payload(side, message);
}

void SmbdTraceBuilder::close() {
  add([&] { below_->close(Side::a); });
  below_->close(Side::b);
}

}  // namespace wirelaw::corpora
