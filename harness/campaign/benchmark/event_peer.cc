// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/benchmark/event_peer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>
#include <utility>

namespace wirelaw::campaign {
namespace {

constexpr std::size_t kMostHeld = 1u << 20;  // octets of a stream that wait for the rest of a message

tl::expected<Event::Condition, std::string> condition_of(const std::string& word) {
  const std::size_t at = word.find_first_of("=!<>");
  Event::Condition condition{.field = word.substr(0, at)};
  if (at == std::string::npos || at == 0) return tl::unexpected(fmt::format("'{}' is no condition", word));
  condition.op = word[at];
  const bool is_hex = word.compare(at + 1, 2, "0x") == 0;
  const char* const end = word.data() + word.size();
  const auto read = std::from_chars(word.data() + at + (is_hex ? 3 : 1), end, condition.number, is_hex ? 16 : 10);
  if (read.ec != std::errc() || read.ptr != end) return tl::unexpected(fmt::format("'{}' has no number", word));
  return condition;
}

bool holds(const Event::Condition& condition, std::uint64_t value) {
  switch (condition.op) {
    case '<':
      return value < condition.number;
    case '>':
      return value > condition.number;
    case '!':
      return value != condition.number;
    default:
      return value == condition.number;
  }
}

// The messages of one connection, and how many of the events have come.
class Watch {
 public:
  explicit Watch(const script::Language& language)
      : language_(language), framing_(language.is_stream() ? language.framing() : nullptr) {}

  // True if the last event has come.
  bool follow(Side sender, Octets octets, std::span<const Event> events) {
    if (!framing_) return take(sender, octets, events);
    OctetBuffer& stream = streams_[static_cast<std::size_t>(sender)];
    if (stream.size() + octets.size() > kMostHeld) return false;
    stream.insert(stream.end(), octets.begin(), octets.end());
    while (!stream.empty()) {
      const auto unit = framing_->next(sender, stream);
      if (!unit || unit->length == 0 || unit->length > stream.size()) return false;
      const auto end = stream.begin() + static_cast<std::ptrdiff_t>(unit->length);
      const OctetBuffer whole(stream.begin(), end);
      stream.erase(stream.begin(), end);
      framing_->passed(sender, whole, unit->message ? Octets(*unit->message) : Octets());
      if (unit->message && take(sender, *unit->message, events)) return true;
    }
    return false;
  }

 private:
  bool take(Side sender, Octets message, std::span<const Event> events) {
    if (sender == Side::a && come_ < events.size() && events[come_].matches(language_, message)) ++come_;
    return come_ == events.size();
  }

  const script::Language& language_;
  std::unique_ptr<script::Framing> framing_;
  OctetBuffer streams_[2];
  std::size_t come_ = 0;
};

class EventPeer final : public Peer {
 public:
  EventPeer(std::unique_ptr<Peer> peer, const script::Language& language, std::span<const Event> events)
      : peer_(std::move(peer)), language_(language), events_(events) {}

  void located(const Location& at) override { peer_->located(at); }
  void linked(PeerId id, const Link& link) override { peer_->linked(id, link); }
  void receive(PeerId from, Octets octets, Instant now) override {
    is_dead_ = is_dead_ || watch(from).follow(Side::a, octets, events_);
    if (!is_dead_) peer_->receive(from, octets, now);
  }
  void opened(PeerId id, Instant now) override { peer_->opened(id, now); }
  void ended(PeerId id, Ending ending, Instant now) override { peer_->ended(id, ending, now); }
  bool next_connection() override { return peer_->next_connection(); }
  std::optional<Dial> next_dial() override { return peer_->next_dial(); }
  void not_reached(const Dial& dial, Instant now) override { peer_->not_reached(dial, now); }
  void advance(Instant now) override {
    if (!is_dead_) peer_->advance(now);
  }
  std::optional<Instant> deadline() const override { return is_dead_ ? std::nullopt : peer_->deadline(); }
  bool next_datagram(Outgoing& out) override {
    if (is_dead_ || !peer_->next_datagram(out)) return false;
    watch(out.to).follow(Side::b, out.octets, events_);
    return true;
  }
  RdmaPeer* rdma() override { return peer_->rdma(); }
  void offer(Offers& offers, std::optional<PeerId> id, VirtualTime& time) override { peer_->offer(offers, id, time); }
  std::unique_ptr<FarEnd> far_end() override { return peer_->far_end(); }
  std::unique_ptr<control::Calls> calls(NumberOf number_of) override { return peer_->calls(std::move(number_of)); }
  bool trigger(PeerId to, const TriggerRequest& request, Instant now) override {
    return peer_->trigger(to, request, now);
  }
  bool idle() const override { return is_dead_ || peer_->idle(); }
  std::uint64_t failed() const override { return peer_->failed(); }
  std::string state() const override { return is_dead_ ? "dead" : peer_->state(); }

 private:
  Watch& watch(PeerId id) { return watches_.try_emplace(id, language_).first->second; }

  std::unique_ptr<Peer> peer_;
  const script::Language& language_;
  std::span<const Event> events_;
  std::map<PeerId, Watch> watches_;
  bool is_dead_ = false;
};

}  // namespace

bool Event::matches(const script::Language& language, Octets octets) const {
  if (language.name_of(octets) != message) return false;
  const std::vector<script::Located> fields = language.locate(octets);
  return std::ranges::all_of(conditions, [&](const Condition& condition) {
    if (condition.field == "octets") return holds(condition, octets.size());
    const auto field = std::ranges::find(fields, condition.field, &script::Located::name);
    const auto value = field == fields.end() ? std::nullopt : get(octets, *field, language.big_endian);
    return value && holds(condition, *value);
  });
}

tl::expected<std::vector<Event>, std::string> events_of(std::string_view text) {
  std::vector<Event> events;
  std::istringstream all{std::string(text)};
  for (std::string one; std::getline(all, one, ';');) {
    std::istringstream words(one);
    Event event;
    words >> event.message;
    if (event.message.empty()) return tl::unexpected(fmt::format("'{}' has an event without a message", text));
    for (std::string word; words >> word;) {
      auto condition = condition_of(word);
      if (!condition) return tl::unexpected(condition.error());
      event.conditions.push_back(std::move(*condition));
    }
    events.push_back(std::move(event));
  }
  return events;
}

MakePeer with_events(MakePeer make_peer, const script::Language& language, std::vector<Event> events) {
  return [make_peer = std::move(make_peer), &language, events = std::move(events)](std::uint64_t seed) {
    return std::unique_ptr<Peer>(std::make_unique<EventPeer>(make_peer(seed), language, events));
  };
}

}  // namespace wirelaw::campaign
