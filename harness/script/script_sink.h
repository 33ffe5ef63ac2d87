// SPDX-License-Identifier: Apache-2.0
// A recording that is kept as a script too: the tester's messages, and a wait for each answer.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "conformance/protocol.h"
#include "conformance/script/conversation_writer.h"
#include "harness/recording.h"

namespace wirelaw {

class ScriptSink final : public FrameSink {
 public:
  // Frames go on to `next`, which outlives this. `iut` is the role of the implementation that is recorded.
  ScriptSink(FrameSink& next, const Protocol& protocol, Role iut);

  void write(const RecordedFrame& frame) override;
  // Returns a script with a case for each conversation. It has no expectations, since the judge decides. Empty if
  // scripts cannot express the protocol, or if the recording has no conversation of datagrams. `signature` is the
  // finding's, for example "rule RAMCLOUD-ack-5".
  std::string text(std::string_view signature, const std::vector<std::string>& features,
                   std::string_view revision) const;

 private:
  struct Conversation {
    std::array<Endpoint, 2> ends;
    script::ConversationWriter writer;
  };

  FrameSink& next_;
  const Protocol& protocol_;
  const Side iut_;
  const script::Language* const language_;
  std::map<std::string, std::size_t> places_;  // by the addresses of tester and IUT
  std::vector<std::unique_ptr<Conversation>> conversations_;
  bool is_whole_ = true;
};

}  // namespace wirelaw
