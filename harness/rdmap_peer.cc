// SPDX-License-Identifier: Apache-2.0
#include "harness/rdmap_peer.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>

#include "conformance/rdmap/observer.h"
#include "reference/rdmap/advertisement.h"
#include "reference/rdmap/endpoint.h"

namespace wirelaw::rdmap {
namespace {

// Octets of a round, which differ from round to round and from segment to segment.
OctetBuffer octets_of(std::uint64_t round, std::size_t count) {
  OctetBuffer octets(count);
  for (std::size_t i = 0; i < count; ++i) octets[i] = static_cast<Octet>(round * 31 + i + (i >> 8) * 7);
  return octets;
}

// -------------------------------------------------------------------------------------------------------- connections

// The connections of a peer, each a line with an endpoint. Only those that something has happened to are asked for what
// they have to send.
template <class Line>
class Lines {
 public:
  template <class... Arguments>
  Line& add(PeerId id, Arguments&&... arguments) {
    touched_.push_back(id);
    lines_.erase(id);
    return *lines_.emplace(id, std::make_unique<Line>(std::forward<Arguments>(arguments)...)).first->second;
  }
  Line* touch(PeerId id) {
    const auto found = lines_.find(id);
    if (found == lines_.end()) return nullptr;
    touched_.push_back(id);
    return found->second.get();
  }
  bool next_datagram(Outgoing& out) {
    while (!touched_.empty()) {
      const auto found = lines_.find(touched_.front());
      if (found != lines_.end() && next_of(found->first, *found->second, out)) return true;
      if (found != lines_.end() && found->second->endpoint.phase() == Phase::closed) lines_.erase(found);
      touched_.pop_front();
    }
    return false;
  }
  std::optional<Instant> deadline() const {
    std::optional<Instant> next;
    for (const auto& [id, line] : lines_) {
      const auto due = line->deadline();
      if (due && (!next || *due < *next)) next = due;
    }
    return next;
  }
  template <class Act>
  void for_each_due(Instant now, Act act) {
    for (auto& [id, line] : lines_) {
      const auto due = line->deadline();
      if (!due || *due > now) continue;
      touched_.push_back(id);
      act(*line);
    }
  }
  std::size_t size() const { return lines_.size(); }
  bool empty() const { return lines_.empty(); }

 private:
  static bool next_of(PeerId id, Line& line, Outgoing& out) {
    out = {.to = id, .octets = std::move(out.octets)};
    const bool octets = line.endpoint.next_octets(out.octets);
    line.proceed();
    if (octets) return true;
    if (line.endpoint.ending() == line.told) return false;
    out.ending = line.told = line.endpoint.ending();
    return true;
  }

  std::map<PeerId, std::unique_ptr<Line>> lines_;
  std::deque<PeerId> touched_;
};

// A buffer of ours that the other side may use.
AdvertisedBuffer advertise(Endpoint& endpoint, OctetBuffer& memory, std::uint64_t base, Access access) {
  const auto stag = endpoint.register_buffer(memory, base, access);
  return {{stag.value_or(0), base}, stag ? static_cast<std::uint32_t>(memory.size()) : 0};
}

void post_receives(Endpoint& endpoint) {
  for (std::size_t i = 0; i < kReceives; ++i) static_cast<void>(endpoint.post_receive(kReceiveOctets));
}

// ---------------------------------------------------------------------------------------------------------- responder

struct ResponderCounts {
  std::uint64_t connections = 0;
  std::uint64_t sends = 0;
  std::uint64_t errors = 0;
  std::string last_error;
};

class ResponderLine {
 public:
  ResponderLine(const Options& options, Buffers& buffers, const Deviations& deviations, Application application,
                std::uint32_t& count, ResponderCounts& counts, Instant now)
      : endpoint(Role::responder, options, buffers, deviations),
        application_(application),
        count_(count),
        counts_(counts) {
    endpoint.connected(now);
    post_receives(endpoint);
    ++counts_.connections;
  }

