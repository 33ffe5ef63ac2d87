// SPDX-License-Identifier: Apache-2.0
// One packet of each kind.
#include "corpora/seed.h"
#include "reference/ramcloud/packet.h"

namespace wirelaw::corpora {
namespace {

using ramcloud::Flags;
using ramcloud::Header;
using ramcloud::PayloadType;

constexpr Header kSession{.session_token = 0x1122334455667788,
                          .rpc_id = 3,
                          .client_session_hint = 0x0a0b0c0d,
                          .server_session_hint = 0x01020304,
                          .frag_number = 1,
                          .total_frags = 2,
                          .channel_id = 5};

Seed packet(const char* name, PayloadType type, Flags flags, Octets payload = {}) {
  Header header = kSession;
  header.payload_type = type;
  header.flags = flags;
  return {"fuzz_ramcloud_packet", name, ramcloud::encode(header, payload)};
}

}  // namespace

std::vector<Seed> packet_seeds() {
  const OctetBuffer data{'d', 'a', 't', 'a'},
      ack = ramcloud::encode_ack({.first_missing_frag = 1, .staging_vector = 5});
  std::vector<Seed> seeds{
      packet("data-request", PayloadType::data, {.request_ack = true}, data),
      packet("data-response", PayloadType::data, {.direction = true}, data),
      packet("ack-of-client", PayloadType::ack, {}, ack),
      packet("ack-of-server", PayloadType::ack, {.direction = true}, ack),
      packet("ack-short", PayloadType::ack, {}, Octets(ack).first(5)),
      packet("open-request", PayloadType::session_open, {}),
      packet("open-response", PayloadType::session_open, {.direction = true}, Octets(ack).first(1)),
      packet("bad-session", PayloadType::bad_session, {.direction = true}),
      packet("reserved-type", static_cast<PayloadType>(7), {.please_drop = true, .reserved1 = true}, data),
      {"fuzz_ramcloud_packet", "short-header", OctetBuffer(ramcloud::layout::kHeader - 1, 0xcc)},
  };
  return seeds;
}

}  // namespace wirelaw::corpora
