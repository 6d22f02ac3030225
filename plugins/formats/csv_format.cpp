// The format `csv`: each line of the payload is one item.
#include <algorithm>
#include <utility>

#include "pipeline/base/log.hpp"
#include "pipeline/base/text.hpp"
#include "pipeline/base/utf8.hpp"
#include "plugins/formats/bytes.hpp"
#include "plugins/formats/csv_line.hpp"
#include "plugins/formats/formats.hpp"
#include "plugins/formats/limits.hpp"
#include "plugins/formats/mapping.hpp"
#include "plugins/formats/mapping_options.hpp"

namespace sluice::formats {

namespace {

constexpr auto kOptions = with_mapping_options(std::array<OptionSpec, 5>{{
    kSensorOption,
    kLevelOption,
    kDecimalCommaOption,
    {.name = "separator",
     .type = OptionType::kText,
     .help = "the character between two columns, or the word tab",
     .fallback = ","},
    {.name = "header",
     .type = OptionType::kBoolean,
     .help = "the first line of each payload names the columns",
     .fallback = "false"},
}});

constexpr SelectorRules kRules{.format = "csv", .columns = true};

class CsvDecoder final : public Decoder {
 public:
  CsvDecoder(Mapping mapping, char separator, bool header)
      : mapping_{std::move(mapping)},
        separator_{separator},
        header_{header},
        found_(mapping_.sources().size()),
        columns_(mapping_.sources().size()) {}

  void decode(const MessageView& message, DecodeSink& sink) const override {
    if (reject_too_large(message, sink)) return;
    const std::string_view text = without_accidents(message.payload);
    if (!is_utf8(text)) {
      sink.reject(RejectReason::kMalformed, "the lines \"" + printable(text) + "\" are not UTF-8");
      return;
    }
    mapping_.fill_from_message(message, found_);
    reader_.start(text, separator_);
    const bool has_first = reader_.next();
    if (!has_first) {
      sink.reject(RejectReason::kMissingLevel, "the payload is empty");
      return;
    }
    number_columns();
    if (header_ && reader_.broken()) return take_record(message, sink);
    for (bool more = header_ ? reader_.next() : true; more; more = reader_.next()) {
      take_record(message, sink);
    }
  }

 private:
  static constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);
  static constexpr std::size_t kTwice = static_cast<std::size_t>(-2);

  /// Finds the columns that were asked for by header; the reader stands on the first record.
  void number_columns() const {
    const auto& fields = reader_.fields();
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const Source& source = mapping_.sources()[i];
      columns_[i] = source.index;
      if (source.kind != SourceKind::kColumn || source.text.empty()) continue;
      const auto named = std::find(fields.begin(), fields.end(), trimmed(source.text));
      columns_[i] =
          named == fields.end() ? kNoColumn : static_cast<std::size_t>(named - fields.begin());
      const bool again =
          named != fields.end() && std::find(named + 1, fields.end(), *named) != fields.end();
      if (again) columns_[i] = kTwice;
    }
  }

  void take_record(const MessageView& message, DecodeSink& sink) const {
    if (reader_.broken()) {
      sink.reject(RejectReason::kMalformed,
                  "the quotes do not pair in the line \"" + printable(reader_.record()) + "\"");
      return;
    }
    const auto& fields = reader_.fields();
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (mapping_.sources()[i].kind != SourceKind::kColumn) continue;
      found_[i] = columns_[i] < fields.size() ? Value::of_text(fields[columns_[i]]) : Value{};
      if (columns_[i] == kTwice) found_[i].kind = ValueKind::kTwice;
    }
    mapping_.emit(found_, message, sink);
  }

  Mapping mapping_;
  char separator_;
  bool header_;
  // Scratch; decoders run on one thread.
  mutable CsvReader reader_;
  mutable std::vector<Value> found_;
  mutable std::vector<std::size_t> columns_;  ///< for each source its column in this payload
};

Result<char> read_separator(const Options& options) {
  const std::string text = options.has("separator") ? options.text("separator") : ",";
  if (text == "tab") return '\t';
  // Neither what quotes or ends a line, nor what numbers and names are made of.
  constexpr std::string_view kNever =
      "\"\n\r+-.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  if (text.size() == 1 && kNever.find(text) == std::string_view::npos) return text.front();
  return Error{ErrorCode::kInvalid, "'separator': \"" + printable(text) +
                                        "\" must be one character that is in no number and no "
                                        "word, such as \";\", or \"tab\""};
}

class CsvFormat final : public Format {
 public:
  std::string_view name() const override { return "csv"; }
  std::string_view help() const override { return "Lines of separated values"; }
  std::span<const OptionSpec> options() const override { return kOptions; }

  Result<std::unique_ptr<Decoder>> make_decoder(const Options& options) const override {
    auto separator = read_separator(options);
    if (!separator) return std::move(separator).error();
    if (*separator == ',' && options.has("decimal_comma") && options.boolean("decimal_comma")) {
      return Error{ErrorCode::kInvalid,
                   "'decimal_comma': a comma separates the columns, so 2,5 would be two of them; "
                   "set separator = \";\" or what stands between columns"};
    }
    auto mapping = Mapping::make(options, kRules);
    if (!mapping) return std::move(mapping).error();
    const bool header = options.has("header") && options.boolean("header");
    const auto sources = mapping->sources();
    const auto by_name = std::find_if(sources.begin(), sources.end(), [](const Source& source) {
      return source.kind == SourceKind::kColumn && !source.text.empty();
    });
    if (!header && by_name != sources.end()) {
      return Error{ErrorCode::kInvalid, "selector \"col:" + printable(by_name->text) +
                                            "\" needs header = true; without a header, columns "
                                            "are counted from 0, as in col:0"};
    }
    return std::unique_ptr<Decoder>{
        std::make_unique<CsvDecoder>(std::move(mapping).value(), *separator, header)};
  }
};

}  // namespace

const Format& csv_format() {
  static const CsvFormat format;
  return format;
}

}  // namespace sluice::formats
