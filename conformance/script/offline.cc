// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "conformance/script/conversation.h"
#include "conformance/script/result.h"

namespace wirelaw::script {
namespace {

bool is_of_streams(What::Kind kind) {
  return kind == What::Kind::open || kind == What::Kind::close || kind == What::Kind::reset || kind == What::Kind::push;
}

const Item* find_item(const What& what, Item::Op op) {
  const auto found = std::ranges::find(what.items, op, &Item::op);
  return found == what.items.end() ? nullptr : &*found;
}

// Octets that a side holds back until they fill a piece.
class Held {
 public:
  std::size_t size() const { return octets_.size() - begin_; }
  bool empty() const { return size() == 0; }
  void add(const OctetBuffer& octets) {
    if (empty() || begin_ > octets_.size() / 2) {
      octets_.erase(octets_.begin(), octets_.begin() + static_cast<std::ptrdiff_t>(begin_));
      begin_ = 0;
    }
    octets_.insert(octets_.end(), octets.begin(), octets.end());
  }
  // The first of them.
  OctetBuffer take(std::size_t count) {
    const auto from = octets_.begin() + static_cast<std::ptrdiff_t>(begin_);
    begin_ += count;
    return {from, from + static_cast<std::ptrdiff_t>(count)};
  }
  OctetBuffer take() { return take(size()); }

 private:
  OctetBuffer octets_;
  std::size_t begin_ = 0;
};

// A connection of streams.
struct Stream {
  bool is_open = false;
  std::array<Held, 2> held;
};

class Offline {
 public:
  Offline(const Part& part, const Language& language, const Addresses& addresses, const Ends& further_ends,
          std::size_t most_messages)
      : part_(part), speaker_(language, addresses, further_ends), most_messages_(most_messages) {
    out_.addresses = addresses;
    out_.further_ends = further_ends;
    out_.is_stream = language.is_stream();
  }

  Result<Conversation> run() {
    if (const auto taken = take_settings(part_, speaker_); !taken) return tl::unexpected(taken.error());
    if (const Setting* const step = find_setting(part_, "step")) {
      const auto time = speaker_.time(step->values.front());
      if (!time) return tl::unexpected(time.error());
      out_.step_ns = *time;
    }
    for (const Greeting& one : greetings_of(part_, speaker_.language()))
      if (const auto greeted = greet(one); !greeted) return tl::unexpected(greeted.error());
    for (const Step& step : part_.steps) {
      const auto done = for_each_round(step, speaker_, [&] { return take(step); });
      if (!done) return tl::unexpected(done.error());
    }
    for (auto& [connection, stream] : streams_)
      for (const Side side : {Side::a, Side::b})
        if (const auto done = push(side, connection, stream.held[index(side)].size(), part_.at); !done)
          return tl::unexpected(done.error());
    out_.silence_ns = std::exchange(pause_, 0);
    return std::move(out_);
  }

 private:
  Result<void> greet(const Greeting& greeting) {
    const What what{.name = std::string(greeting.message), .at = part_.at};
    return say_message(what, greeting.sender, 1);
  }

  Result<bool> take(const Step& step) {
    if (is_reopened_ && !std::holds_alternative<Control>(step.what))
      return problem(step.at, "'control' opens a new connection, so no line of this one can follow it",
                     "make 'control' the last line; another case may say the rest");
    is_reopened_ = out_.is_stream && std::holds_alternative<Control>(step.what);
    std::size_t found_with = out_.spoken.size();
    const auto* const pause = std::get_if<Pause>(&step.what);
    if (pause != nullptr || step.after) {
      const auto time = speaker_.time(pause != nullptr ? pause->time : *step.after);
      if (!time) return tl::unexpected(time.error());
      pause_ += *time;
    }
    if (const auto* const said = std::get_if<Said>(&step.what)) {
      if (said->within)
        if (const auto time = speaker_.time(*said->within); !time) return tl::unexpected(time.error());
      for (const What& what : said->alternatives.front().all)
        if (const auto done = say(*said, what); !done) return tl::unexpected(done.error());
    }
    // Held octets are sent with the next piece.
    const bool is_held = found_with == out_.spoken.size() && is_holding(step);
    if (!is_held) found_with = out_.spoken.empty() ? 0 : out_.spoken.size() - 1;
    for (const Mark& mark : step.marks) out_.marks.push_back({found_with, mark});
    return true;
  }

