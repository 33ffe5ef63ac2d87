// SPDX-License-Identifier: Apache-2.0
// Long-CTS messages, writes and reads: LONGCTS_RTM, CTS and CTSDATA.
#include "corpora/traces/efa_exchanges.h"
#include "corpora/traces/efa_samples.h"

namespace wirelaw::corpora {
namespace {

using Builder = EfaTraceBuilder;
using Packet = Builder::Packet;
using Type = Builder::Type;
constexpr Severity kWarning = Severity::warning;

constexpr std::uint32_t kSend = 5, kReceive = 9;

void much_later(Builder& s) {
  s.pause(200'000'000);
  for (int i = 0; i < 10; ++i) s.eager(Side::a);
}

// Begins a message of 300 octets, 100 of them in this packet.
void begin(Builder& s, std::uint32_t send_id = kSend, Type type = Type::longcts_msgrtm,
           const Builder::Edit& edit = {}) {
  s.request(Side::a, type, 100, [&](Packet& p) {
    p.msg_length = 300;
    p.send_id = send_id;
    if (p.rma_iov_count != 0) p.rma_iov = s.iov(300);
    if (edit) edit(p);
  });
}
void met_and_begun(Builder& s) {
  s.meet();
  begin(s);
}
void cts(Builder& s, std::uint64_t octets, const Builder::Edit& edit = {}) {
  s.cts(Side::b, kSend, kReceive, octets, edit);
}
void data(Builder& s, std::uint64_t offset, std::size_t octets, const Builder::Edit& edit = {}) {
  s.ctsdata(Side::a, kReceive, offset, octets, edit);
}

// Side a reads 300 octets: it allows 200, of which the READRSP carries 120.
void read(Builder& s) {
  s.meet();
  s.request(Side::a, Type::longcts_rtr, 0, [&](Packet& p) {
    p.msg_length = 300;
    p.recv_id = kReceive;
    p.recv_length = 200;
    p.rma_iov = s.iov(300);
  });
  const auto answer = [](Packet& p) { p.recv_id = kReceive, p.send_id = kSend, p.recv_length = 120; };
  s.answer(Side::b, Type::readrsp, answer, 120);
}
constexpr auto kOfRead = [](Packet& p) { p.flags |= efa::flag::kCtsEmulatedRead; };

const EfaSample kSamples[] = {
    {"", "Long-CTS messages and a write, in two windows each, the data of one of them in disorder; IDs are used again.",
     [](Builder& s) {
       s.meet();
       for (const Type type : {Type::longcts_msgrtm, Type::longcts_tagrtm, Type::longcts_rtw}) {
         begin(s, kSend, type);
         cts(s, 150);
         data(s, 200, 50);
         data(s, 100, 100);
         cts(s, 50);
         data(s, 250, 50);
       }
       begin(s, kSend, Type::longcts_msgrtm, [](Packet& p) { p.payload = {}; });
       cts(s, 300);
       data(s, 0, 300);
       much_later(s);
     },
     "efa-long-cts"},
    {"", "A long-CTS read: a window by the request, and one by a CTS.",
     [](Builder& s) {
       read(s);
       s.ctsdata(Side::b, kReceive, 120, 80);
       s.cts(Side::a, kSend, kReceive, 100, kOfRead);
       s.ctsdata(Side::b, kReceive, 200, 100);
     },
     "efa-long-cts-read"},
    {"", "A long-CTS message that nothing receives: no CTS is due.",
     [](Builder& s) {
       met_and_begun(s);
       answer_and_fall_silent(s, Side::b);
     },
     "efa-long-cts-unmatched"},
    {"", "Two long-CTS messages at once, both ways.",
     [](Builder& s) {
       s.meet();
       begin(s, 1);
       s.request(Side::b, Type::longcts_msgrtm, 0, [](Packet& p) { p.msg_length = 20, p.send_id = 1; });
       begin(s, 2);
       s.cts(Side::b, 2, 1, 200);
       s.cts(Side::b, 1, 2, 200);
       s.cts(Side::a, 1, 1, 20);
       s.ctsdata(Side::a, 2, 100, 200);
       s.ctsdata(Side::b, 1, 0, 20);
       s.ctsdata(Side::a, 1, 100, 200);
     },
     "efa-long-cts-at-once"},

    // -------------------------------------------------------------------------------------------------- LONGCTS_RTM
    {"EFA-3.2-70", "A LONGCTS_RTM carries more than its message has.",
     [](Builder& s) {
       s.meet();
       begin(s, kSend, Type::longcts_msgrtm, [](Packet& p) { p.msg_length = 99; });
     }},
    {"EFA-3.2-71",
     "A LONGCTS_RTM carries the whole of its message.",
     [](Builder& s) {
       s.meet();
       begin(s, kSend, Type::longcts_msgrtm, [](Packet& p) { p.msg_length = 100; });
     },
     {},
     kWarning},
    {"EFA-3.2-72", "A message takes the send_id of one that waits for its CTS.",
     [](Builder& s) {
       met_and_begun(s);
       begin(s);
       cts(s, 200);
       data(s, 100, 200);
     }},
    {"EFA-3.2-73",
     "A LONGCTS_RTM asks for no credit.",
     [](Builder& s) {
       s.meet();
       begin(s, kSend, Type::longcts_msgrtm, [](Packet& p) { p.credit_request = 0; });
     },
     {},
     kWarning},

    // ---------------------------------------------------------------------------------------------------------- CTS
    {"EFA-3.2-100", "A CTS has a send_id that no operation has.",
     [](Builder& s) {
       met_and_begun(s);
       s.cts(Side::b, kSend + 1, kReceive, 200);
       data(s, 100, 200);
     }},
    {"EFA-3.2-101", "A CTS answers a delivery complete eager message.",
     [](Builder& s) {
       s.meet();
       s.request(Side::a, Type::dc_eager_msgrtm, 16, [](Packet& p) { p.send_id = kSend; });
       cts(s, 200);
     }},
    {"EFA-3.2-102", "A CTS allows nothing.",
     [](Builder& s) {
       met_and_begun(s);
       cts(s, 0);
     }},
    {"EFA-3.2-103",
     "A CTS allows more than is left of the message.",
     [](Builder& s) {
       met_and_begun(s);
       cts(s, 201);
       data(s, 100, 200);
     },
     {},
     kWarning},
    {"EFA-3.2-104", "A second CTS comes before what the first one allowed.",
     [](Builder& s) {
       met_and_begun(s);
       cts(s, 120);
       data(s, 100, 60);
       cts(s, 80);
       data(s, 160, 60);
       data(s, 220, 80);
     }},
    {"EFA-3.2-104", "A CTS comes twice.",
     [](Builder& s) {
       met_and_begun(s);
       cts(s, 200);
       cts(s, 200);
       data(s, 100, 200);
     },
     "doubled", kWarning},
    {"EFA-3.2-105", "The second CTS of a message has another recv_id.",
     [](Builder& s) {
       met_and_begun(s);
       cts(s, 120);
       data(s, 100, 120);
       s.cts(Side::b, kSend, kReceive + 1, 80);
       s.ctsdata(Side::a, kReceive + 1, 220, 80);
     }},
    {"EFA-3.2-106", "The CTS of a read has another recv_id than its request.",
     [](Builder& s) {
       read(s);
       s.ctsdata(Side::b, kReceive, 120, 80);
       s.cts(Side::a, kSend, kReceive + 1, 100, kOfRead);
       s.ctsdata(Side::b, kReceive + 1, 200, 100);
     }},
    {"EFA-3.2-107", "Two receive operations have one recv_id.",
     [](Builder& s) {
       s.meet();
       begin(s, 5);
       begin(s, 6);
       s.cts(Side::b, 5, kReceive, 100);
       s.cts(Side::b, 6, kReceive, 200);
     }},
    {"EFA-3.2-108", "A CTS of a read has CTS_EMULATED_READ clear.",
     [](Builder& s) {
       read(s);
       s.ctsdata(Side::b, kReceive, 120, 80);
       s.cts(Side::a, kSend, kReceive, 100);
       s.ctsdata(Side::b, kReceive, 200, 100);
     }},
    {"EFA-3.2-109", "A CTS of a message has CTS_EMULATED_READ set.",
     [](Builder& s) {
       met_and_begun(s);
       cts(s, 200, kOfRead);
       data(s, 100, 200);
     }},
    {"EFA-3.2-110", "A CTS comes when the whole message has come.",
     [](Builder& s) {
       met_and_begun(s);
       cts(s, 200);
       data(s, 100, 200);
       cts(s, 80);
     }},
    {"EFA-3.2-111",
     "A message stops after its first window.",
     [](Builder& s) {
       met_and_begun(s);
       cts(s, 120);
       data(s, 100, 120);
       much_later(s);
     },
     {},
     kWarning},
    {"EFA-3.2-111", "A message stops after its first window; the receiver answers others, and a second goes by.",
     [](Builder& s) {
       met_and_begun(s);
       cts(s, 120);
       data(s, 100, 120);
       answer_and_fall_silent(s, Side::b);
     },
     "silence"},

    // ------------------------------------------------------------------------------------------------------ CTSDATA
    {"EFA-3.2-140", "A CTSDATA has a recv_id that no CTS had.",
     [](Builder& s) {
       met_and_begun(s);
       cts(s, 200);
       s.ctsdata(Side::a, kReceive + 1, 100, 200);
     }},
    {"EFA-3.2-141", "CTSDATA comes without a CTS.",
     [](Builder& s) {
       met_and_begun(s);
       data(s, 100, 200);
     }},
    {"EFA-3.2-142", "A CTSDATA says one octet more than it holds.",
     [](Builder& s) {
       met_and_begun(s);
       cts(s, 200);
       data(s, 100, 100, [](Packet& p) { p.seg_length = 101; });
     }},
    {"EFA-3.2-143",
     "A CTSDATA carries nothing.",
     [](Builder& s) {
       met_and_begun(s);
       cts(s, 200);
       data(s, 100, 0);
       data(s, 100, 200);
     },
     {},
     kWarning},
    {"EFA-3.2-144", "A CTSDATA reaches beyond the end of the message.",
     [](Builder& s) {
       met_and_begun(s);
       cts(s, 200);
       data(s, 100, 100);
       data(s, 201, 100);
     }},
    {"EFA-3.2-144", "A CTSDATA lies where the sum of offset and length does not fit 64 bits.",
     [](Builder& s) {
       met_and_begun(s);
       cts(s, 200);
       data(s, ~std::uint64_t{0} - 50, 100);
     },
     "overflow"},
    {"EFA-3.2-145", "The sender sends more than was allowed.",
     [](Builder& s) {
       met_and_begun(s);
       cts(s, 120);
       data(s, 100, 120);
       data(s, 220, 80);
     }},
    {"EFA-3.2-145", "The responder of a read sends more than the request allowed.",
     [](Builder& s) {
       read(s);
       s.ctsdata(Side::b, kReceive, 120, 180);
     },
     "read"},
    {"EFA-3.2-146", "Octets of a message are sent twice.",
     [](Builder& s) {
       met_and_begun(s);
       cts(s, 200);
       data(s, 100, 100);
       data(s, 199, 100);
     }},
    {"EFA-3.2-146", "A CTSDATA comes twice.",
     [](Builder& s) {
       met_and_begun(s);
       cts(s, 200);
       data(s, 100, 100);
       data(s, 100, 100);
       data(s, 200, 100);
     },
     "doubled", kWarning},
    {"EFA-3.2-147", "The offset of a CTSDATA counts from the end of the data in the request.",
     [](Builder& s) {
       met_and_begun(s);
       cts(s, 200);
       data(s, 0, 200);
     }},
    {"EFA-3.2-148",
     "Half of what was allowed never comes.",
     [](Builder& s) {
       met_and_begun(s);
       cts(s, 200);
       data(s, 100, 100);
       much_later(s);
     },
     {},
     kWarning},
    {"EFA-3.2-148", "Half of what was allowed never comes; the sender sends another message, and a second goes by.",
     [](Builder& s) {
       met_and_begun(s);
       cts(s, 200);
       data(s, 100, 100);
       s.pause(200'000'000);
       s.eager(Side::a);
       s.pause(2'000'000'000);
     },
     "silence"},
};

}  // namespace

std::span<const EfaSample> efa_long_cts_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora
