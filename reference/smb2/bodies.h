// SPDX-License-Identifier: Apache-2.0
// The requests and responses of an SMB2 session ([MS-SMB2] 2.2.5 to 2.2.40), as far as clients need them to mount,
// list, read and write a share.
//
// Each has its fixed fields, in order and little-endian, and the octets after them as a whole. body_of() fails only if
// the octets are shorter than the fixed fields, and encode() gives the same octets again.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "reference/smb2/message.h"

namespace wirelaw::smb2 {

using FileId = std::array<Octet, 16>;
// 3.3.5.2.7.2: in a related request, the file of the previous request.
inline constexpr FileId kFileOfChain = [] {
  FileId id{};
  id.fill(0xff);
  return id;
}();

// 2.2.19 and 2.2.21, Channel
namespace channel {
inline constexpr std::uint32_t kNone = 0;
inline constexpr std::uint32_t kRdmaV1 = 1;
inline constexpr std::uint32_t kRdmaV1Invalidate = 2;
}  // namespace channel

// 2.2.5
struct SessionSetupRequest {
  std::uint16_t structure_size = 25;
  std::uint8_t flags = 0;
  std::uint8_t security_mode = 1;
  std::uint32_t capabilities = 0;
  std::uint32_t channel = 0;
  std::uint16_t buffer_offset = 0;  // relative to the header, like all offsets
  std::uint16_t buffer_length = 0;
  std::uint64_t previous_session = 0;
  Octets rest = {};

  template <class Self, class Visit>
  static void visit(Self& one, Visit field) {
    field(one.structure_size), field(one.flags), field(one.security_mode), field(one.capabilities), field(one.channel);
    field(one.buffer_offset), field(one.buffer_length), field(one.previous_session);
  }
};

// 2.2.6
struct SessionSetupResponse {
  static constexpr std::uint16_t kGuest = 1, kNull = 2;
  std::uint16_t structure_size = 9;
  std::uint16_t session_flags = 0;
  std::uint16_t buffer_offset = 0;
  std::uint16_t buffer_length = 0;
  Octets rest = {};

  template <class Self, class Visit>
  static void visit(Self& one, Visit field) {
    field(one.structure_size), field(one.session_flags), field(one.buffer_offset), field(one.buffer_length);
  }
};

// 2.2.9
struct TreeConnectRequest {
  std::uint16_t structure_size = 9;
  std::uint16_t flags = 0;
  std::uint16_t path_offset = 0;
  std::uint16_t path_length = 0;
  Octets rest = {};

  template <class Self, class Visit>
  static void visit(Self& one, Visit field) {
    field(one.structure_size), field(one.flags), field(one.path_offset), field(one.path_length);
  }
};

// 2.2.10
struct TreeConnectResponse {
  static constexpr std::uint8_t kDisk = 1, kPipe = 2;
  std::uint16_t structure_size = 16;
  std::uint8_t share_type = kDisk;
  std::uint8_t reserved = 0;
  std::uint32_t share_flags = 0;
  std::uint32_t capabilities = 0;
  std::uint32_t maximal_access = 0x001f01ff;
  Octets rest = {};

  template <class Self, class Visit>
  static void visit(Self& one, Visit field) {
    field(one.structure_size), field(one.share_type), field(one.reserved), field(one.share_flags);
    field(one.capabilities), field(one.maximal_access);
  }
};

// 2.2.13
struct CreateRequest {
  // CreateDisposition
  static constexpr std::uint32_t kSupersede = 0, kOpen = 1, kCreate = 2, kOpenIf = 3, kOverwrite = 4, kOverwriteIf = 5;
  // CreateOptions
  static constexpr std::uint32_t kDirectory = 0x1, kNonDirectory = 0x40, kDeleteOnClose = 0x1000;
  std::uint16_t structure_size = 57;
  std::uint8_t security_flags = 0;
  std::uint8_t oplock_level = 0;
  std::uint32_t impersonation_level = 2;
  std::uint64_t create_flags = 0;
  std::uint64_t reserved = 0;
  std::uint32_t desired_access = 0;
  std::uint32_t file_attributes = 0;
  std::uint32_t share_access = 7;
  std::uint32_t disposition = kOpen;
  std::uint32_t options = 0;
  std::uint16_t name_offset = 0;
  std::uint16_t name_length = 0;
  std::uint32_t contexts_offset = 0;
  std::uint32_t contexts_length = 0;
  Octets rest = {};

