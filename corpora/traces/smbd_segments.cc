// SPDX-License-Identifier: Apache-2.0
// Traces with one fault each in a Data Transfer, or in a sequence of them.
#include "corpora/traces/smbd_samples.h"

namespace wirelaw::corpora {
namespace {

using Builder = SmbdTraceBuilder;
using smbd::DataTransfer;

constexpr Octet kEight[8] = {};
constexpr Octet kTwelve[12] = {};
constexpr Octet kNonsense[] = {0, 0, 1, 0};
constexpr std::uint32_t kLong = 4'000;  // length in octets of a message with three segments

// An honest connection, except for one message of 100 octets or an empty one.
void with_data(Builder& s, const Builder::DataEdit& edit) {
  s.establish();
  s.exchange();
  s.data(Side::a, 100, edit);
  s.exchange();
  s.close();
}
void with_empty(Builder& s, const Builder::DataEdit& edit) {
  s.establish();
  s.exchange();
  s.empty(Side::b, edit);
  s.exchange();
  s.close();
}
// Establishes a connection and sends the first segment of a long message.
void begin_long(Builder& s) {
  s.establish();
  s.exchange();
  s.segment(Side::a, Builder::kMost, kLong - Builder::kMost);
}

constexpr SmbdSample kSamples[] = {
    // --- 2.2.1, 2.2.2: whole messages
    {"SMBD-2.2.1-9", "The listener puts sixteen octets after the data, more than the initiator can receive.",
     [](Builder& s) {
       static constexpr Octet kBehind[16] = {};
       s.establish();
       s.exchange();
       s.data(Side::b, Builder::kMost, [](DataTransfer& data) { data.trailing = kBehind; });
       s.close();
     }},
    {"SMBD-2.2.2-14", "The initiator puts sixteen octets after the data, more than the listener can receive.",
     [](Builder& s) {
       static constexpr Octet kBehind[16] = {};
       s.establish();
       s.exchange();
       s.data(Side::a, Builder::kMost, [](DataTransfer& data) { data.trailing = kBehind; });
       s.close();
     }},
    {"SMBD-2.2-8", "Octets that are not zero follow the data.",
     [](Builder& s) { with_data(s, [](DataTransfer& data) { data.trailing = kNonsense; }); }, "data",
     Severity::warning},
    {"SMBD-2.2-4", "The fields of a Data Transfer are in network order.",
     [](Builder& s) {
       constexpr Octet kBigEndian[] = {0, 10, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 24, 0, 0, 0, 2, 0, 0, 0, 0, 1, 2};
       s.establish();
       s.exchange();
       s.octets(Side::b, kBigEndian);
       s.close();
     },
     "data"},
    // --- 2.2.3
    {"SMBD-2.2.3-3", "A message requests no credit.",
     [](Builder& s) { with_data(s, [](DataTransfer& data) { data.credits_requested = 0; }); }},
    {"SMBD-2.2.3-4", "Flags has a bit that means nothing.",
     [](Builder& s) { with_data(s, [](DataTransfer& data) { data.flags = 0x0002; }); }},
    {"SMBD-2.2.3-6", "Reserved of a message with payload is 1.",
     [](Builder& s) { with_data(s, [](DataTransfer& data) { data.reserved = 1; }); }},
    {"SMBD-2.2.3-8", "DataOffset points into the header.",
     [](Builder& s) { with_data(s, [](DataTransfer& data) { data.data_offset = 16; }); }},
    {"SMBD-2.2.3-12", "DataLength is one more than the octets of data.",
     [](Builder& s) { with_data(s, [](DataTransfer& data) { ++data.data_length; }); }},
    {"SMBD-2.2.3-12", "The sum of DataOffset and DataLength is small if 32 bits wrap (S-01).",
     [](Builder& s) { with_data(s, [](DataTransfer& data) { data.data_length = 0xffff'ffe8; }); }, "wraps"},
    {"SMBD-2.2.3-20", "A message ends one octet early.",
     [](Builder& s) {
       const OctetBuffer empty = smbd::encode(DataTransfer{.credits_requested = Builder::kCredits});
       s.establish();
       s.exchange();
       s.octets(Side::a, Octets(empty).first(19));
       s.close();
     }},
    // --- 3.1.5.4: sizes
    {"SMBD-3.1.5.4-2", "An upper-layer message is one octet longer than the listener can reassemble.",
     [](Builder& s) {
       s.establish();
       s.exchange();
       s.segment(Side::a, Builder::kMost, smbd::kLeastMaxFragmentedSize + 1 - Builder::kMost);
       s.close();
     }},
    {"SMBD-3.1.5.4-2", "The length of an upper-layer message is small if 32 bits wrap (S-02).",
     [](Builder& s) {
       s.establish();
       s.exchange();
       s.segment(Side::a, Builder::kMost, 0xffff'ffff);
       s.close();
     },
     "wraps"},
    {"SMBD-3.1.5.4-12", "A segment is eight octets longer than MaxSendSize allows.",
     [](Builder& s) {
       s.establish();
       s.exchange();
       s.data(Side::a, Builder::kMost + 8);
       s.close();
     }},
    {"SMBD-3.1.5.4-12", "The initiator can receive more, but the listener has said that it sends no more than 512.",
     [](Builder& s) {
       s.connect();
       s.request();
       s.response([](smbd::NegotiateResponse& response) { response.preferred_send_size = 512; });
       s.exchange();
       s.data(Side::b, 512);
       s.close();
     },
     "preferred"},
    {"SMBD-3.1.5.4-13",
     "The payload begins eight octets later than usual.",
     [](Builder& s) {
       with_data(s, [](DataTransfer& data) {
         data.data_offset = 32;
         data.padding = kTwelve;
       });
     },
     {},
     Severity::warning},
    {"SMBD-3.1.5.4-14",
     "The first of two segments is half full.",
     [](Builder& s) {
       s.establish();
       s.exchange();
       s.segment(Side::a, Builder::kMost / 2, Builder::kMost / 2);
       s.segment(Side::a, Builder::kMost / 2, 0);
       s.close();
     },
     {},
     Severity::warning},
    // --- 3.1.5.4: empty messages
    {"SMBD-3.1.5.4-3", "Reserved of an empty message is 1.",
     [](Builder& s) { with_empty(s, [](DataTransfer& data) { data.reserved = 1; }); }},
    {"SMBD-3.1.5.4-4", "RemainingDataLength of an empty message is 100.",
     [](Builder& s) { with_empty(s, [](DataTransfer& data) { data.remaining_data_length = 100; }); }},
    {"SMBD-3.1.5.4-5", "DataOffset of an empty message is 24.",
     [](Builder& s) { with_empty(s, [](DataTransfer& data) { data.data_offset = smbd::kUsualDataOffset; }); }},
    {"SMBD-3.1.5.4-6", "A message that ends with its header has a DataLength of 4.",
     [](Builder& s) { with_empty(s, [](DataTransfer& data) { data.data_length = 4; }); }},
    {"SMBD-3.1.5.4-7", "An empty message has padding.",
     [](Builder& s) { with_empty(s, [](DataTransfer& data) { data.padding = Octets(kEight).first(4); }); }},
    // --- 3.1.5.4: segments
    {"SMBD-3.1.5.4-9", "DataOffset is no multiple of 8.",
     [](Builder& s) {
       with_data(s, [](DataTransfer& data) {
         data.data_offset = 28;
         data.padding = kEight;
       });
     }},
    {"SMBD-3.1.5.4-16", "The last segment counts its own data as remaining.",
     [](Builder& s) {
       s.establish();
       s.exchange();
       s.segment(Side::a, Builder::kMost, Builder::kMost);
       s.segment(Side::a, Builder::kMost, Builder::kMost);
       s.close();
     }},
    {"SMBD-3.1.5.4-17", "RemainingDataLength of the second segment counts the segment itself.",
     [](Builder& s) {
       begin_long(s);
       s.segment(Side::a, Builder::kMost, kLong - Builder::kMost);
       s.close();
     }},
    {"SMBD-3.1.5.4-17", "A sequence ends although 1,320 octets of it were never sent.",
     [](Builder& s) {
       begin_long(s);
       s.segment(Side::a, Builder::kMost, 0);
       s.exchange();
       s.close();
     },
     "early-end"},
    {"SMBD-3.1.5.4-17", "The last segment holds more than the one before it left (SMBD/A16).",
     [](Builder& s) {
       s.establish();
       s.exchange();
       s.segment(Side::a, Builder::kMost, 100);
       s.segment(Side::a, 101, 0);
       s.exchange();
       s.close();
     },
     "too-much"},
    {"SMBD-3.1.5.4-19", "The third octet of the padding is 1.",
     [](Builder& s) { with_data(s, [](DataTransfer& data) { data.padding = kNonsense; }); }},
    {"SMBD-3.1.5.4-21", "Both segments of a message invalidate a token.",
     [](Builder& s) {
       s.establish();
       s.exchange();
       s.segment(Side::b, Builder::kMost, 100, {}, RdmapTraceBuilder::kStag);
       s.segment(Side::b, 100, 0, {}, RdmapTraceBuilder::kStag + 1);
       s.close();
     }},
    {"SMBD-3.1.5.4-23", "An empty message comes between two segments.",
     [](Builder& s) {
       begin_long(s);
       s.empty(Side::a);
       s.segment(Side::a, Builder::kMost, kLong - 2 * Builder::kMost);
       s.segment(Side::a, kLong - 2 * Builder::kMost, 0);
       s.close();
     }},
};

}  // namespace

std::span<const SmbdSample> smbd_segment_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora
