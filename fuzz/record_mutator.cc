// SPDX-License-Identifier: Apache-2.0
#include "fuzz/record_mutator.h"

#include <algorithm>
#include <random>
#include <vector>

#include "corpora/formats/efa_steps.h"
#include "corpora/formats/ramcloud_steps.h"
#include "corpora/formats/rdmap_steps.h"
#include "corpora/formats/records.h"
#include "corpora/formats/smbd_steps.h"
#include "corpora/formats/tcp_steps.h"

// Defined by libFuzzer and by engines with its interface; null elsewhere.
extern "C" [[gnu::weak]] std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace wirelaw::fuzz {
namespace {

constexpr RecordField kStepFields[] = {{0, 1}, {1, 1}, {2, 1},  {3, 1},  {4, 1},  {5, 1}, {6, 1},
                                       {7, 1}, {8, 2}, {10, 2}, {12, 2}, {14, 1}, {15, 1}};
// The control octet; after the record's header, the fields of a RAMCloud header and of an ACK's payload.
constexpr RecordField kPacketFields[] = {{0, 1},  {3, 8},  {11, 4}, {15, 4}, {19, 4}, {23, 2},
                                         {25, 2}, {27, 1}, {28, 1}, {29, 2}, {31, 4}};
// The control octet; in a start frame: flags, revision, PD_Length, enhanced data; in a ULPDU: DDP's and RDMAP's
// control, STag or RsvdULP, TO or QN and MSN, MO, and the words of the RDMAP headers.
constexpr RecordField kStreamFields[] = {{0, 1},  {3, 1},  {4, 1},  {5, 4},  {9, 4},  {13, 4},
                                         {17, 4}, {19, 1}, {20, 1}, {21, 2}, {23, 2}, {25, 2},
                                         {21, 4}, {25, 8}, {33, 4}, {37, 4}, {41, 8}};
constexpr RecordField kTcpFields[] = {{0, 1}, {1, 1}, {2, 2}, {4, 2}, {4, 4}, {8, 2}, {8, 4}};
constexpr RecordField kEfaStepFields[] = {{0, 1}, {1, 1},  {2, 1},  {3, 1},  {4, 1},  {5, 1}, {6, 2},
                                          {8, 2}, {10, 2}, {12, 1}, {13, 1}, {14, 1}, {15, 1}};
// The control octet, and the words of an EFA RDM packet after the record's header.
constexpr RecordField kEfaPacketFields[] = {{0, 1},  {3, 1},  {4, 1},  {5, 2},  {7, 4},  {11, 4}, {11, 8},
                                            {15, 4}, {19, 4}, {19, 8}, {23, 4}, {27, 8}, {35, 8}, {43, 8}};
// The control octet; EtherType, protocol and ports of an untagged frame with IPv4; the octets after UDP's header.
constexpr RecordField kFrameFields[] = {{0, 1}, {15, 2}, {26, 1}, {37, 2}, {39, 2}, {45, 4}};
// The control octet, and the fields of a step of SMB Direct after the record's header.
constexpr RecordField kSmbdStepFields[] = {{0, 1},  {3, 1},  {3, 2},  {5, 4},  {9, 2},
                                           {11, 2}, {13, 2}, {15, 4}, {19, 4}, {23, 1}};
// The control octet; the fields of a time, of an application's action, or of a delivery.
constexpr RecordField kJobFields[] = {{0, 1}, {3, 1}, {4, 1}, {5, 1}, {3, 2}};
// The control octet; opcode, flags, queue pair, PSN; AETH, IETH or the first field of a RETH; the RETH's key and
// length; a management datagram's attribute, two IDs, queue pair and PSN after a DETH.
constexpr RecordField kRoceFields[] = {{0, 1},  {3, 1},  {4, 1},  {7, 4},  {11, 4}, {15, 1}, {15, 4}, {15, 8},
                                       {23, 4}, {27, 4}, {39, 2}, {47, 4}, {51, 4}, {55, 8}, {79, 4}, {91, 4}};

using Buffers = std::vector<OctetBuffer>;

Buffers split(const RecordShape& shape, Octets octets) {
  Buffers records;
  while (true) {
    std::size_t length = shape.fixed_octets;
    if (length == 0) {
      if (octets.size() < corpora::kRecordHeader) break;
      length = corpora::kRecordHeader + load_little_endian<std::uint16_t>(octets.data() + 1);
      length = std::min(length, octets.size());
    }
    if (octets.size() < length) break;
    records.emplace_back(octets.begin(), octets.begin() + static_cast<std::ptrdiff_t>(length));
    octets = octets.subspan(length);
  }
  return records;
}

class Mutation {
 public:
  Mutation(const RecordShape& shape, Buffers& records, std::uint32_t seed)
      : shape_(shape), records_(records), random_(seed) {}

  void apply() {
    if (records_.empty()) return insert();
    switch (below(8)) {
      case 0:
        return insert();
      case 1:
        return remove();
      case 2:
        return copy();
      case 3:
        return swap();
      case 4:
        return copy_field();
      default:
        return set_field();
    }
  }

  std::size_t below(std::size_t bound) { return random_() % bound; }

 private:
  Buffers::iterator any() { return records_.begin() + static_cast<std::ptrdiff_t>(below(records_.size())); }

  void insert() {
    OctetBuffer record(shape_.fixed_octets);
    if (record.empty()) corpora::append_record(record, 0, OctetBuffer(below(64)));
    for (Octet& octet : record)
      if (below(4) == 0) octet = static_cast<Octet>(random_());
    if (shape_.fixed_octets == 0)
      store_little_endian(record.data() + 1, static_cast<std::uint16_t>(record.size() - corpora::kRecordHeader));
    records_.insert(records_.begin() + static_cast<std::ptrdiff_t>(below(records_.size() + 1)), std::move(record));
  }
  void remove() {
    const auto from = any();
    const auto most = static_cast<std::size_t>(records_.end() - from);
    const std::size_t count = below(2) == 0 ? 1 : 1 + below(most);
    records_.erase(from, from + static_cast<std::ptrdiff_t>(count));
  }
  void copy() {
    const OctetBuffer record = *any();
    const std::size_t times = below(4) == 0 ? 1 + below(8) : 1;
    const auto at = records_.begin() + static_cast<std::ptrdiff_t>(below(records_.size() + 1));
    records_.insert(at, times, record);
  }
  void swap() { std::swap(*any(), *any()); }

  const RecordField& any_field() { return shape_.fields[below(shape_.fields.size())]; }
  static bool has(const OctetBuffer& record, const RecordField& field) {
    return record.size() >= std::size_t{field.offset} + field.length;
  }
  void set_field() {
    OctetBuffer& record = *any();
    const RecordField& field = any_field();
    if (!has(record, field)) return;
    Octet* const at = record.data() + field.offset;
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < field.length; ++i) value |= std::uint64_t{at[i]} << (8 * i);
    value = interesting(value);
    for (std::size_t i = 0; i < field.length; ++i) at[i] = static_cast<Octet>(value >> (8 * i));
  }
  std::uint64_t interesting(std::uint64_t value) {
    static constexpr std::uint64_t kValues[] = {
        0,    1,    2,      3,      4,      7,      8,          16,
        31,   32,   33,     34,     63,     64,     65,         0x7f,
        0x80, 0xff, 0x10,   0x20,   0x21,   0x40,   0x12,       0x100,
        256,  500,  0x7fff, 0x8000, 0xfffe, 0xffff, 0x7fffffff, ~std::uint64_t{0}};
    switch (below(4)) {
      case 0:
        return value + 1;
      case 1:
        return value - 1;
      case 2:
        return value ^ (std::uint64_t{1} << below(64));
      default:
        return kValues[below(std::size(kValues))];
    }
  }
  // Copies a field from one packet to another: token, hint, rpcId.
  void copy_field() {
    const OctetBuffer& from = *any();
    OctetBuffer& to = *any();
    const RecordField& field = any_field();
    if (has(from, field) && has(to, field))
      std::copy_n(from.begin() + field.offset, field.length, to.begin() + field.offset);
  }

  const RecordShape& shape_;
  Buffers& records_;
  std::minstd_rand random_;
};

}  // namespace

