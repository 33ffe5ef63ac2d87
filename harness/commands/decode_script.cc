// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/decode_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>

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
    if (flow.judged.above() != nullptr) one.protocol = flow.judged.above();
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

  void print(const std::string& file, const std::vector<Conversation>& conversations) {
    std::vector<bool> is_done(conversations.size(), false);
    for (std::size_t first = 0; first < conversations.size(); ++first) {
      if (is_done[first]) continue;
      std::vector<std::size_t> flows{first};  // what one part says
      for (std::size_t i = first + 1; i < conversations.size() && flows.size() < script::kMostConnections; ++i)
        if (!is_done[i] && are_joined(conversations[first], conversations[i])) flows.push_back(i);
      for (const std::size_t one : flows) is_done[one] = true;
      const auto is_wanted = [&](std::size_t one) { return wanted_ == flows_before_ + one + 1; };
      if (wanted_ == 0 || std::ranges::any_of(flows, is_wanted)) print(file, conversations, flows);
    }
    flows_before_ += conversations.size();
  }
  bool has_printed() const { return printed_; }

 private:
  static const script::Language* language_of(const Conversation& one) {
    if (one.protocol == nullptr) return nullptr;
    const script::Language* const usual = script::language_of(*one.protocol);
    if (usual == nullptr || usual->is_stream() == one.is_stream) return usual;
    const script::Language* const other = script::language_of(*one.protocol, one.transport);
    return other == nullptr ? usual : other;
  }
  static bool can_be_said(const Conversation& one) {
    const script::Language* const language = language_of(one);
    return language != nullptr && !one.messages.empty() && language->is_stream() == one.is_stream;
  }
  // True if both are connections of the same two nodes, and the protocol may use several for one conversation.
  static bool are_joined(const Conversation& one, const Conversation& other) {
    if (!can_be_said(one) || !can_be_said(other) || one.protocol != other.protocol) return false;
    if (!one.is_stream || !language_of(one)->joins_connections || is_same_host(one.ends[0], one.ends[1])) return false;
    return (is_same_host(one.ends[0], other.ends[0]) && is_same_host(one.ends[1], other.ends[1])) ||
           is_turned(one, other);
  }
  // True if side a of one connection is side b of the other.
  static bool is_turned(const Conversation& one, const Conversation& other) {
    return is_same_host(one.ends[0], other.ends[1]) && is_same_host(one.ends[1], other.ends[0]);
  }
  static bool is_same_host(pcap::Endpoint one, pcap::Endpoint other) {
    one.port = other.port = 0;
    return one == other;
  }

  // Prints the flows as the connections of one part.
  void print(const std::string& file, const std::vector<Conversation>& conversations,
             const std::vector<std::size_t>& flows) {
    const Conversation& first = conversations[flows.front()];
    const std::uint64_t number = flows_before_ + flows.front() + 1;
    const std::string ends = fmt::format("{} and {}", pcap::to_string(first.ends[0]), pcap::to_string(first.ends[1]));
    if (!can_be_said(first)) {
      out_.print("# Flow {}, {} between {}: {}.\n\n", number, first.transport, ends,
                 why_not(first, language_of(first)));
      return;
    }
    const script::Language& language = *language_of(first);
    script::Heading heading{.protocol = first.protocol->name,
                            .name = fmt::format("flow-{}", number),
                            .purpose = fmt::format("The conversation between {}.", ends),
                            .ends = first.ends,
                            .over = &language == script::language_of(*first.protocol) ? "" : language.over,
                            .features = options_.features,
                            .revision = options_.revision};
    std::string numbers = std::to_string(number);
    for (std::size_t i = 1; i < flows.size(); ++i) {
      const Conversation& one = conversations[flows[i]];
      heading.further_ends.push_back(is_turned(first, one) ? std::array{one.ends[1], one.ends[0]} : one.ends);
      numbers += fmt::format("{} {}", i + 1 == flows.size() ? " and" : ",", flows_before_ + flows[i] + 1);
    }
    const auto says_something = [&](std::size_t flow) {
      return std::ranges::any_of(conversations[flow].messages, [](const Kept& one) { return !one.octets.empty(); });
    };
    for (const Side side : {Side::a, Side::b})
      if (options_.iut && options_.iut->is(first.ends[static_cast<std::size_t>(side)]) &&
          std::ranges::any_of(flows, says_something))
        heading.iut = side;
    script::ConversationWriter writer(language, first.ends);
    if (first.is_stream)
      heading.is_midstream = write_streams(conversations, flows, language, writer);
    else
      for (const Kept& message : first.messages)
        writer.add(message.sender, message.octets, message.wire_length, message.time_ns);
    out_.print("# Written from {}, flow{} {}. Times and octets are those of the capture.\n{}{}\n", printable(file),
               flows.size() > 1 ? "s" : "", numbers, script::to_text(heading), writer.steps());
    printed_ = true;
  }

  static std::string why_not(const Conversation& one, const script::Language* language) {
    if (one.protocol == nullptr) return "not recognised";
    const bool is_other = language != nullptr && language->is_stream() != one.is_stream;
    return is_other ? fmt::format("scripts say conversations of {} over {} alone", one.protocol->title,
                                  language->is_stream() ? "TCP" : "datagrams")
                    : fmt::format("scripts cannot say conversations of {} yet", one.protocol->title);
  }

  // Writes the lines of all connections in the order of their times. True if the beginning of a stream was not
  // captured.
  static bool write_streams(const std::vector<Conversation>& conversations, const std::vector<std::size_t>& flows,
                            const script::Language& language, script::ConversationWriter& writer) {
    struct Numbered {
      std::int64_t time_ns;  // lines of a connection keep their order, also if their times do not
      std::uint32_t connection;
      script::StreamLine line;
    };
    std::vector<Numbered> all;
    bool is_midstream = false;
    for (std::size_t i = 0; i < flows.size(); ++i) {
      const Conversation& one = conversations[flows[i]];
      const bool turns = i > 0 && is_turned(conversations[flows.front()], one);
      script::StreamLines lines = lines_of(one, turns, language);
      std::int64_t latest = INT64_MIN;
      for (script::StreamLine& line : lines.finish()) {
        latest = std::max(latest, line.time_ns);
        all.push_back({latest, static_cast<std::uint32_t>(i + 1), std::move(line)});
      }
      is_midstream |= lines.begins_later();
    }
    std::ranges::stable_sort(all, {}, &Numbered::time_ns);
    for (const Numbered& one : all) writer.add(one.line, one.connection);
    return is_midstream;
  }

  static script::StreamLines lines_of(const Conversation& one, bool turns, const script::Language& language) {
    script::StreamLines lines(language.framing());
    const auto take = [&](StreamPiece piece) {
      if (turns) piece.sender = other(piece.sender);
      lines.add(piece);
    };
    pcap::TcpConnection connection;
    for (const Kept& kept : one.messages) {
      pcap::Segment segment = kept.segment;
      segment.payload = kept.octets;
      if (!connection.take(segment, kept.sender == Side::a, take)) break;  // another connection of the same ports
    }
    connection.finish(take);
    return lines;
  }

  const CheckOptions& options_;
  std::uint64_t wanted_;
  Output& out_;
  std::uint64_t flows_before_ = 0;  // in earlier files
  bool printed_ = false;
};

