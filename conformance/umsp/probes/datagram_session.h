// SPDX-License-Identifier: Apache-2.0
// A session by TCP, and datagrams beside it.
//
// A datagram may be lost, so that one without effect shows nothing. The control is in the same datagram: a WRITE of the
// session with ASK 0, which an IUT that takes datagrams executes. Only where that one was executed has the rest come.
#pragma once

#include "conformance/umsp/probes/case_file.h"
#include "conformance/umsp/probes/write_attempt.h"

namespace wirelaw::umsp {

// A WRITE of octets that were never there before, with ASK 0.
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

  static constexpr std::size_t kPlaces = 3;  // in the memory

  bool ready() { return ok() && datagrams_.ok(); }
  Line& datagrams() { return datagrams_; }

  Written written(std::size_t place = 0, const OpenSession* in_session = nullptr) {
    Written one{.address = address() + place * short_write(*this), .octets = fresh(short_write(*this)), .draft = {}};
    one.draft = in(in_session != nullptr ? *in_session : session(), write_draft(one.address, one.octets));
    return one;
  }
  // By the stream; the case is inconclusive where nothing is read.
  bool has(const Written& one, const OpenSession* in_session = nullptr) {
    const auto there = read(in_session != nullptr ? *in_session : session(), one.address,
                            static_cast<std::uint32_t>(one.octets.size()));
    if (!there && ok()) inconclusive("memory is not read by TCP");
    return there == one.octets;
  }
  // `send()` until `is_there()`, and then time for what came with it. An earlier one may come yet: each is the same.
  // The case is inconclusive where that never is.
  template <class Send, class Arrived>
  bool arrives(const Send& send, const Arrived& is_there) {
    for (unsigned tried = 0; tried < kDatagramTries && ready(); ++tried) {
      send();
      static_cast<void>(is_silent({Opcode::session_abend}));
      if (!is_there()) continue;
      static_cast<void>(is_silent({Opcode::session_abend}));
      return true;
    }
    if (ready()) inconclusive("no WRITE of the session that comes by UDP is executed");
    return false;
  }
  // Nothing that is judged: datagrams of the session are taken.
  bool takes_datagrams() {
    const Written control = written();
    return arrives([&] { datagrams_.send_good(control.draft); }, [&] { return has(control); });
  }
  // Whether such an instruction, which was not answered before, is passed over: it comes often enough, and nothing that
  // answers it does. Otherwise the case is inconclusive.
  bool passes_over(const Draft& draft, Opcode answer) {
    constexpr unsigned kEnough = 3;
    unsigned came = 0;
    for (unsigned tried = 0; tried < kDatagramTries && ready(); ++tried) {
      const Written control = written();
      datagrams_.send_together({control.draft, draft});
      if (datagrams_.next_of({answer})) inconclusive("it is answered now, and was not before");
      if (has(control)) ++came;
    }
    if (came < kEnough) inconclusive("too few datagrams come to show that it is passed over");
    if (!datagrams_.listens_at_port()) inconclusive("no answer comes, and at port 2110 of ours none can be received");
    return ready();
  }

 private:
  Line datagrams_;
};

}  // namespace wirelaw::umsp