  template <class Self, class Visit>
  static void visit(Self& one, Visit field) {
    field(one.structure_size), field(one.security_flags), field(one.oplock_level), field(one.impersonation_level);
    field(one.create_flags), field(one.reserved), field(one.desired_access), field(one.file_attributes);
    field(one.share_access), field(one.disposition), field(one.options), field(one.name_offset);
    field(one.name_length), field(one.contexts_offset), field(one.contexts_length);
  }
};

// The properties of a file that CREATE and CLOSE return (2.2.14, 2.2.16), in this order.
struct FileFacts {
  std::uint64_t created = 0;
  std::uint64_t accessed = 0;
  std::uint64_t written = 0;
  std::uint64_t changed = 0;
  std::uint64_t allocated = 0;
  std::uint64_t end_of_file = 0;
  std::uint32_t attributes = 0;

  template <class Self, class Visit>
  static void visit(Self& one, Visit field) {
    field(one.created), field(one.accessed), field(one.written), field(one.changed), field(one.allocated);
    field(one.end_of_file), field(one.attributes);
  }
};

// 2.2.14
struct CreateResponse {
  static constexpr std::uint32_t kSuperseded = 0, kOpened = 1, kCreated = 2, kOverwritten = 3;  // CreateAction
  std::uint16_t structure_size = 89;
  std::uint8_t oplock_level = 0;
  std::uint8_t flags = 0;
  std::uint32_t action = kOpened;
  FileFacts facts = {};
  std::uint32_t reserved = 0;
  FileId file = {};
  std::uint32_t contexts_offset = 0;
  std::uint32_t contexts_length = 0;
  Octets rest = {};

  template <class Self, class Visit>
  static void visit(Self& one, Visit field) {
    field(one.structure_size), field(one.oplock_level), field(one.flags), field(one.action);
    FileFacts::visit(one.facts, field);
    field(one.reserved), field(one.file), field(one.contexts_offset), field(one.contexts_length);
  }
};

// 2.2.15
struct CloseRequest {
  static constexpr std::uint16_t kWithFacts = 1;  // SMB2_CLOSE_FLAG_POSTQUERY_ATTRIB
  std::uint16_t structure_size = 24;
  std::uint16_t flags = 0;
  std::uint32_t reserved = 0;
  FileId file = {};
  Octets rest = {};

  template <class Self, class Visit>
  static void visit(Self& one, Visit field) {
    field(one.structure_size), field(one.flags), field(one.reserved), field(one.file);
  }
};

// 2.2.16
struct CloseResponse {
  std::uint16_t structure_size = 60;
  std::uint16_t flags = 0;
  std::uint32_t reserved = 0;
  FileFacts facts = {};
  Octets rest = {};

  template <class Self, class Visit>
  static void visit(Self& one, Visit field) {
    field(one.structure_size), field(one.flags), field(one.reserved);
    FileFacts::visit(one.facts, field);
  }
};

// 2.2.19
struct ReadRequest {
  static constexpr std::size_t kFixedOctets = 48;
  std::uint16_t structure_size = 49;
  std::uint8_t padding = 0;
  std::uint8_t flags = 0;
  std::uint32_t length = 0;
  std::uint64_t offset = 0;
  FileId file = {};
  std::uint32_t minimum = 0;
  std::uint32_t channel = channel::kNone;
  std::uint32_t remaining = 0;
  std::uint16_t channel_info_offset = 0;
  std::uint16_t channel_info_length = 0;
  Octets rest = {};