  std::optional<Instant> deadline() const { return endpoint.deadline(); }
  void advance(Instant now) {
    endpoint.advance(now);
    proceed();
  }
  void receive(Octets octets, Instant now) {
    endpoint.receive(octets, now);
    proceed();
  }
  void ended(Ending ending, Instant now) {
    if (ending == Ending::reset) told = ending;  // there is nobody to tell
    endpoint.peer_ended(ending, now);
    proceed();
  }
  void proceed() {
    for (Event event; endpoint.next_event(event);) std::visit([&](auto& one) { on(one); }, event);
  }

  Endpoint endpoint;
  Ending told = Ending::none;

 private:
  template <class Other>
  void on(const Other&) {}
  void on(const ConnectionRequest&) {
    for (std::size_t i = 0; i < kBufferOctets; ++i) memory_[1][i] = static_cast<Octet>(i + (i >> 8));
    std::vector<AdvertisedBuffer> offered;
    for (std::size_t i = 0; i < memory_.size(); ++i)
      offered.push_back(advertise(endpoint, memory_[i], (i + 1) << 32, kRights[i]));
    if (endpoint.accept(encode_advertisement(offered))) return;
    static_cast<void>(endpoint.reject());
    endpoint.close();
  }
  void on(Received& received) {
    ++counts_.sends;
    if (application_ == Application::none) {
      static_cast<void>(endpoint.post_receive(kReceiveOctets));
      return;
    }
    const bool solicited = received.solicited();
    if (received.opcode == Opcode::immediate_data || received.opcode == Opcode::immediate_data_se) {
      static_cast<void>(endpoint.post_immediate(load_big_endian<std::uint64_t>(received.data.data()), solicited));
      return;
    }
    static_cast<void>(
        endpoint.post_send(answer_to(std::move(received.data)), solicited ? SendForm::solicited : SendForm::plain));
  }
  void on(const Completed&) { static_cast<void>(endpoint.post_receive(kReceiveOctets)); }  // of an echo
  void on(const PeerEnded&) { endpoint.close(); }
  void on(const LocalError& error) {
    ++counts_.errors;
    counts_.last_error = fmt::format("{}, {}", to_string(error.error), error.text);
  }
  void on(const RemoteTerminate& terminate) {
    ++counts_.errors;
    counts_.last_error = fmt::format("the peer has terminated: {}", to_string(terminate.error));
  }

  OctetBuffer answer_to(OctetBuffer&& request) {
    const bool counts = application_ == Application::count && request.size() >= kCountRequest.size() &&
                        std::ranges::equal(Octets(request).first(kCountRequest.size()), kCountRequest,
                                           [](Octet octet, char c) { return octet == static_cast<Octet>(c); });
    if (!counts) return std::move(request);
    OctetBuffer answer;
    Writer(answer).little_endian(++count_);
    return answer;
  }

  static constexpr std::array<Access, 3> kRights{
      {{.read = true, .write = true, .atomic = true}, {.read = true}, {.write = true}}};

  Application application_;
  std::uint32_t& count_;
  ResponderCounts& counts_;
  std::array<OctetBuffer, 3> memory_{OctetBuffer(kBufferOctets), OctetBuffer(kBufferOctets),
                                     OctetBuffer(kBufferOctets)};
};

class ResponderPeer final : public Peer {
 public:
  ResponderPeer(std::uint64_t seed, const Options& options, const Deviations& deviations, Application application)
      : options_(options), buffers_(seed), deviations_(deviations), application_(application) {}

  void opened(PeerId from, Instant now) override {
    lines_.add(from, options_, buffers_, deviations_, application_, count_, counts_, now);
  }
  void receive(PeerId from, Octets octets, Instant now) override {
    if (ResponderLine* const line = lines_.touch(from)) {
      line->receive(octets, now);
    }
  }
  void ended(PeerId from, Ending ending, Instant now) override {
    if (ResponderLine* const line = lines_.touch(from)) {
      line->ended(ending, now);
    }
  }
  void advance(Instant now) override {
    lines_.for_each_due(now, [&](ResponderLine& line) { line.advance(now); });
  }
  std::optional<Instant> deadline() const override { return lines_.deadline(); }
  bool next_datagram(Outgoing& out) override { return lines_.next_datagram(out); }
  bool trigger(PeerId, const TriggerRequest&, Instant) override { return false; }
  bool idle() const override { return true; }
  std::uint64_t failed() const override { return 0; }
  std::string state() const override {
    return fmt::format("RDMAP responder: {} connections, {} of them open, {} Sends received, {} errors{}{}\n",
                       counts_.connections, lines_.size(), counts_.sends, counts_.errors,
                       counts_.errors == 0 ? "" : "; the last: ", counts_.last_error);
  }

