// SPDX-License-Identifier: Apache-2.0
// Message IDs, medium messages, and delivery complete.
#include "corpora/traces/efa_exchanges.h"
#include "corpora/traces/efa_samples.h"

namespace wirelaw::corpora {
namespace {

using Builder = EfaTraceBuilder;
using Packet = Builder::Packet;
using Type = Builder::Type;
constexpr Severity kWarning = Severity::warning;

// The flow continues for so long that a packet still missing then is lost.
void much_later(Builder& s) {
  s.pause(200'000'000);
  for (int i = 0; i < 10; ++i) s.eager(Side::a);
}

// Sends a segment of a medium message; `length` is the packet's msg_length.
void segment(Builder& s, Type type, std::uint32_t msg_id, std::uint64_t offset, std::size_t octets,
             std::uint64_t length, const Builder::Edit& edit = {}) {
  s.request(Side::a, type, octets, [&](Packet& p) {
    p.msg_id = msg_id;
    p.seg_offset = offset;
    p.seg_length = length;
    p.send_id = 40;
    if (edit) edit(p);
  });
}
void medium(Builder& s, std::uint64_t offset, std::size_t octets, std::uint64_t length,
            const Builder::Edit& edit = {}) {
  segment(s, Type::medium_msgrtm, 1, offset, octets, length, edit);
}
// Sets the msg_id, for samples that number their messages themselves.
Builder::Edit id(std::uint32_t msg_id) {
  return [msg_id](Packet& p) { p.msg_id = msg_id; };
}
Builder::Edit send_id(std::uint32_t id) {
  return [id](Packet& p) { p.send_id = id; };
}

const EfaSample kSamples[] = {
    // ------------------------------------------------------------------------------------------------- message IDs
    {"", "Eager messages both ways, tagged and not, with CQ data and with no data at all.",
     [](Builder& s) {
       s.meet();
       s.eager(Side::a);
       s.eager(Side::b, 0);
       s.request(Side::a, Type::eager_tagrtm, 100);
       s.eager(Side::b, 8, [](Packet& p) { p.flags |= efa::flag::kCqData, p.cq_data = 5; });
       much_later(s);
     },
     "efa-eager"},
    {"", "Message IDs that come in another order than they were given, as the device may deliver packets.",
     [](Builder& s) {
       s.meet();
       for (const std::uint32_t one : {3u, 1u, 2u, 5u, 4u}) s.eager(Side::a, 16, id(one));
     },
     "efa-message-ids-in-disorder"},
    {"", "Message IDs that go past 4294967295: a flow that was met in mid-stream.",
     [](Builder& s) {
       s.handshake(Side::a);
       s.handshake(Side::b);
       for (const std::uint32_t one : {0xfffffffeu, 0xffffffffu, 1u, 0u, 2u}) s.eager(Side::a, 16, id(one));
     },
     "efa-message-ids-wrap"},
    {"", "Messages and atomics whose IDs are counted apart.",
     [](Builder& s) {
       s.meet();
       for (std::uint32_t one = 0; one < 3; ++one) {
         s.request(Side::a, Type::write_rta, 4, [&](Packet& p) { p.msg_id = one, p.atomic_datatype = 4; });
         s.eager(Side::a, 16, id(one + 1));
       }
     },
     "efa-message-ids-apart"},
    {"EFA-3.2-1", "Two messages have one message ID.",
     [](Builder& s) {
       s.meet();
       s.eager(Side::a, 16);
       s.eager(Side::a, 17, id(1));
     }},
    {"EFA-3.2-1", "A medium message has the ID of a medium message that is over.",
     [](Builder& s) {
       s.meet();
       medium(s, 0, 30, 50);
       medium(s, 30, 20, 50);
       medium(s, 0, 20, 40);
       medium(s, 20, 20, 40);
     },
     "over"},
    {"EFA-3.2-1", "The packet of an eager message comes twice.",
     [](Builder& s) {
       s.meet();
       s.eager(Side::a);
       s.eager(Side::a, 16, id(1));
     },
     "doubled", kWarning},
    {"EFA-3.2-2",
     "A message ID is left out.",
     [](Builder& s) {
       s.meet();
       s.eager(Side::a, 16, id(2));
       s.eager(Side::a, 16, id(3));
     },
     {},
     kWarning},
    {"EFA-3.2-2", "A message ID is left out, and a second goes by behind the last message.",
     [](Builder& s) {
       s.meet();
       s.eager(Side::a, 16, id(2));
       s.eager(Side::a, 16, id(3));
       s.pause(2'000'000'000);
     },
     "silence"},
    {"EFA-3.2-3",
     "After message ID 4294967295 comes 1.",
     [](Builder& s) {
       s.handshake(Side::a);
       s.handshake(Side::b);
       for (const std::uint32_t one : {0xfffffffeu, 0xffffffffu, 1u, 2u}) s.eager(Side::a, 16, id(one));
     },
     {},
     kWarning},
    {"EFA-3.2-3", "After message ID 4294967295 comes 1, and a second goes by behind the last message.",
     [](Builder& s) {
       s.handshake(Side::a);
       s.handshake(Side::b);
       // The capture began so long ago that message 0 was not sent before it.
       s.pause(11'000'000'000);
       for (const std::uint32_t one : {0xfffffffeu, 0xffffffffu, 1u, 2u}) s.eager(Side::a, 16, id(one));
       s.pause(2'000'000'000);
     },
     "silence"},
    {"EFA-3.2-4",
     "The first message has the ID 1.",
     [](Builder& s) {
       s.eager(Side::a, 16, id(1));
       s.handshake(Side::b);
       s.handshake(Side::a);
       s.eager(Side::a, 16, id(2));
     },
     {},
     kWarning},

    // ---------------------------------------------------------------------------------------------- medium messages
    {"", "Medium messages whose packets say how long the message is, one of them in disorder.",
     [](Builder& s) {
       s.meet();
       medium(s, 0, 30, 80);
       medium(s, 30, 30, 80);
       medium(s, 60, 20, 80);
       const auto cq_data = [](Packet& p) { p.flags |= efa::flag::kCqData, p.cq_data = 7; };
       segment(s, Type::medium_tagrtm, 2, 30, 20, 50, cq_data);
       segment(s, Type::medium_tagrtm, 2, 0, 30, 50, cq_data);
       segment(s, Type::medium_msgrtm, 3, 0, 0, 0);
     },
     "efa-medium-total"},
    {"", "Medium messages whose packets say how long their own data is.",
     [](Builder& s) {
       s.meet();
       medium(s, 0, 30, 30);
       medium(s, 30, 30, 30);
       medium(s, 60, 20, 20);
       segment(s, Type::medium_tagrtm, 2, 30, 20, 20);
       segment(s, Type::medium_tagrtm, 2, 0, 30, 30);
       s.pause(2'000'000'000);
     },
     "efa-medium-segment"},
    {"EFA-3.2-40", "The second packet of a medium message says another length of the message.",
     [](Builder& s) {
       s.meet();
       medium(s, 0, 30, 80);
       medium(s, 60, 20, 80);
       medium(s, 30, 30, 81);
     }},
    {"EFA-3.2-40", "A packet of a medium message says less than it holds.",
     [](Builder& s) {
       s.meet();
       medium(s, 0, 30, 29);
     },
     "short"},
    {"EFA-3.2-41", "A sender that has said the length of messages says the length of segments.",
     [](Builder& s) {
       s.meet();
       medium(s, 0, 30, 50);
       medium(s, 30, 20, 50);
       segment(s, Type::medium_msgrtm, 2, 30, 20, 20);
       segment(s, Type::medium_msgrtm, 2, 0, 30, 30);
     }},
    {"EFA-3.2-42", "A segment of a medium message lies behind its end.",
     [](Builder& s) {
       s.meet();
       medium(s, 0, 30, 50);
       medium(s, 31, 20, 50);
     }},
    {"EFA-3.2-43", "Two segments of a medium message have the same offset.",
     [](Builder& s) {
       s.meet();
       medium(s, 0, 30, 50);
       medium(s, 0, 20, 50);
     }},
    {"EFA-3.2-43", "A segment of a medium message comes twice.",
     [](Builder& s) {
       s.meet();
       medium(s, 0, 30, 50);
       medium(s, 0, 30, 50);
       medium(s, 30, 20, 50);
     },
     "doubled", kWarning},
    {"EFA-3.2-44", "The second segment of a medium message is tagged.",
     [](Builder& s) {
       s.meet();
       medium(s, 0, 30, 50);
       segment(s, Type::medium_tagrtm, 1, 30, 20, 50);
     }},
    {"EFA-3.2-45", "The second segment of a medium message has another tag.",
     [](Builder& s) {
       s.meet();
       segment(s, Type::medium_tagrtm, 1, 0, 30, 50);
       segment(s, Type::medium_tagrtm, 1, 30, 20, 50, [](Packet& p) { p.tag = 1; });
     }},
    {"EFA-3.2-46",
     "The second segment of a medium message has CQ data, and the first none.",
     [](Builder& s) {
       s.meet();
       medium(s, 0, 30, 50);
       medium(s, 30, 20, 50, [](Packet& p) { p.flags |= efa::flag::kCqData, p.cq_data = 7; });
     },
     {},
     kWarning},
    {"EFA-3.2-47",
     "A segment of a medium message has no data.",
     [](Builder& s) {
       s.meet();
       medium(s, 0, 30, 50);
       medium(s, 30, 0, 50);
       medium(s, 30, 20, 50);
     },
     {},
     kWarning},
    {"EFA-3.2-48",
     "The last segment of a medium message never comes.",
     [](Builder& s) {
       s.meet();
       medium(s, 0, 30, 50);
       s.pause(200'000'000);
       for (std::uint32_t one = 2; one < 12; ++one) s.eager(Side::a, 16, id(one));
     },
     {},
     kWarning},

    {"EFA-3.2-48", "The first segment of a medium message never comes, though its sender goes on.",
     [](Builder& s) {
       s.meet();
       medium(s, 30, 20, 20);
       s.pause(200'000'000);
       s.eager(Side::a);
       s.pause(2'000'000'000);
     },
     "silence"},
    {"EFA-3.2-48", "Medium packets that say their own length: what is in front of the first that came never comes.",
     [](Builder& s) {
       s.meet();
       medium(s, 30, 20, 20);
       s.pause(200'000'000);
       for (std::uint32_t one = 2; one < 12; ++one) s.eager(Side::a, 16, id(one));
     },
     "beginning", kWarning},

    // -------------------------------------------------------------------------------------------- delivery complete
    {"", "Delivery complete messages, an atomic and writes, each with its RECEIPT; a send_id is used again.",
     [](Builder& s) {
       s.meet();
       s.request(Side::a, Type::dc_eager_msgrtm, 16, send_id(7));
       s.receipt(Side::b, 7, 1);
       s.request(Side::a, Type::dc_eager_tagrtm, 16, send_id(7));
       s.receipt(Side::b, 7, 2);
       segment(s, Type::dc_medium_msgrtm, 3, 30, 20, 50);
       segment(s, Type::dc_medium_msgrtm, 3, 0, 30, 50);
       s.receipt(Side::b, 40, 3);
       s.request(Side::a, Type::dc_longcts_msgrtm, 16, [](Packet& p) {
         p.msg_id = 4;
         p.send_id = 8;
         p.msg_length = 100;
       });
       s.cts(Side::b, 8, 3, 84);
       s.ctsdata(Side::a, 3, 16, 84);
       s.receipt(Side::b, 8, 4);
       s.request(Side::a, Type::dc_eager_rtw, 16, send_id(7));
       s.receipt(Side::b, 7, 0);
       s.request(Side::a, Type::dc_write_rta, 4, [](Packet& p) {
         p.msg_id = 5;
         p.send_id = 9;
         p.atomic_datatype = 4;
       });
       s.receipt(Side::b, 9, 0);
     },
     "efa-delivery-complete"},
    {"EFA-4.2-1", "A RECEIPT has a send_id that no operation has.",
     [](Builder& s) {
       s.meet();
       s.request(Side::a, Type::dc_eager_msgrtm, 16, send_id(7));
       s.receipt(Side::b, 8, 1);
     }},
    {"EFA-4.2-2", "A RECEIPT answers an eager message that did not ask for one.",
     [](Builder& s) {
       s.meet();
       s.eager(Side::a);
       s.receipt(Side::b, 0, 1);
     }},
    {"EFA-4.2-2", "A RECEIPT answers a long-CTS message that did not ask for one.",
     [](Builder& s) {
       s.meet();
       s.request(Side::a, Type::longcts_msgrtm, 16, [](Packet& p) { p.send_id = 8, p.msg_length = 100; });
       s.cts(Side::b, 8, 3, 84);
       s.ctsdata(Side::a, 3, 16, 84);
       s.receipt(Side::b, 8, 1);
     },
     "long-cts"},
    {"EFA-4.2-3", "A RECEIPT has another msg_id than the message.",
     [](Builder& s) {
       s.meet();
       s.request(Side::a, Type::dc_eager_msgrtm, 16, send_id(7));
       s.receipt(Side::b, 7, 2);
     }},
    {"EFA-4.2-4", "A message is answered by two RECEIPTs, one without connid.",
     [](Builder& s) {
       s.meet();
       s.request(Side::a, Type::dc_eager_msgrtm, 16, send_id(7));
       s.receipt(Side::b, 7, 1);
       s.eager(Side::b);
       s.receipt(Side::b, 7, 1, [](Packet& p) { p.flags = 0, p.connid = 0; });
     }},
    {"EFA-4.2-4", "A RECEIPT comes twice.",
     [](Builder& s) {
       s.meet();
       s.request(Side::a, Type::dc_eager_msgrtm, 16, send_id(7));
       s.receipt(Side::b, 7, 1);
       s.receipt(Side::b, 7, 1);
     },
     "doubled", kWarning},
    {"EFA-4.2-5", "A RECEIPT is sent when half of the message has come.",
     [](Builder& s) {
       s.meet();
       s.request(Side::a, Type::dc_longcts_msgrtm, 16, [](Packet& p) { p.send_id = 8, p.msg_length = 100; });
       s.cts(Side::b, 8, 3, 84);
       s.ctsdata(Side::a, 3, 16, 42);
       s.receipt(Side::b, 8, 1);
       s.ctsdata(Side::a, 3, 58, 42);
     }},
    {"EFA-4.2-5", "A RECEIPT is sent when the first segment of a medium message has come.",
     [](Builder& s) {
       s.meet();
       segment(s, Type::dc_medium_msgrtm, 1, 0, 30, 50);
       s.receipt(Side::b, 40, 1);
       segment(s, Type::dc_medium_msgrtm, 1, 30, 20, 50);
     },
     "medium"},
    {"EFA-4.2-5", "A RECEIPT behind the first segment of a medium message whose packets say their own length alone.",
     [](Builder& s) {
       s.meet();
       segment(s, Type::dc_medium_msgrtm, 1, 0, 30, 30);
       s.receipt(Side::b, 40, 1);
       segment(s, Type::dc_medium_msgrtm, 1, 30, 20, 20);
     },
     "medium-segment"},
    {"EFA-4.2-5", "A RECEIPT when half of a message has come, then a CTS for the rest.",
     [](Builder& s) {
       s.meet();
       s.request(Side::a, Type::dc_longcts_msgrtm, 16, [](Packet& p) { p.send_id = 8, p.msg_length = 100; });
       s.cts(Side::b, 8, 3, 40);
       s.ctsdata(Side::a, 3, 16, 40);
       s.receipt(Side::b, 8, 1);
       s.cts(Side::b, 8, 3, 44);
     },
     "before-cts"},
    {"EFA-4.2-5", "A RECEIPT for a message that no CTS has allowed yet, then its first CTS.",
     [](Builder& s) {
       s.meet();
       s.request(Side::a, Type::dc_longcts_msgrtm, 16, [](Packet& p) { p.send_id = 8, p.msg_length = 100; });
       s.receipt(Side::b, 8, 1);
       s.cts(Side::b, 8, 3, 84);
     },
     "before-first-cts"},
    {"EFA-4.2-5", "A RECEIPT between two windows of a tagged message, then a CTS that allows more than the rest.",
     [](Builder& s) {
       s.meet();
       s.request(Side::a, Type::dc_longcts_tagrtm, 16, [](Packet& p) { p.send_id = 8, p.msg_length = 100, p.tag = 5; });
       s.cts(Side::b, 8, 3, 42);
       s.ctsdata(Side::a, 3, 16, 42);
       s.receipt(Side::b, 8, 1);
       s.cts(Side::b, 8, 3, 1000);
     },
     "between-windows"},
    {"EFA-4.2-5", "A RECEIPT for a long-CTS message of which no CTS has allowed the rest: it never comes.",
     [](Builder& s) {
       s.meet();
       s.request(Side::a, Type::dc_longcts_msgrtm, 16, [](Packet& p) { p.send_id = 8, p.msg_length = 100; });
       s.receipt(Side::b, 8, 1);
       s.pause(2'000'000'000);
     },
     "without-cts"},
    {"EFA-4.2-6", "The second segment of a delivery complete medium message has another send_id.",
     [](Builder& s) {
       s.meet();
       segment(s, Type::dc_medium_msgrtm, 1, 0, 30, 50);
       segment(s, Type::dc_medium_msgrtm, 1, 30, 20, 50, send_id(41));
       s.receipt(Side::b, 40, 1);
     }},
    {"EFA-4.2-7",
     "A delivery complete write is never answered.",
     [](Builder& s) {
       s.meet();
       s.request(Side::a, Type::dc_eager_rtw, 16, send_id(7));
       much_later(s);
     },
     {},
     kWarning},
    {"EFA-4.2-7", "A delivery complete message that was matched and has come is never answered; a later one is.",
     [](Builder& s) {
       s.meet();
       s.request(Side::a, Type::dc_longcts_msgrtm, 16, [](Packet& p) { p.send_id = 8, p.msg_length = 100; });
       s.cts(Side::b, 8, 3, 84);
       s.ctsdata(Side::a, 3, 16, 84);
       answer_and_fall_silent(s, Side::b);
     },
     "silence"},
    {"EFA-4.2-7", "A delivery complete write is never answered, though a later one to the same memory is.",
     [](Builder& s) {
       s.meet();
       s.request(Side::a, Type::dc_eager_rtw, 16, send_id(7));
       s.pause(200'000'000);
       s.request(Side::a, Type::dc_eager_rtw, 16, send_id(8));
       s.receipt(Side::b, 8, 0);
       s.pause(2'000'000'000);
     },
     "write"},
    {"EFA-4.2-8", "A send_id is given to a message while another waits for its RECEIPT under it.",
     [](Builder& s) {
       s.meet();
       s.request(Side::a, Type::dc_eager_msgrtm, 16, send_id(7));
       s.request(Side::a, Type::dc_eager_msgrtm, 16, send_id(7));
     }},
};

}  // namespace

std::span<const EfaSample> efa_message_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora
