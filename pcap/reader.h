// SPDX-License-Identifier: Apache-2.0
// The frames of a capture file, by libpcap: pcap and pcapng, either byte order, any time resolution; gzip'd or not. The
// records of the most common kinds of file are read without it (pcap_records.h, pcapng_records.h).
//
// libpcap reads only captures whose interfaces share one link type, and whose sections share one byte order; from
// others this reads what pcapng_records.h can read.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <variant>
#include <vector>

#include "pcap/frame.h"
#include "pcap/pcap_records.h"
#include "pcap/pcapng_records.h"
#include "pcap/problem.h"
#include "pcap/record_buffer.h"
#include "pcap/statistics.h"
#include "pcap/time_order.h"

struct pcap;  // libpcap's pcap_t

namespace wirelaw::pcap {

class Input;

class Reader {
 public:
  // `path` "-" is standard input, which may be gzip'd as well. Reads only the file's headers.
  static tl::expected<Reader, Problem> open(const std::string& path);

  Reader(Reader&&) noexcept;
  Reader& operator=(Reader&&) noexcept;
  ~Reader();

  // The next frame, whose octets are valid until the call after. False at the end, and if the file is broken: then
  // there is a problem().
  bool next(Frame& frame) {
    if (!order_) return read(frame);
    if (!order_->has_next() && !read_batch()) [[unlikely]]
      return false;
    order_->take(frame);
    return true;
  }
  // Before the first: next() gives them in the order of their time stamps, and problem() may come earlier than the
  // last of them.
  void read_in_time_order();

  const std::optional<Problem>& problem() const { return problem_; }
  const std::string& path() const { return path_; }
  int link_type() const { return link_type_; }  // LINKTYPE_
  // Each interface of a pcapng has its own link type.
  bool may_mix_links() const { return std::holds_alternative<PcapngRecords>(records_); }
  std::string link_name() const;  // for people: "RAW (101)"
  std::uint64_t frames() const { return frames_; }

  // --- packet comments of a pcapng (section 4.3)
  // Before the first: frames are looked at whose first comment begins with one of these, which outlive the reader. Not
  // those that libpcap reads. In the order of time, such a frame begins a part (TimeOrder).
  void watch_comments(std::span<const std::string_view> beginnings) { beginnings_ = beginnings; }
  // Whether the frame, or one before it that no call has asked about, has such a comment. Asked of the frames in the
  // order in which next() gives them.
  bool has_watched_comment(std::uint64_t frame);

  // The statistics at the end of a pcapng: once next() has given false.
  std::optional<Statistics> statistics() const;

  // The filters with which a pcapng was captured (capture_filter.h): once next() has given false.
  std::vector<std::string> filters() const;

  // The comments of a section that ends a pcapng and has nothing else (Writer::close_with()): once next() has given
  // false.
  std::vector<std::string> closing_comments() const;

  // The comment in a pcapng's first Section Header Block, if it lies within the file's first 4 KiB.
  const std::optional<std::string>& section_comment() const { return section_comment_; }

 private:
  struct Close {
    void operator()(struct ::pcap* capture) const;
  };

  Reader(std::string path, std::unique_ptr<Input> input, struct ::pcap* capture);
  // --- in the order of the file
  bool read(Frame& frame);
  template <class Records>
  bool read_record(Records& records, Frame& frame);
  bool next_by_libpcap(Frame& frame);
  // --- for order_
  bool read_batch();
  template <class Records>
  bool read_batch_of(Records& records);

  template <class Records>
  bool read_more(const Records& records);
  void leave(Octets untold);
  template <class Records>
  void look_at(const Records& records);
  void look_at_comment(Octets options, bool swapped);
  void stop(int status);

  std::string path_;
  std::unique_ptr<Input> input_;
  std::unique_ptr<struct ::pcap, Close> capture_;                     // reads from input_: destroyed first
  RecordBuffer buffer_;                                               // likewise
  std::variant<std::monostate, PcapRecords, PcapngRecords> records_;  // as long as they are in order
  std::vector<std::string> later_filters_;                            // of interfaces that records_ read
  OctetBuffer rest_;                                                  // what libpcap continues with
  std::unique_ptr<TimeOrder> order_;                                  // nullptr: that of the file
  int link_type_ = 0;
  std::uint64_t frames_ = 0;
  bool done_ = false;
  std::optional<Problem> problem_;
  std::optional<std::string> section_comment_;
  std::span<const std::string_view> beginnings_;  // prefixes of the comments that are watched
  // Enough for a file whose frames all have comments that are not asked about.
  static constexpr std::size_t kMostWatched = 1 << 16;
  std::deque<std::uint64_t> watched_;  // frames that have one, and were not asked about
};

}  // namespace wirelaw::pcap
