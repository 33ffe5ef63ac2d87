// SPDX-License-Identifier: Apache-2.0
#include "reference/smb2/authentication.h"

#include <algorithm>
#include <array>

namespace wirelaw::smb2 {
namespace {

constexpr std::array<Octet, 8> kSignature{'N', 'T', 'L', 'M', 'S', 'S', 'P', 0};
constexpr std::uint32_t kNegotiate = 1, kChallenge = 2, kAuthenticate = 3;

// [MS-NLMP] 2.2.2.5
namespace negotiated {
constexpr std::uint32_t kUnicode = 0x00000001, kRequestTarget = 0x00000004, kNtlm = 0x00000200,
                        kAlwaysSign = 0x00008000, kTargetServer = 0x00020000, kExtendedSecurity = 0x00080000,
                        kTargetInfo = 0x00800000, kVersion = 0x02000000, k128 = 0x20000000, k56 = 0x80000000;
// Flags that a client gets if it requests them.
constexpr std::uint32_t kAsAsked = 0x00000010 | 0x00000020 | kAlwaysSign | kVersion | 0x40000000 | k128 | k56;
}  // namespace negotiated

// 1.3.6.1.4.1.311.2.2.10
constexpr std::array<Octet, 12> kNtlmOid{0x06, 0x0a, 0x2b, 0x06, 0x01, 0x04, 0x01, 0x82, 0x37, 0x02, 0x02, 0x0a};
// NegTokenInit with this mechanism only (RFC 4178 4.2.1).
constexpr std::array<Octet, 30> kOffer{0x60, 0x1c, 0x06, 0x06, 0x2b, 0x06, 0x01, 0x05, 0x05, 0x02,
                                       0xa0, 0x12, 0x30, 0x10, 0xa0, 0x0e, 0x30, 0x0c, 0x06, 0x0a,
                                       0x2b, 0x06, 0x01, 0x04, 0x01, 0x82, 0x37, 0x02, 0x02, 0x0a};

// A DER value: tag, length, octets.
OctetBuffer der(Octet tag, Octets value) {
  OctetBuffer octets{tag};
  if (value.size() >= 0x100)
    Writer(octets).octet(0x82).big_endian(static_cast<std::uint16_t>(value.size()));
  else if (value.size() >= 0x80)
    Writer(octets).octet(0x81).octet(static_cast<Octet>(value.size()));
  else
    octets.push_back(static_cast<Octet>(value.size()));
  Writer(octets).octets(value);
  return octets;
}

// NegTokenResp (RFC 4178 4.2.2).
OctetBuffer spnego_answer(bool is_complete, Octets token) {
  const Octet state[] = {0x0a, 0x01, static_cast<Octet>(is_complete ? 0 : 1)};
  OctetBuffer fields = der(0xa0, state);
  if (!is_complete) {
    Writer(fields).octets(der(0xa1, kNtlmOid));
    Writer(fields).octets(der(0xa2, der(0x04, token)));
  }
  return der(0xa1, der(0x30, fields));
}

void put_pair(OctetBuffer& out, std::uint16_t id, Octets value) {
  Writer(out).little_endian(id).little_endian(static_cast<std::uint16_t>(value.size())).octets(value);
}

// [MS-NLMP] 2.2.1.2
OctetBuffer challenge(std::uint32_t asked) {
  constexpr std::uint32_t kHeader = 56;
  constexpr std::array<Octet, 14> kName{'W', 0, 'I', 0, 'R', 0, 'E', 0, 'L', 0, 'A', 0, 'W', 0};
  OctetBuffer pairs;
  for (const std::uint16_t id : std::array<std::uint16_t, 4>{2, 1, 4, 3})
    put_pair(pairs, id, kName);  // names of domain and computer
  put_pair(pairs, 0, {});
  const auto place = [](OctetBuffer& out, std::size_t length, std::size_t offset) {
    Writer(out)
        .little_endian(static_cast<std::uint16_t>(length))
        .little_endian(static_cast<std::uint16_t>(length))
        .little_endian(static_cast<std::uint32_t>(offset));
  };
  OctetBuffer out(kSignature.begin(), kSignature.end());
  Writer(out).little_endian(kChallenge);
  place(out, kName.size(), kHeader);
  Writer(out)
      .little_endian((asked & negotiated::kAsAsked) | negotiated::kUnicode | negotiated::kRequestTarget |
                     negotiated::kNtlm | negotiated::kTargetServer | negotiated::kExtendedSecurity |
                     negotiated::kTargetInfo)
      .octets(std::array<Octet, 8>{1, 2, 3, 4, 5, 6, 7, 8})  // need not be secret
      .octets(std::array<Octet, 8>{});
  place(out, pairs.size(), kHeader + kName.size());
  Writer(out).octets(std::array<Octet, 8>{10, 0, 0, 0, 0, 0, 0, 15});  // VERSION
  Writer(out).octets(kName).octets(pairs);
  return out;
}

// [MS-NLMP] 2.2.1.3: true if there is neither a response nor a name. Returns nothing if the message is truncated.
std::optional<bool> is_anonymous(Octets message) {
  constexpr std::size_t kNtResponse = 20, kUser = 36;
  if (message.size() < 64) return std::nullopt;
  const auto length = [&](std::size_t at) { return load_little_endian<std::uint16_t>(message.data() + at); };
  return length(kNtResponse) == 0 && length(kUser) == 0;
}

OctetBuffer client_message(std::uint32_t type, std::size_t octets, std::size_t flags_at) {
  OctetBuffer out(kSignature.begin(), kSignature.end());
  Writer(out).little_endian(type);
  out.resize(octets);
  store_little_endian(out.data() + flags_at, negotiated::kUnicode | negotiated::kRequestTarget | negotiated::kNtlm |
                                                 negotiated::kExtendedSecurity | negotiated::k128 | negotiated::k56);
  return out;
}

}  // namespace

Octets offered_mechanisms() {
  return kOffer;
}

std::optional<Authentication> authenticate(Octets token) {
  const auto found = std::search(token.begin(), token.end(), kSignature.begin(), kSignature.end());
  if (found == token.end()) return std::nullopt;
  const auto at = static_cast<std::size_t>(found - token.begin());
  const bool wrapped = at != 0;
  Reader reader(token.subspan(at + kSignature.size()));
  const auto type = reader.little_endian<std::uint32_t>();
  if (type == kNegotiate) {
    OctetBuffer answer = challenge(reader.little_endian<std::uint32_t>());
    if (!reader.ok()) return std::nullopt;
    return Authentication{.token = wrapped ? spnego_answer(false, answer) : std::move(answer)};
  }
  if (!reader.ok() || type != kAuthenticate) return std::nullopt;
  const auto anonymous = is_anonymous(token.subspan(at));
  if (!anonymous) return std::nullopt;
  return Authentication{
      .is_complete = true, .is_anonymous = *anonymous, .token = wrapped ? spnego_answer(true, {}) : OctetBuffer{}};
}

OctetBuffer ntlm_negotiate() {
  return client_message(kNegotiate, 32, 12);
}

OctetBuffer ntlm_anonymous() {
  return client_message(kAuthenticate, 64, 60);
}

}  // namespace wirelaw::smb2