 private:
  Options options_;
  Buffers buffers_;
  Deviations deviations_;
  Application application_;
  std::uint32_t count_ = 0;  // of the application `count`: its calls on all connections
  ResponderCounts counts_;
  Lines<ResponderLine> lines_;
};

// ---------------------------------------------------------------------------------------------------------- initiator

struct InitiatorCounts {
  std::uint64_t connections = 0;
  std::uint64_t done = 0;  // rounds
  std::uint64_t failed = 0;
  std::string error;  // of the last that failed
};

class InitiatorLine {
 public:
  InitiatorLine(const Options& options, Buffers& buffers, const Deviations& deviations, const TriggerRequest& request,
                InitiatorCounts& counts, Instant now)
      : endpoint(Role::initiator, options, buffers, deviations),
        request_(request),
        counts_(counts),
        now_(now),
        left_(request.count) {
    ++counts_.connections;
    const AdvertisedBuffer offered =
        advertise(endpoint, offered_memory_, std::uint64_t{1} << 32, {.read = true, .write = true, .atomic = true});
    sink_ = endpoint.register_buffer(sink_memory_, 0, {}).value_or(0);
    endpoint.connected(now, encode_advertisement({&offered, 1}));
    post_receives(endpoint);
  }

  std::optional<Instant> deadline() const {
    const auto due = endpoint.deadline();
    if (rounds_.empty()) return due;
    return due ? std::min(*due, round_due_) : round_due_;
  }
  void advance(Instant now) {
    now_ = now;
    endpoint.advance(now);
    proceed();
    if (!rounds_.empty() && now >= round_due_) give_up("nothing has come back");
  }
  void receive(Octets octets, Instant now) {
    now_ = now;
    endpoint.receive(octets, now);
    proceed();
  }
  void ended(Ending ending, Instant now) {
    now_ = now;
    if (ending == Ending::reset) told = ending;  // there is nobody to tell
    endpoint.peer_ended(ending, now);
    proceed();
  }
  void proceed() {
    for (Event event; endpoint.next_event(event);) std::visit([&](auto& one) { on(one); }, event);
  }

  const TriggerRequest& request() const { return request_; }
  // The peer may understand revision 1 on another connection.
  bool fall_back() const { return fall_back_; }

  Endpoint endpoint;
  Ending told = Ending::none;

 private:
  struct Round {
    OctetBuffer data;
    std::size_t stored = 0;  // of it, in the peer's buffer and back
    std::size_t at = 0;      // there, and in ours
    WorkId read = 0;         // 0: it is done, or there is none
    bool echoed = false;
  };

  template <class Other>
  void on(const Other&) {}
  void on(const Established& established) {
    if (const auto offered = decode_advertisement(established.private_data); offered && !offered->empty())
      target_ = offered->front();
    for (std::size_t i = 0; i < (request_.parallel ? kReceives : 1); ++i) begin_round();
    close_when_over();
  }
  void on(const Rejected&) {
    give_up("the responder rejects");
    endpoint.close();
  }
  void on(const LocalError& error) {
    fall_back_ = error.fall_back;
    if (!fall_back_) give_up(fmt::format("{}, {}", to_string(error.error), error.text));
    left_ = 0;
  }
  void on(const RemoteTerminate& terminate) {
    give_up(fmt::format("the responder has terminated: {}", to_string(terminate.error)));
  }
  void on(const PeerEnded&) { give_up("the responder has closed"); }
  void on(const Received& received) {
    static_cast<void>(endpoint.post_receive(kReceiveOctets));
    const auto round = std::ranges::find_if(rounds_, [](const Round& one) { return !one.echoed; });
    if (round == rounds_.end()) return;
    round->echoed = true;
    if (received.data != sent_of(*round)) return give_up("an echo has other octets than the Send");
    end_rounds();
  }
  void on(const Completed& completed) {
    const auto round = std::ranges::find(rounds_, completed.id, &Round::read);
    if (!completed.ok || round == rounds_.end() || completed.id == 0) return;
    round->read = 0;
    if (!std::equal(round->data.begin(), round->data.begin() + static_cast<std::ptrdiff_t>(round->stored),
                    sink_memory_.begin() + static_cast<std::ptrdiff_t>(round->at)))
      return give_up("a read has given other octets than were written");
    end_rounds();
  }

