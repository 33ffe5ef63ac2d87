// SPDX-License-Identifier: Apache-2.0
// The header of a UMSP instruction (RFC 3018 3.1), the heads of its extension headers (3.2), and what an instruction
// inherits from the one before it. Integers are big-endian, bit 0 is the most significant one (ruling UMSP/A5). "A..."
// are the rulings on what the text leaves open.
//
//   octets  field           present
//   1       OPCODE          always
//   1       ASK PCK CHN EXT OPR_LENGTH  always: 1, 2, 1, 1 and 3 bits
//   2       OPR_LENGTH_EXT  OPR_LENGTH is 7
//   2 2     CHAIN_NUMBER, INSTR_NUMBER  CHN is 1 and PCK is 01 or 11
//   4       SESSION_ID      PCK is 11
//   4       REQ_ID          ASK is 1
//
// Contradictory bits (CHN with PCK 00, PCK 10 without CHN) leave the length certain: the fields are absent. They are
// kept and found by resolve().
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "reference/octets/octets.h"

namespace wirelaw::umsp {

// PCK: the fields of the header that the previous instruction gives.
enum class Pck : std::uint8_t {
  no_session = 0,    // %b00
  same_session = 1,  // %b01: SESSION_ID is absent
  same_chain = 2,    // %b10: SESSION_ID, CHAIN_NUMBER and INSTR_NUMBER are absent
  own_session = 3,   // %b11: SESSION_ID is there
};

// A fragmented instruction is carried in NOPs without its SESSION_ID and REQ_ID, whatever its ASK and PCK (7.3,
// UMSP/A17).
enum class Form : std::uint8_t { whole, fragmented };

inline constexpr std::size_t kLeastHeader = 2;
inline constexpr std::size_t kMostHeader = 16;
inline constexpr std::uint8_t kExtendedLength = 7;        // value of OPR_LENGTH: OPR_LENGTH_EXT is there
inline constexpr std::size_t kMostExtensionHeaders = 30;  // (3.2); one more and the session is to be broken off

// Values of fields that are reserved.
inline constexpr std::uint16_t kReservedChainNumbers[] = {0x0000, 0xffff};
inline constexpr std::uint16_t kReservedInstrNumber = 0xffff;
inline constexpr std::uint32_t kZeroSession = 0;
inline constexpr std::uint32_t kReservedSessionId = 0xffff'ffff;

// A header as on the wire. Fields that the flags announce as absent are 0, and the encoder ignores them.
struct Header {
  std::uint8_t opcode = 0;
  bool ask = false;
  Pck pck = Pck::no_session;
  bool chn = false;
  bool ext = false;
  // The operands' length is in OPR_LENGTH_EXT. Kept, because both fields can express 0 to 6 words (UMSP/A7).
  bool extended = false;
  std::uint16_t opr_length = 0;  // length of the operands in words of four octets; the short form holds 0 to 6
  std::uint16_t chain_number = 0;
  std::uint16_t instr_number = 0;
  std::uint32_t session_id = 0;
  std::uint32_t req_id = 0;
  Form form = Form::whole;

  constexpr bool has_chain_fields() const { return chn && (pck == Pck::same_session || pck == Pck::own_session); }
  constexpr bool has_session_id() const { return pck == Pck::own_session && form == Form::whole; }
  constexpr bool has_req_id() const { return ask && form == Form::whole; }
  // The encoded form: extended also if the short one cannot express opr_length.
  constexpr bool is_extended() const { return extended || opr_length >= kExtendedLength; }
  // Length of the header itself.
  constexpr std::size_t octets() const {
    return kLeastHeader + (is_extended() ? 2u : 0u) + (has_chain_fields() ? 4u : 0u) + (has_session_id() ? 4u : 0u) +
           (has_req_id() ? 4u : 0u);
  }
  constexpr std::size_t operand_octets() const { return std::size_t{opr_length} * 4; }

