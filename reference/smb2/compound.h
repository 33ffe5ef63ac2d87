// SPDX-License-Identifier: Apache-2.0
// One message of the transport: a request or response of SMB2, or a chain of them ([MS-SMB2] 2.2.1.2, NextCommand;
// 3.2.4.1.4).
#pragma once

#include <vector>

#include "reference/smb2/message.h"

namespace wirelaw::smb2 {

struct Element {
  Header header;
  Octets octets = {};  // includes the header, and the padding before the next one

  Octets body() const { return octets.subspan(kHeaderOctets); }
};

// Each element is within the message, after the previous one.
Decoded<std::vector<Element>> elements_of(Octets message);
// Returns true if a client may send it at any time (ECHO, CANCEL), and not only because of a response.
bool is_of_its_own_accord(Octets message);

// Builds a message element by element. Each is padded before the next one, to which it points.
class Compound {
 public:
  template <class Body>
  void add(const Header& header, const Body& body) {
    begin();
    encode(header, octets_);
    encode(body, octets_);
  }
  std::size_t elements() const { return elements_; }
  std::size_t octets() const { return octets_.size(); }  // length so far
  // If there are several elements, pads the last one, too.
  OctetBuffer finish();

 private:
  void begin();

  OctetBuffer octets_;
  std::size_t last_ = 0;  // offset of the last element
  std::size_t elements_ = 0;
};

}  // namespace wirelaw::smb2
