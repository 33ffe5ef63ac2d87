// SPDX-License-Identifier: Apache-2.0
// Traces with one fault each, in the order of actions: credits, timers, RDMA operations.
#include "corpora/traces/smbd_samples.h"

namespace wirelaw::corpora {
namespace {

using Builder = SmbdTraceBuilder;
using smbd::DataTransfer;

void grants_none(DataTransfer& data) {
  data.credits_granted = 0;
}

constexpr SmbdSample kSamples[] = {
    // --- 2.2.2, 3.1.4: RDMA operations
    {"SMBD-2.2.2-12", "The listener has said that it moves 1,000 octets at most, and writes 1,001.",
     [](Builder& s) {
       s.connect();
       s.request();
       s.response([](smbd::NegotiateResponse& response) { response.max_read_write_size = 1'000; });
       s.exchange();
       s.smb2_read(Side::a, {{Builder::kAddress, Builder::kToken, 2'000}});
       s.write(Side::b, 1'001);
       s.close();
     }},
    {"SMBD-3.1.4.5-1", "The listener writes to memory before the initiator has sent any upper-layer message.",
     [](Builder& s) {
       s.establish();
       s.empty(Side::a);
       s.write(Side::b, 100);
       s.close();
     }},
    {"SMBD-3.1.4.5-1", "The listener writes with a token that no payload of the initiator holds.",
     [](Builder& s) {
       s.establish();
       s.exchange();
       s.lend(Side::a);
       s.write(Side::b, 100, Builder::kAddress, Builder::kToken + 1);
       s.close();
     },
     "token", Severity::warning},
    {"SMBD-3.1.4.5-1", "The listener writes one octet more than the buffers of an SMB2 READ hold.",
     [](Builder& s) {
       s.establish();
       s.exchange();
       s.smb2_read(Side::a,
                   {{Builder::kAddress, Builder::kToken, 600}, {Builder::kAddress + 600, Builder::kToken, 400}});
       s.write(Side::b, 1'001);
       s.smb2_respond(Side::b);
       s.close();
     },
     "beyond"},
    {"SMBD-3.1.4.5-1", "The listener writes for an SMB2 READ that it has answered.",
     [](Builder& s) {
       s.establish();
       s.exchange();
       s.smb2_read(Side::a, {{Builder::kAddress, Builder::kToken, 600}});
       s.write(Side::b, 600);
       s.smb2_respond(Side::b);
       s.write(Side::b, 600);
       s.close();
     },
     "answered", Severity::warning},
    {"SMBD-3.1.4.6-1", "The listener reads for an SMB2 WRITE that it has answered.",
     [](Builder& s) {
       s.establish();
       s.exchange();
       s.smb2_write(Side::a, {{Builder::kAddress, Builder::kToken, 600}});
       s.read(Side::b, 600);
       s.smb2_respond(Side::b);
       s.read(Side::b, 600);
       s.close();
     },
     "answered", Severity::warning},
    {"SMBD-3.1.4.5-1", "The listener writes with a token that it has invalidated.",
     [](Builder& s) {
       s.establish();
       s.exchange();
       s.smb2_read(Side::a, {{Builder::kAddress, Builder::kToken, 600}});
       s.segment(Side::b, 100, 0, {}, Builder::kToken);
       s.write(Side::b, 600);
       s.close();
     },
     "invalidated"},
    {"SMBD-3.1.4.5-1", "The listener writes with a token of another upper layer, which it has invalidated.",
     [](Builder& s) {
       s.establish();
       s.exchange();
       s.lend(Side::a);
       s.write(Side::b, 600);
       s.segment(Side::b, 100, 0, {}, Builder::kToken);
       s.exchange();
       s.write(Side::b, 600);
       s.close();
     },
     "not-lent-again"},
    {"SMBD-3.1.4.6-1", "The listener reads with a token that it has invalidated.",
     [](Builder& s) {
       s.establish();
       s.exchange();
       s.lend(Side::a);
       s.segment(Side::b, 100, 0, {}, Builder::kToken);
       s.read(Side::b);
       s.close();
     },
     "invalidated"},
    {"SMBD-3.1.4.5-1", "The listener writes to the buffer of an SMB2 WRITE.",
     [](Builder& s) {
       s.establish();
       s.exchange();
       s.smb2_write(Side::a, {{Builder::kAddress, Builder::kToken, 600}});
       s.write(Side::b, 600);
       s.smb2_respond(Side::b);
       s.close();
     },
     "backwards", Severity::warning},
    {"SMBD-3.1.4.5-1", "The listener writes 1,200 octets to the 600 of an SMB2 READ.",
     [](Builder& s) {
       s.establish();
       s.exchange();
       s.smb2_read(Side::a, {{Builder::kAddress, Builder::kToken, 600}});
       s.write(Side::b, 600);
       s.write(Side::b, 600);
       s.smb2_respond(Side::b);
       s.close();
     },
     "twice", Severity::warning},
    {"SMBD-3.1.4.6-1", "The listener reads memory before the initiator has sent any upper-layer message.",
     [](Builder& s) {
       s.establish();
       s.empty(Side::a);
       s.read(Side::b);
       s.close();
     }},
    {"SMBD-3.1.4.6-1", "The listener reads with a token that no payload of the initiator holds.",
     [](Builder& s) {
       s.establish();
       s.exchange();
       s.lend(Side::a);
       s.read(Side::b, 100, Builder::kAddress, Builder::kToken + 1);
       s.close();
     },
     "token", Severity::warning},
    {"SMBD-3.1.4.6-1", "The listener reads one octet more than the buffers of an SMB2 WRITE hold.",
     [](Builder& s) {
       s.establish();
       s.exchange();
       s.smb2_write(Side::a,
                    {{Builder::kAddress, Builder::kToken, 600}, {Builder::kAddress + 600, Builder::kToken, 400}});
       s.read(Side::b, 1'001);
       s.smb2_respond(Side::b);
       s.close();
     },
     "beyond"},
    {"SMBD-3.1.4.6-1", "The listener reads from the buffer of an SMB2 READ.",
     [](Builder& s) {
       s.establish();
       s.exchange();
       s.smb2_read(Side::a, {{Builder::kAddress, Builder::kToken, 600}});
       s.read(Side::b, 600);
       s.smb2_respond(Side::b);
       s.close();
     },
     "backwards", Severity::warning},
    {"SMBD-3.1.4.6-1", "The listener reads 1,200 octets of the 600 of an SMB2 WRITE.",
     [](Builder& s) {
       s.establish();
       s.exchange();
       s.smb2_write(Side::a, {{Builder::kAddress, Builder::kToken, 600}});
       s.read(Side::b, 600);
       s.read(Side::b, 600);
       s.smb2_respond(Side::b);
       s.close();
     },
     "twice", Severity::warning},
    // --- 3.1.5.1
    {"SMBD-3.1.5.1-1", "The initiator sends a Data Transfer before the response has come.",
     [](Builder& s) {
       s.connect();
       s.request();
       s.data(Side::a, 100);
       s.response();
       s.close();
     }},
    {"SMBD-3.1.5.1-3", "The initiator has one credit and sends two messages.",
     [](Builder& s) {
       s.connect();
       s.request();
       s.response([](smbd::NegotiateResponse& response) { response.credits_granted = 1; });
       s.data(Side::a, 100);
       s.data(Side::a, 100);
       s.exchange();
       s.close();
     }},
    {"SMBD-3.1.5.1-6", "The initiator spends the last of its ten credits without a grant.",
     [](Builder& s) {
       s.establish();
       for (int i = 0; i < 10; ++i) s.data(Side::a, 100);
       s.close();
     }},
    {"SMBD-3.1.5.1-11", "The listener has sent nothing, and is asked for a response twice.",
     [](Builder& s) {
       s.establish();
       s.data(Side::a, 100);
       for (int i = 0; i < 2; ++i)
         s.empty(Side::a, [](DataTransfer& data) { data.flags = smbd::flag::kResponseRequested; });
       s.data(Side::b, 100);
       s.close();
     }},
    // --- 3.1.5.8
    {"SMBD-3.1.5.8-12",
     "A keep-alive is not answered for six seconds.",
     [](Builder& s) {
       s.establish();
       s.exchange();
       s.pause(120 * Builder::kSecond);
       s.empty(Side::a, [](DataTransfer& data) { data.flags = smbd::flag::kResponseRequested; });
       s.pause(6 * Builder::kSecond);
       s.close();
     },
     {},
     Severity::warning},
    // --- 3.1.5.9
    {"SMBD-3.1.5.9-2",
     "A credit is granted to a listener that has the ten that it wants, with nine left to the sender.",
     [](Builder& s) {
       s.establish();
       s.exchange();
       s.data(Side::a, 100);
       s.pause(2 * Builder::kSecond);
       s.data(Side::a, 100, [](DataTransfer& data) { data.credits_granted = 1; });
       s.close();
     }},
    {"SMBD-3.1.5.9-5", "The first message of the initiator grants the listener nothing.",
     [](Builder& s) {
       s.establish();
       s.data(Side::a, 100, grants_none);
       s.close();
     }},
    {"SMBD-3.1.5.9-8", "The listener wants ten credits, has some and is granted eleven at once.",
     [](Builder& s) {
       s.establish();
       s.exchange();
       s.data(Side::b, 100);
       s.data(Side::a, 100, [](DataTransfer& data) { data.credits_granted = Builder::kCredits + 1; });
       s.data(Side::b, 100);
       s.close();
     }},
    // --- 3.1.6, 3.1.7
    {"SMBD-3.1.6-1",
     "The listener waits eight seconds for a request, which then comes.",
     [](Builder& s) {
       s.connect();
       s.pause(8 * Builder::kSecond);
       s.request();
       s.response();
       s.close();
     },
     {},
     Severity::warning},
    {"SMBD-3.1.7.2-6", "The listener sends a Data Transfer before it has any credit.",
     [](Builder& s) {
       s.establish();
       s.data(Side::b, 100);
       s.exchange();
       s.close();
     }},
};

}  // namespace

std::span<const SmbdSample> smbd_credit_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora
