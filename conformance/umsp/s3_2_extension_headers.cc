// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 3.2: extension headers.
#include "conformance/section.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {
namespace {

constexpr Section kSection{"RFC 3018 3.2"};
constexpr Section kReceiver = kSection.by(Observable::stimulus);
constexpr Section kForm = kSection.by(Observable::none);
constexpr std::string_view kReadsAsAnother = "the form itself: octets that break it read as another extension header";

constinit const Rule kOneToThirty =
    kForm.must("UMSP-3.2-1", "With EXT 1 there are 1 to 30 extension headers.", "none cannot be; more: UMSP-3.2-30");
constinit const Rule kForService =
    kForm.may("UMSP-3.2-2", "Extension headers carry what the header has no field for.", "a purpose, no demand");
constinit const Rule kForLongData =
    kForm.must("UMSP-3.2-3", "Data that operands cannot hold go in an extension header.",
               "UMSP/A6; operands cannot be longer, and the instructions' sections say where _DATA belongs");
constinit const Rule kCodeAssigned = kSection.must("UMSP-3.2-4", "HEAD_CODE is one that the document defines.",
                                                   "UMSP/B25; another one warns: HOB says what becomes of a header "
                                                   "that the receiver does not know, so there may be some");
constinit const Rule kFieldOrder = kForm.must(
    "UMSP-3.2-5", "The fields come in the order of the figure, without those that are absent.", kReadsAsAnother);
constinit const Rule kShortLength =
    kForm.must("UMSP-3.2-6", "With HXT 0 HEAD_LENGTH counts alone: there is no HEAD_LENGTH_EXT.", kReadsAsAnother);
constinit const Rule kJoinedLength =
    kForm.must("UMSP-3.2-7", "With HXT 1 HEAD_LENGTH and HEAD_LENGTH_EXT count together, in 31 bits.", kReadsAsAnother);
constinit const Rule kLengthInWords =
    kForm.must("UMSP-3.2-8", "The length counts words of two octets of DATA.", "UMSP/A18; a wrong count: 5.7.1, 7, 8");
constinit const Rule kUpperBits =
    kForm.must("UMSP-3.2-9", "With HXT 1 HEAD_LENGTH is the upper 7 bits of the length.", kReadsAsAnother);
constinit const Rule kLowerBits =
    kForm.must("UMSP-3.2-10", "With HXT 1 HEAD_LENGTH_EXT is the lower 24 bits of the length.", kReadsAsAnother);
constinit const Rule kLastIsMarked =
    kForm.must("UMSP-3.2-11", "HSL is 1 in the last extension header.", "without it another header is read");
constinit const Rule kOperandsBehindLast =
    kReceiver.must("UMSP-3.2-12", "A receiver takes what is behind an extension header with HSL 1 for operands.");
constinit const Rule kOthersNotMarked =
    kForm.must("UMSP-3.2-13", "HSL is 0 in the extension headers in front of the last.", "with it operands are read");
constinit const Rule kObligatoryStops = kReceiver.must_not(
    "UMSP-3.2-14", "An instruction with an extension header of HOB 1 that the receiver cannot process is not executed.",
    "UMSP/B25");
constinit const Rule kObligatoryRefused =
    kReceiver.resting_on(Evidence::absence)
        .must("UMSP-3.2-15", "Such an instruction with ASK 1 gets a negative response.", "UMSP/B25");
constinit const Rule kOptionalIgnored = kReceiver.must(
    "UMSP-3.2-16", "An unknown extension header of HOB 0 has no influence: the instruction is executed.");
constinit const Rule kAllProcessed =
    kReceiver.must("UMSP-3.2-17", "A receiver processes all extension headers, those behind a faulty one too.");
constinit const Rule kHrzIgnored = kReceiver.must_not("UMSP-3.2-18", "A receiver does not look at HRZ.");
constinit const Rule kHrzIsZero = kSection.must("UMSP-3.2-19", "HRZ is sent as 0.");
constinit const Rule kShortCode = kForm.must("UMSP-3.2-20", "With HXT 0 HEAD_CODE alone is the code.", kReadsAsAnother);
constinit const Rule kExtendedCode =
    kForm.must("UMSP-3.2-21", "With HXT 1 HEAD_CODE is the upper 5 bits of the code, and HEAD_CODE_EXT the lower 8.",
               kReadsAsAnother);
constinit const Rule kNoCodeExt = kForm.must("UMSP-3.2-22", "With HXT 0 there is no HEAD_CODE_EXT.", kReadsAsAnother);
constinit const Rule kNoReserved = kForm.must("UMSP-3.2-23", "With HXT 0 there is no RESERVED.", kReadsAsAnother);
constinit const Rule kReservedIgnored = kReceiver.must_not("UMSP-3.2-24", "A receiver does not look at RESERVED.");
constinit const Rule kReservedIsZero = kSection.must("UMSP-3.2-25", "RESERVED is sent as 0.");
constinit const Rule kShortHolds254 =
    kForm.must("UMSP-3.2-26", "With HXT 0 DATA has 254 octets at most.", "7 bits count no more");
constinit const Rule kExtendedHolds =
    kForm.must("UMSP-3.2-27", "With HXT 1 DATA has 4294967294 octets at most.", "UMSP/A41; 31 bits count no more");
constinit const Rule kDataByCode =
    kForm.must("UMSP-3.2-28", "DATA is as the code defines it.", "judged by code: 5.7.1, 7, 8");
constinit const Rule kInOrder = kForm.must(
    "UMSP-3.2-29", "A receiver processes extension headers in their order.",
    "only headers of one code depend on their order, such as _SET_MBASE (7.6), which a receiver's execution shows");
constinit const Rule kThirtyAtMost =
    kSection.must_not("UMSP-3.2-30", "No instruction has more than 30 extension headers.");
constinit const Rule kTooManyNotExecuted =
    kReceiver.must_not("UMSP-3.2-31", "An instruction with more than 30 extension headers is not executed.");
constinit const Rule kTooManyEndSession =
    kReceiver.resting_on(Evidence::absence)
        .must("UMSP-3.2-32", "The receiver of more than 30 extension headers breaks off the session.", "UMSP/A18c");
constinit const Rule kBothFormsTaken =
    kReceiver.must("UMSP-3.2-33", "A receiver takes the codes 0 to 30 in the short and in the extended form.");
constinit const Rule kLargeCodesExtended =
    kSection.must("UMSP-3.2-34", "A code of 31 or more comes in the extended form.", "UMSP/A18b");

constexpr std::uint16_t kMostShortCode = 30;

void judge_one(Judge& judge, const Seen& seen, std::size_t index) {
  const ExtensionHeader& header = seen.instruction.extensions[index];
  const OctetRange where = seen.extension(index);
  judge.require(kHrzIsZero, !header.hrz, where, expected("HRZ 0"), actual("HRZ 1"));
  if (header.hxt)
    judge.require(kReservedIsZero, header.reserved == 0, octets(where.offset + 6, 2), expected(0),
                  actual(hex(header.reserved)));
  if (!judge.require(kLargeCodesExtended, header.hxt || header.head_code <= kMostShortCode, where, expected("HXT 1"),
                     actual("HXT 0")))
    return;
  judge.advise(kCodeAssigned, find_extension(header.head_code) != nullptr, where,
               expected("a HEAD_CODE of sections 5 to 8"), actual(header.head_code));
}

}  // namespace

