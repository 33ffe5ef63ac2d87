// SPDX-License-Identifier: Apache-2.0
// A session over TCP, with datagrams in parallel.
//
// A datagram may be lost, so one without effect proves nothing. Each datagram therefore contains a control: a WRITE of
// the session with ASK 0, which an IUT that accepts datagrams executes. If that was executed, the rest has arrived too.
#pragma once

#include "conformance/umsp/probes/case_file.h"
#include "conformance/umsp/probes/write_attempt.h"

namespace wirelaw::umsp {

// A WRITE with ASK 0 of octets that were never in the memory before.
struct Written {
  std::uint64_t address = 0;
  OctetBuffer octets;
  Draft draft;
};

class DatagramSession : public ServedSession {
 public:
  explicit DatagramSession(CaseRun& run) : ServedSession(run), datagrams_(run, {.datagrams = true}) {
    if (ok() && datagrams_.ok() && octets() < kPlaces * short_write(*this)) skip("needs more memory to write");
  }

  static constexpr std::size_t kPlaces = 3;  // places to write in the memory

  bool ready() { return ok() && datagrams_.ok(); }
  Line& datagrams() { return datagrams_; }

  Written written(std::size_t place = 0, const OpenSession* in_session = nullptr) {
    Written one{.address = address() + place * short_write(*this), .octets = fresh(short_write(*this)), .draft = {}};
    one.draft = in(in_session != nullptr ? *in_session : session(), write_draft(one.address, one.octets));
    return one;
  }
  // True if the octets are read over TCP. The case is inconclusive if nothing can be read.
  bool has(const Written& one, const OpenSession* in_session = nullptr) {
    const auto there = read(in_session != nullptr ? *in_session : session(), one.address,
                            static_cast<std::uint32_t>(one.octets.size()));
    if (!there && ok()) inconclusive("the memory was not read by TCP");
    return there == one.octets;
  }
  // Calls `send()` until `is_there()` is true, and then waits for other effects of the datagram. An earlier datagram
  // may still arrive, but they are all the same. The case is inconclusive if `is_there()` never becomes true.
  template <class Send, class Arrived>
  bool arrives(const Send& send, const Arrived& is_there) {
    for (unsigned tried = 0; tried < kDatagramTries && ready(); ++tried) {
      send();
      static_cast<void>(is_silent({Opcode::session_abend}));
      if (!is_there()) continue;
      static_cast<void>(is_silent({Opcode::session_abend}));
      return true;
    }
    if (ready()) inconclusive("no WRITE of the session that came by UDP was executed");
    return false;
  }
  // True if the IUT accepts datagrams of the session. This is not judged.
  bool takes_datagrams() {
    const Written control = written();
    return arrives([&] { datagrams_.send_good(control.draft); }, [&] { return has(control); });
  }
  // True if the IUT ignores an instruction that was not answered before: it arrives often enough, and gets no answer.
  // Otherwise the case is inconclusive.
  bool passes_over(const Draft& draft, Opcode answer) {
    constexpr unsigned kEnough = 3;
    unsigned came = 0;
    for (unsigned tried = 0; tried < kDatagramTries && ready(); ++tried) {
      const Written control = written();
      datagrams_.send_together({control.draft, draft});
      if (datagrams_.next_of({answer})) inconclusive("it was answered now, and not before");
      if (has(control)) ++came;
    }
    if (came < kEnough) inconclusive("too few datagrams came to show that it is ignored");
    if (!datagrams_.listens_at_port()) inconclusive("no answer came, and the tester's port 2110 cannot receive one");
    return ready();
  }

 private:
  Line datagrams_;
};

}  // namespace wirelaw::umsp
