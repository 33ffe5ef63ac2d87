// SPDX-License-Identifier: Apache-2.0
// One connection of a live script: what the tester sends on it, and what comes from the IUT. Over datagrams, it is a
// port of the tester.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "conformance/case_probe.h"
#include "conformance/script/conversation.h"
#include "conformance/script/result.h"

namespace wirelaw::script {

// A message of the IUT, octets that are none (`raw`), or the end of its stream (`close`, `reset`).
struct Arrival {
  What::Kind kind = What::Kind::message;
  OctetBuffer octets = {};
  std::uint32_t connection = 1;
  bool is_stale = false;  // it came before the tester's latest message, so that it is no answer to that
};

class Channel : public CaseProbe {
 public:
  // Opens the connection. `number` is its number in the script. The speaker outlives the channel.
  Channel(CaseRun& run, Speaker& speaker, std::uint32_t number, Side iut);

  // The most arrivals that are kept for next(). What comes beyond is dropped.
  static constexpr std::size_t kMostWaiting = 4096;

  std::uint32_t number() const { return number_; }

  // --- sending
  // Sends a datagram or a frame of the stream. Octets of a stream are held back until push() or release().
  void send(Octets frame);
  // Sends held octets in pieces of these sizes, or all of them if no size is given. TCP may join the pieces again.
  Result<void> push(const std::vector<Value>& sizes);
  void release();
  // Sends held octets, and ends the tester's direction.
  void end(Ending ending);
  // How the IUT has ended its direction, as far as an arrival has said it.
  Ending ended() const { return ended_; }
  // Opens the connection anew. Nothing of the previous one counts.
  void reopen();

  // --- receiving
  // What comes next. Messages that arrived during a pause come first.
  std::optional<Arrival> next(Instant deadline);
  // True if next() need not wait.
  bool is_waiting() const { return !waiting_.empty(); }
  // Receives until this time, and keeps everything for next().
  void watch(Instant until);
  // Keeps an arrival of next() for the next call. The latest is returned first.
  void put_back(Arrival arrival);
  // Drops what watch() has kept.
  void drop_waiting();

  // --- for the script
  bool is_stream() const { return speaker_.language().is_stream(); }
  // The script cannot go on.
  void give_up(const TransportError& error);

 private:
  void flush(std::size_t octets);
  std::optional<Arrival> receive(Instant deadline);
  std::optional<Arrival> take_unit();
  std::optional<Arrival> take_end();

  void begin();

  Speaker& speaker_;
  const std::uint32_t number_;
  const Side iut_;
  std::deque<Arrival> waiting_;  // received during a pause
  std::size_t stale_ = 0;        // how many of these came before the latest message of the tester
  // --- of a stream
  OctetBuffer inbox_;            // received octets that are no complete message yet
  OctetBuffer held_;             // octets that the tester's lines hold back
  Ending ended_ = Ending::none;  // how the IUT has ended its direction
};

}  // namespace wirelaw::script
