// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/conversation.h"

namespace wirelaw::efa {

void Conversation::note_partial(std::string_view reason) {
  if (partial_.empty()) partial_ = reason;
}

void Conversation::begin_anew(Side side, std::uint32_t former_connid) {
  Party& peer = party(other(side));
  const auto connid = peer.connid;
  const auto raw_address = peer.raw_address;
  parties_ = {};
  exchanges_ = {};
  peer.connid = connid;
  peer.raw_address = raw_address;
  party(side).former_connid = former_connid;
  from_start_ = false;
}

}  // namespace wirelaw::efa
