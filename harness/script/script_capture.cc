// SPDX-License-Identifier: Apache-2.0
#include "harness/script/script_capture.h"

#include <fmt/format.h>

#include <map>

#include "harness/pcapng_recording.h"
#include "pcap/tcp_synthesis.h"
#include "pcap/writer.h"

namespace wirelaw {
namespace {

constexpr std::int64_t kBegin = 1'700'000'000'000'000'000;  // start time of a script, since the epoch

// Returns the note of the capture. A case names its IUT. Both sides of a trace are judged, unless it names one.
std::string note_of(const script::Conversation& conversation, const ScriptPart& part) {
  const bool has_iut = part.names_iut || part.part.kind == script::Part::Kind::test;
  const std::string iut = has_iut ? fmt::format("iut={}", to_string(conversation.end(part.iut, 1))) : "script";
  return section_comment({.iut = iut,
                          .protocol = part.protocol->name,
                          .headers = Headers::script,
                          .features = part.features,
                          .revision = part.revision});
}

// Writes what is spoken, each connection with its own sequence numbers.
class Speaking {
 public:
  explicit Speaking(pcap::Writer& writer) : writer_(writer) {}

  tl::expected<void, pcap::Problem> write(const script::Conversation& conversation, const script::Spoken& one,
                                          std::int64_t time) {
    const pcap::Endpoint from = conversation.end(one.sender, one.connection),
                         to = conversation.end(other(one.sender), one.connection);
    if (!conversation.is_stream) return writer_.write_datagram(from, to, time, one.octets);
    const bool from_a = one.sender == Side::a;
    pcap::TcpSynthesis& tcp = connections_.try_emplace(one.connection, one.connection).first->second;
    switch (one.kind) {
      case script::Spoken::Kind::open:
        return writer_.write_segment(from, to, time, tcp.syn(from_a, one.mss), {});
      case script::Spoken::Kind::close:
        return writer_.write_segment(from, to, time, tcp.fin(from_a), {});
      case script::Spoken::Kind::reset:
        return writer_.write_segment(from, to, time, tcp.rst(from_a), {});
      case script::Spoken::Kind::message:
        break;
    }
    tl::expected<void, pcap::Problem> written;
    for (Octets left = one.octets; written && !left.empty();) {
      const Octets part =
          left.first(left.size() <= pcap::TcpSynthesis::kMss ? left.size() : pcap::TcpSynthesis::kMaxPayload);
      left = left.subspan(part.size());
      written = writer_.write_segment(from, to, time, tcp.data(from_a, part.size()), part);
    }
    return written;
  }
  // Advances past octets of a stream that were sent but not captured.
  void pass_over(const script::Spoken& one) {
    connections_.try_emplace(one.connection, one.connection)
        .first->second.data(one.sender == Side::a, one.octets.size());
  }

 private:
  pcap::Writer& writer_;
  std::map<std::uint32_t, pcap::TcpSynthesis> connections_;
};

// Shows that time passed: a packet between two others, of a transport that the script does not use. All flows of the
// script's own transport are judged as its protocol.
tl::expected<void, pcap::Problem> write_silence(pcap::Writer& writer, bool is_stream, std::int64_t until) {
  constexpr Octet kAnything[] = {0};
  const pcap::Endpoint from = *parse_endpoint(kClockNodes[0]), to = *parse_endpoint(kClockNodes[1]);
  if (is_stream) return writer.write_datagram(from, to, until, kAnything);
  return writer.write_segment(from, to, until, pcap::TcpSynthesis(1).rst(true), {});
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
  Speaking speaking(*writer);
  tl::expected<void, pcap::Problem> written;
  for (const script::Spoken& one : conversation.spoken) {
    time += one.pause_ns;
    frames.push_back(0);
    if (!one.is_captured) {
      if (one.is_received) writer->say_dropped(1);
      if (conversation.is_stream) {
        speaking.pass_over(one);
        last = time;
        time += conversation.step_ns;
      }
      continue;
    }
    written = speaking.write(conversation, one, time);
    if (!written) return tl::unexpected(pcap::to_string(written.error()));
    frames.back() = writer->frames();
    last = time;
    time += conversation.step_ns;
  }
  if (conversation.silence_ns > 0)
    written = write_silence(*writer, conversation.is_stream, last + conversation.silence_ns);
  if (written) written = writer->commit();
  if (!written) return tl::unexpected(pcap::to_string(written.error()));
  return frames;
}

}  // namespace wirelaw
