// SPDX-License-Identifier: Apache-2.0
// The checks of RDMAP's messages, in the order in which an observer calls them.
#include "conformance/rdmap/rdmap/messages.h"

#include "conformance/rdmap/rdmapx/extensions.h"

namespace wirelaw::rdmap {

void check_message(Judge& judge, const SegmentFacts& segment) {
  if (segment.terms) check_control_field(judge, segment);
  if (segment.read_request_octets) check_read_request_length(judge, segment, *segment.read_request_octets);
  check_extensions(judge, segment);
  if (segment.is_read_request_whole) check_single_request(judge, segment, *segment.is_read_request_whole);
  if (segment.outstanding) check_outstanding_reads(judge, *segment.outstanding, segment.of_lack);
  if (segment.answer && check_answer(judge, *segment.answer, segment.of_lack)) {
    check_copied_fields(judge, segment, *segment.answer);
    check_wrapping_read(judge, segment, segment.answer->request);
  }
  if (segment.accepted) check_accepted(judge, segment, *segment.accepted);
  if (!segment.response) return;
  if (segment.response->size == 0)
    check_zero_length_response(judge, segment.response->received, segment.of_lack);
  else
    check_response_length(judge, *segment.response, segment.of_lack);
}

}  // namespace wirelaw::rdmap
