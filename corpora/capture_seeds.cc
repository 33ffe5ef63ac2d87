// SPDX-License-Identifier: Apache-2.0
// Small capture files of every format and link that the reader knows, and frames for the layers below UDP and TCP.
#include <algorithm>
#include <initializer_list>

#include "corpora/formats/records.h"
#include "corpora/seed.h"
#include "corpora/traces/trace.h"
#include "pcap/mpacket_builder.h"
#include "pcap/synthesis.h"
#include "pcap/wrapping.h"

namespace wirelaw::corpora {
namespace {

constexpr std::size_t kEthernetHeader = 14, kIpv4Header = 20, kIpv6Header = 40;
constexpr std::uint32_t kEthernet = 1, kNull = 0, kRaw = 101, kLoop = 108, kCooked = 113, kCooked2 = 276,
                        kExportedPdu = 252;
constexpr std::uint32_t kSeconds = 1'700'000'000;

OctetBuffer joined(std::initializer_list<Octets> parts) {
  OctetBuffer out;
  for (const Octets part : parts) out.insert(out.end(), part.begin(), part.end());
  return out;
}

// --- frames

OctetBuffer ethernet_v4(Octets payload) {
  OctetBuffer frame;
  static_cast<void>(pcap::synthesise_datagram(endpoint_of(Side::a), endpoint_of(Side::b), payload, frame));
  return frame;
}

OctetBuffer ethernet_v6(Octets payload) {
  OctetBuffer frame;
  static_cast<void>(pcap::synthesise_datagram(*pcap::parse_endpoint("[2001:db8::1]:31200"),
                                              *pcap::parse_endpoint("[2001:db8::2]:21200"), payload, frame));
  return frame;
}

// The IPv4 header has an option, so that it is longer than 20 octets.
OctetBuffer ethernet_tcp(Octets payload) {
  OctetBuffer frame;
  const pcap::TcpHeader header{
      .seq = 1000, .ack = 2000, .flags = {pcap::TcpFlags::kSyn | pcap::TcpFlags::kAck}, .mss = 1460};
  static_cast<void>(pcap::synthesise_segment(endpoint_of(Side::a), endpoint_of(Side::b), header, payload, frame));
  return frame;
}

// A frame as segmentation offload leaves it: the total length of its IPv4 header is 0.
OctetBuffer ethernet_tcp_offloaded(Octets payload) {
  OctetBuffer frame = ethernet_tcp(payload);
  store_big_endian<std::uint16_t>(frame.data() + kEthernetHeader + 2, 0);
  return frame;
}

OctetBuffer exported_pdu(std::string_view dissector, const char* source, const char* destination, Octets payload) {
  OctetBuffer frame;
  static_cast<void>(pcap::synthesise_pdu(dissector, *pcap::parse_endpoint(source), *pcap::parse_endpoint(destination),
                                         payload, frame));
  return frame;
}

// Exported PDUs: some valid, one for an unknown dissector, and one for each possible error in the tags.
std::vector<OctetBuffer> exported_pdus(Octets payload) {
  const char* const a = "[fe80::7f17:2]:53884";
  const char* const b = "[fe80::7f17:1]:58608";
  const OctetBuffer good = exported_pdu("efa_rdm", a, b, payload);
  const std::size_t end = good.size() - payload.size() - 4;  // offset of the last tag, which ends the list
  OctetBuffer cut = good, endless = good, lying = good, large_port = good, nameless = good;
  cut.resize(7);
  endless.resize(end);
  lying[3] = 200;
  large_port[end - 4] = 1;
  nameless[1] = 99;
  const OctetBuffer no_ends{0, 0, 0, 0, 1, 2, 3};
  return {good,
          exported_pdu("efa_rdm", b, a, payload),
          exported_pdu("ramcloud", "192.0.2.1:31200", "192.0.2.2:21200", payload),
          exported_pdu("dns", a, b, payload),
          cut,
          endless,
          lying,
          large_port,
          nameless,
          no_ends};
}

OctetBuffer without_ethernet(const OctetBuffer& frame) {
  return {frame.begin() + kEthernetHeader, frame.end()};
}

// An Ethernet frame with VLAN tags, outermost first, before its EtherType.
OctetBuffer tagged(const OctetBuffer& frame, std::initializer_list<std::uint16_t> protocols) {
  constexpr std::size_t kAddresses = 12;
  OctetBuffer out(frame.begin(), frame.begin() + kAddresses);
  for (const std::uint16_t protocol : protocols) Writer(out).big_endian(protocol).big_endian<std::uint16_t>(42);
  out.insert(out.end(), frame.begin() + kAddresses, frame.end());
  return out;
}

// Splits the IPv4 packet into fragments with `step` octets of payload each, a multiple of eight. Checksums are not
// updated: the reader ignores them.
std::vector<OctetBuffer> fragments_v4(const OctetBuffer& packet, std::size_t step) {
  std::vector<OctetBuffer> out;
  const std::size_t length = packet.size() - kIpv4Header;
  for (std::size_t at = 0; at < length; at += step) {
    const std::size_t here = std::min(step, length - at);
    OctetBuffer one(packet.begin(), packet.begin() + kIpv4Header);
    store_big_endian(one.data() + 2, static_cast<std::uint16_t>(kIpv4Header + here));
    const unsigned more = at + here < length ? 0x2000 : 0;
    store_big_endian(one.data() + 6, static_cast<std::uint16_t>(more | at / 8));
    const auto from = packet.begin() + static_cast<std::ptrdiff_t>(kIpv4Header + at);
    one.insert(one.end(), from, from + static_cast<std::ptrdiff_t>(here));
    out.push_back(std::move(one));
  }
  return out;
}

OctetBuffer with_extension(const OctetBuffer& packet, Octet type, OctetBuffer extension) {
  OctetBuffer out(packet.begin(), packet.begin() + kIpv6Header);
  constexpr std::size_t kNextHeader = 6, kLength = 4;
  extension[0] = std::exchange(out[kNextHeader], type);
  out.insert(out.end(), extension.begin(), extension.end());
  out.insert(out.end(), packet.begin() + kIpv6Header, packet.end());
  store_big_endian(out.data() + kLength, static_cast<std::uint16_t>(out.size() - kIpv6Header));
  return out;
}

std::vector<OctetBuffer> fragments_v6(const OctetBuffer& packet, std::size_t step) {
  constexpr Octet kFragment = 44;
  std::vector<OctetBuffer> out;
  const std::size_t length = packet.size() - kIpv6Header;
  for (std::size_t at = 0; at < length; at += step) {
    const std::size_t here = std::min(step, length - at);
    OctetBuffer part(packet.begin(), packet.begin() + kIpv6Header);
    const auto from = packet.begin() + static_cast<std::ptrdiff_t>(kIpv6Header + at);
    part.insert(part.end(), from, from + static_cast<std::ptrdiff_t>(here));
    OctetBuffer header{0, 0};
    Writer(header)
        .big_endian(static_cast<std::uint16_t>(at | (at + here < length ? 1u : 0u)))
        .big_endian<std::uint32_t>(7);
    out.push_back(with_extension(part, kFragment, header));
  }
  return out;
}

const OctetBuffer& payload() {
  static const OctetBuffer octets(40, 'w');
  return octets;
}

// --- files

template <class Int>
void put(OctetBuffer& out, bool big, Int value) {
  if (big)
    Writer(out).big_endian(value);
  else
    Writer(out).little_endian(value);
}

OctetBuffer pcap_file(std::uint32_t link, const std::vector<OctetBuffer>& frames, bool big = false,
                      std::uint32_t magic = 0xa1b2c3d4, std::uint32_t cut = 0) {
  OctetBuffer out;
  put(out, big, magic);
  put<std::uint16_t>(out, big, 2);
  put<std::uint16_t>(out, big, 4);
  put<std::uint32_t>(out, big, 0);
  put<std::uint32_t>(out, big, 0);
  put<std::uint32_t>(out, big, 65535);
  put(out, big, link);
  for (std::uint32_t i = 0; i < frames.size(); ++i) {
    const auto length = static_cast<std::uint32_t>(frames[i].size());
    put(out, big, kSeconds);
    put(out, big, i);
    put(out, big, length - cut);
    put(out, big, length);
    Writer(out).octets(Octets(frames[i]).first(length - cut));
  }
  return out;
}

void append_block(OctetBuffer& out, bool big, std::uint32_t type, OctetBuffer body) {
  while (body.size() % 4 != 0) body.push_back(0);
  const auto length = static_cast<std::uint32_t>(body.size() + 12);
  put(out, big, type);
  put(out, big, length);
  Writer(out).octets(body);
  put(out, big, length);
}

void append_section(OctetBuffer& out, bool big) {
  OctetBuffer section;
  put<std::uint32_t>(section, big, 0x1a2b3c4d);
  put<std::uint16_t>(section, big, 1);
  put<std::uint16_t>(section, big, 0);
  put<std::uint64_t>(section, big, ~std::uint64_t{0});
  append_block(out, big, 0x0a0d0d0a, section);
}

// `resolution` is if_tsresol.
void append_interface(OctetBuffer& out, bool big, Octet resolution) {
  OctetBuffer interface;
  put(interface, big, static_cast<std::uint16_t>(kEthernet));
  put<std::uint16_t>(interface, big, 0);
  put<std::uint32_t>(interface, big, 0);
  put<std::uint16_t>(interface, big, 9);  // if_tsresol
  put<std::uint16_t>(interface, big, 1);
  Writer(interface).octets(OctetBuffer{resolution, 0, 0, 0});
  put<std::uint32_t>(interface, big, 0);  // opt_endofopt
  append_block(out, big, 1, interface);
}

void append_packet(OctetBuffer& out, bool big, std::uint32_t interface, Octets frame) {
  OctetBuffer block;
  const auto length = static_cast<std::uint32_t>(frame.size());
  put(block, big, interface);
  put<std::uint32_t>(block, big, 0x1797);
  put<std::uint32_t>(block, big, 0xabcdef01);
  put(block, big, length);
  put(block, big, length);
  Writer(block).octets(frame);
  append_block(out, big, 6, block);
}

constexpr Octet kNanoseconds = 9;

OctetBuffer pcapng_file(const std::vector<OctetBuffer>& frames, bool big, bool simple = false) {
  OctetBuffer out;
  append_section(out, big);
  append_interface(out, big, kNanoseconds);
  for (const OctetBuffer& frame : frames) {
    if (!simple) {
      append_packet(out, big, 0, frame);
      continue;
    }
    OctetBuffer block;
    put(block, big, static_cast<std::uint32_t>(frame.size()));
    Writer(block).octets(frame);
    append_block(out, big, 3, block);
  }
  return out;
}

// Two sections of one byte order. The same interface number has another clock in each; some blocks are not packets.
OctetBuffer pcapng_of_several(Octets frame, bool big) {
  constexpr Octet kMilliseconds = 3, kBinary = 0x8a;
  OctetBuffer out;
  append_section(out, big);
  append_block(out, big, 0x0bad, OctetBuffer(8, 'x'));
  append_interface(out, big, kNanoseconds);
  append_interface(out, big, kMilliseconds);
  append_packet(out, big, 1, frame);
  append_packet(out, big, 0, frame);
  append_section(out, big);
  append_interface(out, big, kBinary);
  append_packet(out, big, 0, frame);
  append_block(out, big, 5, OctetBuffer(12, 0));
  return out;
}

// A gzip file (RFC 1952) with one stored block (RFC 1951), so that its octets do not depend on a library version.
OctetBuffer gzip(Octets octets) {
  std::uint32_t crc = ~0u;
  for (const Octet octet : octets) {
    crc ^= octet;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (0xedb88320 & (0u - (crc & 1)));
  }
  const auto length = static_cast<std::uint16_t>(octets.size());
  OctetBuffer out{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1};
  Writer(out)
      .little_endian(length)
      .little_endian(static_cast<std::uint16_t>(~length))
      .octets(octets)
      .little_endian(~crc)
      .little_endian(std::uint32_t{length});
  return out;
}

Seed file(const char* name, OctetBuffer octets) {
  return {"fuzz_capture", name, std::move(octets)};
}

std::vector<Seed> file_seeds() {
  const OctetBuffer v4 = ethernet_v4(payload()), v6 = ethernet_v6(payload());
  const OctetBuffer bare4 = without_ethernet(v4), bare6 = without_ethernet(v6);
  OctetBuffer cooked(14), cooked2(20), null4{2, 0, 0, 0}, loop6{0, 0, 0, 30};
  cooked.insert(cooked.end(), {0x08, 0x00});
  cooked2[0] = 0x86, cooked2[1] = 0xdd;
  const OctetBuffer plain = pcap_file(kEthernet, {v4, v6});
  OctetBuffer two_sections = pcapng_file({v4}, false), truncated = plain;
  const OctetBuffer second = pcapng_file({v6}, true);
  two_sections.insert(two_sections.end(), second.begin(), second.end());
  truncated.resize(truncated.size() - 5);
  OctetBuffer lying = plain;
  store_little_endian<std::uint32_t>(lying.data() + 24 + 8, 0xffffffff);  // the first frame's length
  return {
      file("ethernet.pcap", plain),
      file("tcp.pcap", pcap_file(kEthernet, {ethernet_tcp(payload()), ethernet_tcp_offloaded(payload())})),
      file("big-endian.pcap", pcap_file(kEthernet, {v4}, true)),
      file("nanoseconds.pcap", pcap_file(kEthernet, {v4}, false, 0xa1b23c4d)),
      file("snaplen.pcap", pcap_file(kEthernet, {v4, v6}, false, 0xa1b2c3d4, 20)),
      file("headers-cut.pcap", pcap_file(kEthernet, {v4}, false, 0xa1b2c3d4, 60)),
      file("vlan.pcap", pcap_file(kEthernet, {tagged(v4, {0x8100}), tagged(v6, {0x88a8, 0x8100})})),
      file("raw.pcap", pcap_file(kRaw, {bare4, bare6})),
      file("null.pcap", pcap_file(kNull, {joined({null4, bare4})})),
      file("loop.pcap", pcap_file(kLoop, {joined({loop6, bare6})})),
      file("cooked.pcap", pcap_file(kCooked, {joined({cooked, bare4})})),
      file("cooked2.pcap", pcap_file(kCooked2, {joined({cooked2, bare6})})),
      file("exported-pdu.pcap", pcap_file(kExportedPdu, exported_pdus(payload()))),
      file("exported-pdu-cut.pcap", pcap_file(kExportedPdu, exported_pdus(payload()), false, 0xa1b2c3d4, 6)),
      file("fragments-v4.pcap", pcap_file(kRaw, fragments_v4(bare4, 16))),
      file("fragments-v6.pcap", pcap_file(kRaw, fragments_v6(bare6, 16))),
      file("unknown-link.pcap", pcap_file(147, {v4})),
      file("truncated.pcap", truncated),
      file("length-of-4-gib.pcap", lying),
      file("header-only.pcap", pcap_file(kEthernet, {})),
      file("little-endian.pcapng", pcapng_file({v4, v6}, false)),
      file("big-endian.pcapng", pcapng_file({v4, v6}, true)),
      file("simple-blocks.pcapng", pcapng_file({v4}, false, true)),
      file("two-sections.pcapng", two_sections),
      file("several-interfaces.pcapng", pcapng_of_several(v4, false)),
      file("several-interfaces-big-endian.pcapng", pcapng_of_several(v4, true)),
      file("gzip.pcap.gz", gzip(plain)),
      file("empty", {}),
      file("text", {'n', 'o', ' ', 'c', 'a', 'p', 't', 'u', 'r', 'e', '\n'}),
  };
}

// --- frames without a file

// Indexes into the table of fuzz_datagrams.
constexpr Octet kOnEthernet = 0, kOnRaw = 3, kOnMpackets = 25;

constexpr Octet kNoCarrier = 255;

Seed frames(std::string name, Octet link, const std::vector<OctetBuffer>& all, Octet control = 0,
            Octet carrier = kNoCarrier) {
  OctetBuffer out{link, carrier};
  for (const OctetBuffer& frame : all) append_record(out, control, frame);
  return {"fuzz_datagrams", std::move(name), std::move(out)};
}

// In each carrier, and which then is in it once more if it can be.
std::vector<Seed> carrier_seeds() {
  const OctetBuffer v4 = ethernet_v4(payload()), v6 = ethernet_v6(payload());
  const auto carriers = pcap::testing::wrappings();
  std::vector<Seed> seeds;
  for (std::size_t i = 0; i < carriers.size(); ++i)
    seeds.push_back(frames("carried-" + std::string(carriers[i].name), kOnEthernet,
                           {v4, carriers[i].wrap(v4), carriers[i].wrap(v6)}, 0, static_cast<Octet>(i)));
  return seeds;
}

std::vector<Seed> frame_seeds() {
  const OctetBuffer v4 = ethernet_v4(payload()), v6 = ethernet_v6(payload());
  const OctetBuffer bare4 = without_ethernet(v4), bare6 = without_ethernet(v6);
  constexpr Octet kHopByHop = 0, kRouting = 43, kDestination = 60;
  const OctetBuffer extension(8, 0);
  const auto pieces4 = fragments_v4(bare4, 16), pieces6 = fragments_v6(bare6, 8);
  auto reversed = pieces4, doubled = pieces4, overlapping = pieces4;
  std::ranges::reverse(reversed);
  doubled.insert(doubled.begin() + 1, pieces4[0]);
  overlapping[1][7] = 1;  // begins in the middle of the first
  using pcap::testing::express_mpacket, pcap::testing::mpacket_fragments;
  const OctetBuffer large = ethernet_v4(OctetBuffer(400, 'm'));
  const auto parts = mpacket_fragments(large, {64, 128});
  std::vector<OctetBuffer> many;
  for (Octet id = 0; id < 6; ++id) {
    many.push_back(pieces4[0]);
    many.back()[5] = id;
  }
  return {
      frames("ethernet", kOnEthernet, {v4, v6}),
      frames("tcp", kOnEthernet, {ethernet_tcp(payload()), ethernet_tcp_offloaded(payload()), ethernet_tcp({})}),
      frames("tcp-cut", kOnEthernet, {ethernet_tcp(payload()), ethernet_tcp({})}, frame_control::kCut),
      frames("tcp-fragments", kOnRaw, fragments_v4(without_ethernet(ethernet_tcp(payload())), 16)),
      frames("vlan", kOnEthernet, {tagged(v4, {0x8100}), tagged(v6, {0x88a8, 0x8100})}),
      frames("cut", kOnEthernet, {v4, v6}, frame_control::kCut),
      frames("extension-headers", kOnRaw,
             {with_extension(bare6, kHopByHop, extension), with_extension(bare6, kRouting, extension),
              with_extension(with_extension(bare6, kDestination, extension), kHopByHop, extension)}),
      frames("fragments-v4", kOnRaw, pieces4),
      frames("fragments-v6", kOnRaw, pieces6),
      frames("mpackets", kOnMpackets, {express_mpacket(v4), mpacket_fragments(v6, {}, 1)[0], express_mpacket(v6)}),
      frames("mpacket-fragments", kOnMpackets, mpacket_fragments(large, {64, 128, 192, 256, 320}, 3)),
      frames("mpacket-fragment-missing", kOnMpackets, {parts[0], parts[2], express_mpacket(v4), parts[0], parts[1]}),
      frames("fragments-reversed", kOnRaw, reversed),
      frames("fragments-doubled", kOnRaw, doubled),
      frames("fragments-overlapping", kOnRaw, overlapping),
      frames("fragments-late", kOnRaw, pieces4, frame_control::kLate),
      frames("fragments-early", kOnRaw, pieces4, frame_control::kEarly),
      frames("fragments-of-many-packets", kOnRaw, many),
  };
}

}  // namespace

std::vector<Seed> capture_seeds() {
  std::vector<Seed> seeds = file_seeds();
  for (const auto& more : {frame_seeds(), carrier_seeds()}) seeds.insert(seeds.end(), more.begin(), more.end());
  return seeds;
}

}  // namespace wirelaw::corpora
