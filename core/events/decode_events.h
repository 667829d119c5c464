// Decodes the events of a block of records. This is where the time of reading a log goes, and it
// may be done on any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "core/events/event_rows.h"
#include "core/events/record_blocks.h"

namespace tideline::events {

/// In bytes: half of the time of reading a large log would go into the memory for its histograms.
inline constexpr std::uint64_t kMostCopiedFrom = std::uint64_t{64} << 20U;

/// The rows in the records of `block`, in the order of the file: as a rule one element, more when a
/// tag changes its plugin within the block. Data are checked against their checksums, unless that
/// was done; the first wrong one ends the rows, and is the damage of the last element. Events that
/// do not parse are counted, and so are values that are not what their plugin says.
/// Texts, hyperparameters and session logs are copied. Histograms are, too, except in a file of
/// more than kMostCopiedFrom bytes where one fills at least half of its record. Of all other
/// contents only the place is kept. `room`: for copies, filled further with each block; of one
/// thread. Cost: O(bytes). Thread: pure.
[[nodiscard]] std::vector<EventRows> decode_events(const RecordBlock& block,
                                                   KeptBytes::Room* room = nullptr);

}  // namespace tideline::events
