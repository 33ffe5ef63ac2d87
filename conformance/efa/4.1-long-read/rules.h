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
       "A request of an extra feature that the responder has not announced does no harm.", {},
       {{dies_of_unannounced_request, "constant header"}}},
      {"EFA-4.1-1", must, requester, k4_1Table4_1, trace, octets,
       "A LONGREAD_RTM names at least one buffer of the sender in read_iov, unless it has no data.", {},
       {longread_without_iov}},
      {"EFA-4.1-2", must, requester, k4_1Table4_1, trace, octets,
       "msg_length of a LONGREAD_RTM is the sum of the lengths in its read_iov.", "EFA/A-29",
       {longread_length_differs}},
      {"EFA-4.1-4", must, requester, k4_1Table4_1, trace, absence,
       "send_id of a LONGREAD_RTM names no operation of the sender that still waits for its peer.", "EFA/A-73"},
      {"EFA-4.1-5", must, requester, k4_1Table4_3, trace, octets,
       "A LONGREAD_RTW names at least one buffer of the requester in read_iov, unless it has no data.", {},
       {longread_without_iov}},
      {"EFA-4.1-6", must, requester, k4_1Table4_3, trace, octets,
       "msg_length of a LONGREAD_RTW is the sum of the lengths in its rma_iov, the target.", "EFA/A-29",
       {rtw_length_differs, longread_length_differs}},
      {"EFA-4.1-7", must, requester, k4_1Table4_3, trace, octets,
       "msg_length of a LONGREAD_RTW is the sum of the lengths in its read_iov, the source.", "EFA/A-29"},
      {"EFA-4.1-8", must, requester, k4_1Table4_3, trace, absence,
       "send_id of a LONGREAD_RTW names no operation of the requester that still waits for its peer.", "EFA/A-73"},
      {"EFA-4.1-9", must, requester, k4_1, stimulus, octets,
       "The buffers in read_iov are registered with the device, under the keys given there.",
       "RDMA reads are no packets of this protocol; those of the tester fail otherwise"},
      {"EFA-4.1-10", must, requester, k4_1, api, octets,
       "A sender that cannot register its buffer sends the data another way, or reports an error to its application.",
       "Whether a registration failed is seen only beside the device"},
      {"EFA-4.1-11", must, responder, k4_1, stimulus, octets,
       "The receiver fetches the data by RDMA reads of the buffers in read_iov.",
       "RDMA reads are no packets of this protocol; a device that is not hardware shows the tester who has read what"},
      {"EFA-4.1-12", must, any, k4_1, api, octets,
       "A direct read is made of RDMA reads alone: no packet, and nothing for the responder to do.",
       "RDMA reads are no packets of this protocol; the device shows them"},
      {"EFA-4.1-13", must, requester, k4_1, api, octets,
       "Memory is read directly only of a peer that has announced RDMA read.",
       "RDMA reads are no packets of this protocol; the device shows them", {extras_not_announced}},
      {"EFA-4.1-14", must_not, responder, k4_1, api, octets,
       "A LONGREAD_RTW without CQ data gives the responder's application no completion.",
       "The completion queue of the responder shows it"},
      {"EFA-4.1-15", must_not, requester, k4_1, trace, octets,
       "Nothing follows read_iov in a LONGREAD_RTM: it is all the application data that there is.", {},
       {longread_with_data}},
      {"EFA-4.1-16", must_not, requester, k4_1, trace, octets,
       "Nothing follows read_iov in a LONGREAD_RTW: it is all the application data that there is.", {},
       {longread_with_data}},
      {"EFA-4.1-201", must, responder, k4_1Table4_1, stimulus, octets,
       "The data of a LONGREAD_RTM is read from its read_iov and delivered whole.", {}, {eor_missing}},
      {"EFA-4.1-202", must, responder, k4_1Table4_3, stimulus, octets,
       "The data of a LONGREAD_RTW is read from its read_iov and placed by its rma_iov.", {}, {buffers_reversed}},
      {"EFA-4.1-203", must, responder, k4_1, stimulus, octets,
       "When the EOR comes the buffers are not read any more: they may be used anew.", {}, {eor_early}},
      {"EFA-4.1-204", must, responder, k4_1Table4_1, stimulus, octets,
       "A read_iov that the device refuses, or that contradicts its packet, does no harm.", "4.1: a read may fail",
       {dies_of_failed_read}},
      {"EFA-4.1-221", must, requester, k4_1Table4_2, stimulus, octets,
       "An EOR that comes again, also late, does no harm.", {}, {dies_of_unknown_id}},
      {"EFA-4.1-222", should, requester, k4_1Table4_2, stimulus, octets,
       "An EOR of twelve octets is taken, as early releases send it.", "EFA/A-08", {dies_of_short_eor}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::LongReadRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::LongReadRules, I> {
};
