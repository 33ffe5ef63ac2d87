// SPDX-License-Identifier: Apache-2.0
// Composes messages that fit a live conversation: it follows what both sides send, and writes the next message of one
// side from the words of a script line.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "conformance/script/conversation.h"
#include "conformance/transport.h"

namespace wirelaw::script {

class Composer {
 public:
  // The language outlives the composer.
  Composer(const Language& language, const Addresses& addresses, Side own)
      : language_(language), speaker_(language, addresses), own_(own) {}

  void sent(Octets octets) { follow(own_, octets); }
  void received(Octets octets) { follow(other(own_), octets); }

  // What a conforming sender sends next, with the changes of the line: "DATA total_frags=3 frag_number+=1". A stream
  // gives a frame for each segment. Empty if the line cannot be read, or if no such message can be sent now. The caller
  // reports the octets to sent().
  std::vector<OctetBuffer> compose(std::string_view line);

 private:
  void follow(Side sender, Octets octets);

  const Language& language_;
  Speaker speaker_;
  Side own_;
  OctetBuffer streams_[2];  // octets of each side that do not form a unit yet
};

// The addresses of a connection, as far as its transport knows them.
Addresses addresses_of(const Transport& transport, Side own);

}  // namespace wirelaw::script
