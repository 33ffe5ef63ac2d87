// SPDX-License-Identifier: Apache-2.0
#include "harness/lab/fabric_operations.h"

#include <fmt/format.h>
#include <rdma/fi_atomic.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <rdma/fi_tagged.h>

#include <algorithm>
#include <array>
#include <optional>
#include <sstream>

#include "harness/lab/fabric_pattern.h"

namespace wirelaw::lab {
namespace {

// The settings that make the provider choose a subprotocol.
constexpr std::string_view kNoRdma = "FI_EFA_USE_DEVICE_RDMA=0 FI_EFA_INTER_MIN_READ_WRITE_SIZE=1000000000";
constexpr std::string_view kRdma = "FI_EFA_USE_DEVICE_RDMA=1";
constexpr std::string_view kLongRead = "FI_EFA_USE_DEVICE_RDMA=1 FI_EFA_RUNT_SIZE=0";
constexpr std::string_view kRunting = "FI_EFA_USE_DEVICE_RDMA=1 FI_EFA_RUNT_SIZE=65536";
constexpr std::uint64_t kDelivery = FI_DELIVERY_COMPLETE;

constexpr std::uint64_t kDataTag = 0x1000;
constexpr std::uint64_t kCqData = 0x5754;

// libfabric keeps its own state in the memory that a context points to while the operation lasts.
struct Context {
  fi_context2 state = {};
};

// For a receive that was cancelled, or for the provider itself.
void print_error(const Event& event) {
  if (!event.error.empty()) fmt::print("provider error: {}\n", event.error);
}

template <typename Post>
Result<Event> complete(Requester& requester, Post post) {
  Context context;
  return finish(
      requester.endpoint, &context, [&] { return static_cast<long>(post(&context)); }, print_error, requester.patience);
}

Result<> ended(const Result<Event>& event) {
  if (!event) return tl::unexpected(event.error());
  return {};
}

// ------------------------------------------------------------------------------------------------ messages
Result<> send_tagged(Requester& requester, std::span<const std::uint8_t> octets, std::uint64_t tag,
                     std::uint64_t flags) {
  const iovec part{const_cast<std::uint8_t*>(octets.data()), octets.size()};
  fi_msg_tagged message = {};
  message.msg_iov = &part;
  message.iov_count = 1;
  message.addr = requester.to;
  message.tag = tag;
  message.data = kCqData;
  return ended(complete(requester, [&](void* context) {
    message.context = context;
    return fi_tsendmsg(requester.endpoint.ep(), &message, flags | FI_COMPLETION);
  }));
}

Result<> send_untagged(Requester& requester, std::span<const std::uint8_t> octets, std::uint64_t flags) {
  const iovec part{const_cast<std::uint8_t*>(octets.data()), octets.size()};
  fi_msg message = {};
  message.msg_iov = &part;
  message.iov_count = 1;
  message.addr = requester.to;
  message.data = kCqData;
  return ended(complete(requester, [&](void* context) {
    message.context = context;
    return fi_sendmsg(requester.endpoint.ep(), &message, flags | FI_COMPLETION);
  }));
}

// Asks the peer what has arrived, and whether it was right.
Result<> check_arrival(Requester& requester) {
  if (requester.partner != Partner::fabric_peer) return {};
  Report report = {};
  Context receive;
  const auto receiving = [&] {
    return static_cast<long>(
        fi_trecv(requester.endpoint.ep(), &report, sizeof report, nullptr, FI_ADDR_UNSPEC, kAnswerTag, 0, &receive));
  };
  const std::array<std::uint8_t, 8> question = {};
  bool asked = false;
  const auto answered = finish(
      requester.endpoint, &receive,
      [&]() -> long {
        if (!asked) {
          if (const long error = receiving()) return error;
          asked = true;
        }
        return fi_tinject(requester.endpoint.ep(), question.data(), question.size(), requester.to, kReportTag);
      },
      print_error, requester.patience);
  if (!answered) return tl::unexpected("asking the peer for its report: " + answered.error());
  if (report.wrong != 0) return tl::unexpected(fmt::format("the peer found {} messages wrong", report.wrong));
  if (report.messages != requester.sent)
    return tl::unexpected(fmt::format("the peer has {} messages of {}", report.messages, requester.sent));
  return {};
}

// ------------------------------------------------------------------------------------------------ echoes
struct Exchange {
  std::vector<std::uint8_t> out = {}, back = {};
  std::optional<std::uint64_t> tag = {};
  std::uint64_t flags = 0;
  bool expects_cq_data = false;
  Context send_context = {}, receive_context = {};
  bool sends = true, sent = false, receives = false, echoed = false;

