// SPDX-License-Identifier: Apache-2.0
// A builder of traces for SMB Direct over iWARP or RoCEv2: an honest connection, which a trace changes in one field.
// Side a is the initiator. Each side requests ten credits. Each of its messages grants a credit for every message
// received since its last one.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "corpora/traces/rdmap_builder.h"
#include "corpora/traces/smbd_below.h"
#include "reference/smbd/message.h"

namespace wirelaw::corpora {

class SmbdTraceBuilder {
 public:
  static constexpr bool kIsStream = true;       // over iWARP, the default
  static constexpr std::uint16_t kPort = 5445;  // [MS-SMBD] 1.9

  using RequestEdit = std::function<void(smbd::NegotiateRequest&)>;
  using ResponseEdit = std::function<void(smbd::NegotiateResponse&)>;
  using DataEdit = std::function<void(smbd::DataTransfer&)>;

  static constexpr std::uint16_t kCredits = 10;
  static constexpr std::uint32_t kSize = 1364;  // PreferredSendSize and MaxReceiveSize of either side
  static constexpr std::uint32_t kMost = kSize - smbd::kUsualDataOffset;  // payload of a full segment, in octets
  static constexpr std::uint32_t kReadWriteSize = 1 << 20;
  static constexpr std::int64_t kSecond = 1'000'000'000;

  SmbdTraceBuilder() : SmbdTraceBuilder(smbd_over_iwarp()) {}
  explicit SmbdTraceBuilder(std::unique_ptr<SmbdBelow> below) : below_(std::move(below)) {}

  // --- the negotiation
  void connect();  // the connection of the layer below
  void request(const RequestEdit& edit = {});
  void response(const ResponseEdit& edit = {});
  void failure(const ResponseEdit& edit = {});  // STATUS_INSUFFICIENT_RESOURCES
  void establish();                             // connects and negotiates successfully

  // --- Data Transfers. `remaining`: octets of the upper-layer message that follow. The token, if any, is invalidated.
  void segment(Side side, std::size_t octets, std::uint32_t remaining, const DataEdit& edit = {},
               std::optional<std::uint32_t> token = {});
  void data(Side side, std::size_t octets, const DataEdit& edit = {}) { segment(side, octets, 0, edit); }
  void empty(Side side, const DataEdit& edit = {}) { segment(side, 0, 0, edit); }
  void exchange();  // 100 octets each way

  // --- RDMA: the upper layer registers memory, which the other side uses. No request names kToken unless the builder
  // does.
  static constexpr std::uint32_t kToken = RdmapTraceBuilder::kStag;
  static constexpr std::uint64_t kAddress = 0x2000;
  void lend(Side side, std::uint32_t length = 1'000);  // octets from kAddress; the upper layer is not SMB2
  void write(Side side, std::size_t octets, std::uint64_t address = kAddress, std::uint32_t token = kToken) {
    add([&] { below_->write(side, pattern(octets), {.stag = token, .offset = address}); });
  }
  void read(Side side, std::size_t octets = 64, std::uint64_t address = kAddress, std::uint32_t token = kToken) {
    add([&] { below_->read(side, {.stag = token, .offset = address, .length = octets}); });
  }

  // --- anything
  void octets(Side side, Octets octets) {
    add([&] { below_->send(side, octets, {}); });
  }
  void pause(std::int64_t ns) { pause_ns_ += ns; }  // before the next message
  void close();                                     // both sides
  std::vector<TraceMessage> take() { return below_->take(); }

 private:
  static std::size_t index(Side side) { return side == Side::a ? 0 : 1; }
  template <class Do>
  void add(const Do& what) {
    what();
    below_->last().pause_ns += std::exchange(pause_ns_, 0);
  }

  std::unique_ptr<SmbdBelow> below_;

  std::int64_t pause_ns_ = 0;
  std::array<std::uint16_t, 2> to_grant_{kCredits, 0};  // credits that each side grants with its next message
};

}  // namespace wirelaw::corpora
