// What the storage tests share: a folder of their own, a log that remembers, journals to play with.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "pipeline/base/log.hpp"
#include "storage/file.hpp"
#include "storage/journal/journal.hpp"
#include "storage/journal/reader.hpp"

namespace sluice::storage {

/// A directory that goes away with its object.
class TempDir {
 public:
  TempDir() {
    std::string pattern = (std::filesystem::temp_directory_path() / "sluice-test-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp " + pattern);
    path_ = pattern;
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator{path_}) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  std::size_t count_starting_with(const std::string& prefix) const {
    std::size_t count = 0;
    for (const std::string& name : names()) count += name.starts_with(prefix) ? 1U : 0U;
    return count;
  }

 private:
  std::string path_;
};

/// Keeps what was said.
class RecordingLog final : public Log {
 public:
  void write(LogLevel level, std::string_view message,
             std::initializer_list<LogField>) noexcept override {
    const std::lock_guard lock{mutex_};
    lines_.emplace_back(message);
    if (level >= LogLevel::kWarning) ++problems_;
  }
  void write_limited(std::string_view topic, LogLevel level, std::string_view message,
                     std::initializer_list<LogField> fields) noexcept override {
    limited_topics_.emplace(topic);
    write(level, message, fields);
  }
  const std::vector<std::string>& lines() const { return lines_; }
  const std::set<std::string>& limited_topics() const { return limited_topics_; }
  int problems() const { return problems_; }
  bool said(std::string_view part) const {
    for (const std::string& line : lines_) {
      if (line.find(part) != std::string::npos) return true;
    }
    return false;
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> lines_;
  std::set<std::string> limited_topics_;
  int problems_{};
};

inline void overwrite_file(const std::string& path, std::string_view content) {
  std::ofstream file{path, std::ios::binary | std::ios::trunc};
  file << content;
  ASSERT_TRUE(file.flush()) << path;
}

inline std::string file_content(const std::string& path) {
  auto content = read_file(path);
  EXPECT_TRUE(content) << content.error().message();
  return content ? *content : std::string{};
}

inline MessageView message(std::string_view topic, std::string_view payload,
                           Timestamp received = 1000, std::uint16_t packet_id = 0) {
  MessageView view;
  view.source = "weirs";
  view.topic = topic;
  view.payload = payload;
  view.received = received;
  view.packet_id = packet_id;
  return view;
}

inline std::unique_ptr<Journal> open_journal(JournalOptions options, Log& log) {
  auto journal = Journal::open(std::move(options), log);
  if (!journal) throw std::runtime_error(journal.error().message());
  return std::move(*journal);
}

inline JournalOptions journal_options(const std::string& dir,
                                      std::uint64_t segment_bytes = 1 << 20) {
  JournalOptions options;
  options.dir = dir;
  options.segment_bytes = segment_bytes;
  options.retry_after = std::chrono::milliseconds{0};
  return options;
}

inline std::vector<JournalRecord> read_journal(const std::string& dir, Log& log,
                                               std::uint64_t from = 0) {
  JournalReader reader{dir, from, log};
  std::vector<JournalRecord> records;
  JournalRecord record;
  for (;;) {
    auto more = reader.next(record);
    EXPECT_TRUE(more) << more.error().message();
    if (!more || !*more) return records;
    records.push_back(record);
  }
}

}  // namespace sluice::storage