  OctetBuffer sent_of(const Round& round) const {
    return {round.data.begin(),
            round.data.begin() + static_cast<std::ptrdiff_t>(std::min(round.data.size(), kReceiveOctets))};
  }
  void begin_round() {
    if (left_ == 0) return;
    --left_;
    Round& round = rounds_.emplace_back();
    round.data = octets_of(number_, request_.octets);
    // Rounds that are under way together have each a part of the buffers: a read may be answered after what follows it.
    const std::size_t parts = request_.parallel ? kReceives : 1;
    const std::size_t part = std::min<std::size_t>(target_.length, kBufferOctets) / parts;
    round.stored = std::min(round.data.size(), part);
    round.at = number_++ % parts * part;
    const BufferAt remote{target_.at.stag, target_.at.to + round.at};
    if (target_.length > 0)
      static_cast<void>(endpoint.post_write(
          OctetBuffer(round.data.begin(), round.data.begin() + static_cast<std::ptrdiff_t>(round.stored)), remote));
    static_cast<void>(endpoint.post_send(sent_of(round)));
    if (target_.length > 0)
      round.read = endpoint.post_read({sink_, round.at}, remote, static_cast<std::uint32_t>(round.stored)).value_or(0);
    round_due_ = now_ + kRoundTime;
  }
  void end_rounds() {
    round_due_ = now_ + kRoundTime;
    while (!rounds_.empty() && rounds_.front().echoed && rounds_.front().read == 0) {
      rounds_.pop_front();
      ++counts_.done;
      begin_round();
    }
    close_when_over();
  }
  bool over() const { return left_ == 0 && rounds_.empty(); }
  void close_when_over() {
    if (over()) endpoint.close();
  }
  void give_up(std::string why) {
    if (over()) return;
    counts_.failed += left_ + rounds_.size();
    counts_.error = std::move(why);
    left_ = 0;
    rounds_.clear();
    endpoint.close();
  }

  TriggerRequest request_;
  InitiatorCounts& counts_;
  OctetBuffer offered_memory_ = OctetBuffer(kBufferOctets);
  OctetBuffer sink_memory_ = OctetBuffer(kBufferOctets);
  Stag sink_ = 0;
  AdvertisedBuffer target_;  // of the peer; no octets: none was advertised
  Instant now_{};
  Instant round_due_{};
  std::deque<Round> rounds_;
  std::uint64_t number_ = 0;
  unsigned left_;  // rounds that have not begun
  bool fall_back_ = false;
};

class InitiatorPeer final : public Peer {
 public:
  InitiatorPeer(std::uint64_t seed, const Options& options, const Deviations& deviations)
      : options_(options), buffers_(seed), deviations_(deviations) {}

  bool trigger(PeerId to, const TriggerRequest& request, Instant) override {
    triggered_.insert_or_assign(to, request);
    return true;
  }
  // With revision 1 where a connection before this has asked for it.
  bool next_connection() override { return std::exchange(wants_connection_, false); }
  void opened(PeerId to, Instant now) override {
    Options options = options_;
    options.enhanced = options.peer_to_peer = options.understands_enhanced;
    TriggerRequest request{};
    if (const auto found = triggered_.extract(to)) {
      request = found.mapped();
    } else if (!fall_backs_.empty()) {
      request = fall_backs_.front();
      fall_backs_.pop_front();
      options = options_;
    } else {
      return;
    }
    lines_.add(to, options, buffers_, deviations_, request, counts_, now);
  }
  void receive(PeerId from, Octets octets, Instant now) override {
    if (InitiatorLine* const line = lines_.touch(from)) line->receive(octets, now);
  }
  void ended(PeerId from, Ending ending, Instant now) override {
    InitiatorLine* const line = lines_.touch(from);
    if (line == nullptr) return;
    line->ended(ending, now);
    if (!line->fall_back()) return;
    fall_backs_.push_back(line->request());
    wants_connection_ = true;
  }
  void advance(Instant now) override {
    lines_.for_each_due(now, [&](InitiatorLine& line) { line.advance(now); });
  }
  std::optional<Instant> deadline() const override { return lines_.deadline(); }
  bool next_datagram(Outgoing& out) override { return lines_.next_datagram(out); }
  bool idle() const override { return triggered_.empty() && fall_backs_.empty() && lines_.empty(); }
  std::uint64_t failed() const override { return counts_.failed; }
  std::string state() const override {
    if (counts_.connections == 0) return "RDMAP initiator: not triggered\n";
    return fmt::format("RDMAP initiator: {} connections, {} of them open, {} rounds done, {} failed{}{}\n",
                       counts_.connections, lines_.size(), counts_.done, counts_.failed,
                       counts_.failed == 0 ? "" : ": ", counts_.error);
  }

