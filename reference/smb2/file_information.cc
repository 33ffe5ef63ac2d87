// SPDX-License-Identifier: Apache-2.0
#include "reference/smb2/file_information.h"

#include <algorithm>

namespace wirelaw::smb2 {
namespace {

constexpr std::uint64_t kClusterOctets = 4096;

std::uint64_t allocated(const Node& node) {
  return (node.data.size() + kClusterOctets - 1) / kClusterOctets * kClusterOctets;
}
std::uint32_t attributes(const Node& node) {
  if (node.is_folder) return node.attributes | kDirectoryAttribute;
  return node.attributes == 0 ? kNormalAttribute : node.attributes;
}
void put_times(const Node& node, Writer& out) {
  out.little_endian(node.created).little_endian(node.accessed).little_endian(node.written).little_endian(node.changed);
}
void put_name(std::u16string_view name, Writer& out) {
  const OctetBuffer octets = octets_of_text(name);
  out.little_endian(static_cast<std::uint32_t>(octets.size())).octets(octets);
}

// ------------------------------------------------------------------------------------------------------------- files

void put_basic(const Node& node, Writer& out) {  // 2.4.7
  put_times(node, out);
  out.little_endian(attributes(node)).little_endian(std::uint32_t{0});
}
void put_standard(const Node& node, Writer& out) {  // 2.4.41
  out.little_endian(allocated(node)).little_endian(std::uint64_t{node.data.size()}).little_endian(std::uint32_t{1});
  out.octet(0).octet(node.is_folder ? 1 : 0).little_endian(std::uint16_t{0});
}
void put_internal(const Node& node, Writer& out) {  // 2.4.24
  out.little_endian(node.id);
}
void put_zeros(Writer& out, std::size_t octets) {
  for (std::size_t i = 0; i < octets; ++i) out.octet(0);
}
void put_all(const Node& node, Writer& out) {  // 2.4.2
  put_basic(node, out);
  put_standard(node, out);
  put_internal(node, out);
  put_zeros(out, 4);                             // EaSize
  out.little_endian(std::uint32_t{0x001f01ff});  // AccessFlags
  put_zeros(out, 8 + 4 + 4);                     // CurrentByteOffset, Mode, AlignmentRequirement
  put_name(u'\\' + node.path, out);
}
void put_network_open(const Node& node, Writer& out) {  // 2.4.29
  put_times(node, out);
  out.little_endian(allocated(node)).little_endian(std::uint64_t{node.data.size()});
  out.little_endian(attributes(node)).little_endian(std::uint32_t{0});
}
void put_streams(const Node& node, Writer& out) {  // 2.4.44
  if (node.is_folder) return;
  const OctetBuffer name = octets_of_text(u"::$DATA");
  out.little_endian(std::uint32_t{0}).little_endian(static_cast<std::uint32_t>(name.size()));
  out.little_endian(std::uint64_t{node.data.size()}).little_endian(allocated(node)).octets(name);
}

struct FileClass {
  std::uint8_t id;
  void (*put)(const Node& node, Writer& out);
};
constexpr FileClass kFileClasses[] = {
    {4, put_basic},
    {5, put_standard},
    {6, put_internal},
    {7, [](const Node&, Writer& out) { put_zeros(out, 4); }},   // FileEaInformation
    {14, [](const Node&, Writer& out) { put_zeros(out, 8); }},  // FilePositionInformation
    {18, put_all},
    {22, put_streams},
    {34, put_network_open},
    {35,
     [](const Node& node, Writer& out) {  // FileAttributeTagInformation
       out.little_endian(attributes(node)).little_endian(std::uint32_t{0});
     }},
};

// ------------------------------------------------------------------------------------------------------------ volumes

struct VolumeClass {
  std::uint8_t id;
  void (*put)(const Volume& volume, Writer& out);
};
std::uint64_t clusters_left(const Volume& volume) {
  return (Volume::kMostOctets - volume.octets()) / kClusterOctets;
}
constexpr VolumeClass kVolumeClasses[] = {
    {1,
     [](const Volume&, Writer& out) {  // FileFsVolumeInformation
       put_zeros(out, 8);
       out.little_endian(std::uint32_t{0x5749524c});
       const OctetBuffer label = octets_of_text(u"wirelaw");
       out.little_endian(static_cast<std::uint32_t>(label.size())).octet(0).octet(0).octets(label);
     }},
    {3,
     [](const Volume& volume, Writer& out) {  // FileFsSizeInformation
       out.little_endian(std::uint64_t{Volume::kMostOctets / kClusterOctets}).little_endian(clusters_left(volume));
       out.little_endian(std::uint32_t{1}).little_endian(static_cast<std::uint32_t>(kClusterOctets));
     }},
    {4,
     [](const Volume&, Writer& out) {  // FileFsDeviceInformation: a disk, mounted
       out.little_endian(std::uint32_t{7}).little_endian(std::uint32_t{0x20});
     }},
    {5,
     [](const Volume&, Writer& out) {  // FileFsAttributeInformation: names keep their case, and are Unicode
       out.little_endian(std::uint32_t{0x7}).little_endian(std::uint32_t{Volume::kLongestName});
       put_name(u"NTFS", out);
     }},
    {7,
     [](const Volume& volume, Writer& out) {  // FileFsFullSizeInformation
       out.little_endian(std::uint64_t{Volume::kMostOctets / kClusterOctets}).little_endian(clusters_left(volume));
       out.little_endian(clusters_left(volume));
       out.little_endian(std::uint32_t{1}).little_endian(static_cast<std::uint32_t>(kClusterOctets));
     }},
    {11,
     [](const Volume&, Writer& out) {  // FileFsSectorSizeInformation
       for (int i = 0; i < 4; ++i) out.little_endian(std::uint32_t{512});
       out.little_endian(std::uint32_t{3});
       put_zeros(out, 8);
     }},
};

// ------------------------------------------------------------------------------------------------------------ listings

// The fields of an entry between its common fields and its name (2.4.10, 2.4.14, 2.4.8, 2.4.28, 2.4.18, 2.4.17).
struct EntryClass {
  std::uint8_t id;
  bool has_facts;   // all but names
  bool has_ea;      // EaSize
  std::size_t gap;  // octets that are zero: short name, reserved
  bool has_id;      // FileId
};
constexpr EntryClass kEntryClasses[] = {
    {1, true, false, 0, false},   {2, true, true, 0, false},      {3, true, true, 26, false},
    {12, false, false, 0, false}, {37, true, true, 26 + 2, true}, {38, true, true, 4, true},
};

}  // namespace

FileFacts facts_of(const Node& node) {
  return {.created = node.created,
          .accessed = node.accessed,
          .written = node.written,
          .changed = node.changed,
          .allocated = allocated(node),
          .end_of_file = node.data.size(),
          .attributes = attributes(node)};
}

std::optional<OctetBuffer> file_information(const Node& node, std::uint8_t information_class) {
  const auto found = std::ranges::find(kFileClasses, information_class, &FileClass::id);
  if (found == std::end(kFileClasses)) return std::nullopt;
  OctetBuffer octets;
  Writer out(octets);
  found->put(node, out);
  return octets;
}

std::optional<OctetBuffer> volume_information(const Volume& volume, std::uint8_t information_class) {
  const auto found = std::ranges::find(kVolumeClasses, information_class, &VolumeClass::id);
  if (found == std::end(kVolumeClasses)) return std::nullopt;
  OctetBuffer octets;
  Writer out(octets);
  found->put(volume, out);
  return octets;
}

std::optional<OctetBuffer> directory_entry(const Node& node, std::u16string_view name, std::uint8_t information_class) {
  const auto found = std::ranges::find(kEntryClasses, information_class, &EntryClass::id);
  if (found == std::end(kEntryClasses)) return std::nullopt;
  OctetBuffer octets;
  Writer out(octets);
  out.little_endian(std::uint32_t{0}).little_endian(std::uint32_t{0});  // NextEntryOffset, FileIndex
  if (found->has_facts) {
    put_times(node, out);
    out.little_endian(std::uint64_t{node.data.size()}).little_endian(allocated(node)).little_endian(attributes(node));
  }
  const OctetBuffer said = octets_of_text(name);
  out.little_endian(static_cast<std::uint32_t>(said.size()));
  if (found->has_ea) put_zeros(out, 4);
  put_zeros(out, found->gap);
  if (found->has_id) out.little_endian(node.id);
  out.octets(said);
  return octets;
}

}  // namespace wirelaw::smb2