UmspSection extension_header_rules() {
  static constexpr const Rule* kRules[] = {
      &kOneToThirty,        &kForService,         &kForLongData,     &kCodeAssigned,      &kFieldOrder,
      &kShortLength,        &kJoinedLength,       &kLengthInWords,   &kUpperBits,         &kLowerBits,
      &kLastIsMarked,       &kOperandsBehindLast, &kOthersNotMarked, &kObligatoryStops,   &kObligatoryRefused,
      &kOptionalIgnored,    &kAllProcessed,       &kHrzIgnored,      &kHrzIsZero,         &kShortCode,
      &kExtendedCode,       &kNoCodeExt,          &kNoReserved,      &kReservedIgnored,   &kReservedIsZero,
      &kShortHolds254,      &kExtendedHolds,      &kDataByCode,      &kInOrder,           &kThirtyAtMost,
      &kTooManyNotExecuted, &kTooManyEndSession,  &kBothFormsTaken,  &kLargeCodesExtended};
  return {.rules = {.rules = kRules}};
}

void judge_extension_headers(Judge& judge, const Seen& seen) {
  const std::size_t count = seen.instruction.extensions.size();
  if (count == 0) return;
  judge.require(kThirtyAtMost, count <= kMostExtensionHeaders, seen.extension(count - 1), expected("30 at most"),
                actual(count));
  for (std::size_t index = 0; index < count; ++index) judge_one(judge, seen, index);
}

}  // namespace wirelaw::umsp