  template <class Self, class Visit>
  static void visit(Self& one, Visit field) {
    field(one.structure_size), field(one.padding), field(one.flags), field(one.length), field(one.offset);
    field(one.file), field(one.minimum), field(one.channel), field(one.remaining);
    field(one.channel_info_offset), field(one.channel_info_length);
  }
};

// 2.2.20
struct ReadResponse {
  static constexpr std::size_t kFixedOctets = 16;
  std::uint16_t structure_size = 17;
  std::uint8_t data_offset = 0;
  std::uint8_t reserved = 0;
  std::uint32_t data_length = 0;
  std::uint32_t data_remaining = 0;  // number of octets moved over the channel, if any
  std::uint32_t reserved2 = 0;
  Octets rest = {};

  template <class Self, class Visit>
  static void visit(Self& one, Visit field) {
    field(one.structure_size), field(one.data_offset), field(one.reserved), field(one.data_length);
    field(one.data_remaining), field(one.reserved2);
  }
};

// 2.2.22
struct WriteResponse {
  std::uint16_t structure_size = 17;
  std::uint16_t reserved = 0;
  std::uint32_t count = 0;
  std::uint32_t remaining = 0;
  std::uint16_t channel_info_offset = 0;
  std::uint16_t channel_info_length = 0;
  Octets rest = {};

  template <class Self, class Visit>
  static void visit(Self& one, Visit field) {
    field(one.structure_size), field(one.reserved), field(one.count), field(one.remaining);
    field(one.channel_info_offset), field(one.channel_info_length);
  }
};

// 2.2.31, up to its code; all requests are refused
struct IoctlRequest {
  static constexpr std::uint32_t kDfsReferrals = 0x00060194;       // FSCTL_DFS_GET_REFERRALS
  static constexpr std::uint32_t kDfsReferralsEx = 0x000601B0;     // FSCTL_DFS_GET_REFERRALS_EX
  static constexpr std::uint32_t kInterfaces = 0x001401FC;         // FSCTL_QUERY_NETWORK_INTERFACE_INFO
  static constexpr std::uint32_t kValidateNegotiate = 0x00140204;  // FSCTL_VALIDATE_NEGOTIATE_INFO
  std::uint16_t structure_size = 57;
  std::uint16_t reserved = 0;
  std::uint32_t code = 0;
  FileId file = {};
  Octets rest = {};

  template <class Self, class Visit>
  static void visit(Self& one, Visit field) {
    field(one.structure_size), field(one.reserved), field(one.code), field(one.file);
  }
};

// 2.2.33
struct QueryDirectoryRequest {
  static constexpr std::uint8_t kRestart = 0x1, kSingle = 0x2, kReopen = 0x10;
  std::uint16_t structure_size = 33;
  std::uint8_t information_class = 0;
  std::uint8_t flags = 0;
  std::uint32_t file_index = 0;
  FileId file = {};
  std::uint16_t name_offset = 0;
  std::uint16_t name_length = 0;
  std::uint32_t output_length = 0;
  Octets rest = {};

  template <class Self, class Visit>
  static void visit(Self& one, Visit field) {
    field(one.structure_size), field(one.information_class), field(one.flags), field(one.file_index);
    field(one.file), field(one.name_offset), field(one.name_length), field(one.output_length);
  }
};

// 2.2.34 and 2.2.38, which have the same fields
struct OutputResponse {
  static constexpr std::size_t kFixedOctets = 8;
  std::uint16_t structure_size = 9;
  std::uint16_t buffer_offset = 0;
  std::uint32_t buffer_length = 0;
  Octets rest = {};

