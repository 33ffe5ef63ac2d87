// SPDX-License-Identifier: Apache-2.0
#include "reference/smb2/files.h"

#include <algorithm>
#include <utility>

#include "reference/smb2/file_information.h"

namespace wirelaw::smb2 {
namespace {

constexpr std::uint32_t kSettableAttributes = 0x27;  // READONLY, HIDDEN, SYSTEM, ARCHIVE

template <class Request>
std::optional<Request> request_of(const Element& element) {
  const auto request = body_of<Request>(element.body());
  if (!request || request->structure_size != Request{}.structure_size) return std::nullopt;
  return *request;
}

// Returns the octets, as far as the requester and the response have room for them.
Result output(Octets octets, std::uint32_t most, const Chain& chain) {
  const std::size_t room = std::min<std::size_t>(most, chain.room);
  const Octets given = octets.first(std::min(octets.size(), room));
  return {given.size() < octets.size() ? status::kBufferOverflow : status::kSuccess,
          octets_of(OutputResponse{.buffer_offset = kHeaderOctets + OutputResponse::kFixedOctets,
                                   .buffer_length = static_cast<std::uint32_t>(given.size()),
                                   .rest = given})};
}

// '*' matches any number of units, '?' exactly one. After a mismatch, only the latest '*' needs another attempt.
bool matches(std::u16string_view pattern, std::u16string_view name) {
  std::size_t p = 0, n = 0, star = std::u16string_view::npos, behind = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == u'*') {
      star = p++;
      behind = n;
    } else if (p < pattern.size() && (pattern[p] == u'?' || pattern[p] == name[n])) {
      ++p, ++n;
    } else if (star != std::u16string_view::npos) {
      p = star + 1;
      n = ++behind;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == u'*') ++p;
  return p == pattern.size();
}

}  // namespace

std::optional<Files::Named> Files::named(const FileId& file, Chain& chain) {
  const auto found = open_.find(file == kFileOfChain ? chain.file : file);
  if (found == open_.end() || found->second.session != chain.session || found->second.tree != chain.tree)
    return std::nullopt;
  Node* const node = volume().find(found->second.node);
  if (node == nullptr) return std::nullopt;
  chain.file = found->first;
  return Named{&found->second, node};
}

// ------------------------------------------------------------------------------------------------------ open and close

Result Files::open_node(Node& node, const CreateRequest& request, std::uint32_t action, Chain& chain) {
  FileId id{};
  store_little_endian(id.data(), next_);
  store_little_endian(id.data() + 8, next_);
  ++next_;
  open_[id] = {.node = node.id,
               .session = chain.session,
               .tree = chain.tree,
               .deletes = (request.options & CreateRequest::kDeleteOnClose) != 0};
  chain.file = id;
  return {.body = octets_of(CreateResponse{.action = action, .facts = facts_of(node), .file = id})};
}

// 3.3.5.9
Result Files::create(const Element& element, Chain& chain, bool is_pipe) {
  using Request = CreateRequest;
  const auto request = request_of<Request>(element);
  if (!request || request->disposition > Request::kOverwriteIf) return {status::kInvalidParameter};
  const auto name = part_of(element.octets, request->name_offset, request->name_length);
  if (!name || name->size() % 2 != 0) return {status::kInvalidParameter};
  if (is_pipe) return {status::kObjectNameNotFound};
  if (open_.size() >= kMostOpen) return {status::kInsufficientResources};
  const std::u16string path = text_of(*name);
  Node* node = volume().find(path);
  const bool wants_folder = (request->options & Request::kDirectory) != 0;
  if (node != nullptr) {
    if (request->disposition == Request::kCreate) return {status::kObjectNameCollision};
    if (wants_folder && !node->is_folder) return {status::kNotADirectory};
    if (!wants_folder && node->is_folder && (request->options & Request::kNonDirectory) != 0)
      return {status::kFileIsADirectory};
    const bool empties = request->disposition != Request::kOpen && request->disposition != Request::kOpenIf;
    if (!empties) return open_node(*node, *request, CreateResponse::kOpened, chain);
    if (node->is_folder) return {status::kFileIsADirectory};
    static_cast<void>(volume().resize(*node, 0));
    const bool supersedes = request->disposition == Request::kSupersede;
    return open_node(*node, *request, supersedes ? CreateResponse::kSuperseded : CreateResponse::kOverwritten, chain);
  }
  if (request->disposition == Request::kOpen || request->disposition == Request::kOverwrite)
    return {status::kObjectNameNotFound};
  node = volume().add(path, wants_folder);
  if (node == nullptr) return {volume().nodes() < Volume::kMostNodes ? status::kObjectPathNotFound : status::kDiskFull};
  node->attributes = request->file_attributes & kSettableAttributes;
  return open_node(*node, *request, CreateResponse::kCreated, chain);
}

