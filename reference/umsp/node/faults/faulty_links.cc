// SPDX-License-Identifier: Apache-2.0
// A node's connections, which wrongly split octets into instructions.
#include "reference/umsp/layout.h"
#include "reference/umsp/make_parts.h"

namespace wirelaw::umsp {
namespace {

using enum NodeDeviation;

constexpr std::size_t kSevenWords = 28;

class FaultyLinks final : public Links {
 public:
  FaultyLinks(const LinkLimits& limits, const NodeDeviations& deviations) : Links(limits), deviations_(deviations) {}

 private:
  // If an instruction is measured wrongly, it is lost, and so are the following ones.
  bool measure(Octets octets, std::size_t& taken) const override {
    if (!Links::measure(octets, taken)) return false;
    const auto header = taken > 0 ? decode_header(octets) : std::nullopt;
    if (!header) return true;
    const bool seven = header->extended && class_of(header->opcode) == OpcodeClass::exchange &&
                       header->operand_octets() != kSevenWords;
    if (deviations_.has(seven_words_taken) && seven) {
      taken = header->octets() - 2 + kSevenWords;  // without OPR_LENGTH_EXT
      if (taken > octets.size()) taken = 0;
    }
    const bool unknown = find_layout(header->opcode) == nullptr;
    if (deviations_.has(unknown_length_ignored) && unknown) taken = header->octets();
    return true;
  }

  void keep(LinkId id, OctetBuffer held, std::size_t from, bool sound) override {
    if (deviations_.has(split_instructions_lost)) from = held.size();
    Links::keep(id, std::move(held), from, sound);
  }

  NodeDeviations deviations_;
};

}  // namespace

std::unique_ptr<Links> make_links(const LinkLimits& limits, const NodeDeviations& deviations) {
  return std::make_unique<FaultyLinks>(limits, deviations);
}

}  // namespace wirelaw::umsp
