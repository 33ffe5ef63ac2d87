// SPDX-License-Identifier: Apache-2.0
// A recording that is kept as a script too: the tester's messages, and a wait for each answer.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/protocol.h"
#include "conformance/script/conversation_writer.h"
#include "harness/recording.h"
#include "pcap/tcp_connection.h"

namespace wirelaw {

class ScriptSink final : public FrameSink {
 public:
  // Frames go on to `next`, which outlives this. `iut` is the role of the implementation that is recorded.
  ScriptSink(FrameSink& next, const Protocol& protocol, Role iut);

  void write(const RecordedFrame& frame) override;
  // Returns a script with a case for each conversation. It has no expectations, since the judge decides. Empty if
  // scripts cannot express the protocol, or the way in which it was carried. `signature` is the finding's, for example
  // "rule RAMCLOUD-ack-5". Ends what is written.
  std::string text(std::string_view signature, const std::vector<std::string>& features, std::string_view revision);

 private:
  struct Conversation {
    Conversation(const script::Language& language, const std::array<Endpoint, 2>& both)
        : ends(both), writer(language, both) {
      if (language.is_stream()) lines.emplace(language.framing());
    }
    std::array<Endpoint, 2> ends;
    script::ConversationWriter writer;
    // Only for a stream: its segments, and the lines that they make.
    std::optional<script::StreamLines> lines;
    pcap::TcpConnection segments;
  };
  void write_datagram(Conversation& conversation, const RecordedFrame& frame);
  void write_segment(Conversation& conversation, const RecordedFrame& frame);
  void end_stream(Conversation& conversation);

  FrameSink& next_;
  const Protocol& protocol_;
  const Side iut_;
  const script::Language* const language_;
  std::map<std::string, std::size_t> places_;  // by the addresses of tester and IUT
  std::vector<std::unique_ptr<Conversation>> conversations_;
  bool is_whole_ = true;
};

}  // namespace wirelaw
