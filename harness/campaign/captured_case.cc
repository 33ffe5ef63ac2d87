// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/captured_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "conformance/stack.h"
#include "harness/campaign/input_json.h"
#include "harness/script/script_file.h"
#include "harness/script/temporary_capture.h"
#include "pcap/packet_reader.h"
#include "pcap/tcp_connection.h"
#include "reference/octets/hex.h"

namespace wirelaw::campaign {
namespace {

constexpr std::size_t kMostConversations = 64, kMostMessages = 256, kMostOctets = 256u << 10;
constexpr std::size_t kLeastOfAnyField = 4;  // a shorter one is followed only if it binds messages; otherwise the match
                                             // may be chance

Octets octets_of(const Field& field, Octets message) {
  const bool there = field.length > 0 && field.offset + field.length <= message.size();
  return there ? message.subspan(field.offset, field.length) : Octets();
}

const Field* field_named(const Decoded& message, std::string_view name) {
  const auto found = std::ranges::find(message.fields, name, &Field::name);
  return found == message.fields.end() ? nullptr : &*found;
}

// ---------------------------------------------------------------------------------------------------- from a capture

class Recorded {
 public:
  Recorded(pcap::Transport transport, const pcap::Endpoint& first, const pcap::Endpoint& second)
      : transport_(transport), first_(first), second_(second) {}

  bool is_between(pcap::Transport transport, const pcap::Endpoint& one, const pcap::Endpoint& other) const {
    return transport == transport_ && ((first_ == one && second_ == other) || (first_ == other && second_ == one));
  }
  void take(const pcap::Datagram& datagram) { take(datagram.source == first_, datagram.payload); }
  void take(const pcap::Segment& segment) {
    connection_.take(segment, segment.source == first_, [this](const StreamPiece& piece) { take(piece); });
  }
  void finish() {
    if (transport_ == pcap::Transport::tcp) connection_.finish([this](const StreamPiece& piece) { take(piece); });
  }

  // The side that began is the initiator.
  std::vector<CapturedMessage> messages(Role iut) const {
    std::vector<CapturedMessage> messages;
    for (const auto& [by_first, octets] : said_) messages.push_back({by_first == (iut == Role::initiator), octets});
    return messages;
  }
  bool is_of(const Protocol& carried) const {
    return std::ranges::any_of(said_, [&](const auto& one) {
      const Decoded decoded = carried.decode(one.second);
      return decoded.error.empty() && !decoded.fields.empty();
    });
  }

 private:
  void take(const StreamPiece& piece) {
    if (piece.event == StreamEvent::octets) take(piece.sender == Side::a, piece.octets);
  }
  void take(bool by_first, Octets octets) {
    octets_ += octets.size();
    if (said_.size() < kMostMessages && octets_ <= kMostOctets)
      said_.emplace_back(by_first, OctetBuffer(octets.begin(), octets.end()));
  }

  pcap::Transport transport_;
  pcap::Endpoint first_, second_;
  pcap::TcpConnection connection_{};
  std::vector<std::pair<bool, OctetBuffer>> said_;
  std::size_t octets_ = 0;
};

template <class Packet>
void take(std::vector<Recorded>& all, pcap::Transport transport, const Packet& packet) {
  auto found = std::ranges::find_if(
      all, [&](const Recorded& one) { return one.is_between(transport, packet.source, packet.destination); });
  if (found == all.end()) {
    if (all.size() >= kMostConversations) return;
    all.emplace_back(transport, packet.source, packet.destination);
    found = std::prev(all.end());
  }
  found->take(packet);
}

// ------------------------------------------------------------------------------------------------------------ played

class Player {
 public:
  Player(CaseRun& run, Transport& transport, const Protocol& carried)
      : run_(run), transport_(transport), follower_(carried, edits::dialect_of(carried)) {}

  void play(const std::vector<CapturedMessage>& messages) {
    for (const CapturedMessage& one : messages)
      if (!(one.from_iut ? hear(one.octets) : say(one.octets))) return;
    while (receive(run_.silence_time())) {
    }
  }

 private:
  bool say(Octets recorded) {
    const auto sent = transport_.send(follower_.followed(recorded));
    if (!sent) run_.broken(sent.error());
    return sent.has_value();
  }
  // After a missing answer, waits only silence_time() for the next one.
  bool hear(Octets recorded) {
    const auto live = receive(missed_ ? run_.silence_time() : run_.answer_time());
    missed_ = !live;
    if (live) follower_.heard(recorded, *live);
    return !is_broken_;
  }
  std::optional<OctetBuffer> receive(std::chrono::nanoseconds within) {
    auto received = transport_.receive(transport_.now() + within);
    if (received) return std::move(*received);
    is_broken_ = true;
    run_.broken(received.error());
    return std::nullopt;
  }

