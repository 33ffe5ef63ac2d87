// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/framing.h"

#include "reference/umsp/instruction.h"

namespace wirelaw::umsp {
namespace {

class InstructionFraming : public script::Framing {
 public:
  std::unique_ptr<Framing> copy() const override { return std::make_unique<InstructionFraming>(*this); }

  std::vector<OctetBuffer> segments(Side, Octets message) const override { return {{message.begin(), message.end()}}; }
  tl::expected<OctetBuffer, std::string> wrap(Side, Octets segment) const override {
    return OctetBuffer(segment.begin(), segment.end());
  }
  std::vector<script::Located> locate(Side, Octets) const override { return {}; }
  void seal(Side, OctetBuffer&) const override {}

  // Gives up an instruction that is too long to be held, and everything after it.
  std::optional<script::Unit> next(Side, Octets stream) const override {
    const auto extent = instruction_octets(stream);
    if (!extent) return script::Unit{.length = stream.size()};
    if (!extent->complete || extent->octets > stream.size()) return std::nullopt;
    const auto length = static_cast<std::size_t>(extent->octets);
    return script::Unit{.length = length,
                        .message = OctetBuffer(stream.begin(), stream.begin() + static_cast<std::ptrdiff_t>(length))};
  }

  void opened(Side, std::uint16_t) override {}
  void passed(Side, Octets, Octets) override {}
};

}  // namespace

std::unique_ptr<script::Framing> make_framing() {
  return std::make_unique<InstructionFraming>();
}

}  // namespace wirelaw::umsp
