// SPDX-License-Identifier: Apache-2.0
// Any octets as each of SMB Direct's messages. Oracles: encode(decode(x)) == x, and an error gives its offset.
#include <algorithm>

#include "fuzz/target.h"
#include "reference/smbd/message.h"
#include "reference/smbd/transfer_request.h"

namespace wirelaw::fuzz {
namespace {

using namespace smbd;

template <class Message>
void round_trip(Octets octets, const tl::expected<Message, DecodeError>& decoded) {
  if (decoded) {
    const OctetBuffer again = encode(*decoded);
    require(again.size() <= octets.size() && std::equal(again.begin(), again.end(), octets.begin()),
            "encode(decode(x)) == x");
    return;
  }
  require(decoded.error().offset == octets.size() && decoded.error().needed > octets.size(),
          "an error says where the octets end, and what they lack");
}

}  // namespace
}  // namespace wirelaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wirelaw;
  const Octets octets(data, size);
  fuzz::round_trip(octets, smbd::decode_negotiate_request(octets));
  fuzz::round_trip(octets, smbd::decode_negotiate_response(octets));
  fuzz::round_trip(octets, smbd::decode_data_transfer(octets));
  fuzz::round_trip(octets, smbd::decode_buffer_descriptor(octets));
  if (const auto request = smbd::decode_transfer_request(octets))
    fuzz::require(std::ranges::equal(smbd::encode(*request), octets), "a transfer request is encoded as it was");
  return 0;
}
