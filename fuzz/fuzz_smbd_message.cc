// SPDX-License-Identifier: Apache-2.0
// Any octets as each of SMB Direct's messages. Oracles: encode(decode(x)) == x, an error says where, and everything
// that people are shown lies within the message, in the order of the wire and without overlap.
#include <algorithm>

#include "conformance/smbd/decode.h"
#include "fuzz/smbd_mutator.h"
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

void show(Octets octets) {
  const Decoded decoded = decode_for_people(octets);
  require(!decoded.summary.empty(), "there is something to say of every message");
  std::size_t end = 0;
  for (const wirelaw::Field& field : decoded.fields) {
    require(!field.name.empty(), "a field has a name");
    require(field.offset >= end, "fields are in the order of the wire");
    end = field.offset + field.length;
    require(end <= octets.size(), "what is shown lies within its message");
  }
  require(!decoded.error.empty() || end == octets.size(), "every octet of a message is shown");
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
  fuzz::show(octets);
  if (const auto request = smbd::decode_transfer_request(octets))
    fuzz::require(std::ranges::equal(smbd::encode(*request), octets), "a transfer request is encoded as it was");
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  return wirelaw::fuzz::mutate_smbd_message({data, max_size}, size, seed);
}
