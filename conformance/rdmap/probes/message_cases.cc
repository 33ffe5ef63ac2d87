// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/probes/message_cases.h"

#include <fmt/format.h>

#include <charconv>

#include "reference/octets/hex.h"
#include "reference/rdmap/advertisement.h"

namespace wirelaw::rdmap {
namespace {

std::string expected_text(Outcomes outcomes) {
  std::string text;
  for (const Outcome& one : outcomes)
    if (!one.noted) text += (text.empty() ? "" : ", or ") + one.text;
  return text;
}

struct Refusal {
  Response answer;      // the next Terminate, the end, or octets that cannot be decoded
  std::string why;      // the explanation, with the answer that came instead
  std::string instead;  // the first that came before it
};

Refusal await_refusal(Probe& probe, std::string_view explanation) {
  Refusal refusal{.why = std::string(explanation)};
  std::string& instead = refusal.instead;
  refusal.answer = probe.await(probe.in(probe.run().answer_time()), [&](const Response& answer) {
    if (answer.is(Opcode::terminate) || answer.is(Response::Kind::unreadable)) return true;
    if (instead.empty()) instead = to_text(answer);
    return false;
  });
  if (refusal.answer.is(Response::Kind::nothing) && !instead.empty())
    refusal.why += fmt::format("{}no refusal: there was {}", explanation.empty() ? "" : "; ", instead);
  return refusal;
}

}  // namespace

std::optional<std::uint64_t> number_of(std::string_view text) {
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, hex ? 16 : 10);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

Targets targets_of(CaseRun& run, Octets advertisement) {
  Targets targets;
  const auto stag = number_of(run.parameter("stag")), to = number_of(run.parameter("to")),
             length = number_of(run.parameter("length"));
  if (stag && length) {
    targets.read_write = TargetBuffer{static_cast<std::uint32_t>(*stag), to.value_or(0), *length};
    return targets;
  }
  const auto advertised = decode_advertisement(advertisement);
  if (!advertised) return targets;
  const auto buffer = [&](std::size_t place) -> std::optional<TargetBuffer> {
    if (place >= advertised->size()) return std::nullopt;
    const AdvertisedBuffer& one = (*advertised)[place];
    return TargetBuffer{one.at.stag, one.at.to, one.length};
  };
  return {buffer(0), buffer(1), buffer(2), buffer(3), buffer(4)};
}

std::optional<TargetBuffer> need(Probe& probe, const std::optional<TargetBuffer>& buffer, std::string_view what) {
  if (!probe.ok()) return std::nullopt;
  constexpr std::uint64_t kEnough = 4096;
  if (buffer && buffer->length >= kEnough) return buffer;
  probe.skip(
      fmt::format("the peer has advertised no buffer of at least {} octets that {}; a URI may name the peer's own by "
                  "?stag=…&to=…&length=…",
                  kEnough, what));
  return std::nullopt;
}

std::optional<TargetBuffer> need_empty(Probe& probe, const std::optional<TargetBuffer>& buffer) {
  if (!probe.ok()) return std::nullopt;
  if (buffer && buffer->length == 0 && buffer->stag != 0) return buffer;
  probe.skip("the peer has advertised no buffer of no octets");
  return std::nullopt;
}

Response expect_refusal(Probe& probe, const Rule& rule, Outcomes outcomes, std::string_view explanation) {
  const auto [answer, why, instead] = await_refusal(probe, explanation);
  if (answer.ended())
    probe.advise(rule, false, expected_text(outcomes), to_text(answer),
                 instead.empty()
                     ? "refused, but without a Terminate"
                     : fmt::format("ended without a Terminate, after {}: a refusal, or an answer", instead));
  else
    probe.judge(rule, answer, outcomes, why);
  return answer;
}

Response expect_refusal_unless_shared(Probe& probe, const Rule& rule, Outcomes outcomes, std::string_view explanation) {
  const auto [answer, why, instead] = await_refusal(probe, explanation);
  if (answer.terminate())
    probe.judge(rule, answer, outcomes, why);
  else
    probe.advise(rule, false, expected_text(outcomes), to_text(answer), why);
  return answer;
}

Response expect_refusal_or_note(Probe& probe, const Rule& rule, Outcomes outcomes, std::string_view explanation) {
  const auto [answer, why, instead] = await_refusal(probe, explanation);
  if (answer.ended() || answer.is(Response::Kind::nothing))
    probe.advise(rule, false, expected_text(outcomes), to_text(answer), why);
  else
    probe.judge(rule, answer, outcomes, why);
  return answer;
}

std::optional<OctetBuffer> next_response(Probe& probe) {
  OctetBuffer octets;
  for (;;) {
    const Response answer = probe.await(probe.in(probe.run().answer_time()), [](const Response& one) {
      return one.is(Opcode::read_response) || one.is(Opcode::terminate);
    });
    const auto segment = answer.segment();
    if (!segment || !answer.is(Opcode::read_response)) return std::nullopt;
    octets.insert(octets.end(), segment->payload.begin(), segment->payload.end());
    if (segment->header.last) return octets;
  }
}

std::optional<OctetBuffer> read_back(Probe& probe, const ReadRequest& request) {
  probe.read_request(request);
  return next_response(probe);
}

std::string octets_text(Octets octets) {
  constexpr std::size_t kShown = 16;
  const Octets shown = octets.first(std::min(octets.size(), kShown));
  return fmt::format("{} octets{}{}{}", octets.size(), octets.empty() ? "" : ": ", to_hex(shown),
                     octets.size() > kShown ? "…" : "");
}

std::string octets_text(const std::optional<OctetBuffer>& octets, const Response& last) {
  return octets ? octets_text(*octets) : to_text(last);
}

}  // namespace wirelaw::rdmap