 private:
  Options options_;
  Buffers buffers_;
  Deviations deviations_;
  std::map<PeerId, TriggerRequest> triggered_;  // whose connection is not there yet
  std::deque<TriggerRequest> fall_backs_;
  bool wants_connection_ = false;
  InitiatorCounts counts_;
  Lines<InitiatorLine> lines_;
};

// ---------------------------------------------------------------------------------------------------------- deviations

wirelaw::Role role_of(rdmap::Role role) {
  switch (role) {
    case rdmap::Role::responder:
      return wirelaw::Role::responder;
    case rdmap::Role::initiator:
      return wirelaw::Role::initiator;
    case rdmap::Role::both:
      break;
  }
  return wirelaw::Role::any;
}

tl::expected<Deviations, std::string> deviations_of(const PeerOptions& options) {
  Deviations deviations;
  for (const std::string& name : options.deviations) {
    const auto known = deviation_from_name(name);
    if (!known)
      return tl::unexpected(
          fmt::format("no deviation is called '{}': see wirelaw serve rdmap --list-deviations", name));
    const wirelaw::Role role = role_of(describe(*known).role);
    if (role != wirelaw::Role::any && role != options.role)
      return tl::unexpected(fmt::format("only {} can commit the deviation '{}'",
                                        role == wirelaw::Role::responder ? "a responder" : "an initiator", name));
    deviations.add(*known);
  }
  return deviations;
}

tl::expected<Options, std::string> options_of(const PeerOptions& options) {
  struct Setting {
    std::string_view name;
    void (*set)(Options& options);
  };
  static constexpr Setting kSettings[] = {
      {"no-crc", [](Options& one) { one.crc = false; }},
      {"markers", [](Options& one) { one.markers = true; }},
      {"unenhanced", [](Options& one) { one.understands_enhanced = false; }},
  };
  Options set{.extensions = std::ranges::find(options.features, kExtensions) != options.features.end()};
  for (const std::string& name : options.settings) {
    const auto known = std::ranges::find(kSettings, name, &Setting::name);
    if (known == std::end(kSettings)) return tl::unexpected(fmt::format("no setting is called '{}'", name));
    known->set(set);
  }
  return set;
}

}  // namespace

tl::expected<MakePeer, std::string> peer_maker(const PeerOptions& options) {
  const auto deviations = deviations_of(options);
  if (!deviations) return tl::unexpected(deviations.error());
  const auto endpoint = options_of(options);
  if (!endpoint) return tl::unexpected(endpoint.error());
  if (options.role == wirelaw::Role::initiator)
    return [endpoint = *endpoint, deviations = *deviations](std::uint64_t seed) {
      return std::make_unique<InitiatorPeer>(seed, endpoint, deviations);
    };
  return [endpoint = *endpoint, deviations = *deviations, application = options.application](std::uint64_t seed) {
    return std::make_unique<ResponderPeer>(seed, endpoint, deviations, application);
  };
}

std::vector<DeviationName> deviation_names() {
  std::vector<DeviationName> names;
  for (const DeviationInfo& info : all_deviations()) names.push_back({info.name, role_of(info.role), info.text});
  return names;
}

}  // namespace wirelaw::rdmap