// The problem with --iut, if no flow of the file has this address.
std::optional<InputProblem> iut_is_absent(const FileResults& run) {
  const auto found = std::ranges::find(run.incomplete, "--iut", &InputProblem::file);
  return found == run.incomplete.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

int decode_as_script(const std::vector<std::string>& files, const CheckOptions& options, std::uint64_t flow,
                     Output& out) {
  Printer printer(options, flow, out);
  bool is_whole = true;
  std::optional<InputProblem> absent;  // the IUT is in none of the files so far
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
    const FileResults run = check_files(std::span(&file, 1), options, {.judged = judged, .broken = broken});
    if (&file == &files.front() || absent) absent = iut_is_absent(run);
    if (conversations.is_full())
      return complain(
          fmt::format("{}: its messages are more than {} MiB, too many for one script; cut the capture, "
                      "for example with editcap -r",
                      printable(file), kMostKept >> 20));
    printer.print(file, conversations.take());
  }
  if (is_whole && absent) return complain(one_line(*absent));
  if (is_whole && !printer.has_printed())
    return complain("no conversation that a script can say is in these captures; scripts can say those of " +
                    script::spoken_protocols());
  return finish(out, static_cast<int>(is_whole ? ExitStatus::passed : ExitStatus::misused));
}

}  // namespace wirelaw