void Files::let_go(std::map<FileId, Open>::iterator open) {
  const Open closed = std::move(open->second);
  open_.erase(open);
  if (closed.deletes) static_cast<void>(volume().remove(closed.node));
}

// 3.3.5.10
Result Files::close(const Element& element, Chain& chain) {
  const auto request = request_of<CloseRequest>(element);
  if (!request) return {status::kInvalidParameter};
  const auto file = named(request->file, chain);
  if (!file) return {status::kFileClosed};
  CloseResponse response{.flags = static_cast<std::uint16_t>(request->flags & CloseRequest::kWithFacts)};
  if (response.flags != 0) response.facts = facts_of(*file->node);
  let_go(open_.find(chain.file));
  return {.body = octets_of(response)};
}

void Files::close_all(std::uint64_t session, std::uint32_t tree) {
  for (auto at = open_.begin(); at != open_.end();) {
    const auto one = at++;
    if (one->second.session == session && (tree == 0 || one->second.tree == tree)) let_go(one);
  }
}

Result Files::flush(const Element& element, Chain& chain) {
  const auto request = request_of<CloseRequest>(element);  // FLUSH has the same fields (2.2.17)
  if (!request) return {status::kInvalidParameter};
  if (!named(request->file, chain)) return {status::kFileClosed};
  return {.body = octets_of(Echo{})};
}

// 2.2.26: its FileId has the same offset as that of CLOSE.
Result Files::lock(const Element& element, Chain& chain) {
  const auto request = body_of<CloseRequest>(element.body());
  if (!request || request->structure_size != 48) return {status::kInvalidParameter};
  if (!named(request->file, chain)) return {status::kFileClosed};
  return {.body = octets_of(Echo{})};
}

// ------------------------------------------------------------------------------------------------------ read and write

// Notes which token the response invalidates (3.3.5.12, 3.3.5.13): of a failure, too. A client that has asked for it
// relies on it.
void note_invalidation(std::uint32_t channel, const std::optional<Octets>& info, Chain& chain) {
  if (channel != channel::kRdmaV1Invalidate || !info) return;
  if (const auto buffers = channel_buffers_of(*info)) chain.invalidate = buffers->front().token;
}

// Moves data over a channel, before the response is sent (3.3.5.12, 3.3.5.13).
Result Files::move(const Named& named, bool is_fetch, std::uint32_t channel, std::optional<Octets> info,
                   std::uint64_t offset, std::uint32_t octets, Chain& chain) {
  if (channel > channel::kRdmaV1Invalidate || largest_transfer_ == 0 || octets > largest_transfer_ || !info)
    return {status::kInvalidParameter};
  auto buffers = channel_buffers_of(*info);
  if (!buffers) return {status::kInvalidParameter};
  std::uint64_t described = 0;
  for (const ChannelBuffer& one : *buffers) described += one.length;
  if (described < octets) return {status::kInvalidParameter};
  chain.movements.push_back({.is_fetch = is_fetch,
                             .buffers = std::move(*buffers),
                             .node = named.node->id,
                             .offset = offset,
                             .octets = octets});
  return {};
}

