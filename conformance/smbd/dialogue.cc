// SPDX-License-Identifier: Apache-2.0
#include "conformance/smbd/dialogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace wirelaw::smbd {
namespace {

// The longest message that Linux accepts from a client without a session (ksmbd's SMB3_MAX_MSGSIZE).
constexpr std::size_t kMostOfSmb2 = 16'384;

std::size_t most_of(Service application, std::string_view said) {
  std::size_t most = 0;
  const auto [end, error] = std::from_chars(said.data(), said.data() + said.size(), most);
  const bool is_said = error == std::errc{} && end == said.data() + said.size() && most > 0;
  if (application != Service::smb2) return is_said ? most : std::numeric_limits<std::size_t>::max();
  return std::min<std::size_t>(is_said ? most : kMostOfSmb2, smb2::Client::kCreditsWanted * smb2::kEchoOctets);
}

// The number of requests that amount to about this many octets.
std::size_t echoes_of(std::size_t octets) {
  return std::max<std::size_t>(octets / smb2::kEchoOctets, 1);
}

// ksmbd cannot send more responses of a compound than this in one segment: each occupies its own piece of memory, and
// its Sends have five.
constexpr std::size_t kMostEchoes = 4;

OctetBuffer pattern(std::uint64_t number, std::size_t count) {
  OctetBuffer octets(count);
  for (std::size_t i = 0; i < count; ++i) octets[i] = static_cast<Octet>(number * 37 + i + i / 256 * 5);
  return octets;
}

}  // namespace

Dialogue::Dialogue(Service application, std::string_view most)
    : application_(application), most_(most_of(application, most)) {}

// Returns true if the request is a WRITE. ksmbd grants no SMB2 credit for it, so another one must be left.
bool Dialogue::writes(std::size_t octets, AnswerLength length) const {
  return length == AnswerLength::any && echoes_of(octets) > kMostEchoes &&
         client_.credits() > client_.charge_of_write(octets);
}

std::optional<OctetBuffer> Dialogue::preliminary(std::size_t octets, AnswerLength length) {
  if (!speaks_smb2()) return std::nullopt;
  if (!negotiates_) {
    negotiates_ = true;
    return client_.negotiate();
  }
  // A server may give one credit with its NEGOTIATE response, and more with the next; a server that grants none is not
  // asked again.
  const std::uint32_t credits = client_.credits();
  if (writes(octets, length) || credits >= echoes_of(octets) || credits <= credits_before_) return std::nullopt;
  credits_before_ = credits;
  return client_.echo(1);
}

OctetBuffer Dialogue::request(std::size_t octets, AnswerLength length) {
  if (!speaks_smb2()) return pattern(++requests_, octets);
  return writes(octets, length) ? client_.write(octets) : client_.echo(echoes_of(octets));
}

bool Dialogue::answers(Octets request, Octets answer) {
  if (!speaks_smb2()) {
    mismatch_ = fmt::format("{} octets, which are different", answer.size());
    return is_answer(request, answer);
  }
  const auto taken = client_.take(answer);
  mismatch_ = fmt::format("{} octets, which {}", answer.size(),
                          taken ? "answer other requests" : std::string(smb2::text_of(taken.error())));
  return taken && is_answer(request, answer);
}

bool Dialogue::is_answer(Octets request, Octets answer) const {
  return speaks_smb2() ? smb2::answers(request, answer) : std::ranges::equal(request, answer);
}

// The last response of a compound may be padded, or not ([MS-SMB2] 3.3.4.1.3).
bool Dialogue::may_have(Octets request, std::size_t octets) const {
  if (!speaks_smb2()) return octets == request.size();
  return octets <= request.size() && octets + smb2::kAlignment > request.size();
}

}  // namespace wirelaw::smbd
