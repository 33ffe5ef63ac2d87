// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/started_iut.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "harness/control/channel.h"
#include "harness/transports/first_line.h"
#include "harness/transports/scheme.h"
#include "harness/transports/trigger_process.h"

namespace wirelaw {
namespace {

bool is_understood(const Uri& uri) {
  const Scheme* const scheme = find_scheme(uri.scheme);
  return scheme == nullptr || scheme->wrong(uri, UriUse::listen).empty();
}

// The parameters of the first URI in the line that has any.
IutParameters parameters_in(std::string_view line, std::string_view scheme) {
  const std::string beginning = fmt::format("{}://", scheme);
  for (std::size_t at = 0; (at = line.find(beginning, at)) != std::string_view::npos; ++at) {
    const std::string_view rest = line.substr(at);
    const auto uri = parse_uri(rest.substr(0, rest.find_first_of(" \t")));
    if (uri && !uri->query.empty() && is_understood(*uri)) return uri->query;
  }
  return {};
}

// A case with the process that was started for it, which is the next one's to end.
class StartedEnvironment final : public Environment {
 public:
  // `anew`: the process is started for this case and ends with it.
  StartedEnvironment(std::unique_ptr<Environment> listening, const TriggerProcess& process, bool anew,
                     const Framing& framing, IutParameters parameters, control::Channel* channel)
      : listening_(std::move(listening)),
        process_(process),
        anew_(anew),
        has_connections_(framing.is_stream),
        parameters_(std::move(parameters)),
        channel_(channel) {}

  tl::expected<Connected, TransportError> connect(const Route& route) override {
    auto connected = listening_->connect(route);
    if (connected && channel_ != nullptr) channel_->offer(*connected->wire, connected->offers);
    return connected;
  }
  tl::expected<Connected, TransportError> accept(const Route& route) override { return listening_->accept(route); }
  tl::expected<void, TransportError> trigger(const TriggerRequest& request) override {
    return listening_->trigger(request);
  }
  Instant now() const override { return listening_->now(); }
  std::int64_t epoch_ns() const override { return listening_->epoch_ns(); }
  std::string peer_state() const override { return listening_->peer_state(); }
  std::uint64_t nonce() const override { return listening_->nonce(); }
  IutParameters parameters() const override { return parameters_; }
  std::optional<Death> death(bool expected) override {
    constexpr int kSoon = 1000;  // milliseconds
    const auto end = process_.ended(expected ? kSoon : 0);
    if (!end) return std::nullopt;
    // A process that has lost its connection may end with any status.
    const bool gave_up = !end->by_signal && end->number != 0 && !has_connections_;
    return Death{.how = to_text(*end), .is_failure = is_crash(*end) || gave_up};
  }
  std::optional<Death> stop() override {
    constexpr int kMostMilliseconds = 6000;
    if (!anew_ || process_.ended(0)) return std::nullopt;
    process_.ask_to_end();
    const auto end = process_.ended(kMostMilliseconds);
    return end && is_crash(*end) ? std::optional(Death{.how = to_text(*end) + " as it was asked to end"})
                                 : std::nullopt;
  }

 private:
  std::unique_ptr<Environment> listening_;
  const TriggerProcess& process_;
  bool anew_;
  bool has_connections_;
  IutParameters parameters_;
  control::Channel* channel_;
};

class StartedIut final : public Iut {
 public:
  StartedIut(std::unique_ptr<Iut> listening, std::string command, std::chrono::nanoseconds start_time,
             control::MakeRemote remote, Starts* starts)
      : listening_(std::move(listening)),
        command_(std::move(command)),
        start_time_(start_time),
        remote_(remote),
        starts_(starts) {}

  std::string name() const override { return listening_->name(); }
  std::string capture_note() const override { return listening_->capture_note(); }
  Framing framing() const override { return listening_->framing(); }
  tl::expected<std::unique_ptr<Environment>, TransportError> begin(const Case& next) override {
    if (!serves_on()) {
      auto said = start(next);
      if (!said) return tl::unexpected(said.error());
      line_ = std::move(*said);
      if (starts_ != nullptr) starts_->said = line_;
    }
    if (starts_ != nullptr) ++starts_->served;
    if (!listening_->learn(line_))
      return tl::unexpected(TransportError{fmt::format("'{}' does not say where it listens", command_),
                                           "name the place in the URI, or let its first line have the URI"});
    auto environment = listening_->begin(next);
    if (!environment) return environment;
    const Framing framing = listening_->framing();
    const bool anew = starts_ == nullptr || starts_->every == 1;
    return std::make_unique<StartedEnvironment>(std::move(*environment), *process_, anew, framing,
                                                parameters_in(line_, framing.transport), channel_.get());
  }
  void pause(std::chrono::nanoseconds) override {
  }  // the process is not restarted here: the next begin() starts another

 private:
  bool serves_on() const {
    return starts_ != nullptr && !starts_->anew && starts_->served < starts_->every && process_ && !process_->ended(0);
  }

  // Returns the first line that it writes.
  tl::expected<std::string, TransportError> start(const Case& next) {
    process_.reset();
    if (starts_ != nullptr) starts_->served = 0;
    CommandOutput output;
    channel_ = control::Channel::open(ignored_, remote_);
    TriggerProcess::Environment said{{"WIRELAW_URI", listening_->name()}, {"WIRELAW_CASE", std::string(next.id)}};
    if (channel_) said.emplace_back(control::kVariable, channel_->path());
    auto process = TriggerProcess::start(command_, said, output.file());
    if (!process) return tl::unexpected(process.error());
    process_.emplace(std::move(*process));
    return await_first_line(*process_, output, command_, start_time_);
  }

  std::unique_ptr<Iut> listening_;
  std::string command_;
  std::chrono::nanoseconds start_time_;
  control::MakeRemote remote_;
  Starts* starts_;
  std::string line_;  // the first line from the present process
  std::optional<TriggerProcess> process_;
  std::unique_ptr<control::Channel> channel_;
  bool ignored_ = false;
};

}  // namespace

std::unique_ptr<Iut> make_started_iut(std::unique_ptr<Iut> listening, std::string command,
                                      std::chrono::nanoseconds start_time, control::MakeRemote remote, Starts* starts) {
  return std::make_unique<StartedIut>(std::move(listening), std::move(command), start_time, remote, starts);
}

}  // namespace wirelaw
