// SPDX-License-Identifier: Apache-2.0
// Information about files, folders and the volume, by information class ([MS-FSCC] 2.4 and 2.5). Returns nothing for an
// unsupported class.
#pragma once

#include "reference/smb2/bodies.h"
#include "reference/smb2/volume.h"

namespace wirelaw::smb2 {

inline constexpr std::uint32_t kDirectoryAttribute = 0x10, kNormalAttribute = 0x80;

FileFacts facts_of(const Node& node);
std::optional<OctetBuffer> file_information(const Node& node, std::uint8_t information_class);
std::optional<OctetBuffer> volume_information(const Volume& volume, std::uint8_t information_class);
// An entry of a listing with this name, without the padding before the next one.
std::optional<OctetBuffer> directory_entry(const Node& node, std::u16string_view name, std::uint8_t information_class);

// The properties of a file that can be set.
namespace settable {
inline constexpr std::uint8_t kBasic = 4, kRename = 10, kDisposition = 13, kAllocation = 19, kEndOfFile = 20,
                              kDispositionEx = 64;
}  // namespace settable

}  // namespace wirelaw::smb2
