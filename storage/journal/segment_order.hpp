// Segments whose names do not fit what they hold: renamed, copied, or of another journal.
#pragma once

#include <deque>
#include <vector>

#include "pipeline/base/log.hpp"
#include "storage/journal/recovery.hpp"

namespace sluice::storage {

/// `segments` are by rising file number. Leaves as many as have rising sequences, so that one wrong
/// file costs no other. Of the rest, one that is just what is missing between two of them gets the
/// name that it should have, and is told through `log`; the others are returned.
std::vector<SegmentInfo> put_in_order(std::deque<SegmentInfo>& segments, const std::string& dir,
                                      Log& log);

}  // namespace sluice::storage
