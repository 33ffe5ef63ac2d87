// SPDX-License-Identifier: Apache-2.0
#include "corpora/traces/smbd_below.h"

#include "corpora/traces/rdmap_builder.h"
#include "corpora/traces/roce_builder.h"

namespace wirelaw::corpora {
namespace {

template <class Builder>
class OverBuilder final : public SmbdBelow {
 public:
  bool is_stream() const override { return Builder::kIsStream; }
  void start() override { builder_.start(); }
  void send(Side side, Octets octets, std::optional<std::uint32_t> invalidate) override {
    if constexpr (Builder::kIsStream)
      builder_.send(side, octets, invalidate ? rdmap::Opcode::send_invalidate : rdmap::Opcode::send,
                    invalidate.value_or(0));
    else
      builder_.send(side, octets, invalidate);
  }
  void write(Side side, Octets octets, const RemoteRange& to) override {
    builder_.write(side, octets, to.stag, to.offset);
  }
  void read(Side side, const RemoteRange& from) override {
    const auto length = static_cast<std::uint32_t>(from.length);
    if constexpr (Builder::kIsStream) {
      rdmap::ReadRequest request = Builder::kRead;
      request.size = length;
      request.source_stag = from.stag;
      request.source_to = from.offset;
      builder_.read(side, request);
    } else {
      builder_.read(side, length, from.stag, from.offset);
    }
  }
  void close(Side side) override { builder_.close(side); }
  TraceMessage& last() override { return builder_.last(); }
  std::vector<TraceMessage> take() override { return builder_.take(); }

 private:
  Builder builder_;
};

}  // namespace

std::unique_ptr<SmbdBelow> smbd_over_iwarp() {
  return std::make_unique<OverBuilder<RdmapTraceBuilder>>();
}
std::unique_ptr<SmbdBelow> smbd_over_roce() {
  return std::make_unique<OverBuilder<RoceTraceBuilder>>();
}

}  // namespace wirelaw::corpora
