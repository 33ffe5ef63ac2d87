// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct LongReadRules : Words {
  static constexpr std::string_view k2_1 = "EFA RDM v4 2.1";
  static constexpr std::string_view k4_1Table4_1 = "EFA RDM v4 4.1, table 4.1";
  static constexpr std::string_view k4_1Table4_3 = "EFA RDM v4 4.1, table 4.3";
  static constexpr std::string_view k4_1 = "EFA RDM v4 4.1";
  static constexpr std::string_view k4_1Table4_2 = "EFA RDM v4 4.1, table 4.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-2.1-205", must, responder, k2_1, stimulus, octets,
       "A responder keeps working after a request of an extra feature that it has not announced.", {},
       {{dies_of_unannounced_request, "constant header"}}},
      {"EFA-4.1-1", must, requester, k4_1Table4_1, trace, octets,
       "A requester names at least one of its buffers in read_iov of a LONGREAD_RTM, unless the message is empty.", {},
       {longread_without_iov}},
      {"EFA-4.1-2", must, requester, k4_1Table4_1, trace, octets,
       "A requester sets msg_length of a LONGREAD_RTM to the sum of the lengths in its read_iov.", "EFA/A-29",
       {longread_length_differs}},
      {"EFA-4.1-4", must, requester, k4_1Table4_1, trace, absence,
       "A requester does not reuse in a LONGREAD_RTM the send_id of an operation that still waits for the peer.",
       "EFA/A-73"},
      {"EFA-4.1-5", must, requester, k4_1Table4_3, trace, octets,
       "A requester names at least one of its buffers in read_iov of a LONGREAD_RTW, unless the write is empty.", {},
       {longread_without_iov}},
      {"EFA-4.1-6", must, requester, k4_1Table4_3, trace, octets,
       "A requester sets msg_length of a LONGREAD_RTW to the sum of the lengths in its rma_iov, the target.",
       "EFA/A-29", {rtw_length_differs, longread_length_differs}},
      {"EFA-4.1-7", must, requester, k4_1Table4_3, trace, octets,
       "A requester sets msg_length of a LONGREAD_RTW to the sum of the lengths in its read_iov, the source.",
       "EFA/A-29"},
      {"EFA-4.1-8", must, requester, k4_1Table4_3, trace, absence,
       "A requester does not reuse in a LONGREAD_RTW the send_id of an operation that still waits for the peer.",
       "EFA/A-73"},
      {"EFA-4.1-9", must, requester, k4_1, stimulus, octets,
       "A requester registers the buffers in read_iov with the device, under the keys that it sends.",
       "RDMA reads are not packets of this protocol, but the tester's own reads fail otherwise"},
      {"EFA-4.1-10", must, requester, k4_1, api, octets,
       "A requester that cannot register its buffer sends the data another way, or reports an error to its "
       "application.", "Only an observer beside the device sees whether a registration failed"},
      {"EFA-4.1-11", must, responder, k4_1, stimulus, octets,
       "A responder fetches the data by RDMA reads of the buffers in read_iov.",
       "RDMA reads are not packets of this protocol. A device that is not hardware shows the tester who has read what"},
      {"EFA-4.1-12", must, any, k4_1, api, octets,
       "An endpoint performs a direct read by RDMA reads alone: it sends no packet, and the responder has nothing to "
       "do.", "RDMA reads are not packets of this protocol. The device shows them"},
      {"EFA-4.1-13", must, requester, k4_1, api, octets,
       "A requester reads memory directly only from a peer that has announced RDMA read.",
       "RDMA reads are not packets of this protocol. The device shows them", {extras_not_announced}},
      {"EFA-4.1-14", must_not, responder, k4_1, api, octets,
       "A responder gives its application no completion for a LONGREAD_RTW without CQ data.",
       "The completion queue of the responder shows it"},
      {"EFA-4.1-15", must_not, requester, k4_1, trace, octets,
       "A requester sends nothing after read_iov in a LONGREAD_RTM, since read_iov is the whole application data.", {},
       {longread_with_data}},
      {"EFA-4.1-16", must_not, requester, k4_1, trace, octets,
       "A requester sends nothing after read_iov in a LONGREAD_RTW, since read_iov is the whole application data.", {},
       {longread_with_data}},
      {"EFA-4.1-201", must, responder, k4_1Table4_1, stimulus, octets,
       "A responder reads the data of a LONGREAD_RTM from its read_iov, and delivers it whole.", {}, {eor_missing}},
      {"EFA-4.1-202", must, responder, k4_1Table4_3, stimulus, octets,
       "A responder reads the data of a LONGREAD_RTW from its read_iov, and places it where its rma_iov says.", {},
       {buffers_reversed}},
      {"EFA-4.1-203", must, responder, k4_1, stimulus, octets,
       "A responder no longer reads the buffers after it has sent the EOR, so that they can be reused.", {},
       {eor_early}},
      {"EFA-4.1-204", must, responder, k4_1Table4_1, stimulus, octets,
       "A responder keeps working after a read_iov that the device refuses, or that contradicts its packet.",
       "4.1: a read may fail", {dies_of_failed_read}},
      {"EFA-4.1-221", must, requester, k4_1Table4_2, stimulus, octets,
       "A requester keeps working after a repeated EOR, even one that comes late.", {}, {dies_of_unknown_id}},
      {"EFA-4.1-222", should, requester, k4_1Table4_2, stimulus, octets,
       "A requester accepts an EOR of 12 octets, as early releases send it.", "EFA/A-08", {dies_of_short_eor}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::LongReadRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::LongReadRules, I> {
};
