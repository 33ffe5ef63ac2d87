// SPDX-License-Identifier: Apache-2.0
#include "pcap/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "pcap/capture_filter.h"
#include "pcap/input.h"
#include "pcap/libpcap_values.h"
#include "pcap/link.h"
#include "pcap/reader_problem.h"
#include "pcap/section_header.h"

namespace wirelaw::pcap {
void Reader::Close::operator()(struct ::pcap* capture) const {
  pcap_close(capture);
}

Reader::Reader(Reader&&) noexcept = default;

// The default would not do: the replaced capture reads from its input until it is closed.
Reader& Reader::operator=(Reader&& other) noexcept {
  capture_ = std::move(other.capture_);
  input_ = std::move(other.input_);
  buffer_ = std::move(other.buffer_);
  records_ = std::move(other.records_);
  rest_ = std::move(other.rest_);
  order_ = std::move(other.order_);
  path_ = std::move(other.path_);
  link_type_ = other.link_type_;
  frames_ = other.frames_;
  done_ = other.done_;
  problem_ = std::move(other.problem_);
  section_comment_ = std::move(other.section_comment_);
  beginnings_ = other.beginnings_;
  watched_ = std::move(other.watched_);
  return *this;
}

Reader::~Reader() = default;

tl::expected<Reader, Problem> Reader::open(const std::string& path) {
  auto input = Input::open(path);
  if (!input) return tl::unexpected(std::move(input.error()));
  char error[PCAP_ERRBUF_SIZE] = {};
  pcap_t* capture = pcap_fopen_offline_with_tstamp_precision((*input)->stream(), PCAP_TSTAMP_PRECISION_NANO, error);
  if (capture == nullptr) return tl::unexpected(explain_refusal(path, (*input)->head(), (*input)->error(), error));
  (*input)->release();
  return Reader(path, std::move(*input), capture);
}

Reader::Reader(std::string path, std::unique_ptr<Input> input, struct ::pcap* capture)
    : path_(std::move(path)),
      input_(std::move(input)),
      capture_(capture),
      buffer_(*input_),
      link_type_(link_type_of(pcap_datalink(capture))) {
  section_comment_ = section_header_comment(input_->head());
  if (!input_->has_plain_records()) return;
  const auto snap_length = static_cast<std::uint32_t>(pcap_snapshot(capture));
  // libpcap adjusts the byte order of the frames of some links.
  const bool is_as_captured = find_link_type(link_type_) != nullptr && link_type_ != kLinkTypeNflog;
  if (has_plain_records(input_->head()) && is_as_captured)
    records_ = PcapRecords(input_->head(), snap_length);
  else if (auto records = PcapngRecords::after(input_->head(), snap_length))
    records_ = std::move(*records);
}

// Reads the next frame in the file's order.
bool Reader::read(Frame& frame) {
  if (auto* const pcap = std::get_if<PcapRecords>(&records_); pcap && read_record(*pcap, frame)) return true;
  if (auto* const pcapng = std::get_if<PcapngRecords>(&records_); pcapng && read_record(*pcapng, frame)) return true;
  return next_by_libpcap(frame);
}

template <class Records>
bool Reader::read_record(Records& records, Frame& frame) {
  do {
    frame.link_type = link_type_;  // or that of its interface
    if (records.take(buffer_, frame)) [[likely]] {
      frame.number = ++frames_;
      if (!beginnings_.empty()) [[unlikely]]
        look_at(records);
      return true;
    }
  } while (read_more(records));
  leave(records.untold());
  return false;
}

void Reader::read_in_time_order() {
  order_ = std::make_unique<TimeOrder>();
}

// Reads until the earliest frame is known. Returns false if there is none.
bool Reader::read_batch() {
  order_->make_room();
  if (auto* const pcap = std::get_if<PcapRecords>(&records_); pcap && read_batch_of(*pcap)) return true;
  if (auto* const pcapng = std::get_if<PcapngRecords>(&records_); pcapng && read_batch_of(*pcapng)) return true;
  while (!order_->settle(false)) {
    if (!next_by_libpcap(order_->slot())) return order_->settle(true);
    order_->add_copy();
  }
  return true;
}

template <class Records>
bool Reader::read_batch_of(Records& records) {
  for (;;) {
    while (order_->has_room()) {
      order_->slot().link_type = link_type_;  // or that of its interface
      if (!records.take(buffer_, order_->slot())) break;
      order_->slot().number = ++frames_;
      if (!beginnings_.empty()) [[unlikely]]
        look_at(records);
      order_->add();
    }
    if (order_->settle(false)) return true;
    order_->keep_octets(buffer_.going(records.needed(buffer_.rest())));
    if (!read_more(records)) break;
  }
  leave(records.untold());
  return false;
}

template <class Records>
bool Reader::read_more(const Records& records) {
  const std::size_t needed = records.needed(buffer_.rest());
  return needed > 0 && buffer_.read_more(needed);
}

// libpcap continues with the octets that were read but not taken.
void Reader::leave(Octets untold) {
  const Octets rest = buffer_.rest();
  done_ = rest.empty() && input_->error().empty();
  rest_.assign(untold.begin(), untold.end());
  rest_.insert(rest_.end(), rest.begin(), rest.end());
  input_->unread(rest_);
  if (auto* const pcapng = std::get_if<PcapngRecords>(&records_)) later_filters_ = std::move(pcapng->filters());
  records_ = std::monostate();
}

std::optional<Statistics> Reader::statistics() const {
  if (!done_ || problem_) return std::nullopt;
  return statistics_at_end(input_->head(), input_->tail());
}

std::vector<std::string> Reader::filters() const {
  std::vector<std::string> filters = capture_filters(input_->head());
  filters.insert(filters.end(), later_filters_.begin(), later_filters_.end());
  return filters;
}

std::vector<std::string> Reader::closing_comments() const {
  if (!done_ || problem_ || section_header_length(input_->head()) == 0) return {};
  return pcap::closing_comments(input_->tail());
}

template <class Records>
void Reader::look_at(const Records& records) {
  if constexpr (std::is_same_v<Records, PcapngRecords>) look_at_comment(records.options(), records.swapped());
}

// Skips the options before the first comment.
void Reader::look_at_comment(Octets options, bool swapped) {
  constexpr std::size_t kHead = 2 * sizeof(std::uint16_t);
  while (options.size() >= kHead) {
    const auto code = pcapng::load<std::uint16_t>(options.data(), swapped);
    const std::size_t length = pcapng::load<std::uint16_t>(options.data() + sizeof code, swapped);
    if (code == pcapng::kOptionEnd || length > options.size() - kHead) return;
    if (code == pcapng::kOptionComment) {
      const std::string_view comment(reinterpret_cast<const char*>(options.data() + kHead), length);
      if (std::ranges::any_of(beginnings_, [&](std::string_view one) { return comment.starts_with(one); })) {
        if (watched_.size() == kMostWatched) watched_.pop_back();
        watched_.push_back(frames_);
        if (order_) order_->begin_part();
      }
      return;
    }
    options = options.subspan(std::min(options.size(), kHead + pcapng::padded(length)));
  }
}

bool Reader::has_watched_comment(std::uint64_t frame) {
  bool found = false;
  for (; !watched_.empty() && watched_.front() <= frame; found = true) watched_.pop_front();
  return found;
}

bool Reader::next_by_libpcap(Frame& frame) {
  if (done_) return false;
  pcap_pkthdr* header = nullptr;
  const u_char* octets = nullptr;
  const int status = pcap_next_ex(capture_.get(), &header, &octets);
  if (status != 1) [[unlikely]] {
    stop(status);
    return false;
  }
  frame.number = ++frames_;
  frame.interface = kUnknownInterface;  // libpcap does not report it
  frame.link_type = link_type_;
  frame.time_ns = nanoseconds(header->ts, input_->head());
  frame.octets = {octets, header->caplen};
  frame.wire_length = std::max(header->len, header->caplen);
  return true;
}

void Reader::stop(int status) {
  done_ = true;
  const std::string early = input_->error();
  if (status == PCAP_ERROR_BREAK && early.empty()) return;
  const long at = std::ftell(pcap_file(capture_.get()));
  problem_ = explain_break(path_, frames_, early, pcap_geterr(capture_.get()));
  problem_->offset = at > 0 ? static_cast<std::size_t>(at) : 0;
}

std::string Reader::link_name() const {
  const char* name = pcap_datalink_val_to_name(dlt_of(link_type_));
  return name == nullptr ? std::to_string(link_type_) : fmt::format("{} ({})", name, link_type_);
}

}  // namespace wirelaw::pcap
