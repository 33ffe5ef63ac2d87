// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/decode_script.h"

#include <fmt/format.h>

#include <map>
#include <memory>

#include "conformance/script/conversation_writer.h"
#include "conformance/script/languages.h"
#include "harness/check/check_files.h"
#include "harness/commands/command.h"
#include "pcap/tcp_connection.h"
#include "reports/printable.h"
#include "reports/text.h"

namespace wirelaw {
namespace {

constexpr std::size_t kMostKept = 256u << 20;  // octets of all messages, until the protocols of all flows are known

// A datagram, or a segment of a stream: the lengths and times that a script needs.
struct Kept {
  Side sender;
  std::int64_t time_ns;
  OctetBuffer octets;
  std::size_t wire_length;
  pcap::Segment segment = {};  // for a stream: the segment, without its payload
};

struct Conversation {
  std::array<pcap::Endpoint, 2> ends;
  std::string transport;
  const Protocol* protocol = nullptr;
  std::vector<Kept> messages = {};
  bool is_stream = false;
};

// The flows of one capture, in the order in which they begin.
class Conversations {
 public:
  void add(const pcap::Datagram& datagram, const Flow& flow) {
    Conversation& one = of(flow);
    kept_ += datagram.payload.size() + sizeof(Kept);
    if (kept_ > kMostKept) return;
    one.messages.push_back({.sender = datagram.source == flow.a ? Side::a : Side::b,
                            .time_ns = datagram.time_ns,
                            .octets = OctetBuffer(datagram.payload.begin(), datagram.payload.end()),
                            .wire_length = datagram.wire_length});
  }
  void add(const pcap::Segment& segment, const Flow& flow) {
    Conversation& one = of(flow);
    one.is_stream = true;
    kept_ += segment.payload.size() + sizeof(Kept);
    if (kept_ > kMostKept) return;
    one.messages.push_back({.sender = segment.source == flow.a ? Side::a : Side::b,
                            .time_ns = segment.time_ns,
                            .octets = OctetBuffer(segment.payload.begin(), segment.payload.end()),
                            .wire_length = segment.wire_length,
                            .segment = segment});
    one.messages.back().segment.payload = {};
  }
  bool is_full() const { return kept_ > kMostKept; }
  std::vector<Conversation> take() {
    places_.clear();
    kept_ = 0;
    return std::exchange(all_, {});
  }

 private:
  Conversation& of(const Flow& flow) {
    const auto [place, is_new] = places_.try_emplace(flow.judged.names().id, all_.size());
    if (is_new) all_.push_back({.ends = {flow.a, flow.b}, .transport = std::string(word_of(flow.transport))});
    Conversation& one = all_[place->second];
    if (flow.judged.protocol() != nullptr) one.protocol = flow.judged.protocol();
    return one;
  }

  std::map<std::string, std::size_t> places_;
  std::vector<Conversation> all_;
  std::size_t kept_ = 0;
};

class Printer {
 public:
  Printer(const CheckOptions& options, std::uint64_t wanted, Output& out)
      : options_(options), wanted_(wanted), out_(out) {}

  void print(const std::string& file, std::vector<Conversation> conversations) {
    for (const Conversation& one : conversations) {
      ++flow_;
      if (wanted_ != 0 && wanted_ != flow_) continue;
      const std::string ends = fmt::format("{} and {}", pcap::to_string(one.ends[0]), pcap::to_string(one.ends[1]));
      const script::Language* const language = one.protocol == nullptr ? nullptr : script::language_of(*one.protocol);
      if (language == nullptr || one.messages.empty() || language->is_stream() != one.is_stream) {
        out_.print("# Flow {}, {} between {}: {}.\n\n", flow_, one.transport, ends, why_not(one, language));
        continue;
      }
      print(file, one, ends, *language);
    }
  }
  bool has_printed() const { return printed_; }

 private:
  void print(const std::string& file, const Conversation& one, const std::string& ends,
             const script::Language& language) {
    script::Heading heading{.protocol = one.protocol->name,
                            .name = fmt::format("flow-{}", flow_),
                            .purpose = fmt::format("The conversation between {}.", ends),
                            .ends = one.ends,
                            .features = options_.features,
                            .revision = options_.revision};
    for (const Side side : {Side::a, Side::b})
      if (options_.iut && options_.iut->is(one.ends[static_cast<std::size_t>(side)])) heading.iut = side;
    script::ConversationWriter writer(language, one.ends);
    if (one.is_stream)
      heading.is_midstream = write_stream(one, language, writer);
    else
      for (const Kept& message : one.messages)
        writer.add(message.sender, message.octets, message.wire_length, message.time_ns);
    out_.print("# Written from {}, flow {}. Times and octets are those of the capture.\n{}{}\n", printable(file), flow_,
               script::to_text(heading), writer.steps());
    printed_ = true;
  }

  static std::string why_not(const Conversation& one, const script::Language* language) {
    if (one.protocol == nullptr) return "not recognised";
    const bool is_other = language != nullptr && language->is_stream() != one.is_stream;
    return is_other ? fmt::format("scripts say conversations of {} over {} alone", one.protocol->title,
                                  language->is_stream() ? "TCP" : "datagrams")
                    : fmt::format("scripts cannot say conversations of {} yet", one.protocol->title);
  }

  // True if the beginning of a stream was not captured.
  static bool write_stream(const Conversation& one, const script::Language& language,
                           script::ConversationWriter& writer) {
    script::StreamLines lines(language.framing());
    const auto take = [&](const StreamPiece& piece) { lines.add(piece); };
    pcap::TcpConnection connection;
    for (const Kept& kept : one.messages) {
      pcap::Segment segment = kept.segment;
      segment.payload = kept.octets;
      if (!connection.take(segment, kept.sender == Side::a, take)) break;  // another connection of the same ports
    }
    connection.finish(take);
    for (const script::StreamLine& line : lines.finish()) writer.add(line);
    return lines.begins_later();
  }

  const CheckOptions& options_;
  std::uint64_t wanted_;
  Output& out_;
  std::uint64_t flow_ = 0;
  bool printed_ = false;
};

}  // namespace

int decode_as_script(const std::vector<std::string>& files, const CheckOptions& options, std::uint64_t flow,
                     Output& out) {
  Printer printer(options, flow, out);
  bool is_whole = true;
  for (const std::string& file : files) {
    Conversations conversations;
    const auto judged = [&](const pcap::Datagram* datagram, const pcap::Segment* segment, const Flow* found, Checker&) {
      if (datagram != nullptr) conversations.add(*datagram, *found);
      if (segment != nullptr) conversations.add(*segment, *found);
      return !conversations.is_full();
    };
    const auto broken = [&](const InputProblem& problem) {
      is_whole = false;
      complain(one_line(problem));
    };
    check_files(std::span(&file, 1), options, {.judged = judged, .broken = broken});
    if (conversations.is_full())
      return complain(
          fmt::format("{}: its messages are more than {} MiB, too many for one script; cut the capture, "
                      "for example with editcap -r",
                      printable(file), kMostKept >> 20));
    printer.print(file, conversations.take());
  }
  if (is_whole && !printer.has_printed())
    return complain("no conversation that a script can say is in these captures; scripts can say those of " +
                    script::spoken_protocols());
  return finish(out, static_cast<int>(is_whole ? ExitStatus::passed : ExitStatus::misused));
}

}  // namespace wirelaw
