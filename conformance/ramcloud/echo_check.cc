// SPDX-License-Identifier: Apache-2.0
#include "conformance/ramcloud/echo_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "conformance/ramcloud/fragNumber/rules.h"
#include "conformance/ramcloud/sessionToken/rules.h"
#include "conformance/ramcloud/totalFrags/rules.h"
#include "reference/ramcloud/packet.h"

namespace wirelaw::ramcloud {
namespace {

constexpr std::size_t kMostOctets = 1u << 20;  // longer conversations are not judged

// The data sent for the fragments of one message. A sender may contradict itself, so a number may have several.
using Fragments = std::map<std::uint16_t, std::vector<OctetBuffer>>;
using ByTotal = std::map<std::uint16_t, Fragments>;

class RamcloudEchoCheck final : public EchoCheck {
 public:
  void sent(Octets message) override {
    if (const auto packet = data_in(message, false)) add(*packet, requests_[key_of(*packet)]);
  }
  void received(Octets message) override {
    if (const auto opened = decode(message); opened && opened->header.payload_type == PayloadType::session_open)
      given_.insert(opened->header.session_token);
    const auto packet = data_in(message, true);
    if (!packet || wrong_) return;
    const std::uint16_t total = packet->header.total_frags;
    ByTotal& responses = responses_[key_of(*packet)];
    add(*packet, responses);
    const auto whole = total == 0 ? std::nullopt : join(responses[total], total);
    if (!whole || is_too_long()) return;
    if (const auto asked = requests_.find(key_of(*packet)); asked != requests_.end())
      judge(*whole, asked->second);
    else if (given_.contains(packet->header.session_token))  // no request of an earlier conversation
      wrong_ = {&rule<"RAMCLOUD-sessionToken-7">, "no response", "a response, although no request had its token"};
  }
  std::optional<WrongEcho> wrong() const override { return wrong_; }

 private:
  using Key = std::tuple<std::uint64_t, std::uint8_t, std::uint32_t>;  // token, channel and RPC

  static Key key_of(const Packet& packet) {
    return {packet.header.session_token, packet.header.channel_id, packet.header.rpc_id};
  }
  static std::optional<Packet> data_in(Octets message, bool direction) {
    const auto packet = decode(message);
    const bool is_data = packet && packet->header.payload_type == PayloadType::data;
    return is_data && packet->header.flags.direction == direction ? std::optional(*packet) : std::nullopt;
  }
  bool is_too_long() const { return octets_ > kMostOctets; }

  void add(const Packet& packet, ByTotal& to) {
    octets_ += sizeof(Packet) + packet.payload.size();
    if (is_too_long()) return;
    auto& those = to[packet.header.total_frags][packet.header.frag_number];
    OctetBuffer data(packet.payload.begin(), packet.payload.end());
    if (std::ranges::find(those, data) == those.end()) those.push_back(std::move(data));
  }

  // The message, if all its fragments are there and are not contradictory.
  static std::optional<OctetBuffer> join(const Fragments& fragments, std::uint16_t total) {
    if (fragments.size() < total) return std::nullopt;
    OctetBuffer whole;
    for (std::uint32_t number = 0; number < total; ++number) {
      const auto found = fragments.find(static_cast<std::uint16_t>(number));
      if (found == fragments.end() || found->second.size() != 1) return std::nullopt;
      whole.insert(whole.end(), found->second.front().begin(), found->second.front().end());
    }
    return whole;
  }

  // True if the octets consist of one fragment of each number.
  static bool consists_of(Octets whole, const Fragments& fragments, std::uint16_t total) {
    std::set<std::size_t> ends{0};  // where the fragments so far may end
    for (std::uint32_t number = 0; number < total && !ends.empty(); ++number) {
      const auto found = fragments.find(static_cast<std::uint16_t>(number));
      if (found == fragments.end()) return false;
      std::set<std::size_t> next;
      for (const std::size_t at : ends)
        for (const OctetBuffer& data : found->second)
          if (data.size() <= whole.size() - at && std::ranges::equal(whole.subspan(at, data.size()), data))
            next.insert(at + data.size());
      ends = std::move(next);
    }
    return ends.contains(whole.size());
  }

  void judge(Octets whole, const ByTotal& request) {
    const bool has_zero = request.contains(0);
    if (has_zero && whole.empty()) return;  // RAMCLOUD/R45
    for (const auto& [total, fragments] : request)
      if (total > 0 && consists_of(whole, fragments, total)) return;
    const std::size_t totals = request.size() - (has_zero ? 1 : 0);
    const Rule& broken = has_zero     ? rule<"RAMCLOUD-totalFrags-5">
                         : totals > 1 ? rule<"RAMCLOUD-totalFrags-4">
                                      : rule<"RAMCLOUD-fragNumber-3">;
    wrong_ = {&broken, "an echo: one fragment of each number, all with the same totalFrags",
              fmt::format("{} octets that are no such request", whole.size())};
  }

  std::set<std::uint64_t> given_;  // tokens of the open responses
  std::map<Key, ByTotal> requests_, responses_;
  std::size_t octets_ = 0;
  std::optional<WrongEcho> wrong_;
};

}  // namespace

std::unique_ptr<EchoCheck> make_echo_check() {
  return std::make_unique<RamcloudEchoCheck>();
}

}  // namespace wirelaw::ramcloud
