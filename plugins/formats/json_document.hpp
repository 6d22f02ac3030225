// JsonDocument: a JSON text taken apart into one flat list of nodes, in the order of the text.
//
// Its room is used again from message to message, unless one was a giant. Children of a node follow
// it; every node knows where its subtree ends, so that skipping it is one step. Depth and size are
// bounded (limits.hpp). Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/formats/value.hpp"

namespace sluice::formats {

class JsonDocument {
 public:
  enum class Fault : std::uint8_t {
    kNone,
    kSyntax,    ///< not JSON, or not UTF-8
    kTooDeep,   ///< more than kMaxDepth levels
    kOverflow,  ///< a number that no double can hold
  };

  struct Outcome {
    Fault fault{};
    std::size_t position{};  ///< bytes read when the fault was seen
  };

  /// A node by its number, or one of the two below.
  using Node = std::uint32_t;
  static constexpr Node kNowhere = 0xFFFF'FFFF;  ///< there is no such node
  static constexpr Node kTwice = 0xFFFF'FFFE;    ///< a member on the way is named twice

  /// Forgets what was there and reads `text`, all of which must be one JSON value. After a fault
  /// the document is empty.
  Outcome parse(std::string_view text);

  Node root() const { return nodes_.empty() ? kNowhere : 0; }

  /// Follows unescaped reference tokens (RFC 6901) from `from`. Any node may be asked for, also
  /// kNowhere and kTwice, which stay what they are.
  Node find(Node from, const std::vector<std::string>& path) const;

  /// A view into this document, valid until the next parse.
  Value value(Node node) const;

  bool is_container(Node node) const;
  bool is_map(Node node) const;
  /// For loops over a container: `for (n = first(c); n != last(c); n = after(n))`.
  Node first(Node container) const { return container + 1; }
  Node last(Node container) const { return nodes_[container].end; }
  Node after(Node node) const { return nodes_[node].end; }
  /// The name of a member of a map; empty in a list.
  std::string_view name(Node node) const;

 private:
  class Builder;

  /// A piece of characters_.
  struct Piece {
    std::uint32_t at{};
    std::uint32_t length{};
  };

  struct Item {
    ValueKind kind{};
    bool boolean{};
    Node end{};  ///< the first node behind this subtree
    Piece name;
    Piece text;
    union {
      std::int64_t integer;
      double number;
    };
    Item() : integer{0} {}
  };

  std::string_view piece(Piece p) const {
    return std::string_view{characters_}.substr(p.at, p.length);
  }
  Node member(Node map, std::string_view name) const;
  Node element(Node list, std::string_view index) const;

  std::vector<Item> nodes_;
  std::string characters_;  ///< all names and texts, unescaped, one after the other
};

}  // namespace sluice::formats