  friend constexpr bool operator==(const Header&, const Header&) = default;
};

// Length of the header, from its second octet alone.
std::size_t header_octets(Octet flags, Form form = Form::whole);

// Decodes the header at the beginning of `octets`; returns nothing if it is incomplete.
std::optional<Header> decode_header(Octets octets, Form form = Form::whole);
void encode(const Header& header, OctetBuffer& out);  // appends

// A field's place in the header, for findings and users. Several fields share an octet.
enum class HeaderField : std::uint8_t {
  opcode,
  ask,
  pck,
  chn,
  ext,
  opr_length,
  opr_length_ext,
  chain_number,
  instr_number,
  session_id,
  req_id,
};
struct Place {
  std::size_t offset = 0;
  std::size_t length = 0;
};
// Returns nothing if this header lacks the field.
std::optional<Place> find_field(const Header& header, HeaderField field);

// ------------------------------------------------------------------------------------------------ extension headers

// One extension header (3.2). The short form has two octets in front of DATA:
//   HXT 1 bit, HEAD_LENGTH 7 bits; HSL, HOB, HRZ 1 bit each, HEAD_CODE 5 bits
// and the extended one eight:
//   HXT 1 bit, HEAD_LENGTH 31 bits; HSL, HOB, HRZ 1 bit each, HEAD_CODE 13 bits; RESERVED 16 bits
struct ExtensionHeader {
  bool hxt = false;               // the extended form
  std::uint32_t head_length = 0;  // length of DATA in words of two octets; HEAD_LENGTH_EXT included
  bool hsl = false;               // the last one
  bool hob = false;               // a node that cannot process it must not execute the instruction
  bool hrz = false;               // reserved
  std::uint16_t head_code = 0;    // HEAD_CODE_EXT included
  std::uint16_t reserved = 0;     // in the extended form
  Octets data = {};               // a view of the decoded octets

  constexpr std::size_t head_octets() const { return hxt ? 8 : 2; }
  // Length according to HEAD_LENGTH; up to 2^32 - 2.
  constexpr std::uint64_t data_octets() const { return std::uint64_t{head_length} * 2; }
  // The short form can express 127 words, and a code of five bits.
  constexpr bool fits_short_form() const { return head_length < 128 && head_code < 32 && reserved == 0; }
};

// Decodes the head of the extension header at the beginning of `octets`, without its data; returns nothing if it is
// incomplete.
std::optional<ExtensionHeader> decode_head(Octets octets);
// Length of that head, from its first octet alone.
constexpr std::size_t head_octets(Octet first) {
  return first >> 7 ? 8 : 2;
}
// Appends head and data. Writes HEAD_LENGTH as given, whatever the length of `data`; cuts all fields to their width.
void encode(const ExtensionHeader& header, OctetBuffer& out);

// Makes the header for this data. HEAD_LENGTH follows from its length; data of odd length is padded by one zero octet
// in `data` itself (UMSP/A18). Uses the short form if it is sufficient.
ExtensionHeader make_extension(std::uint16_t head_code, bool hob, OctetBuffer& data);

// ---------------------------------------------------------------------------------------------------------- context

// The place of an instruction in a chain.
struct ChainPlace {
  std::uint16_t chain_number = 0;
  std::uint16_t instr_number = 0;
  friend constexpr bool operator==(const ChainPlace&, const ChainPlace&) = default;
};

// The reference for PCK 01 and 10: the previous instruction of this sender on this TCP connection, or in this datagram
// (UMSP/A10, UMSP/A11). Each connection, direction and datagram begins with a new context.
struct Context {
  bool empty = true;                        // no previous instruction
  std::optional<std::uint32_t> session_id;  // nothing: the previous one had PCK 00, or could not be resolved
  std::optional<ChainPlace> chain;          // nothing: the previous one was in no chain
  // The last session that any instruction named. A receiver may use it after a PCK 00 (UMSP/A10).
  std::optional<std::uint32_t> older_session;

  friend constexpr bool operator==(const Context&, const Context&) = default;
};

// Errors in PCK and CHN, or in their reference.
enum class ContextFlaw : std::uint8_t {
  no_previous,            // PCK 01 or 10 in the first instruction (UMSP/A11)
  previous_sessionless,   // PCK 01 or 10 after an instruction without a session (UMSP/A10)
  previous_chainless,     // PCK 10 after an instruction outside of chains
  chain_without_session,  // CHN with PCK 00 (UMSP/A9)
  chain_without_flag,     // PCK 10 without CHN (UMSP/A9b)
  numbers_exhausted,      // PCK 10 would mean the reserved INSTR_NUMBER
};
std::string_view explain(ContextFlaw flaw);

// The session and chain of an instruction, including inherited values.
struct Membership {
  std::optional<std::uint32_t> session_id;  // nothing: none, or unknown
  std::optional<ChainPlace> chain;
  // PCK 10 in an instruction whose INSTR_NUMBER is always 0: no number is implied, and `chain` is that of the previous
  // instruction (UMSP/A8).
  bool number_void = false;
  std::optional<ContextFlaw> flaw;
};
Membership resolve(const Header& header, const Context& context);

// As above, and updates the context for the next instruction.
Membership follow(const Header& header, Context& context);

}  // namespace wirelaw::umsp
