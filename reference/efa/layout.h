// SPDX-License-Identifier: Apache-2.0
// The one table of EFA RDM packets: for each packet type its name, its use, and the place of every field. The codec,
// the fields that users see, the rules and the fuzzers' dictionaries are derived from it; a new packet type is a new
// row.
//
// A packet consists of, in wire order:
//   header        mandatory, `header_octets` long; its fields are at fixed offsets from the packet's first octet
//   array         if the row has one: its number of elements is a field of the header
//   optional      headers that bits of `flags` announce, in the order of the row
//   behind        if the row has one: read_iov, the information about the sender's buffer (4.1, 4.5)
//   data          the rest: application data, or unexpected octets
// Integers are little-endian (EFA/A-21). "A-…" are the interpretations of conformance/efa/INTERPRETATIONS.md.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "reference/efa/capability.h"
#include "reference/efa/field.h"
#include "reference/efa/flag.h"
#include "reference/efa/revision.h"

namespace wirelaw::efa {

inline constexpr std::uint8_t kVersion = 4;
inline constexpr std::size_t kBaseHeader = 4;  // type, version, flags (table 1.3)

// Packet type IDs: table 1.2, and EFA/A-01 for the runting read.
enum class PacketType : std::uint8_t {
  rts = 1,
  connack = 2,
  cts = 3,
  ctsdata = 4,
  readrsp = 5,
  internal = 6,
  eor = 7,
  atomrsp = 8,
  handshake = 9,
  receipt = 10,
  read_nack = 11,
  peer_error = 12,
  eager_msgrtm = 64,
  eager_tagrtm = 65,
  medium_msgrtm = 66,
  medium_tagrtm = 67,
  longcts_msgrtm = 68,
  longcts_tagrtm = 69,
  eager_rtw = 70,
  longcts_rtw = 71,
  short_rtr = 72,
  longcts_rtr = 73,
  write_rta = 74,
  fetch_rta = 75,
  compare_rta = 76,
  longread_msgrtm = 128,
  longread_tagrtm = 129,
  longread_rtw = 130,
  dc_eager_msgrtm = 133,
  dc_eager_tagrtm = 134,
  dc_medium_msgrtm = 135,
  dc_medium_tagrtm = 136,
  dc_longcts_msgrtm = 137,
  dc_longcts_tagrtm = 138,
  dc_eager_rtw = 139,
  dc_longcts_rtw = 140,
  dc_write_rta = 141,
  runtread_msgrtm = 145,
  runtread_tagrtm = 146,
};

enum class Category : std::uint8_t { req, non_req };

// How a packet type ID is assigned.
enum class Assignment : std::uint8_t {
  defined,     // in table 1.2
  implied,     // used by the document without an ID; this ID is that of deployed implementations (EFA/A-01)
  deprecated,  // in table 1.2, without a format
  reserved,    // in table 1.2
  later,       // named in the source of later releases, but not used (EFA/A-35)
};

// The purpose of a REQ packet (3.1).
enum class Purpose : std::uint8_t { none, message, write, read, atomic };

// The subprotocol for the data.
enum class Transfer : std::uint8_t { none, eager, medium, long_cts, long_read, runting_read };

// The contents after the headers.
enum class Data : std::uint8_t {
  none,         // none: any octets are unexpected
  application,  // application data, to the end of the packet
  operands,     // an atomic's operands; for COMPARE_RTA first `buf`, then `compare`
};

// A field's place. Offsets are relative to the header that the row belongs to; for the mandatory header, to the packet.
struct FieldRow {
  Field field;
  std::uint8_t offset;
  std::uint8_t width;     // octets
  bool multiuse = false;  // connid if CONNID_HDR is set, else padding (table 3.6)
};

// An array whose number of elements is in a field.
enum class Array : std::uint8_t { none, rma_iov, read_iov, extra_info, raw_address };

struct ArrayInfo {
  Array array;
  std::string_view name;
  Field count;
  std::uint8_t bias;                 // count field minus number of elements (nextra_p3, EFA/A-12)
  std::uint8_t element;              // size of an element in octets
  std::span<const FieldRow> fields;  // fields of one element; for a raw address, of its first 32 octets
};
extern const std::array<ArrayInfo, 5> kArrays;  // in the order of Array
inline const ArrayInfo& describe(Array array) {
  return kArrays[static_cast<std::size_t>(array)];
}

// An optional header, which a bit of `flags` announces.
struct OptionalHeader {
  std::uint16_t flag;
  std::string_view name;
  std::uint8_t octets;  // without the array
  std::span<const FieldRow> fields;
  Array array = Array::none;
  Revision since = Revision::v2023_10;
};

struct Layout {
  PacketType type;
  std::string_view name;       // "EAGER_MSGRTM"
  std::string_view full_name;  // name in table 1.2
  Category category = Category::non_req;
  Assignment assignment = Assignment::defined;
  Revision since = Revision::v2023_10;  // the document that assigns the type
  std::string_view section = {};        // where the document describes it: "3.2, table 3.3"
  Purpose purpose = Purpose::none;
  Transfer transfer = Transfer::none;
  bool tagged = false;
  bool delivery_complete = false;  // answered by a RECEIPT (4.2)
  std::uint64_t extras = 0;        // extra features that the peer must have announced (2.1, EFA/A-50), as bits by ID

