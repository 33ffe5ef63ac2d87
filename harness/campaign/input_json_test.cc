// SPDX-License-Identifier: Apache-2.0
// Inputs as JSON, there and back.
#include "harness/campaign/input_json.h"

#include <gmock/gmock.h>

namespace wirelaw::campaign {
namespace {

using testing::HasSubstr;

TEST(InputJson, IsReadAsItWasWritten) {
  const Input input{.test_case = "open/one",
                    .edits = {{.op = Op::put, .message = 3, .offset = 9, .octets = {1, 2}, .repair = true},
                              {.op = Op::twice, .message = 1, .count = 4},
                              {.op = Op::flip, .message = 1, .copy = 2, .octets = {4}},
                              {.op = Op::wait, .message = 2, .count = 50},
                              {.op = Op::say, .octets = {}},
                              {.op = Op::reset, .message = 7}}};
  const auto again = input_of(to_json(input));
  ASSERT_TRUE(again) << again.error();
  EXPECT_EQ(*again, input);
}

TEST(InputJson, IsRefusedInWordsWhereItIsNone) {
  const auto error_of = [](const char* text) {
    const auto input = input_of(Json::parse(text));
    return input ? std::string("none") : input.error();
  };
  EXPECT_THAT(error_of(R"({"edits": []})"), HasSubstr("names no case"));
  EXPECT_THAT(error_of(R"({"case": "a", "edits": 1})"), HasSubstr("no list"));
  EXPECT_THAT(error_of(R"({"case": "a", "edits": [{"op": "burn"}]})"), HasSubstr("no edit 'burn'"));
  EXPECT_THAT(error_of(R"({"case": "a", "edits": [{"op": "put", "octets": "0g"}]})"), HasSubstr("hexadecimal"));
  EXPECT_THAT(error_of(R"({"case": "a", "edits": [{"op": "drop", "message": 4294967296}]})"), HasSubstr("32 bits"));
  EXPECT_THAT(error_of(R"({"case": "a", "edits": [{"op": "put", "copy": 4294967296}]})"), HasSubstr("32 bits"));
}

}  // namespace
}  // namespace wirelaw::campaign
