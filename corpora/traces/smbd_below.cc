// SPDX-License-Identifier: Apache-2.0
#include "corpora/traces/smbd_below.h"

#include "corpora/traces/rdmap_script.h"
#include "corpora/traces/roce_script.h"

namespace wirelaw::corpora {
namespace {

template <class Script>
class OverScript final : public SmbdBelow {
 public:
  bool is_stream() const override { return Script::kIsStream; }
  void start() override { script_.start(); }
  void send(Side side, Octets octets, std::optional<std::uint32_t> invalidate) override {
    if constexpr (Script::kIsStream)
      script_.send(side, octets, invalidate ? rdmap::Opcode::send_invalidate : rdmap::Opcode::send,
                   invalidate.value_or(0));
    else
      script_.send(side, octets, invalidate);
  }
  void write(Side side, Octets octets, const RemoteRange& to) override {
    script_.write(side, octets, to.stag, to.offset);
  }
  void read(Side side, const RemoteRange& from) override {
    const auto length = static_cast<std::uint32_t>(from.length);
    if constexpr (Script::kIsStream) {
      rdmap::ReadRequest request = Script::kRead;
      request.size = length;
      request.source_stag = from.stag;
      request.source_to = from.offset;
      script_.read(side, request);
    } else {
      script_.read(side, length, from.stag, from.offset);
    }
  }
  void close(Side side) override { script_.close(side); }
  TraceMessage& last() override { return script_.last(); }
  std::vector<TraceMessage> take() override { return script_.take(); }

 private:
  Script script_;
};

}  // namespace

std::unique_ptr<SmbdBelow> smbd_over_iwarp() {
  return std::make_unique<OverScript<RdmapScript>>();
}
std::unique_ptr<SmbdBelow> smbd_over_roce() {
  return std::make_unique<OverScript<RoceScript>>();
}

}  // namespace wirelaw::corpora
