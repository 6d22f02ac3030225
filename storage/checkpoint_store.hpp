// The checkpoint in SQLite: state, outbox and journal position, in one file that people can read.
//
// One thread at a time (the checkpoint writer's; the engine only fills a CheckpointDelta). Each
// write is one transaction, so the file always is one whole checkpoint. docs: schema.cpp has the
// tables, datum_column.hpp the values.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/base/log.hpp"
#include "pipeline/base/result.hpp"
#include "pipeline/base/time.hpp"
#include "pipeline/records/publication.hpp"
#include "pipeline/state/snapshot.hpp"
#include "storage/checkpoint_delta.hpp"
#include "storage/sqlite/database.hpp"
#include "storage/store_files.hpp"

namespace sluice::storage {

struct CheckpointMeta {
  std::uint64_t journal_sequence{};  ///< the last record that is part of it; 0 = none yet
  Timestamp taken_at{};
  Datum extras;  ///< whatever the engine wants back; struct or null
};

struct LoadedCheckpoint {
  bool exists{};  ///< false: nothing was ever written, all else is empty
  CheckpointMeta meta;
  JobSnapshot job;
  std::vector<Publication> outbox;  ///< in order of their ids
};

enum class StoreOutcome : std::uint8_t {
  kOpened,
  kCreated,        ///< there was none, or an empty file
  kFromCopy,       ///< it was gone or damaged; the previous copy took its place
  kStartedAfresh,  ///< it was damaged, and no sound copy exists
  kRebuilt,        ///< it was damaged, and written anew from what memory held
};

class CheckpointStore;

struct OpenedStore {
  std::unique_ptr<CheckpointStore> store;
  StoreOutcome outcome{};
  std::string notice;  ///< a sentence for status and alert; empty if all is as usual
};

class CheckpointStore {
 public:
  /// Opens `path`, or creates it. A damaged one (no database, failing its check, another
  /// program's, a directory) is set aside as `<path>.damaged-<UTC time>` and replaced. Errors:
  /// kVersion for a newer schema, kUnavailable if locked, kIo if the folder cannot be used; then
  /// nothing was touched.
  static Result<OpenedStore> open(const std::string& path, Log& log,
                                  const DatabaseOptions& options = {});

  /// Sets the file aside as damaged, for `reason`, and opens its replacement: for when load()
  /// finds what open() could not. The store of that path must be gone.
  static Result<OpenedStore> replace(const std::string& path, const std::string& reason, Log& log,
                                     const DatabaseOptions& options = {});

  /// For damage that is found while the state is in memory: writes a new database with the whole
  /// checkpoint beside the old one, sets that aside, and puts the new one in its place. `delta` is
  /// a full one. The store of that path must be gone. A crash in between finds the copy.
  static Result<OpenedStore> rebuild(const std::string& path, const std::string& reason,
                                     const CheckpointMeta& meta, const CheckpointDelta& delta,
                                     std::span<const Publication> outbox, Log& log,
                                     const DatabaseOptions& options = {});

  /// What the copy to fall back to holds; an error if there is none that is sound.
  static Result<LoadedCheckpoint> load_copy(const std::string& path,
                                            const DatabaseOptions& options = {});

  /// Whether open() would get at the database now; damage is no hindrance to that.
  static Status probe(const std::string& path, const DatabaseOptions& options = {});

  /// One transaction: all of it, or nothing. After an error keep `delta` and append the next one
  /// to it. `outbox` is what is undelivered now; it replaces what was there. kCorrupt if the file
  /// is gone, is another one, or was damaged by somebody: then nothing can be written any more, see
  /// rebuild().
  Status write(const CheckpointMeta& meta, const CheckpointDelta& delta,
               std::span<const Publication> outbox);

  /// Whether the file is still what write() left: kCorrupt if it is gone, is another one, or was
  /// damaged by somebody. Cheap unless somebody has written to it.
  Status check_untouched();

  /// Opens the file once more: for after a refusal, since what was opened read-only stays so.
  Status reopen();

  /// kCorrupt if a row is not what write() writes.
  Result<LoadedCheckpoint> load();

  /// Makes this checkpoint the one to fall back to: a whole copy, checked, in `<path>.previous`.
  /// As costly as the file is large; now and then.
  Status keep_copy();

  /// Journal position of the copy; nothing if there is none. The journal must be kept from the
  /// older of this and the newest checkpoint.
  std::optional<std::uint64_t> copy_sequence() const { return copy_sequence_; }

  const std::string& path() const { return database_.path(); }
  /// Size of the file and its WAL, for metrics.
  std::uint64_t bytes() const;

 private:
  friend class StoreOpening;
  explicit CheckpointStore(Database database) : database_{std::move(database)} {}

  Status write_all(const CheckpointMeta& meta, const CheckpointDelta& delta,
                   std::span<const Publication> outbox);
  Status write_state(const CheckpointDelta& delta);
  Status write_outbox(std::span<const Publication> outbox);
  Status load_state(JobSnapshot& job);
  Status load_entries(Statement& entries, std::int64_t id, StateSnapshot& state);
  Status load_outbox(std::vector<Publication>& outbox);

  Status check_content();
  void note_files();

  Database database_;
  std::optional<std::uint64_t> copy_sequence_;
  FileMark file_;  ///< as our own last use left it
  FileMark log_;   ///< likewise the write-ahead log
  std::optional<std::uint64_t> written_sequence_;
};

}  // namespace sluice::storage
