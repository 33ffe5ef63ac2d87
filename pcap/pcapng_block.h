// SPDX-License-Identifier: Apache-2.0
// Builds one pcapng block (draft-ietf-opsawg-pcapng, section 3.1): little-endian, padded, with its length at both ends.
#pragma once

#include <cstdint>
#include <string_view>

#include "pcap/pcapng_format.h"
#include "reference/octets/octets.h"

namespace wirelaw::pcap::pcapng {

class Block {
 public:
  // Replaces the content of `out`.
  Block(OctetBuffer& out, std::uint32_t type) : out_(out), writer_(out) {
    out_.clear();
    writer_.little_endian(type).little_endian(std::uint32_t{0});  // finish() sets the length
  }

  template <class Int>
  Block& put(Int value) {
    writer_.little_endian(value);
    return *this;
  }
  Block& put_padded(Octets octets) {
    writer_.octets(octets);
    out_.resize(padded(out_.size()));
    return *this;
  }
  // `value` has at most kMaxOptionOctets.
  Block& option(std::uint16_t code, Octets value) {
    any_option_ = true;
    return put(code).put(static_cast<std::uint16_t>(value.size())).put_padded(value);
  }
  Block& option(std::uint16_t code, std::string_view text) {
    return option(code, Octets(reinterpret_cast<const Octet*>(text.data()), text.size()));
  }

  void finish() {
    if (any_option_) put(kOptionEnd).put(std::uint16_t{0});
    const auto length = static_cast<std::uint32_t>(out_.size() + sizeof(std::uint32_t));
    put(length);
    store_little_endian(out_.data() + sizeof(std::uint32_t), length);
  }

 private:
  OctetBuffer& out_;
  wirelaw::Writer writer_;
  bool any_option_ = false;
};

}  // namespace wirelaw::pcap::pcapng