const RecordShape kStepsShape{corpora::kSettingsOctets, corpora::kStepOctets, kStepFields};
const RecordShape kTraceShape{0, 0, kPacketFields};
const RecordShape kStreamShape{1, 0, kStreamFields};
const RecordShape kRdmapStepsShape{corpora::kRdmapSettings, 0, kStreamFields};
const RecordShape kTcpShape{corpora::kTcpSettingsOctets, corpora::kTcpStepOctets, kTcpFields};
const RecordShape kEfaStepsShape{corpora::kEfaSettingsOctets, corpora::kEfaStepOctets, kEfaStepFields};
const RecordShape kEfaTraceShape{0, 0, kEfaPacketFields};
const RecordShape kFrameShape{2, 0, kFrameFields};
const RecordShape kSmbdStepsShape{corpora::kSmbdSettings, 0, kSmbdStepFields};
const RecordShape kJobStepsShape{1, 0, kJobFields};
const RecordShape kRoceShape{0, 0, kRoceFields};

std::size_t mutate(const RecordShape& shape, std::span<Octet> buffer, std::size_t size, std::uint32_t seed) {
  if (LLVMFuzzerMutate != nullptr && seed % 2 == 0) return LLVMFuzzerMutate(buffer.data(), size, buffer.size());
  const std::size_t prologue = std::min(shape.prologue, buffer.size());
  if (size < prologue)
    std::fill(buffer.begin() + static_cast<std::ptrdiff_t>(size),
              buffer.begin() + static_cast<std::ptrdiff_t>(prologue), Octet{0});
  size = std::max(size, prologue);
  Buffers records = split(shape, Octets(buffer).subspan(prologue, size - prologue));
  Mutation mutation(shape, records, seed);
  for (std::size_t times = 1 + mutation.below(3); times > 0; --times) mutation.apply();
  size = prologue;
  for (const OctetBuffer& record : records) {
    if (buffer.size() - size < record.size()) break;
    std::copy(record.begin(), record.end(), buffer.begin() + static_cast<std::ptrdiff_t>(size));
    size += record.size();
  }
  return size;
}

}  // namespace wirelaw::fuzz
