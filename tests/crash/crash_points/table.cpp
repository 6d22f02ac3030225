#include "tests/crash/crash_points/table.hpp"

namespace sluice::crash {
namespace {

using enum Way;
using enum Repeats;

constexpr CrashPoint kPoints[] = {
    {"migration.before-commit", kFirstStart, kNever, "the database is empty and made again"},
    {"migration.after-commit", kFirstStart, kNever, "the database has its tables and no rows"},

    {"journal.append.before-write:40", kReadings, kMaybe,
     "the reading was not acknowledged: the broker sends it again"},
    {"journal.append.after-write:40", kReadings, kMaybe,
     "the journal has it; the broker's second copy is recognised"},
    {"journal.segment.before-create", kReadings, kMaybe, "as before the write"},
    {"journal.segment.after-create", kReadings, kMaybe, "a segment without records is written on"},
    {"journal.sync.before:3", kReadings, kMaybe, "alerts that waited for it are made again"},
    {"journal.sync.after:3", kReadings, kMaybe, "alerts that waited for it are made again"},
    {"journal.drop.before-remove", kOldSegments, kMaybe,
     "the old segment is skipped, and goes with the next checkpoint"},
    {"journal.drop.after-remove", kOldSegments, kMaybe, "nothing in it was needed"},

    {"journal.torn.before-cut", kTornStart, kMaybe, "the noise is found, kept and cut off again"},
    {"journal.torn.after-cut", kTornStart, kMaybe, "the sound part is written on"},
    {"journal.foreign.before-rename", kTornStart, kMaybe, "the segment is judged again"},
    {"journal.foreign.after-rename", kTornStart, kMaybe, "it is out of the way"},

    {"engine.before-apply:40", kReadings, kMaybe,
     "the journal has it: it is processed at the start"},
    {"engine.after-apply:40", kReadings, kMaybe, "its count is in no checkpoint: made once more"},
    {"outbox.alert.before-add:20", kReadings, kMaybe, "the replay makes the alert again"},
    {"outbox.alert.taken:20", kReadings, kMaybe, "it was not sent yet: the replay makes it again"},
    {"outbox.delivered.before-mark:20", kReadings, kSurely,
     "the broker has it, the journal does not know: it is sent again with the same id"},
    {"outbox.delivered.after-mark:20", kReadings, kMaybe,
     "the mark keeps it from being sent again"},

    {"checkpoint.before-begin", kCheckpoint, kMaybe, "the checkpoint before, and the journal"},
    {"checkpoint.before-commit", kCheckpoint, kMaybe, "rolled back: the checkpoint before"},
    {"checkpoint.after-commit", kCheckpoint, kMaybe, "the new checkpoint; old segments are there"},
    {"checkpoint.copy.before-write", kCheckpoint, kMaybe, "the copy before stays the copy"},
    {"checkpoint.copy.before-rename", kCheckpoint, kMaybe, "the copy before stays the copy"},
    {"checkpoint.copy.after-rename", kCheckpoint, kMaybe, "the new copy is the copy"},
    {"checkpoint.before-commit", kStop, kMaybe, "the checkpoint before, and the journal"},
    {"checkpoint.after-commit", kStop, kMaybe, "as after an orderly stop"},
    {"engine.stop.before-checkpoint", kStop, kMaybe, "the checkpoint before, and the journal"},
    {"engine.stop.after-checkpoint", kStop, kMaybe, "as after an orderly stop"},

    {"stop.after-receiving", kStop, kMaybe, "the journal has what came in: it is processed then"},
    {"stop.after-engine", kStop, kMaybe, "the checkpoint has the alerts that were not sent"},
    {"stop.after-publishing", kStop, kMaybe, "what was sent is marked in the journal"},

    {"start.after-folder", kStart, kMaybe, "nothing was touched"},
    {"start.after-store", kStart, kMaybe, "a sound database is opened again"},
    {"start.after-journal", kStart, kMaybe, "its end is found again"},
    {"start.after-outbox", kStart, kMaybe, "the outbox is in memory only"},
    {"start.after-restore", kStart, kMaybe, "one more mark in the journal that holds delays back"},
    {"start.after-report", kStart, kMaybe, "nothing was to be reported"},
    {"start.after-engine", kStart, kMaybe, "the journal is processed again"},
    {"start.after-publishing", kStart, kMaybe, "alerts of the replay may be out, marked or not"},
    {"start.after-receiving", kStart, kMaybe, "likewise; what came in is in the journal"},
    {"engine.caught-up.before-open", kStart, kMaybe,
     "alerts of the replay may be out, values and status not"},

    {"rebuild.before-set-aside", kDamagedRun, kMaybe,
     "the damage is found at the start: the copy, and the journal since then"},
    {"rebuild.after-set-aside", kDamagedRun, kMaybe,
     "the copy takes the place of what is gone, the journal since then is there"},
    {"rebuild.after-restore", kDamagedRun, kMaybe, "the new database, and the journal"},

    {"quarantine.before-rename", kDamagedStart, kNever, "the damage is found again"},
    {"quarantine.half-renamed", kDamagedStart, kNever, "its log alone is nothing to SQLite"},
    {"quarantine.after-rename", kDamagedStart, kNever, "the copy takes the place of what is gone"},
    {"quarantine.before-restore", kDamagedStart, kNever, "the copy is still there"},
    {"quarantine.after-restore", kDamagedStart, kNever,
     "the copy is in place, the journal goes on"},
};

}  // namespace

std::span<const CrashPoint> crash_points() { return kPoints; }

}  // namespace sluice::crash