  template <class Self, class Visit>
  static void visit(Self& one, Visit field) {
    field(one.structure_size), field(one.buffer_offset), field(one.buffer_length);
  }
};

// 2.2.37, InfoType
namespace information {
inline constexpr std::uint8_t kFile = 1, kVolume = 2;
}  // namespace information

// 2.2.37
struct QueryInfoRequest {
  std::uint16_t structure_size = 41;
  std::uint8_t type = information::kFile;
  std::uint8_t information_class = 0;
  std::uint32_t output_length = 0;
  std::uint16_t input_offset = 0;
  std::uint16_t reserved = 0;
  std::uint32_t input_length = 0;
  std::uint32_t additional = 0;
  std::uint32_t flags = 0;
  FileId file = {};
  Octets rest = {};

  template <class Self, class Visit>
  static void visit(Self& one, Visit field) {
    field(one.structure_size), field(one.type), field(one.information_class), field(one.output_length);
    field(one.input_offset), field(one.reserved), field(one.input_length), field(one.additional), field(one.flags);
    field(one.file);
  }
};

// 2.2.39
struct SetInfoRequest {
  std::uint16_t structure_size = 33;
  std::uint8_t type = information::kFile;
  std::uint8_t information_class = 0;
  std::uint32_t buffer_length = 0;
  std::uint16_t buffer_offset = 0;
  std::uint16_t reserved = 0;
  std::uint32_t additional = 0;
  FileId file = {};
  Octets rest = {};

  template <class Self, class Visit>
  static void visit(Self& one, Visit field) {
    field(one.structure_size), field(one.type), field(one.information_class), field(one.buffer_length);
    field(one.buffer_offset), field(one.reserved), field(one.additional), field(one.file);
  }
};

// 2.2.40
struct SetInfoResponse {
  std::uint16_t structure_size = 2;
  Octets rest = {};

  template <class Self, class Visit>
  static void visit(Self& one, Visit field) {
    field(one.structure_size);
  }
};

// The views in a decoded body refer to `octets`.
template <class Body>
Decoded<Body> body_of(Octets octets) {
  Reader reader(octets);
  Body body;
  Body::visit(body, [&]<class Field>(Field& field) {
    if constexpr (std::is_integral_v<Field>) {
      field = reader.little_endian<Field>();
    } else {
      const Octets from = reader.octets(field.size());
      std::copy(from.begin(), from.end(), field.begin());
    }
  });
  if (!reader.ok()) return tl::unexpected(DecodeError{DecodeError::Reason::too_short, octets.size()});
  body.rest = reader.rest();
  return body;
}

template <class Body>
requires requires(const Body& body) {
  Body::visit(body, [](const auto&) {});
}
void encode(const Body& body, OctetBuffer& out) {
  Body::visit(body, [&]<class Field>(const Field& field) {
    if constexpr (std::is_integral_v<Field>)
      Writer(out).little_endian(field);
    else
      Writer(out).octets(field);
  });
  Writer(out).octets(body.rest);
}

template <class Body>
OctetBuffer octets_of(const Body& body) {
  OctetBuffer octets;
  encode(body, octets);
  return octets;
}

// Returns `length` octets at `offset`, if the element has them.
inline std::optional<Octets> part_of(Octets element, std::size_t offset, std::size_t length) {
  if (offset > element.size() || element.size() - offset < length) return std::nullopt;
  return element.subspan(offset, length);
}

// Names are UTF-16 (2.2). Converts an even number of octets, and back.
std::u16string text_of(Octets octets);
OctetBuffer octets_of_text(std::u16string_view text);

// [MS-SMBD] 2.2.3.1, in SMB2.
struct ChannelBuffer {
  static constexpr std::size_t kOctets = 16;
  std::uint64_t offset = 0;
  std::uint32_t token = 0;
  std::uint32_t length = 0;
};
// Returns nothing if the octets are not descriptors.
std::optional<std::vector<ChannelBuffer>> channel_buffers_of(Octets octets);
void encode(const ChannelBuffer& buffer, OctetBuffer& out);

}  // namespace wirelaw::smb2
