// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "conformance/script/conversation_writer.h"
#include "conformance/script/languages.h"
#include "corpora/seed.h"
#include "corpora/traces/trace.h"

namespace wirelaw::corpora {
namespace {

Seed seed_of(std::string name, std::string_view text) {
  return {"fuzz_script", std::move(name), OctetBuffer(text.begin(), text.end())};
}

// Returns true if the trace lacks the beginning of its streams.
bool write_stream(const Trace& trace, const script::Language& language, script::ConversationWriter& writer) {
  script::StreamLines lines(language.framing());
  std::int64_t time = 0;
  for (const TraceMessage& one : trace.messages) {
    time += one.pause_ns;
    lines.add({.event = one.event,
               .sender = one.sender,
               .octets = one.octets,
               .missing = one.missing,
               .time_ns = time,
               .mss = one.mss,
               .from_start = trace.from_start});
    time += script::kUsualStep;
  }
  for (const script::StreamLine& line : lines.finish()) writer.add(line);
  return lines.begins_later();
}

void write_datagrams(const Trace& trace, script::ConversationWriter& writer) {
  std::int64_t time = 0;
  for (const TraceMessage& one : trace.messages) {
    time += one.pause_ns;
    writer.add(one.sender, one.octets, one.octets.size(), time);
    time += script::kUsualStep;
  }
}

std::string script_of(const Trace& trace, const Protocol& protocol, const script::Language& language) {
  const std::array<Endpoint, 2> ends{endpoint_of(Side::a, trace.port), endpoint_of(Side::b, trace.port)};
  script::Heading heading{.protocol = protocol.name, .name = trace.name, .purpose = trace.purpose, .ends = ends};
  script::ConversationWriter writer(language, ends);
  if (language.is_stream())
    heading.is_midstream = write_stream(trace, language, writer);
  else
    write_datagrams(trace, writer);
  return script::to_text(heading) + writer.steps();
}

constexpr std::string_view kWholeLanguage = R"(# Every form of line once.
protocol ramcloud
let $n = 2
trace one "A conversation."
rule RAMCLOUD-ack-5
a DATA total_frags=$n+1 frag_number=0 as $m
for $i in 1..$n, 2: a DATA channel_id=$i rpc_id=$i-1 size=3 \
  twice
b ACK lose
pause retry_time
a again $m
a raw hex:0011 append "x" insert 1,pattern(2)
b ACK staging_vector^=0x5 first_missing_frag+=1 unseen ! RAMCLOUD-ack-5
b DATA rpc_id=$m.rpc_id payload=octets($m, 0, 4) cut 27 ? RAMCLOUD-ack-5
case two
iut b
bare
strict
step 5us
nodes 192.0.2.7:1 [2001:db8::1]:2
a SESSION_OPEN
b SESSION_OPEN & ACK | silence | any within 2s
b not BAD_SESSION first_missing_frag=1..3 staging_vector=*
control
)";

constexpr std::string_view kStreams = R"(# What only streams have.
protocol rdmap
trace streams
a Send size=3000 / ddp[2] mo+=4 / fpdu[1] crc^=1 ulpdulength=3
a Send size=8 split 10, 3
a Send size=8 / ddp as_is / tcp more
a push 5
b Terminate layer=2 etype=0 errcode=2
a push
b raw hex:00 unseen
a#2 open mss=536
a#2 MpaRequest rev=2 as $r
b#2 MpaReply payload="WIRELAW1" append pattern(16)
a#2 Write stag=$r.pdlength / fpdu as_is cut 7
b close
a reset
)";

}  // namespace

std::vector<Seed> script_seeds() {
  constexpr std::uint32_t kOneOf = 16;
  std::vector<Seed> seeds{seed_of("whole-language", kWholeLanguage), seed_of("streams", kStreams)};
  for (const std::string_view name : {"ramcloud", "efa", "rdmap", "smbd", "umsp"}) {
    const Protocol* const protocol = find_protocol(name);
    if (protocol == nullptr) continue;  // the program may be built without it
    const script::Language& language = *script::language_of(*protocol);
    for (const Trace& trace : traces_of(name).traces)
      if (trace.is_stream == language.is_stream() && is_seed(trace, kOneOf))
        seeds.push_back(seed_of(trace.name, script_of(trace, *protocol, language)));
  }
  return seeds;
}

}  // namespace wirelaw::corpora