  CaseRun& run_;
  Transport& transport_;
  Follower follower_;
  bool missed_ = false, is_broken_ = false;
};

}  // namespace

void Follower::heard(Octets recorded, Octets live) {
  constexpr std::size_t kMostChoices = 256;
  const Decoded before = carried_.decode(recorded), now = carried_.decode(live);
  for (const Field& was : before.fields) {
    const Field* const is = field_named(now, was.name);
    if (is == nullptr || is->length != was.length) continue;
    const bool binds = std::ranges::count(dialect_.bound, was.name) > 0;
    const Octets old = octets_of(was, recorded), chosen = octets_of(*is, live);
    if (old.empty() || chosen.empty() || std::ranges::equal(old, chosen)) continue;
    if (!binds && old.size() < kLeastOfAnyField) continue;
    const auto known = std::ranges::find_if(
        choices_, [&](const Choice& one) { return one.field == was.name && std::ranges::equal(one.recorded, old); });
    if (known != choices_.end())
      known->live.assign(chosen.begin(), chosen.end());
    else if (choices_.size() < kMostChoices)
      choices_.push_back({was.name, {old.begin(), old.end()}, {chosen.begin(), chosen.end()}});
  }
}

// Finds it by the field's name, or, if an identifier has another name in the other direction, by its octets.
OctetBuffer Follower::followed(Octets recorded) const {
  OctetBuffer message(recorded.begin(), recorded.end());
  for (const Field& field : carried_.decode(recorded).fields) {
    const Octets old = octets_of(field, recorded);
    const Choice* best = nullptr;
    for (const Choice& one : choices_) {
      if (!std::ranges::equal(one.recorded, old)) continue;
      if (one.field == field.name || (best == nullptr && old.size() >= kLeastOfAnyField)) best = &one;
    }
    if (best != nullptr) std::ranges::copy(best->live, message.begin() + static_cast<std::ptrdiff_t>(field.offset));
  }
  if (dialect_.repair != nullptr && !std::ranges::equal(message, recorded)) dialect_.repair(recorded, message);
  return message;
}

Case case_of(const CapturedConversation& conversation, Role iut, const Protocol& carried) {
  return {.id = conversation.id,
          .iut = iut,
          .rules = {},
          .purpose = "What was captured is said again.",
          .run = [&conversation, &carried, iut](CaseRun& run) {
            auto transport = run.connect();
            if (!transport) return run.broken(transport.error());
            if (iut == Role::initiator)
              if (const auto started = run.trigger({}); !started) return run.broken(started.error());
            Player(run, **transport, carried).play(conversation.messages);
          }};
}

namespace {

// Adds the conversations of a capture. `name` is what their ids call it.
tl::expected<void, std::string> add_conversations(const std::string& capture, const std::string& name,
                                                  const Protocol& carried, Role iut,
                                                  std::vector<CapturedConversation>& conversations) {
  auto reader = pcap::PacketReader::open(capture);
  if (!reader) return tl::unexpected(pcap::to_string(reader.error()));
  std::vector<Recorded> all;
  all.reserve(kMostConversations);
  pcap::Datagram datagram;
  pcap::Segment segment;
  for (pcap::Transport found; (found = reader->next(datagram, segment)) != pcap::Transport::none;) {
    if (found == pcap::Transport::tcp)
      take(all, found, segment);
    else
      take(all, found, datagram);
  }
  for (Recorded& one : all) {
    one.finish();
    if (!one.is_of(carried)) continue;
    conversations.push_back({fmt::format("capture/{}-{}", name, conversations.size() + 1), one.messages(iut)});
  }
  return {};
}

tl::expected<void, std::string> add_conversations_of_script(const std::string& path, const std::string& name,
                                                            const Protocol& carried, Role iut,
                                                            std::vector<CapturedConversation>& conversations) {
  const auto script = read_script(path);
  if (!script) return tl::unexpected(script.error());
  for (const ScriptPart& part : script->parts) {
    const auto layers = stack_of(*part.protocol, protocols());
    if (std::ranges::find(layers, carried.name, &Protocol::name) == layers.end()) continue;
    const auto capture = TemporaryCapture::of(*script, part);
    if (!capture) return tl::unexpected(capture.error());
    const auto added = add_conversations(capture->path(), name, carried, iut, conversations);
    if (!added) return tl::unexpected(fmt::format("{}: {}", path, added.error()));
  }
  return {};
}

}  // namespace

tl::expected<std::vector<CapturedConversation>, std::string> conversations_in(const std::string& file,
                                                                              const Protocol& carried, Role iut) {
  const std::string name = std::filesystem::path(file).filename().string();
  const auto add = is_script(file) ? add_conversations_of_script : add_conversations;
  std::vector<CapturedConversation> conversations;
  if (const auto added = add(file, name, carried, iut, conversations); !added) return tl::unexpected(added.error());
  std::erase_if(conversations, [](const CapturedConversation& one) {
    return std::ranges::all_of(one.messages, &CapturedMessage::from_iut);
  });
  if (conversations.empty()) return tl::unexpected(fmt::format("{}: holds no conversation of {}", file, carried.name));
  return conversations;
}

Json to_json(const CapturedConversation& conversation) {
  Json messages = Json::array();
  for (const CapturedMessage& one : conversation.messages)
    messages.push_back({{"from", one.from_iut ? "iut" : "tester"}, {"octets", to_hex(one.octets)}});
  return {{"id", conversation.id}, {"messages", std::move(messages)}};
}

tl::expected<CapturedConversation, std::string> conversation_of(const Json& json) {
  CapturedConversation conversation{.id = text_in(json, "id"), .messages = {}};
  if (!is_captured(conversation.id)) return tl::unexpected(std::string("a conversation has no id capture/…"));
  const auto messages = json.find("messages");
  if (messages == json.end() || !messages->is_array() || messages->size() > kMostMessages)
    return tl::unexpected(fmt::format("'messages' of {} is no list of at most {}", conversation.id, kMostMessages));
  for (const Json& one : *messages) {
    auto octets = from_hex(text_in(one, "octets"));
    if (!octets) return tl::unexpected(fmt::format("a message of {} has no hexadecimal digits", conversation.id));
    conversation.messages.push_back({text_in(one, "from") == "iut", std::move(*octets)});
  }
  return conversation;
}

}  // namespace wirelaw::campaign