  bool is_holding(const Step& step) {
    const auto* const said = std::get_if<Said>(&step.what);
    return said != nullptr &&
           !streams_[said->alternatives.front().connection].held[said->sender == 'a' ? 0 : 1].empty();
  }

  Result<void> say(const Said& said, const What& what) {
    const Side sender = said.sender == 'a' ? Side::a : Side::b;
    const std::uint32_t connection = said.alternatives.front().connection;
    if (!out_.is_stream && is_of_streams(what.kind))
      return problem(what.at, "a conversation of datagrams is neither opened nor closed");
    switch (what.kind) {
      case What::Kind::silence:
      case What::Kind::any:
        return {};
      case What::Kind::open:
        return open(sender, connection, what);
      case What::Kind::close:
        return end(Spoken::Kind::close, sender, connection, what.at);
      case What::Kind::reset:
        return end(Spoken::Kind::reset, sender, connection, what.at);
      case What::Kind::push:
        return push(sender, connection, what);
      default:
        return what.is_denied ? Result<void>() : say_message(what, sender, connection);
    }
  }

  // --- connections

  Result<void> open(Side sender, std::uint32_t connection, const What& what) {
    std::uint64_t mss = kUsualMss;
    for (const Item& item : what.items) {
      if (item.op != Item::Op::set || item.field != "mss")
        return problem(item.at, "open takes nothing but mss", "write mss=1460");
      const auto named = speaker_.number(item.values.front());
      if (!named) return tl::unexpected(named.error());
      if (*named > UINT16_MAX) return problem(item.at, "mss has 16 bits");
      mss = *named;
    }
    return open(sender, connection, static_cast<std::uint16_t>(mss), what.at);
  }
  Result<void> open(Side sender, std::uint32_t connection, std::uint16_t mss, Position at) {
    streams_[connection].is_open = true;
    if (out_.is_stream) speaker_.framing(connection).opened(sender, mss);
    return put({.kind = Spoken::Kind::open, .sender = sender, .connection = connection, .mss = mss, .at = at});
  }
  // If a script does not open the connection, it is opened before its first octets.
  Result<void> ensure_open(std::uint32_t connection, Position at) {
    if (!out_.is_stream || std::exchange(streams_[connection].is_open, true)) return {};
    if (find_setting(part_, "midstream") != nullptr) return {};
    const std::int64_t pause = std::exchange(pause_, 0);
    for (const Side side : {Side::a, Side::b})
      if (const auto done = open(side, connection, kUsualMss, at); !done) return done;
    pause_ = pause;
    return {};
  }
  Result<void> end(Spoken::Kind kind, Side sender, std::uint32_t connection, Position at) {
    const auto done = push(sender, connection, streams_[connection].held[index(sender)].size(), at);
    if (!done) return done;
    return put({.kind = kind, .sender = sender, .connection = connection, .at = at});
  }

  // --- messages

  Result<void> say_message(const What& what, Side sender, std::uint32_t connection) {
    if (const auto opened = ensure_open(connection, what.at); !opened) return opened;
    auto draft = speaker_.write(what, sender, connection);
    if (!draft) return tl::unexpected(draft.error());
    // Octets that a line cuts off or holds back count too, because they took time.
    spoken_octets_ += draft->honest.size();
    frames_ += draft->frames.size();
    if (frames_ > most_messages_) return problem(what.at, "this conversation is too long");
    Spoken one{.sender = sender, .connection = connection, .at = what.at};
    one.is_received = find_item(what, Item::Op::lose) == nullptr;
    one.is_captured = one.is_received && find_item(what, Item::Op::unseen) == nullptr;
    if (out_.is_stream) return send(what, std::move(one), draft->frames);
    for (OctetBuffer& datagram : draft->frames) {
      one.octets = std::move(datagram);
      if (const auto done = put(one); !done) return done;
    }
    return {};
  }

