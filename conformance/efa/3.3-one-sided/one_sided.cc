// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.3: functions shared by writes, reads and atomics.
#include "conformance/efa/3.3-one-sided/one_sided.h"

#include "conformance/efa/3.3-one-sided/rules.h"
#include "conformance/efa/packet_checks.h"

namespace wirelaw::efa {

void judge_buffers(Judge& judge, const SeenPacket& seen, Array array) {
  const bool target = array == Array::rma_iov;
  const Octets iovs = target ? seen.packet.rma_iov : seen.packet.read_iov;
  if (iovs.empty()) return;
  std::size_t wrapping = 0;
  const std::size_t count = rma_iov_count(iovs);
  for (; wrapping < count; ++wrapping) {
    const RmaIov iov = rma_iov_at(iovs, wrapping);
    if (iov.len > 0 && iov.addr > ~std::uint64_t{0} - (iov.len - 1)) break;
  }
  // rma_iov directly follows the mandatory header; read_iov is at the end of all headers.
  const std::size_t begin = target ? seen.layout.header_octets : seen.headers - iovs.size();
  judge.require(target ? rule<"EFA-3.3-5"> : rule<"EFA-4.1-3">, wrapping == count,
                octets(begin + wrapping * layout::kRmaIov, layout::kRmaIov - 8), expected("addr + len of at most 2^64"),
                actual([&] {
                  const RmaIov iov = rma_iov_at(iovs, wrapping);
                  return fmt::format("addr 0x{:x}, len {}", iov.addr, iov.len);
                }),
                [&] { return fmt::format("buffer {} of {} goes round the end of memory", wrapping + 1, count); });
}

std::string sum_of(std::optional<std::uint64_t> octets, std::string_view array) {
  return octets ? fmt::format("{}", *octets) : fmt::format("lengths in {} that can be added up", array);
}

void check_free_id(Judge& judge, const SeenPacket& seen, const Rule& rule, Field field, const IdFact& fact,
                   std::string_view awaited) {
  const auto& holder = fact.holder;
  require(judge, rule, !holder, seen, field, expected("an ID that no operation under way has"),
          actual(field == Field::send_id ? seen.packet.send_id : seen.packet.recv_id), [&] {
            return fmt::format("the {} of packet {} still waits for {}, or what ended it was not captured",
                               holder->request->name, holder->begun + 1, awaited);
          });
}

void check_single_answer(Judge& judge, const SeenPacket& seen, const Rule& rule, const AnswerFact& fact) {
  const auto once = expected([&] { return fmt::format("one {}", seen.layout.name); });
  const auto again = actual("another one");
  const auto& before = fact.answered;
  if (before && seen.doubled)
    advise(judge, rule, false, seen, Field::type, once, again, "the same packet came before");
  else
    require(judge, rule, !before, seen, Field::type, once, again, [&] {
      return fmt::format("the {} of packet {} has one, or a later request with its ID was not captured",
                         before->request->name, before->begun + 1);
    });
}

}  // namespace wirelaw::efa