  bool over() const { return sent && echoed; }
};

long post_receive(Requester& requester, Exchange& one) {
  one.back.resize(one.out.size() + 1);  // one octet more, so that an overlong answer shows
  fid_ep* const ep = requester.endpoint.ep();
  return one.tag ? fi_trecv(ep, one.back.data(), one.back.size(), nullptr, FI_ADDR_UNSPEC, *one.tag, 0,
                            &one.receive_context)
                 : fi_recv(ep, one.back.data(), one.back.size(), nullptr, FI_ADDR_UNSPEC, &one.receive_context);
}

long post_send(Requester& requester, Exchange& one) {
  const iovec part{one.out.data(), one.out.size()};
  fid_ep* const ep = requester.endpoint.ep();
  if (one.tag) {
    const fi_msg_tagged message{&part, nullptr, 1, requester.to, *one.tag, 0, &one.send_context, kCqData};
    return fi_tsendmsg(ep, &message, one.flags | FI_COMPLETION);
  }
  const fi_msg message{&part, nullptr, 1, requester.to, &one.send_context, kCqData};
  return fi_sendmsg(ep, &message, one.flags | FI_COMPLETION);
}

Result<> take_echo(Exchange& one, const Event& event) {
  if (!event.error.empty()) return tl::unexpected("receiving the echo: " + event.error);
  one.back.resize(std::min(event.octets, one.back.size()));
  const bool has_cq_data = (event.flags & FI_REMOTE_CQ_DATA) != 0;
  if (one.back != one.out) return tl::unexpected(std::string("the echo has other octets"));
  if (has_cq_data != one.expects_cq_data || (has_cq_data && event.data != kCqData))
    return tl::unexpected(std::string("the echo has other CQ data"));
  one.echoed = true;
  return {};
}

Result<> take(std::span<Exchange> exchanges, const Event& event) {
  for (Exchange& one : exchanges) {
    if (event.context == &one.receive_context) return take_echo(one, event);
    if (event.context != &one.send_context) continue;
    if (!event.error.empty()) return tl::unexpected("sending: " + event.error);
    one.sent = true;
    return {};
  }
  print_error(event);
  return {};
}

// Its buffer is not written to any more.
void take_back(Requester& requester, Exchange& one) {
  if (fi_cancel(&requester.endpoint.ep()->fid, &one.receive_context) != 0) return;
  static_cast<void>(finish(
      requester.endpoint, &one.receive_context, [] { return 0L; }, print_error, requester.patience));
}

// Each receive is posted before its message is sent. If that fails, the process must end, because buffers are still
// posted.
Result<> have_echoed(Requester& requester, std::span<Exchange> exchanges) {
  const auto until = std::chrono::steady_clock::now() + requester.patience;
  std::size_t posted = 0;
  while (std::chrono::steady_clock::now() < until) {
    for (; posted < exchanges.size(); ++posted) {
      Exchange& next = exchanges[posted];
      long error = next.receives ? 0 : post_receive(requester, next);
      next.receives = next.receives || error == 0;
      if (error == 0 && next.sends) error = post_send(requester, next);
      if (error == -FI_EAGAIN) break;
      if (error == -FI_EOPNOTSUPP) take_back(requester, next);
      if (error != 0) return tl::unexpected(fabric_error("posting", error));
    }
    const auto event = requester.endpoint.poll();
    if (!event) return tl::unexpected(event.error());
    if (*event)
      if (const auto taken = take(exchanges, **event); !taken) return taken;
    if (std::ranges::all_of(exchanges, &Exchange::over)) return {};
  }
  return tl::unexpected(fmt::format("{} after {} s",
                                    std::ranges::all_of(exchanges, &Exchange::sent) ? "not echoed" : "not sent",
                                    requester.patience.count()));
}

Result<> exchange_one(const Operation& self, Requester& requester, bool tagged) {
  Exchange one{.flags = self.flags, .expects_cq_data = (self.flags & FI_REMOTE_CQ_DATA) != 0};
  one.out.resize(self.octets);
  fill(one.out, self.octets + self.name.size());
  if (tagged) one.tag = kDataTag;
  return have_echoed(requester, {&one, 1});
}

template <bool tagged>
Result<> message(const Operation& self, Requester& requester) {
  if (requester.partner == Partner::echo) return exchange_one(self, requester, tagged);
  std::vector<std::uint8_t> octets(self.octets);
  fill(octets, octets.size());
  const auto sent =
      tagged ? send_tagged(requester, octets, kDataTag, self.flags) : send_untagged(requester, octets, self.flags);
  if (!sent) return sent;
  ++requester.sent;
  return check_arrival(requester);
}

// ------------------------------------------------------------------------------------------------ memory
Result<> read_memory(Requester& requester, std::span<std::uint8_t> into, std::uint64_t offset) {
  return ended(complete(requester, [&](void* context) {
    return fi_read(requester.endpoint.ep(), into.data(), into.size(), nullptr, requester.to,
                   requester.peer.memory + offset, requester.peer.key, context);
  }));
}

Result<> compare(std::span<const std::uint8_t> octets, std::size_t salt) {
  if (const auto wrong = first_wrong(octets, salt)) return tl::unexpected(fmt::format("octet {} is wrong", *wrong));
  return {};
}

// The parts of a partner's memory and their use. fabric_peer's memory begins with octets that are only read.
std::uint64_t writable_at(const Requester& requester) {
  return requester.partner == Partner::echo ? 0 : kReadable;
}
std::uint64_t numbers_at(const Requester& requester) {
  return requester.partner == Partner::echo ? requester.peer.length / 4 * 3 : kReadable + kWritable;
}

Result<> write(const Operation& self, Requester& requester) {
  std::vector<std::uint8_t> octets(self.octets);
  const std::size_t salt = octets.size() + self.name.size();
  fill(octets, salt);
  const iovec part{octets.data(), octets.size()};
  const fi_rma_iov place{requester.peer.memory + writable_at(requester), octets.size(), requester.peer.key};
  fi_msg_rma message = {};
  message.msg_iov = &part;
  message.iov_count = 1;
  message.addr = requester.to;
  message.rma_iov = &place;
  message.rma_iov_count = 1;
  message.data = kCqData;
  // An application that echoes answers a write with CQ data by an empty message, which may come first.
  Exchange answer{.expects_cq_data = true, .sends = false, .sent = true, .receives = true};
  const bool answered = requester.partner == Partner::echo && (self.flags & FI_REMOTE_CQ_DATA) != 0;
  if (answered)
    if (const long error = post_receive(requester, answer); error != 0)
      return tl::unexpected(fabric_error("posting a receive", error));
  Result<> taken_answer;
  Context context;
  message.context = &context;
  const auto written = finish(
      requester.endpoint, &context,
      [&] { return static_cast<long>(fi_writemsg(requester.endpoint.ep(), &message, self.flags | FI_COMPLETION)); },
      [&](const Event& event) {
        if (const auto taken = take({&answer, 1}, event); !taken) taken_answer = taken;
      },
      requester.patience);
  if (!written || !requester.checks()) return ended(written);
  if (answered && taken_answer && !answer.echoed) taken_answer = have_echoed(requester, {&answer, 1});
  if (!taken_answer) return taken_answer;
  // A write is complete before its octets are in place, unless delivery was asked for: read until they are there.
  std::vector<std::uint8_t> back(octets.size());
  const auto until = std::chrono::steady_clock::now() + requester.patience;
  do {
    if (const auto read = read_memory(requester, back, writable_at(requester)); !read)
      return tl::unexpected("reading back: " + read.error());
  } while (back != octets && (self.flags & FI_DELIVERY_COMPLETE) == 0 && std::chrono::steady_clock::now() < until);
  return compare(back, salt);
}

Result<> read(const Operation& self, Requester& requester) {
  std::vector<std::uint8_t> octets(self.octets);
  if (const auto done = read_memory(requester, octets, 0); !done) return done;
  return requester.partner == Partner::fabric_peer ? compare(octets, 0) : Result<>();
}

// ------------------------------------------------------------------------------------------------ atomics
// Each row has its own number, so that it does not find what another row has left.
std::uint64_t number_offset(const Operation& self, const Requester& requester) {
  return numbers_at(requester) + 8 * static_cast<std::uint64_t>(&self - operations().data());
}

Result<std::uint64_t> fetch_add(const Operation& self, Requester& requester, std::uint64_t operand) {
  std::uint64_t before = 0;
  const auto done = complete(requester, [&](void* context) {
    return fi_fetch_atomic(requester.endpoint.ep(), &operand, 1, nullptr, &before, nullptr, requester.to,
                           requester.peer.memory + number_offset(self, requester), requester.peer.key, FI_UINT64,
                           FI_SUM, context);
  });
  if (!done) return tl::unexpected(done.error());
  return before;
}

Result<> expect_number(const Operation& self, Requester& requester, std::uint64_t expected) {
  if (!requester.checks()) return {};
  const auto now = fetch_add(self, requester, 0);
  if (!now) return tl::unexpected("fetching the number: " + now.error());
  if (*now != expected) return tl::unexpected(fmt::format("the number is {}, not {}", *now, expected));
  return {};
}

// Returns the number before the operation: zero with fabric_peer, and any value with other peers.
Result<std::uint64_t> number_before(const Operation& self, Requester& requester) {
  if (requester.partner != Partner::echo) return 0;
  return fetch_add(self, requester, 0);
}

Result<> atomic(const Operation& self, Requester& requester) {
  const auto before = number_before(self, requester);
  if (!before) return tl::unexpected(before.error());
  std::uint64_t operand = 41;
  const fi_ioc part{&operand, 1};
  const fi_rma_ioc place{requester.peer.memory + number_offset(self, requester), 1, requester.peer.key};
  fi_msg_atomic message = {};
  message.msg_iov = &part;
  message.iov_count = 1;
  message.addr = requester.to;
  message.rma_iov = &place;
  message.rma_iov_count = 1;
  message.datatype = FI_UINT64;
  message.op = FI_SUM;
  const auto done = complete(requester, [&](void* context) {
    message.context = context;
    return fi_atomicmsg(requester.endpoint.ep(), &message, self.flags | FI_COMPLETION);
  });
  if (!done) return ended(done);
  return expect_number(self, requester, *before + 41);
}

Result<> fetch_atomic(const Operation& self, Requester& requester) {
  const auto first = fetch_add(self, requester, 7);
  if (!first) return tl::unexpected(first.error());
  if (requester.partner == Partner::fabric_peer && *first != 0)
    return tl::unexpected(fmt::format("fetched {}, not 0", *first));
  return expect_number(self, requester, *first + 7);
}

Result<> compare_atomic(const Operation& self, Requester& requester) {
  const auto there = number_before(self, requester);
  if (!there) return tl::unexpected(there.error());
  std::uint64_t before = ~*there;
  const std::uint64_t operand = *there + 99;
  const std::uint64_t expected = *there;
  const auto done = complete(requester, [&](void* context) {
    return fi_compare_atomic(requester.endpoint.ep(), &operand, 1, nullptr, &expected, nullptr, &before, nullptr,
                             requester.to, requester.peer.memory + number_offset(self, requester), requester.peer.key,
                             FI_UINT64, FI_CSWAP, context);
  });
  if (!done) return ended(done);
  if (requester.checks() && before != *there) return tl::unexpected(fmt::format("fetched {}, not {}", before, *there));
  return expect_number(self, requester, operand);
}

// ------------------------------------------------------------------------------------------------ the table
constexpr std::array<Operation, 34> kOperations{{
    {"eager", "emulated", 100, 0, message<false>, "EAGER_MSGRTM", ""},
    {"eager-empty", "emulated", 0, 0, message<false>, "EAGER_MSGRTM", ""},
    {"eager-tagged", "emulated", 100, 0, message<true>, "EAGER_TAGRTM", ""},
    {"eager-cq-data", "emulated", 100, FI_REMOTE_CQ_DATA, message<false>, "EAGER_MSGRTM", ""},
    {"medium", "emulated", 30000, 0, message<false>, "MEDIUM_MSGRTM", ""},
    {"medium-tagged", "emulated", 30000, 0, message<true>, "MEDIUM_TAGRTM", ""},
    {"long-cts", "emulated", 300000, 0, message<false>, "LONGCTS_MSGRTM CTS CTSDATA", ""},
    {"long-cts-tagged", "emulated", 300000, 0, message<true>, "LONGCTS_TAGRTM CTS CTSDATA", ""},
    {"dc-eager", "emulated", 100, kDelivery, message<false>, "DC_EAGER_MSGRTM RECEIPT", ""},
    {"dc-eager-tagged", "emulated", 100, kDelivery, message<true>, "DC_EAGER_TAGRTM RECEIPT", ""},
    {"dc-medium", "emulated", 30000, kDelivery, message<false>, "DC_MEDIUM_MSGRTM RECEIPT", ""},
    {"dc-medium-tagged", "emulated", 30000, kDelivery, message<true>, "DC_MEDIUM_TAGRTM RECEIPT", ""},
    {"dc-long-cts", "emulated", 300000, kDelivery, message<false>, "DC_LONGCTS_MSGRTM CTS CTSDATA RECEIPT", ""},
    {"dc-long-cts-tagged", "emulated", 300000, kDelivery, message<true>, "DC_LONGCTS_TAGRTM CTS CTSDATA RECEIPT", ""},
    {"write-eager", "emulated", 100, 0, write, "EAGER_RTW", kNoRdma},
    {"write-cq-data", "emulated", 100, FI_REMOTE_CQ_DATA, write, "EAGER_RTW", kNoRdma},
    {"write-long-cts", "emulated", 300000, 0, write, "LONGCTS_RTW CTS CTSDATA", kNoRdma},
    {"write-dc-eager", "emulated", 100, kDelivery, write, "DC_EAGER_RTW RECEIPT", kNoRdma},
    {"write-dc-long-cts", "emulated", 300000, kDelivery, write, "DC_LONGCTS_RTW CTS CTSDATA RECEIPT", kNoRdma},
    {"read-short", "emulated", 100, 0, read, "SHORT_RTR READRSP", kNoRdma},
    {"read-long-cts", "emulated", 300000, 0, read, "LONGCTS_RTR READRSP CTS CTSDATA", kNoRdma},
    {"atomic-write", "emulated", 8, 0, atomic, "WRITE_RTA", ""},
    {"atomic-dc-write", "emulated", 8, kDelivery, atomic, "DC_WRITE_RTA RECEIPT", ""},
    {"atomic-fetch", "emulated", 8, 0, fetch_atomic, "FETCH_RTA ATOMRSP", ""},
    {"atomic-compare", "emulated", 8, 0, compare_atomic, "COMPARE_RTA ATOMRSP", ""},
    {"write-long-read", "rdma", 2000000, 0, write, "LONGREAD_RTW EOR", kRdma},
    {"read-direct", "rdma", 2000000, 0, read, "", kRdma},
    {"long-read", "rdma", 2000000, 0, message<false>, "LONGREAD_MSGRTM EOR", kLongRead},
    {"runting-read", "runting", 2000000, 0, message<false>, "RUNTREAD_MSGRTM EOR", kRunting},
    // These need a responder that cannot register 2,000,000 octets, and libfabric 1.20 on both sides.
    {"read-nack", "nack", 2000000, 0, message<false>, "LONGREAD_MSGRTM READ_NACK LONGCTS_MSGRTM CTS CTSDATA",
     kLongRead},
    {"read-nack-tagged", "nack", 2000000, 0, message<true>, "LONGREAD_TAGRTM READ_NACK LONGCTS_TAGRTM CTS CTSDATA",
     kLongRead},
    {"read-nack-runting", "nack-runting", 2000000, 0, message<false>,
     "RUNTREAD_MSGRTM READ_NACK LONGCTS_MSGRTM CTS CTSDATA", kRunting},
    {"long-read-tagged", "rdma", 2000000, 0, message<true>, "LONGREAD_TAGRTM EOR", kLongRead},
    {"runting-read-tagged", "runting", 2000000, 0, message<true>, "RUNTREAD_TAGRTM EOR", kRunting},
}};

}  // namespace

std::span<const Operation> operations() {
  return kOperations;
}

Result<std::vector<const Operation*>> find_operations(const std::vector<std::string>& names) {
  std::vector<const Operation*> found;
  for (const std::string& name : names) {
    const std::size_t before = found.size();
    for (const Operation& operation : kOperations)
      if (operation.name == name || operation.group == name) found.push_back(&operation);
    if (found.size() == before) return tl::unexpected("there is no operation '" + name + "'");
  }
  return found;
}

Result<std::map<std::string, std::string>> settings_for(const std::vector<const Operation*>& wanted) {
  std::map<std::string, std::string> settings;
  std::map<std::string, std::string_view> asked_by;
  for (const Operation* operation : wanted) {
    std::istringstream in{std::string(operation->settings)};
    for (std::string word; in >> word;) {
      const std::string name = word.substr(0, word.find('='));
      const std::string value = word.substr(name.size() + 1);
      const auto [known, fresh] = settings.emplace(name, value);
      if (!fresh && known->second != value)
        return tl::unexpected(fmt::format("{} needs {}={}, and {} needs {}: they cannot run in one process",
                                          operation->name, name, value, asked_by[name], known->second));
      asked_by.emplace(name, operation->name);
    }
  }
  return settings;
}

bool is_unsupported(const std::string& error) {
  return error.ends_with(fi_strerror(FI_EOPNOTSUPP));
}

Result<> make_requests(Requester& requester, unsigned count, std::size_t octets, bool parallel) {
  std::vector<Exchange> requests(count);
  for (unsigned i = 0; i < count; ++i) {
    requests[i].out.resize(octets);
    fill(requests[i].out, octets + i);
  }
  if (parallel) return have_echoed(requester, requests);
  for (Exchange& one : requests)
    if (const auto done = have_echoed(requester, {&one, 1}); !done) return done;
  return {};
}

Result<> get_acquainted(Requester& requester) {
  return check_arrival(requester);
}

Result<> say_bye(Requester& requester) {
  const std::array<std::uint8_t, 8> octets = {};
  return send_tagged(requester, octets, kByeTag, 0);
}

}  // namespace wirelaw::lab
