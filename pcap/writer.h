// SPDX-License-Identifier: Apache-2.0
// Writes captures as pcapng (draft-ietf-opsawg-pcapng) with comments, which libpcap cannot write. The same calls give
// the same octets.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "pcap/address.h"
#include "pcap/frame.h"
#include "pcap/output_file.h"
#include "pcap/problem.h"
#include "pcap/synthesis.h"

namespace wirelaw::pcap {

// The most octets that the comments of one packet have together. Further comments are left out, and a last comment
// counts them.
inline constexpr std::size_t kMaxCommentOctets = std::size_t{1} << 20;

class Writer {
 public:
  // `path` "-" is standard output. A regular file appears, or is replaced, on commit(). The comments describe the
  // capture as a whole; Reader::section_comment() returns the first.
  static tl::expected<Writer, Problem> create(const std::string& path, std::span<const std::string> comments = {});

  // Comments are UTF-8. A comment of more than 65535 octets is cut, between characters.
  //
  // Copies a frame. Each link type has its own interface (Wireshark reads such a mixture; libpcap, and so
  // Reader, does not). pcapng cannot express a time before 1970; it becomes 1970.
  tl::expected<void, Problem> write_frame(const Frame& frame, std::span<const std::string> comments = {});

  // Adds an interface with a name, which Wireshark shows as frame.interface_name. Returns its number, from 0. Call it
  // before the first frame. `write_frame_of` copies a frame to frame.interface, one of these; its link type is ignored.
  tl::expected<std::uint32_t, Problem> add_interface(int link_type, std::string_view name);
  tl::expected<void, Problem> write_frame_of(const Frame& frame, std::span<const std::string> comments = {});

  // Writes a datagram that had no frame, as synthesise_datagram() makes it.
  tl::expected<void, Problem> write_datagram(const Endpoint& source, const Endpoint& destination, std::int64_t time_ns,
                                             Octets payload, std::span<const std::string> comments = {});

  // Writes a TCP segment that had no frame, as synthesise_segment() makes it; TcpSynthesis has the headers.
  tl::expected<void, Problem> write_segment(const Endpoint& source, const Endpoint& destination, std::int64_t time_ns,
                                            const TcpHeader& header, Octets payload,
                                            std::span<const std::string> comments = {});

  // Writes a packet that had no frame and no network below it, as synthesise_pdu() makes it.
  tl::expected<void, Problem> write_pdu(std::string_view dissector, const Endpoint& source, const Endpoint& destination,
                                        std::int64_t time_ns, Octets payload,
                                        std::span<const std::string> comments = {});

  // States that the capture is complete: its statistics will show that nothing was dropped.
  void say_complete() { say_dropped(0); }
  // States that this many frames were dropped while capturing: its statistics will show that.
  void say_dropped(std::uint64_t frames) { dropped_ = frames; }

  // Adds comments that are known only at the end, in a last section without frames. Wireshark shows them with the
  // file's properties, and Reader::closing_comments() returns them.
  void close_with(std::vector<std::string> comments) { closing_ = std::move(comments); }

  tl::expected<void, Problem> flush();   // for a program that reads standard output while it is written
  tl::expected<void, Problem> commit();  // without it, no file remains

  std::uint64_t frames() const { return frames_; }  // also the number of the last frame, as Wireshark counts

 private:
  explicit Writer(OutputFile file) : file_(std::move(file)) {}
  tl::expected<void, Problem> write_section_header(std::span<const std::string> comments);
  tl::expected<std::uint32_t, Problem> interface_of(int link_type);
  tl::expected<void, Problem> write_packet(std::uint32_t interface, const Frame& frame,
                                           std::span<const std::string> comments);
  tl::expected<void, Problem> write_statistics();
  tl::expected<void, Problem> write_synthetic(int link_type, std::int64_t time_ns,
                                              std::span<const std::string> comments);
  Problem refuse(std::string message, std::string hint) const;

  OutputFile file_;
  struct Interface {
    int link_type;
    std::uint64_t frames;
    std::uint64_t last_ns;
  };
  std::vector<Interface> interfaces_;     // in order of appearance
  std::optional<std::uint64_t> dropped_;  // for the first interface; empty: unknown
  std::vector<std::string> closing_;
  OctetBuffer block_, synthetic_;
  std::uint64_t frames_ = 0;
};

}  // namespace wirelaw::pcap
