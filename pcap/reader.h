// SPDX-License-Identifier: Apache-2.0
// Reads the frames of a capture file with libpcap: pcap and pcapng, in either byte order, with any time resolution,
// gzip'd or not. The most common kinds of file are read without libpcap (pcap_records.h, pcapng_records.h).
//
// libpcap reads only captures whose interfaces share one link type, and whose sections share one byte order. From other
// captures, this class reads what pcapng_records.h can read.
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

  // Reads the next frame. Its octets are valid until the next call. False at the end, or if the file is broken;
  // problem() is set then.
  bool next(Frame& frame) {
    if (!order_) return read(frame);
    if (!order_->has_next() && !read_batch()) [[unlikely]]
      return false;
    order_->take(frame);
    return true;
  }
  // Call it before the first frame: next() then returns frames in the order of their time stamps. problem() may be set
  // earlier than the last of them is returned.
  void read_in_time_order();

  const std::optional<Problem>& problem() const { return problem_; }
  const std::string& path() const { return path_; }
  int link_type() const { return link_type_; }  // LINKTYPE_
  // Each interface of a pcapng has its own link type.
  bool may_mix_links() const { return std::holds_alternative<PcapngRecords>(records_); }
  std::string link_name() const;  // for people: "RAW (101)"
  std::uint64_t frames() const { return frames_; }

  // --- packet comments of a pcapng (section 4.3)
  // Call it before the first frame: watches for frames whose first comment begins with one of these strings, which must
  // outlive the reader. Frames that libpcap reads are not watched. In time order, a watched frame begins a part
  // (TimeOrder).
  void watch_comments(std::span<const std::string_view> beginnings) { beginnings_ = beginnings; }
  // Returns true if the frame, or an earlier one that no call has asked about, has such a comment. Ask for frames in
  // the order in which next() returns them.
  bool has_watched_comment(std::uint64_t frame);

  // The statistics at the end of a pcapng. Valid once next() has returned false.
  std::optional<Statistics> statistics() const;

  // The filters with which a pcapng was captured (capture_filter.h). Valid once next() has returned false.
  std::vector<std::string> filters() const;

  // The comments of a last section of a pcapng that has nothing else (Writer::close_with()). Valid once next() has
  // returned false.
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
  std::unique_ptr<struct ::pcap, Close> capture_;                     // reads from input_, so it is destroyed first
  RecordBuffer buffer_;                                               // likewise
  std::variant<std::monostate, PcapRecords, PcapngRecords> records_;  // used while the records are in order
  std::vector<std::string> later_filters_;                            // filters of the interfaces that records_ read
  OctetBuffer rest_;                                                  // octets that libpcap reads next
  std::unique_ptr<TimeOrder> order_;                                  // nullptr: the file's own order
  int link_type_ = 0;
  std::uint64_t frames_ = 0;
  bool done_ = false;
  std::optional<Problem> problem_;
  std::optional<std::string> section_comment_;
  std::span<const std::string_view> beginnings_;  // prefixes of the comments that are watched
  // Limits watched_ for a caller that does not ask.
  static constexpr std::size_t kMostWatched = 1 << 16;
  std::deque<std::uint64_t> watched_;  // watched frames that no call has asked about
};

}  // namespace wirelaw::pcap