// 3.3.5.12
Result Files::read(const Element& element, Chain& chain) {
  const auto request = request_of<ReadRequest>(element);
  if (!request) return {status::kInvalidParameter};
  const auto info = part_of(element.octets, request->channel_info_offset, request->channel_info_length);
  note_invalidation(request->channel, info, chain);
  const auto file = named(request->file, chain);
  if (!file) return {status::kFileClosed};
  if (file->node->is_folder) return {status::kInvalidDeviceRequest};
  const bool by_channel = request->channel != channel::kNone;
  if (!by_channel && request->length > 0 && chain.room == 0) return {status::kInsufficientResources};
  const std::size_t most = by_channel ? request->length : std::min<std::size_t>(request->length, chain.room);
  const Octets data = volume().read(*file->node, request->offset, most);
  if ((data.empty() && request->length > 0) || data.size() < request->minimum) return {status::kEndOfFile};
  ReadResponse response{.data_offset = kHeaderOctets + ReadResponse::kFixedOctets};
  const auto octets = static_cast<std::uint32_t>(data.size());
  if (by_channel) {
    if (Result moved = move(*file, false, request->channel, info, request->offset, octets, chain);
        moved.status != status::kSuccess)
      return moved;
    response.data_remaining = octets;
  } else {
    response.data_length = octets;
    response.rest = data;
  }
  return {.body = octets_of(response)};
}

// 3.3.5.13
Result Files::write(const Element& element, Chain& chain) {
  const auto request = decode_write_request(element.body());
  if (!request || request->structure_size != WriteRequest{}.structure_size) return {status::kInvalidParameter};
  const auto info = part_of(element.octets, request->channel_info_offset, request->channel_info_length);
  note_invalidation(request->channel, info, chain);
  const auto file = named(request->file_id, chain);
  if (!file) return {status::kFileClosed};
  if (file->node->is_folder) return {status::kInvalidDeviceRequest};
  const bool by_channel = request->channel != channel::kNone;
  const std::uint32_t octets = by_channel ? request->remaining_octets : request->length;
  const auto data = part_of(element.octets, request->data_offset, request->length);
  if (!by_channel && !data) return {status::kInvalidParameter};
  const std::uint64_t end = request->offset + octets;
  if (end < octets || end > Volume::kMostOctets) return {status::kDiskFull};
  if (by_channel) {
    if (Result moved = move(*file, true, request->channel, info, request->offset, octets, chain);
        moved.status != status::kSuccess)
      return moved;
  }
  if (end > file->node->data.size() && !volume().resize(*file->node, end)) {
    if (by_channel) chain.movements.pop_back();
    return {status::kDiskFull};
  }
  if (!by_channel) volume().write(*file->node, request->offset, *data);
  return {.body = octets_of(WriteResponse{.count = octets})};
}

// -------------------------------------------------------------------------------------------------------- information

// Returns nothing if there is no further entry, or no room for it; then the same entry is next again.
std::optional<OctetBuffer> Files::next_entry(Open& open, const Node& folder, std::uint8_t information_class,
                                             std::size_t room) {
  for (; open.dots < 2; ++open.dots) {
    const std::u16string_view name = open.dots == 0 ? u"." : u"..";
    if (!matches(open.pattern, name)) continue;
    auto entry = directory_entry(folder, name, information_class);
    if (entry && entry->size() > room) return std::nullopt;
    ++open.dots;
    return entry;
  }
  for (const Node* node = volume().next_in(folder, open.last); node != nullptr;
       node = volume().next_in(folder, open.last)) {
    auto entry = directory_entry(*node, node->name(), information_class);
    const bool matching = matches(open.pattern, node->name());
    if (matching && entry && entry->size() > room) return std::nullopt;
    open.last = node->name();
    if (matching) return entry;
  }
  return std::nullopt;
}

// 3.3.5.18
Result Files::query_directory(const Element& element, Chain& chain) {
  using Request = QueryDirectoryRequest;
  const auto request = request_of<Request>(element);
  if (!request) return {status::kInvalidParameter};
  const auto file = named(request->file, chain);
  if (!file) return {status::kFileClosed};
  if (!file->node->is_folder) return {status::kInvalidParameter};
  const auto pattern = part_of(element.octets, request->name_offset, request->name_length);
  if (!pattern) return {status::kInvalidParameter};
  if (!directory_entry(*file->node, {}, request->information_class)) return {status::kInvalidInfoClass};
  Open& open = *file->open;
  if (!open.begun || (request->flags & (Request::kRestart | Request::kReopen)) != 0) {
    open.dots = 0;
    open.last.clear();
    open.pattern = pattern->empty() ? u"*" : text_of(*pattern);
  }
  const std::size_t room = std::min<std::size_t>(request->output_length, chain.room);
  OctetBuffer entries;
  std::size_t latest = 0;
  while (aligned(entries.size()) <= room) {
    const std::size_t at = aligned(entries.size());
    const auto entry = next_entry(open, *file->node, request->information_class, room - at);
    if (!entry) break;
    if (at > 0) store_little_endian(entries.data() + latest, static_cast<std::uint32_t>(at - latest));
    entries.resize(at);
    entries.insert(entries.end(), entry->begin(), entry->end());
    latest = at;
    if ((request->flags & Request::kSingle) != 0) break;
  }
  const bool first = !std::exchange(open.begun, true);
  if (!entries.empty()) return output(entries, request->output_length, chain);
  const bool over = open.dots == 2 && volume().next_in(*file->node, open.last) == nullptr;
  return {!over ? status::kInfoLengthMismatch : first ? status::kNoSuchFile : status::kNoMoreFiles};
}

