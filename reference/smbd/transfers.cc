// SPDX-License-Identifier: Apache-2.0
// Registered buffers, RDMA Reads and RDMA Writes: sections 3.1.4.3 to 3.1.4.6.
#include <algorithm>
#include <utility>

#include "reference/smbd/endpoint.h"

namespace wirelaw::smbd {

std::optional<std::vector<BufferDescriptorV1>> Endpoint::register_buffer(std::span<const std::span<Octet>> parts,
                                                                         Access access) {
  const std::size_t most = std::clamp<std::size_t>(registrar_.most_octets(), 1, 0xffffffff);
  std::vector<BufferDescriptorV1> descriptors;
  for (std::span<Octet> part : parts)
    while (!part.empty()) {
      const std::span<Octet> memory = part.first(std::min(part.size(), most));
      const auto at = registrar_.register_memory(memory, access);
      if (!at) {
        undo_registration(descriptors);
        return std::nullopt;
      }
      descriptors.push_back(
          {.offset = at->offset, .token = at->token, .length = static_cast<std::uint32_t>(memory.size())});
      part = part.subspan(memory.size());
    }
  return descriptors;
}

void Endpoint::undo_registration(std::span<const BufferDescriptorV1> descriptors) {
  deregister_buffer(descriptors);
}

bool Endpoint::deregister_buffer(std::span<const BufferDescriptorV1> descriptors) {
  bool all = true;
  for (const BufferDescriptorV1& one : descriptors) all = registrar_.deregister_memory(one.token) && all;
  return all;
}

tl::expected<std::vector<Piece>, TransferError> Endpoint::plan(std::span<const BufferDescriptorV1> remote,
                                                               std::uint64_t offset, std::size_t octets) const {
  if (octets > max_read_write_size_) return tl::unexpected(TransferError::too_long);
  return plan_transfer(remote, offset, octets);
}

tl::expected<TransferId, TransferError> Endpoint::begin_transfer(std::size_t octets,
                                                                 std::span<const BufferDescriptorV1> remote,
                                                                 std::uint64_t offset, std::vector<Piece>& pieces) {
  if (phase_ != Phase::established || closing_) return tl::unexpected(TransferError::not_established);
  if (transfers_.size() >= options_.max_transfers) return tl::unexpected(TransferError::too_many);
  auto planned = plan(remote, offset, octets);
  if (!planned) return tl::unexpected(planned.error());
  pieces = std::move(*planned);
  const TransferId id = next_transfer_++;
  if (pieces.empty()) {
    report(Transferred{id, true});
  } else {
    transfers_.emplace(id, Transfer{.left = pieces.size()});
  }
  return id;
}

tl::expected<TransferId, TransferError> Endpoint::write(OctetBuffer octets, std::span<const BufferDescriptorV1> remote,
                                                        std::uint64_t offset) {
  std::vector<Piece> pieces;
  const auto id = begin_transfer(octets.size(), remote, offset, pieces);
  for (const Piece& piece : pieces) {
    const Octets part = Octets(octets).subspan(piece.begin, piece.length);
    const WorkId work = next_work_id_++;
    pieces_.emplace(work, *id);
    work_.emplace_back(PostWrite{.id = work, .to = piece.at, .octets = OctetBuffer(part.begin(), part.end())});
  }
  return id;
}

tl::expected<TransferId, TransferError> Endpoint::read(std::span<Octet> into,
                                                       std::span<const BufferDescriptorV1> remote,
                                                       std::uint64_t offset) {
  std::vector<Piece> pieces;
  const auto id = begin_transfer(into.size(), remote, offset, pieces);
  for (const Piece& piece : pieces) {
    const WorkId work = next_work_id_++;
    pieces_.emplace(work, *id);
    work_.emplace_back(PostRead{.id = work, .from = piece.at, .into = into.subspan(piece.begin, piece.length)});
  }
  return id;
}

void Endpoint::complete_piece(TransferId id, bool ok) {
  const auto found = transfers_.find(id);
  if (found == transfers_.end()) return;
  Transfer& transfer = found->second;
  transfer.ok = transfer.ok && ok;
  if (--transfer.left > 0) return;
  report(Transferred{id, transfer.ok});
  transfers_.erase(found);
}

}  // namespace wirelaw::smbd