  std::span<const FieldRow> fields = {};  // mandatory header, without the base header
  std::uint8_t header_octets = kBaseHeader;
  std::uint8_t short_octets = 0;  // length of a shorter mandatory header that some releases send (EFA/A-08); 0: none
  Array array = Array::none;      // right after the mandatory header
  std::span<const OptionalHeader> optional = {};
  std::uint16_t announcing = 0;  // flags that announce the optional headers
  Array behind = Array::none;    // after the optional headers
  Data data = Data::none;

  FlagSet flag_set = FlagSet::universal;
  std::uint16_t marks = 0;    // flags of table 3.1 that the use implies (kRma: as in the document, EFA/A-09)
  std::uint16_t allowed = 0;  // all flags that the packet may have, including optional headers and marks
  // The allowed flags in this revision of the document.
  std::uint16_t allowed_in(Revision revision) const;

  constexpr std::uint8_t id() const { return static_cast<std::uint8_t>(type); }
  // True if the codec reads more than the base header.
  constexpr bool has_format() const { return assignment == Assignment::defined || assignment == Assignment::implied; }
  constexpr bool is_request() const { return category == Category::req && has_format(); }
  // True if the packet has a msg_id, which gives its order (EFA/A-19).
  constexpr bool ordered() const { return purpose == Purpose::message || purpose == Purpose::atomic; }
  // Returns the row of a field of the mandatory header; nullptr if it lacks the field.
  constexpr const FieldRow* find(Field field) const {
    for (const FieldRow& row : fields)
      if (row.field == field) return &row;
    return nullptr;
  }
};

std::span<const Layout> all_layouts();  // in the order of type IDs
extern const std::array<const Layout*, 256> kLayoutByType;
// Returns nullptr if the ID is not assigned.
inline const Layout* find_layout(std::uint8_t type) {
  return kLayoutByType[type];
}
const Layout* find_layout(std::string_view name);
const Layout& describe(PacketType type);

// The packet type that begins this subprotocol; nullptr if there is none. For atomics, the first: WRITE_RTA.
const Layout* find_request(Purpose purpose, Transfer transfer, bool tagged = false, bool delivery_complete = false);

// The rows of the base header, with which every packet begins.
inline constexpr FieldRow kBaseFields[] = {{Field::type, 0, 1}, {Field::version, 1, 1}, {Field::flags, 2, 2}};
constexpr std::span<const FieldRow> base_fields() {
  return kBaseFields;
}

}  // namespace wirelaw::efa
