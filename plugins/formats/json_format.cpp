// The format `json`: one reading from a document, or one from each item of a batch.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "pipeline/base/log.hpp"
#include "plugins/formats/bytes.hpp"
#include "plugins/formats/formats.hpp"
#include "plugins/formats/json_document.hpp"
#include "plugins/formats/limits.hpp"
#include "plugins/formats/mapping.hpp"
#include "plugins/formats/mapping_options.hpp"

namespace sluice::formats {

namespace {

constexpr auto kOptions = with_mapping_options(std::array<OptionSpec, 3>{{
    kSensorOption,
    kLevelOption,
    {.name = "each",
     .type = OptionType::kTextList,
     .help = "JSON Pointers to arrays or objects to iterate, each from the item of the one before"},
}});

/// One `each`.
struct Iteration {
  std::string text;
  std::vector<std::string> path;
};

class JsonDecoder final : public Decoder {
 public:
  JsonDecoder(Mapping mapping, std::vector<Iteration> iterations)
      : mapping_{std::move(mapping)},
        iterations_{std::move(iterations)},
        found_(mapping_.sources().size()),
        by_scope_(iterations_.size() + 1) {
    for (std::size_t i = 0; i < mapping_.sources().size(); ++i) {
      const Source& source = mapping_.sources()[i];
      if (source.kind == SourceKind::kPointer || source.kind == SourceKind::kKey) {
        by_scope_[source.index].push_back(i);
      }
    }
  }

  void decode(const MessageView& message, DecodeSink& sink) const override {
    if (reject_too_large(message, sink)) return;
    const std::string_view text = without_accidents(message.payload);
    if (text.empty()) {
      sink.reject(RejectReason::kMissingLevel, "the payload is empty");
      return;
    }
    const auto outcome = document_.parse(text);
    if (outcome.fault != JsonDocument::Fault::kNone) {
      reject_document(outcome, text, sink);
      return;
    }
    mapping_.fill_from_message(message, found_);
    take_item(document_.root(), 0, {}, message, sink);
  }

 private:
  using Node = JsonDocument::Node;

  static void reject_document(const JsonDocument::Outcome& outcome, std::string_view text,
                              DecodeSink& sink) {
    // What stands before the fault tells more than what comes after.
    constexpr std::size_t kShown = 40;
    const std::size_t end = std::min(outcome.position, text.size());
    const std::size_t start = end > kShown ? end - kShown : 0;
    const std::string where = "byte " + std::to_string(end) + ", after \"" +
                              printable(text.substr(start, end - start)) + "\"";
    switch (outcome.fault) {
      case JsonDocument::Fault::kTooDeep:
        sink.reject(RejectReason::kTooLarge, "JSON with more than " + std::to_string(kMaxDepth) +
                                                 " levels of arrays and objects");
        return;
      case JsonDocument::Fault::kOverflow:
        sink.reject(RejectReason::kNotFinite, "a number beyond the range of a double at " + where);
        return;
      default: sink.reject(RejectReason::kMalformed, "not JSON at " + where);
    }
  }

  /// `key` is the member name or index that the item was met under.
  /// Values of this scope are looked up once, when its item is entered: a batch of thousands does
  /// not search the document's root for each of them.
  void take_item(Node item, std::size_t scope, const Value& key, const MessageView& message,
                 DecodeSink& sink) const {
    for (const std::size_t i : by_scope_[scope]) {
      const Source& source = mapping_.sources()[i];
      found_[i] = source.kind == SourceKind::kKey
                      ? key
                      : document_.value(document_.find(item, source.path));
    }
    if (scope == iterations_.size()) {
      mapping_.emit(found_, message, sink);
      return;
    }
    const Iteration& iteration = iterations_[scope];
    const Node list = document_.find(item, iteration.path);
    if (!document_.is_container(list)) {
      sink.reject(
          list == JsonDocument::kTwice ? RejectReason::kMalformed : RejectReason::kMissingLevel,
          "each \"" + printable(iteration.text) + "\" is " + describe(document_.value(list)) +
              ", not a list or an object");
      return;
    }
    if (const auto name = name_there_twice(list)) {
      sink.reject(RejectReason::kMalformed, "each \"" + printable(iteration.text) + "\" has \"" +
                                                printable(*name) + "\" twice");
      return;
    }
    Value met;
    met.kind = ValueKind::kInteger;  // in a list, the index takes the name's place
    for (Node node = document_.first(list); node != document_.last(list);
         node = document_.after(node)) {
      if (document_.is_map(list)) met = Value::of_text(document_.name(node));
      take_item(node, scope + 1, met, message, sink);
      ++met.integer;
    }
  }

  /// By sorting: a hostile object has tens of thousands of members.
  std::optional<std::string_view> name_there_twice(Node container) const {
    if (!document_.is_map(container)) return std::nullopt;
    std::vector<std::string_view> names;
    for (Node node = document_.first(container); node != document_.last(container);
         node = document_.after(node)) {
      names.push_back(document_.name(node));
    }
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    return twice == names.end() ? std::nullopt : std::optional{*twice};
  }

  Mapping mapping_;
  std::vector<Iteration> iterations_;
  // Scratch; decoders run on one thread.
  mutable JsonDocument document_;
  mutable std::vector<Value> found_;
  std::vector<std::vector<std::size_t>> by_scope_;  ///< sources by the item they are looked up in
};

Result<std::vector<Iteration>> read_iterations(const Options& options) {
  // Each one is a level of recursion and, on hostile input, a factor of work.
  constexpr std::size_t kMostIterations = 8;
  std::vector<Iteration> iterations;
  if (!options.has("each")) return iterations;
  for (const std::string& text : options.texts("each")) {
    auto path = parse_pointer(text);
    if (!path) {
      return std::move(path).error().with_context("'each': \"" + printable(text) + "\"");
    }
    iterations.push_back({text, std::move(path).value()});
  }
  if (iterations.size() > kMostIterations) {
    return Error{ErrorCode::kInvalid, "'each' has more than 8 entries"};
  }
  return iterations;
}

class JsonFormat final : public Format {
 public:
  std::string_view name() const override { return "json"; }
  std::string_view help() const override {
    return "JSON documents, with values found by JSON Pointer";
  }
  std::span<const OptionSpec> options() const override { return kOptions; }

  Result<std::unique_ptr<Decoder>> make_decoder(const Options& options) const override {
    auto iterations = read_iterations(options);
    if (!iterations) return std::move(iterations).error();
    const SelectorRules rules{.format = "json", .pointers = true, .iterations = iterations->size()};
    auto mapping = Mapping::make(options, rules);
    if (!mapping) return std::move(mapping).error();
    return std::unique_ptr<Decoder>{
        std::make_unique<JsonDecoder>(std::move(mapping).value(), std::move(iterations).value())};
  }
};

}  // namespace

const Format& json_format() {
  static const JsonFormat format;
  return format;
}

}  // namespace sluice::formats
