// SPDX-License-Identifier: Apache-2.0
// A node that commits deviations in receiving. It ignores, refuses or alters instructions before the steps of a
// conforming node see them, and overrides a few of those steps.
#pragma once

#include <map>

#include "reference/umsp/node/faults/node_deviations.h"
#include "reference/umsp/node/node.h"

namespace wirelaw::umsp {

class FaultyNode : public Node {
 public:
  FaultyNode(NodeOptions options, const PartMaker& maker, const NodeDeviations& deviations)
      : Node(std::move(options), maker), deviations_(deviations) {}

  void ended(LinkId link, Instant now) override;

 private:
  bool takes_by_datagram(const Instruction& instruction) const override;
  bool says_by_datagram(const Draft& response) const override;
  void take(const Origin& origin, const Instruction& instruction, const Membership& membership) override;
  bool has_too_many_headers(const Instruction& instruction) const override;
  void on_too_many_headers(const Origin& origin, const Instruction& instruction, const Membership& membership) override;
  void refuse(const Origin& origin, const Instruction& instruction, const Membership& membership, Codes codes) override;
  void on_unknown(const Origin& origin, const Instruction& instruction, const Membership& membership) override;
  Session* session_of(const Origin& origin, const Membership& membership) override;
  std::optional<ProfileFlag> missing(const Instruction& instruction, const Session& session) const override;
  std::uint64_t task_of(const Session& session) override;
  void respond(std::uint32_t session, Draft response) override;
  void send(NodeAddress to, Draft draft, std::optional<LinkId> on) override;

  // --- handling of received instructions
  bool passes_over(const Origin& origin, const Instruction& instruction, const Membership& membership);
  bool comes_wrongly(const Origin& origin);
  bool datagram_comes_wrongly(const Origin& origin, const Instruction& instruction, const Membership& membership);
  bool is_repeated(const Instruction& instruction, const Membership& membership);
  bool resets(const Instruction& instruction) const;
  bool refuses(const Origin& origin, const Instruction& instruction, const Membership& membership) const;
  bool refuses_header(const ExtensionHeader& header) const;
  Membership altered(const Origin& origin, const Instruction& instruction, Membership membership);
  void alter_headers(Instruction& instruction) const;
  void alter_operands(Instruction& instruction);
  void alter_response(Instruction& instruction) const;
  bool ends_session(const Origin& origin, const Instruction& instruction, const Membership& membership);

  bool deviates(NodeDeviation deviation) const { return deviations_.has(deviation); }

  NodeDeviations deviations_;
  std::map<NodeAddress, LinkId> first_links_;
  std::uint64_t segment_ = 0;                           // segment of the last instruction
  std::map<LinkId, std::uint32_t> sessions_before_;     // session of the previous exchange
  std::map<std::uint32_t, std::uint32_t> request_ids_;  // REQ_IDs, with the session of each
  std::map<NodeAddress, std::uint32_t> asked_jcps_;     // REQ_ID of the last request to each
  OctetBuffer first_gjid_;
  OctetBuffer filled_;
};

}  // namespace wirelaw::umsp
