// SPDX-License-Identifier: Apache-2.0
#include "reference/efa/layout.h"

#include <algorithm>
#include <array>

#include "reference/efa/layout_fields.h"

namespace wirelaw::efa {
namespace {

using namespace layout_fields;
using enum Category;
using enum Assignment;
using Type = PacketType;

// ----------------------------------------------------------------------------------------------------- making rows
constexpr std::uint64_t kDc = extra_bits({Extra::delivery_complete});
constexpr std::uint64_t kRead = extra_bits({Extra::rdma_read});
constexpr std::uint64_t kRunt = extra_bits({Extra::rdma_read, Extra::runting_read});
constexpr std::uint64_t kError = extra_bits({Extra::peer_error});
constexpr std::uint64_t kNack = extra_bits({Extra::read_nack});

constexpr std::uint16_t flags_of(std::span<const OptionalHeader> headers) {
  std::uint16_t all = 0;
  for (const OptionalHeader& header : headers) all |= header.flag;
  return all;
}

constexpr Layout nameless(Type id, std::string_view name, std::string_view full_name, Category category,
                          Assignment assignment) {
  return {.type = id,
          .name = name,
          .full_name = full_name,
          .category = category,
          .assignment = assignment,
          .section = "1.3, table 1.2",
          .allowed = flag::kConnid};
}

// The header ends where its last field ends.
constexpr Layout with_fields(Layout row, std::span<const FieldRow> fields) {
  row.fields = fields;
  row.header_octets = fields.empty() ? std::uint8_t{kBaseHeader}
                                     : static_cast<std::uint8_t>(fields.back().offset + fields.back().width);
  return row;
}

constexpr Layout answer(Layout row, std::span<const FieldRow> fields) {
  row = with_fields(row, fields);
  row.announcing = flags_of(row.optional);
  row.allowed = static_cast<std::uint16_t>(row.allowed | flag::kConnid | row.announcing);
  return row;
}

constexpr Layout request(Layout row, std::span<const FieldRow> fields, std::uint16_t marks) {
  row = with_fields(row, fields);
  row.category = req;
  row.optional = kRequestHeaders;
  row.announcing = flags_of(row.optional);
  row.flag_set = FlagSet::request;
  row.marks = marks;
  row.allowed = static_cast<std::uint16_t>(row.allowed | marks | flag::kRequestOptional);
  return row;
}

// An RTM, tagged or not: the tag is the last field of a tagged one.
constexpr Layout message(Layout row, std::span<const FieldRow> fields) {
  row.purpose = Purpose::message;
  if (row.data == Data::none && row.behind == Array::none) row.data = Data::application;
  if (row.transfer == Transfer::long_cts) row.allowed = flag::kReadNack;
  const bool tagged = row.tagged;
  return request(row, tagged ? fields : fields.first(fields.size() - 1),
                 static_cast<std::uint16_t>(tagged ? flag::kMsg | flag::kTagged : flag::kMsg));
}

constexpr Layout write(Layout row, std::span<const FieldRow> fields) {
  row.purpose = Purpose::write;
  row.array = Array::rma_iov;
  return request(row, fields, flag::kRma);
}

constexpr Layout read(Layout row, std::span<const FieldRow> fields) {
  row.purpose = Purpose::read;
  row.array = Array::rma_iov;
  return request(row, fields, flag::kRma);
}

constexpr Layout atomic(Layout row, std::span<const FieldRow> fields) {
  row.purpose = Purpose::atomic;
  row.transfer = Transfer::eager;
  row.array = Array::rma_iov;
  row.data = Data::operands;
  return request(row, fields, flag::kAtomic);
}

// ------------------------------------------------------------------------------------------------------- the table
constexpr bool kTag = true;
using enum Transfer;

constexpr Layout kLayouts[] = {
    nameless(Type::rts, "RTS", "Request To Send", non_req, deprecated),
    nameless(Type::connack, "CONNACK", "Connection Acknowledgement", non_req, deprecated),
    answer({.type = Type::cts,
            .name = "CTS",
            .full_name = "Clear To Send",
            .section = "3.2, table 3.6",
            .flag_set = FlagSet::cts,
            .allowed = flag::kCtsEmulatedRead},
           kCts),
    answer({.type = Type::ctsdata,
            .name = "CTSDATA",
            .full_name = "CTS Data",
            .section = "3.2, table 3.7",
            .optional = kCtsdataHeaders,
            .data = Data::application},
           kCtsdata),
    answer({.type = Type::readrsp,
            .name = "READRSP",
            .full_name = "Read Response",
            .section = "3.3, table 3.11",
            .data = Data::application},
           kReadrsp),
    nameless(Type::internal, "RESERVED_6", "reserved for internal use", non_req, reserved),
    answer(
        {.type = Type::eor, .name = "EOR", .full_name = "End Of Read", .section = "4.1, table 4.2", .short_octets = 12},
        kEor),
    answer({.type = Type::atomrsp,
            .name = "ATOMRSP",
            .full_name = "Atomic Response",
            .section = "3.3, table 3.15",
            .data = Data::application},
           kAtomrsp),
    answer({.type = Type::handshake,
            .name = "HANDSHAKE",
            .full_name = "Handshake",
            .section = "2.1, table 2.2",
            .array = Array::extra_info,
            .optional = kHandshakeHeaders,
            .flag_set = FlagSet::handshake},
           kHandshake),
    answer({.type = Type::receipt, .name = "RECEIPT", .full_name = "Receipt", .section = "4.2"}, kReceipt),
    answer({.type = Type::read_nack,
            .name = "READ_NACK",
            .full_name = "Read Nack",
            .section = "4.7, table 4.2",
            .extras = kNack},
           kEor),
    answer({.type = Type::peer_error,
            .name = "PEER_ERROR",
            .full_name = "Peer Error",
            .since = Revision::main,
            .section = "4.10",
            .extras = kError},
           kPeerError),

    message({.type = Type::eager_msgrtm,
             .name = "EAGER_MSGRTM",
             .full_name = "Eager non-tagged Request To Message",
             .section = "3.2, table 3.3",
             .transfer = eager},
            kEagerRtm),
    message({.type = Type::eager_tagrtm,
             .name = "EAGER_TAGRTM",
             .full_name = "Eager tagged Request To Message",
             .section = "3.2, table 3.3",
             .transfer = eager,
             .tagged = kTag},
            kEagerRtm),
    message({.type = Type::medium_msgrtm,
             .name = "MEDIUM_MSGRTM",
             .full_name = "Medium non-tagged Request To Message",
             .section = "3.2, table 3.4",
             .transfer = medium},
            kMediumRtm),
    message({.type = Type::medium_tagrtm,
             .name = "MEDIUM_TAGRTM",
             .full_name = "Medium tagged Request To Message",
             .section = "3.2, table 3.4",
             .transfer = medium,
             .tagged = kTag},
            kMediumRtm),
    message({.type = Type::longcts_msgrtm,
             .name = "LONGCTS_MSGRTM",
             .full_name = "Long-CTS non-tagged Request To Message",
             .section = "3.2, table 3.5",
             .transfer = long_cts},
            kLongctsRtm),
    message({.type = Type::longcts_tagrtm,
             .name = "LONGCTS_TAGRTM",
             .full_name = "Long-CTS tagged Request To Message",
             .section = "3.2, table 3.5",
             .transfer = long_cts,
             .tagged = kTag},
            kLongctsRtm),
    write({.type = Type::eager_rtw,
           .name = "EAGER_RTW",
           .full_name = "Eager Request To Write",
           .section = "3.3, table 3.8",
           .transfer = eager,
           .data = Data::application},
          kEagerRtw),
    write({.type = Type::longcts_rtw,
           .name = "LONGCTS_RTW",
           .full_name = "Long-CTS Request To Write",
           .section = "3.3, table 3.9",
           .transfer = long_cts,
           .data = Data::application},
          kLongctsRtw),
    read({.type = Type::short_rtr,
          .name = "SHORT_RTR",
          .full_name = "Short Request To Read",  // table 1.2: Eager (RDMAP/A-32)
          .section = "3.3, table 3.10",
          .transfer = eager},
         kShortRtr),
    read({.type = Type::longcts_rtr,
          .name = "LONGCTS_RTR",
          .full_name = "Long-CTS Request To Read",
          .section = "3.3, table 3.12",
          .transfer = long_cts},
         kLongctsRtr),
    atomic({.type = Type::write_rta,
            .name = "WRITE_RTA",
            .full_name = "Write Request To Atomic",
            .section = "3.3, table 3.13"},
           kWriteRta),
    atomic({.type = Type::fetch_rta,
            .name = "FETCH_RTA",
            .full_name = "Fetch Request To Atomic",
            .section = "3.3, table 3.14"},
           kFetchRta),
    atomic({.type = Type::compare_rta,
            .name = "COMPARE_RTA",
            .full_name = "Compare Request To Atomic",
            .section = "3.3, table 3.14"},
           kFetchRta),

    message({.type = Type::longread_msgrtm,
             .name = "LONGREAD_MSGRTM",
             .full_name = "Long-read non-tagged Request To Message",
             .section = "4.1, table 4.1",
             .transfer = long_read,
             .extras = kRead,
             .behind = Array::read_iov},
            kLongreadRtm),
    message({.type = Type::longread_tagrtm,
             .name = "LONGREAD_TAGRTM",
             .full_name = "Long-read tagged Request To Message",
             .section = "4.1, table 4.1",
             .transfer = long_read,
             .tagged = kTag,
             .extras = kRead,
             .behind = Array::read_iov},
            kLongreadRtm),
    write({.type = Type::longread_rtw,
           .name = "LONGREAD_RTW",
           .full_name = "Long-read Request To Write",
           .section = "4.1, table 4.3",
           .transfer = long_read,
           .extras = kRead,
           .behind = Array::read_iov},
          kLongreadRtw),
    nameless(Type{131}, "RESERVED_131", "reserved", req, reserved),
    nameless(Type{132}, "RESERVED_132", "reserved", req, reserved),
    message({.type = Type::dc_eager_msgrtm,
             .name = "DC_EAGER_MSGRTM",
             .full_name = "DC Eager non-tagged Request To Message",
             .section = "4.2",
             .transfer = eager,
             .delivery_complete = true,
             .extras = kDc},
            kDcEagerRtm),
    message({.type = Type::dc_eager_tagrtm,
             .name = "DC_EAGER_TAGRTM",
             .full_name = "DC Eager tagged Request To Message",
             .section = "4.2",
             .transfer = eager,
             .tagged = kTag,
             .delivery_complete = true,
             .extras = kDc},
            kDcEagerRtm),
    message({.type = Type::dc_medium_msgrtm,
             .name = "DC_MEDIUM_MSGRTM",
             .full_name = "DC Medium non-tagged Request To Message",
             .section = "4.2",
             .transfer = medium,
             .delivery_complete = true,
             .extras = kDc},
            kDcMediumRtm),
    message({.type = Type::dc_medium_tagrtm,
             .name = "DC_MEDIUM_TAGRTM",
             .full_name = "DC Medium tagged Request To Message",
             .section = "4.2",
             .transfer = medium,
             .tagged = kTag,
             .delivery_complete = true,
             .extras = kDc},
            kDcMediumRtm),
    message({.type = Type::dc_longcts_msgrtm,
             .name = "DC_LONGCTS_MSGRTM",
             .full_name = "DC long-CTS non-tagged Request To Message",
             .section = "4.2",
             .transfer = long_cts,
             .delivery_complete = true,
             .extras = kDc},
            kLongctsRtm),
    message({.type = Type::dc_longcts_tagrtm,
             .name = "DC_LONGCTS_TAGRTM",
             .full_name = "DC long-CTS tagged Request To Message",
             .section = "4.2",
             .transfer = long_cts,
             .tagged = kTag,
             .delivery_complete = true,
             .extras = kDc},
            kLongctsRtm),
    write({.type = Type::dc_eager_rtw,
           .name = "DC_EAGER_RTW",
           .full_name = "DC Eager Request To Write",
           .section = "4.2",
           .transfer = eager,
           .delivery_complete = true,
           .extras = kDc,
           .data = Data::application},
          kDcEagerRtw),
    write({.type = Type::dc_longcts_rtw,
           .name = "DC_LONGCTS_RTW",
           .full_name = "DC long-CTS Request To Write",
           .section = "4.2",
           .transfer = long_cts,
           .delivery_complete = true,
           .extras = kDc,
           .data = Data::application},
          kLongctsRtw),
    atomic({.type = Type::dc_write_rta,
            .name = "DC_WRITE_RTA",
            .full_name = "DC Write Request To Atomic",
            .section = "4.2",
            .delivery_complete = true,
            .extras = kDc},
           kDcWriteRta),
    nameless(Type{142}, "RUNTCTS_MSGRTM", "Runting CTS non-tagged Request To Message", req, later),
    nameless(Type{143}, "RUNTCTS_TAGRTM", "Runting CTS tagged Request To Message", req, later),
    nameless(Type{144}, "RUNTCTS_RTW", "Runting CTS Request To Write", req, later),
    message({.type = Type::runtread_msgrtm,
             .name = "RUNTREAD_MSGRTM",
             .full_name = "Runting read non-tagged Request To Message",
             .assignment = implied,
             .section = "4.5, table 4.4",
             .transfer = runting_read,
             .extras = kRunt,
             .behind = Array::read_iov,
             .data = Data::application},
            kRuntreadRtm),
    message({.type = Type::runtread_tagrtm,
             .name = "RUNTREAD_TAGRTM",
             .full_name = "Runting read tagged Request To Message",
             .assignment = implied,
             .section = "4.5, table 4.4",
             .transfer = runting_read,
             .tagged = kTag,
             .extras = kRunt,
             .behind = Array::read_iov,
             .data = Data::application},
            kRuntreadRtm),
    nameless(Type{147}, "RUNTREAD_RTW", "Runting read Request To Write", req, later),
};

constexpr std::array<const Layout*, 256> by_type_id() {
  std::array<const Layout*, 256> index{};
  for (const Layout& row : kLayouts) index[row.id()] = &row;
  return index;
}

constexpr bool by_type() {
  return std::ranges::is_sorted(kLayouts, std::ranges::less_equal{}, [](const Layout& row) { return row.id(); });
}
static_assert(by_type());

// True if the fields of every mandatory header are adjacent, from the base header to the end.
constexpr bool without_gaps() {
  for (const Layout& row : kLayouts) {
    std::size_t end = kBaseHeader;
    for (const FieldRow& one : row.fields) {
      if (one.offset != end) return false;
      end += one.width;
    }
    if (end != row.header_octets) return false;
  }
  return true;
}
static_assert(without_gaps());

}  // namespace

constinit const std::array<const Layout*, 256> kLayoutByType = by_type_id();
constinit const std::array<ArrayInfo, 5> kArrays = layout_fields::kArrayRows;

std::uint16_t Layout::allowed_in(Revision revision) const {
  unsigned flags = allowed;
  for (const OptionalHeader& header : optional)
    if (header.since > revision) flags &= ~unsigned{header.flag};
  return static_cast<std::uint16_t>(flags);
}

std::span<const Layout> all_layouts() {
  return kLayouts;
}

const Layout* find_layout(std::string_view name) {
  const auto* const found = std::ranges::find(kLayouts, name, &Layout::name);
  return found == std::end(kLayouts) ? nullptr : found;
}

const Layout& describe(PacketType type) {
  return *find_layout(static_cast<std::uint8_t>(type));
}

const Layout* find_request(Purpose purpose, Transfer transfer, bool tagged, bool delivery_complete) {
  const auto* const found = std::ranges::find_if(kLayouts, [&](const Layout& row) {
    return row.is_request() && row.purpose == purpose && row.transfer == transfer && row.tagged == tagged &&
           row.delivery_complete == delivery_complete;
  });
  return found == std::end(kLayouts) ? nullptr : found;
}

}  // namespace wirelaw::efa
