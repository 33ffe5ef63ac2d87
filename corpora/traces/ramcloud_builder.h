// SPDX-License-Identifier: Apache-2.0
// A builder of RAMCloud RPC traces: an honest conversation, which a trace changes in one field.
#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include "corpora/traces/trace.h"
#include "reference/ramcloud/packet.h"

namespace wirelaw::corpora {

// The place of a DATA packet in its message, and its channel.
struct BuiltFragment {
  std::uint16_t number = 0;
  std::uint16_t total = 1;
  std::uint8_t channel = 0;
};

class RamcloudTraceBuilder {
 public:
  static constexpr bool kIsStream = false;

  using Header = ramcloud::Header;
  using Edit = std::function<void(Header&)>;  // changes the honest header

  // Identity of the session that the honest headers name.
  static constexpr std::uint64_t kToken = 0x1122334455667788;
  static constexpr std::uint64_t kOtherToken = 0x99aabbccddeeff00;
  static constexpr std::uint32_t kClientHint = 0x0a0b0c0d;
  static constexpr std::uint32_t kServerHint = 0x01020304;
  static constexpr std::uint8_t kMaxChannelId = 7;

  using Fragment = BuiltFragment;

  // --- the opening
  void open_request(const Edit& edit = {}, Octets payload = {});
  void open_response(const Edit& edit = {}, OctetBuffer payload = {kMaxChannelId});
  void open();  // request and response

  // --- DATA
  void request(std::uint32_t rpc_id, const Fragment& fragment = {}, const Edit& edit = {});
  void response(std::uint32_t rpc_id, const Fragment& fragment = {}, const Edit& edit = {});
  void exchange(std::uint32_t rpc_id, std::uint8_t channel = 0);  // one request and its response

  // --- ACK and BAD_SESSION
  void client_ack(std::uint32_t rpc_id, const ramcloud::Ack& ack, const Edit& edit = {});
  void server_ack(std::uint32_t rpc_id, const ramcloud::Ack& ack, const Edit& edit = {});
  void bad_session(const Edit& edit = {}, Octets payload = {});

  // --- anything
  void send(Side side, OctetBuffer octets, std::uint8_t ip_option_octets = 0);
  void send(Side side, Header header, const Edit& edit, Octets payload);
  // Waits for `time` without a packet, then makes an RPC on an unused channel.
  void later(std::chrono::nanoseconds time);
  // Sets the token of the following honest headers.
  void use_token(std::uint64_t token) { token_ = token; }

  std::vector<TraceMessage> take() { return std::move(messages_); }
  TraceMessage& last() { return messages_.back(); }

 private:
  Header header(Side side, ramcloud::PayloadType type) const;
  void data(Side side, std::uint32_t rpc_id, const Fragment& fragment, const Edit& edit);

  std::uint64_t token_ = kToken;
  std::vector<TraceMessage> messages_;
};

// Flags for edits.
inline void ask_for_ack(ramcloud::Header& header) {
  header.flags.request_ack = true;
}

}  // namespace wirelaw::corpora
