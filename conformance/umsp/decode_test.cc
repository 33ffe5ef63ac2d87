// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/decode.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "reference/octets/hex.h"

namespace wirelaw::umsp {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> lines_of(const Decoded& decoded) {
  std::vector<std::string> lines;
  for (const wirelaw::Field& field : decoded.fields)
    lines.push_back(fmt::format("{} {} {}+{}", field.name, field.value, field.offset, field.length));
  return lines;
}

TEST(UmspDecode, ShowsEveryFieldOfARequest) {
  const Decoded decoded = decode_for_people(*from_hex("0382 00000009 003c0100 00001000"));
  EXPECT_EQ(decoded.error, "");
  EXPECT_EQ(decoded.summary, "CONTROL_REQ req 0x00000009 operands 8");
  EXPECT_THAT(
      lines_of(decoded),
      ElementsAre("umsp.opcode 3 (CONTROL_REQ) 0+1", "umsp.ask 1 1+1", "umsp.pck 0 (no session) 1+1", "umsp.chn 0 1+1",
                  "umsp.ext 0 1+1", "umsp.opr_length 2 1+1", "umsp.req_id 0x00000009 2+4",
                  "umsp.control_profile 0x003c0100 (job_life_time 60, version 1) 6+4", "umsp.ltid 0x00001000 10+4"));
}

TEST(UmspDecode, ShowsExtensionHeadersAndIdentifiers) {
  const Decoded decoded = decode_for_people(*from_hex("1208 02896f6b2100 12"));
  EXPECT_EQ(decoded.summary,
            "TASK_TERMINATE_INFO _MSG operands 0 [basic_termination_code: the operands end too early]");
  EXPECT_THAT(decoded.error, HasSubstr("instruction 2 at offset 8 needs 2 octets at least, 1 are there"));
  const Decoded whole = decode_for_people(*from_hex("120c 02896f6b2100 00000000 420a00000100000007000000"));
  EXPECT_EQ(whole.summary, "TASK_TERMINATE_INFO _MSG operands 16");
  EXPECT_THAT(lines_of(whole), Contains("umsp.ext_header.head_code 9 (_MSG) 3+1"));
  EXPECT_THAT(lines_of(whole), Contains("umsp.text \"ok!\" 4+4"));
  EXPECT_THAT(lines_of(whole), Contains("umsp.gtid N 4-0-2 10.0.0.1 task 0x00000007 12+9"));
  EXPECT_THAT(lines_of(whole), Contains("umsp.padding 000000 21+3"));
}

TEST(UmspDecode, ShowsAnExtendedHeadInItsPlaces) {
  const Decoded decoded = decode_for_people(*from_hex("9c08 80000001 c00c 00ff 0400"));
  EXPECT_THAT(lines_of(decoded),
              ElementsAre("umsp.opcode 156 (NOP) 0+1", "umsp.ask 0 1+1", "umsp.pck 0 (no session) 1+1",
                          "umsp.chn 0 1+1", "umsp.ext 1 1+1", "umsp.opr_length 0 1+1", "umsp.ext_header.hxt 1 2+1",
                          "umsp.ext_header.head_length 1 2+4", "umsp.ext_header.hsl 1 6+1", "umsp.ext_header.hob 1 6+1",
                          "umsp.ext_header.hrz 0 6+1", "umsp.ext_header.head_code 12 (_LIFE_TIME) 6+2",
                          "umsp.ext_header.reserved 0x00ff 8+2", "umsp.life_time 1024 10+2"));
}

TEST(UmspDecode, NamesWhatADatagramsInstructionsInherit) {
  const Decoded decoded = decode_for_people(*from_hex("9c70 0003 0000 00000007 9c50 9c20"));
  EXPECT_EQ(decoded.summary,
            "NOP session 0x00000007 chain 3/0 operands 0; NOP session 0x00000007 chain 3/1 operands 0; "
            "NOP session 0x00000007 operands 0");
  EXPECT_EQ(decoded.fields.size(), 9u + 6u + 6u);
}

TEST(UmspDecode, ListsTheVmsOfARequest) {
  const Decoded decoded = decode_for_people(*from_hex("1902 0000 0001 0002 ffff"));
  EXPECT_THAT(lines_of(decoded), testing::IsSupersetOf({"umsp.vm_type 0 (group) 2+2", "umsp.vm_version 1 4+2",
                                                        "umsp.vm_type 2 6+2", "umsp.vm_version 65535 (latest) 8+2"}));
}

TEST(UmspDecode, ShowsUnassignedCodesAndOperandsThatDoNotFit) {
  EXPECT_EQ(decode_for_people(*from_hex("7101 01020304")).summary, "reserved opcode 113 operands 4");
  EXPECT_THAT(lines_of(decode_for_people(*from_hex("7101 01020304"))), Contains("umsp.operands 01020304 2+4"));
  const Decoded longer = decode_for_people(*from_hex("1802 01020304 05060708"));
  EXPECT_THAT(longer.summary, HasSubstr("[octets that are not padding follow the last operand]"));
  EXPECT_THAT(lines_of(longer), Contains("umsp.operands 05060708 6+4"));
}

TEST(UmspDecode, SaysWhatIsNoInstruction) {
  const Decoded decoded = decode_for_people(*from_hex("9c"));
  EXPECT_THAT(decoded.fields, IsEmpty());
  EXPECT_EQ(decoded.summary, "1 octets, too short for a UMSP instruction");
  EXPECT_EQ(decoded.error, "instruction 1 at offset 0 needs 2 octets at least, 1 are there: it ends in its header");
}

}  // namespace
}  // namespace wirelaw::umsp
