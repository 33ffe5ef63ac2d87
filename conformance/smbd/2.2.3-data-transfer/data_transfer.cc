// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 2.2.3: the message of an established connection.
#include "conformance/smbd/2.2.3-data-transfer/data_transfer.h"

#include "conformance/smbd/2.2.3-data-transfer/rules.h"
#include "conformance/smbd/fields.h"

namespace wirelaw::smbd {
bool check_data_whole(Judge& judge, const Message& message) {
  const std::size_t least = describe(MessageType::data_transfer).octets;
  return judge.require(rule<"SMBD-2.2.3-20">, message.wire_length >= least, octets(0, message.octets.size()),
                       expected("at least 20 octets"), actual(message.wire_length));
}

void check_data_fields(Judge& judge, const DataTransfer& data) {
  judge.require(rule<"SMBD-2.2.3-3">, data.credits_requested > 0, in_data(Field::credits_requested),
                expected("at least 1"), actual(0));
  const auto undefined = static_cast<std::uint16_t>(data.flags & ~flag::kResponseRequested);
  judge.require(rule<"SMBD-2.2.3-4">, undefined == 0, in_data(Field::flags), expected("0x0000 or 0x0001"),
                actual(hex(data.flags)));
}

void check_data_place(Judge& judge, const DataTransfer& data, std::size_t length) {
  judge.require(rule<"SMBD-2.2.3-6">, data.reserved == 0, in_data(Field::reserved), expected(0),
                actual(hex(data.reserved)));
  const std::size_t header = describe(MessageType::data_transfer).octets;
  if (!judge.require(rule<"SMBD-2.2.3-8">, data.data_offset >= header, in_data(Field::data_offset),
                     expected("at least 20"), actual(data.data_offset), "the payload would begin in the header"))
    return;
  judge.require(rule<"SMBD-2.2.3-12">, data.data_end() <= length, kOffsetAndLength,
                expected([&] { return fmt::format("an end within {} octets", length); }),
                actual([&] { return fmt::format("{} + {}", data.data_offset, data.data_length); }));
}

}  // namespace wirelaw::smbd