  // Sends the frames of a line in pieces: one for each frame, or as the line cuts them; held octets are sent later.
  Result<void> send(const What& what, Spoken one, const std::vector<OctetBuffer>& frames) {
    Held& held = streams_[one.connection].held[index(one.sender)];
    const bool has_more = find_item(what, Item::Op::more) != nullptr;
    const Item* const split = find_item(what, Item::Op::split);
    for (const OctetBuffer& frame : frames) {
      held.add(frame);
      if (held.size() > kMostMessageOctets + kUsualMss) return problem(what.at, "too many octets are held back");
      if (has_more || split != nullptr) continue;
      one.octets = held.take();
      if (const auto done = put(one); !done) return done;
    }
    if (split != nullptr)
      for (const Value& value : split->values)
        if (const auto done = push(one, value); !done) return done;
    if (has_more || held.empty()) return {};
    one.octets = held.take();
    return put(std::move(one));
  }

  Result<void> push(Side sender, std::uint32_t connection, const What& what) {
    const Spoken one{.sender = sender, .connection = connection, .at = what.at};
    if (!what.octets.empty()) return push(one, what.octets.front());
    return push(sender, connection, streams_[connection].held[index(sender)].size(), what.at);
  }
  Result<void> push(const Spoken& one, const Value& value) {
    const auto size = speaker_.number(value);
    if (!size) return tl::unexpected(size.error());
    const std::size_t there = streams_[one.connection].held[index(one.sender)].size();
    if (*size > there) return problem(value.at, fmt::format("{} octets are there, fewer than {}", there, *size));
    return push(one.sender, one.connection, static_cast<std::size_t>(*size), one.at);
  }
  // Sends the first octets that a side holds back, as one piece.
  Result<void> push(Side sender, std::uint32_t connection, std::size_t octets, Position at) {
    if (octets == 0) return {};
    Held& held = streams_[connection].held[index(sender)];
    return put({.sender = sender, .connection = connection, .octets = held.take(octets), .at = at});
  }

  Result<void> put(Spoken one) {
    spoken_octets_ += one.octets.size();
    if (out_.spoken.size() >= most_messages_ || spoken_octets_ > kMostSpokenOctets)
      return problem(one.at, "this conversation is too long");
    one.pause_ns = std::exchange(pause_, 0);
    out_.spoken.push_back(std::move(one));
    return {};
  }

  const Part& part_;
  Speaker speaker_;
  const std::size_t most_messages_;
  Conversation out_;
  std::map<std::uint32_t, Stream> streams_;
  bool is_reopened_ = false;  // by a control
  std::int64_t pause_ = 0;
  std::size_t spoken_octets_ = 0;
  std::size_t frames_ = 0;
};

// The first message of a part; nullptr if it begins with something else.
const What* first_message(const Part& part) {
  for (const Step& step : part.steps) {
    const auto* const said = std::get_if<Said>(&step.what);
    if (said == nullptr) continue;
    const What& first = said->alternatives.front().all.front();
    return first.kind == What::Kind::message ? &first : nullptr;
  }
  return nullptr;
}

}  // namespace

std::span<const Greeting> greetings_of(const Part& part, const Language& language) {
  if (find_setting(part, "bare") == nullptr && find_setting(part, "midstream") == nullptr) return language.greetings;
  const auto end = std::ranges::find(language.greetings, false, &Greeting::is_below);
  const std::span<const Greeting> below(language.greetings.begin(), end);
  const What* const first = first_message(part);
  const MessageRow* const row = first == nullptr ? nullptr : find_message(language, first->name);
  if (row == nullptr || row->is_below || find_setting(part, "midstream") != nullptr) return {};
  return below;
}

Result<Conversation> speak(const Part& part, const Language& language, std::size_t most_messages) {
  auto ends = ends_of(part);
  if (!ends) return tl::unexpected(ends.error());
  Addresses addresses = sample_addresses();
  if (const auto first = ends->extract(1))
    for (std::size_t i = 0; i < addresses.size(); ++i) addresses[i].endpoint = first.mapped()[i];
  return Offline(part, language, addresses, *ends, most_messages).run();
}

}  // namespace wirelaw::script