// 3.3.5.20
Result Files::query_info(const Element& element, Chain& chain) {
  const auto request = request_of<QueryInfoRequest>(element);
  if (!request) return {status::kInvalidParameter};
  const auto file = named(request->file, chain);
  if (!file) return {status::kFileClosed};
  if (request->type != information::kFile && request->type != information::kVolume) return {status::kNotSupported};
  const auto said = request->type == information::kFile ? file_information(*file->node, request->information_class)
                                                        : volume_information(volume(), request->information_class);
  if (!said) return {status::kInvalidInfoClass};
  return output(*said, request->output_length, chain);
}

// 3.3.5.21
Result Files::set_info(const Element& element, Chain& chain) {
  const auto request = request_of<SetInfoRequest>(element);
  if (!request) return {status::kInvalidParameter};
  const auto file = named(request->file, chain);
  if (!file) return {status::kFileClosed};
  const auto data = part_of(element.octets, request->buffer_offset, request->buffer_length);
  if (!data) return {status::kInvalidParameter};
  if (request->type != information::kFile) return {status::kNotSupported};
  Reader reader(*data);
  const Result done{.body = octets_of(SetInfoResponse{})};
  Node& node = *file->node;
  switch (request->information_class) {
    case settable::kBasic: {
      for (std::uint64_t* const time : {&node.created, &node.accessed, &node.written, &node.changed}) {
        const auto value = reader.little_endian<std::uint64_t>();
        if (reader.ok() && value != 0 && value + 2 > 2) *time = value;  // -1 and -2 change nothing ([MS-FSCC] 2.4.7)
      }
      const auto attributes = reader.little_endian<std::uint32_t>();
      if (!reader.ok()) return {status::kInfoLengthMismatch};
      if (attributes != 0) node.attributes = attributes & kSettableAttributes;
      return done;
    }
    case settable::kEndOfFile:
    case settable::kAllocation: {
      const auto octets = reader.little_endian<std::uint64_t>();
      if (!reader.ok()) return {status::kInfoLengthMismatch};
      if (node.is_folder) return {status::kInvalidParameter};
      // Memory is allocated when needed, and freed if the file ends earlier ([MS-FSCC] 2.4.4).
      if (request->information_class == settable::kAllocation && octets >= node.data.size()) return done;
      return volume().resize(node, octets) ? done : Result{status::kDiskFull};
    }
    case settable::kDisposition:
    case settable::kDispositionEx: {
      const bool deletes = (reader.octet() & 1) != 0;
      if (!reader.ok()) return {status::kInfoLengthMismatch};
      if (deletes && node.is_folder && volume().has_children(node)) return {status::kDirectoryNotEmpty};
      file->open->deletes = deletes;
      return done;
    }
    case settable::kRename: {
      const bool replaces = reader.octet() != 0;
      reader.skip(7 + 8);
      const auto octets = reader.octets(reader.little_endian<std::uint32_t>());
      if (!reader.ok()) return {status::kInfoLengthMismatch};
      const std::u16string path = text_of(octets);
      if (path == node.path) return done;
      const Node* const there = volume().find(path);
      if (there != nullptr && (!replaces || there->is_folder)) return {status::kObjectNameCollision};
      if (there != nullptr) static_cast<void>(volume().remove(there->id));
      return volume().rename(node.id, path) ? done : Result{status::kObjectPathNotFound};
    }
    default:
      return {status::kNotSupported};
  }
}

}  // namespace wirelaw::smb2
