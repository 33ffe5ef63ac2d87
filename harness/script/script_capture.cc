// SPDX-License-Identifier: Apache-2.0
#include "harness/script/script_capture.h"

#include <fmt/format.h>

#include "harness/pcapng_recording.h"
#include "pcap/writer.h"

namespace wirelaw {
namespace {

constexpr std::int64_t kBegin = 1'700'000'000'000'000'000;  // of a script, since the epoch

// The sides of a connection. Each further connection comes from the next port.
pcap::Endpoint endpoint_of(const script::Conversation& conversation, Side side, std::uint32_t connection) {
  Endpoint endpoint = conversation.addresses[side == Side::a ? 0 : 1].endpoint;
  if (side == Side::a) endpoint.port += connection - 1;
  return endpoint;
}

// A case is about its IUT. Both sides of a trace are judged, unless it names one.
std::string note_of(const script::Conversation& conversation, const ScriptPart& part) {
  const bool has_iut = part.names_iut || part.part.kind == script::Part::Kind::test;
  const std::string iut = has_iut ? fmt::format("iut={}", to_string(endpoint_of(conversation, part.iut, 1))) : "script";
  return section_comment(
      {.iut = iut, .protocol = part.protocol->name, .features = part.features, .revision = part.revision});
}

// What shows that time went on: a datagram between two others.
tl::expected<void, pcap::Problem> write_silence(pcap::Writer& writer, std::int64_t until) {
  constexpr Octet kAnything[] = {0};
  return writer.write_datagram(*parse_endpoint("198.51.100.1:9"), *parse_endpoint("198.51.100.2:9"), until, kAnything);
}

}  // namespace

tl::expected<std::vector<std::uint64_t>, std::string> write_capture(const script::Conversation& conversation,
                                                                    const ScriptPart& part, const std::string& path) {
  std::vector<std::string> comments{note_of(conversation, part)};
  if (!part.part.purpose.empty()) comments.push_back(part.part.purpose);
  auto writer = pcap::Writer::create(path, comments);
  if (!writer) return tl::unexpected(pcap::to_string(writer.error()));
  writer->say_complete();
  std::vector<std::uint64_t> frames;
  std::int64_t time = kBegin, last = kBegin;
  tl::expected<void, pcap::Problem> written;
  for (const script::Spoken& one : conversation.spoken) {
    time += one.pause_ns;
    frames.push_back(0);
    if (!one.is_captured) {
      if (one.is_received) writer->say_dropped(1);
      continue;
    }
    const pcap::Endpoint from = endpoint_of(conversation, one.sender, one.connection),
                         to = endpoint_of(conversation, other(one.sender), one.connection);
    written = writer->write_datagram(from, to, time, one.octets);
    if (!written) return tl::unexpected(pcap::to_string(written.error()));
    frames.back() = writer->frames();
    last = time;
    time += conversation.step_ns;
  }
  if (conversation.silence_ns > 0) written = write_silence(*writer, last + conversation.silence_ns);
  if (written) written = writer->commit();
  if (!written) return tl::unexpected(pcap::to_string(written.error()));
  return frames;
}

}  // namespace wirelaw
