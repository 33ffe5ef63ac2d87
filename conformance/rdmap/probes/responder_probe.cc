// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/probes/responder_probe.h"

#include <fmt/format.h>

#include <algorithm>

namespace wirelaw::rdmap {
namespace {

std::string difference(Octets wanted, const std::optional<OctetBuffer>& got, const Response& last) {
  if (!got) return to_text(last);
  if (got->size() != wanted.size()) return fmt::format("a Send of {} octets", got->size());
  const auto [at, other] = std::mismatch(got->begin(), got->end(), wanted.begin());
  if (at == got->end()) return "the same octets";
  return fmt::format("{} octets, octet {} is 0x{:02x} instead of 0x{:02x}", got->size(), at - got->begin(), *at,
                     *other);
}

}  // namespace

mpa::StartFrame frame_of(mpa::FrameKind kind, const StartOptions& options) {
  return {.key = mpa::key_of(kind),
          .markers = options.markers,
          .crc = options.crc,
          .enhanced = options.enhanced.has_value(),
          .revision = options.enhanced ? std::max(options.revision, mpa::kRevision2) : options.revision};
}

OctetBuffer private_data_of(const StartOptions& options) {
  OctetBuffer data;
  if (options.enhanced) Writer(data).big_endian(mpa::encode_enhanced(*options.enhanced));
  data.insert(data.end(), options.private_data.begin(), options.private_data.end());
  return data;
}

void ResponderProbe::request(const StartOptions& options) {
  request_ = frame_of(mpa::FrameKind::request, options);
  if (options != StartOptions{}) stimulates_own_rule();
  send_good_start(request_, private_data_of(options));
}

Response ResponderProbe::try_start(const StartOptions& options) {
  request(options);
  Response answer = next();
  take_reply(answer);
  return answer;
}

void ResponderProbe::take_reply(const Response& answer) {
  if (!answer.frame()) return;
  reply_octets_ = answer.octets;
  reply_ = *mpa::decode_start_frame(reply_octets_);
  if (accepts().fits(answer)) operate(request_, reply_);
}

mpa::StartFrame ResponderProbe::start(const StartOptions& options) {
  const Response answer = try_start(options);
  if (!operating()) inconclusive("the responder did not accept the connection, so the case could not begin");
  return reply_;
}

OctetBuffer ResponderProbe::reply_data() const {
  const Octets data = reply_.ulp_data();
  return {data.begin(), data.end()};
}

bool ResponderProbe::expect_echo(const Rule& rule, Octets data, std::string_view explanation) {
  stimulates_own_rule();
  send(data);
  return await_echo(rule, data, explanation);
}

bool ResponderProbe::await_echo(const Rule& rule, Octets data, std::string_view explanation) {
  if (!ok()) return false;
  return require_echo(rule, next_send(), data, explanation);
}

bool ResponderProbe::require_echo(const Rule& rule, const std::optional<OctetBuffer>& echo, Octets data,
                                  std::string_view explanation) {
  return require(rule, echo && std::ranges::equal(*echo, data), fmt::format("the echo of {} octets", data.size()),
                 difference(data, echo, last()), explanation);
}

bool ResponderProbe::expect_alive(const Rule& rule, std::string_view explanation) {
  if (!ok()) return false;
  reconnect();
  const Response answer = try_start();
  return judge(rule, answer, {accepts()}, explanation);
}

}  // namespace wirelaw::rdmap
