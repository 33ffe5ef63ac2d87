// SPDX-License-Identifier: Apache-2.0
// The frames of a capture file, by libpcap: pcap and pcapng, either byte order, any time resolution; gzip'd or not. The
// records of the most common kind of file are read without it (pcap_records.h).
//
// libpcap reads only captures whose interfaces share one link type; others end in a problem that says what to do.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "pcap/frame.h"
#include "pcap/pcap_records.h"
#include "pcap/problem.h"

struct pcap;  // libpcap's pcap_t

namespace wirelaw::pcap {

class Input;

class Reader {
 public:
  // `path` "-" is standard input, which may be gzip'd as well. Nothing but the file's headers is read yet.
  static tl::expected<Reader, Problem> open(const std::string& path);

  Reader(Reader&&) noexcept;
  Reader& operator=(Reader&&) noexcept;
  ~Reader();

  // The next frame, whose octets are valid until the call after. False at the end, and where the file is broken: then
  // there is a problem().
  bool next(Frame& frame);

  const std::optional<Problem>& problem() const { return problem_; }
  const std::string& path() const { return path_; }
  int link_type() const { return link_type_; }  // LINKTYPE_
  std::string link_name() const;                // for people: "RAW (101)"
  std::uint64_t frames() const { return frames_; }

  // The comment in a pcapng's first Section Header Block, if it lies within the file's first 4 KiB.
  const std::optional<std::string>& section_comment() const { return section_comment_; }

 private:
  struct Close {
    void operator()(struct ::pcap* capture) const;
  };

  Reader(std::string path, std::unique_ptr<Input> input, struct ::pcap* capture);
  bool next_by_libpcap(Frame& frame);
  void leave_records();
  void stop(int status);

  std::string path_;
  std::unique_ptr<Input> input_;
  std::unique_ptr<struct ::pcap, Close> capture_;  // reads from input_: destroyed first
  std::optional<PcapRecords> records_;             // as long as they are in order
  OctetBuffer records_rest_;                       // what libpcap goes on with
  int link_type_ = 0;
  std::uint64_t frames_ = 0;
  bool done_ = false;
  std::optional<Problem> problem_;
  std::optional<std::string> section_comment_;
};

}  // namespace wirelaw::pcap
