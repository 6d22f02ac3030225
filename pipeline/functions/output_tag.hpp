// OutputTag<T>: names a side output. Semantics: SO-01..08.
#pragma once

#include <string>

#include "pipeline/base/errors.hpp"

namespace sluice {

/// Tags are equal when their ids are (SO-05). An empty id is refused (SO-06).
template <class T>
class OutputTag {
 public:
  explicit OutputTag(std::string id) : id_{std::move(id)} {
    if (id_.empty()) throw InvalidArgument{"an output tag needs an id (SO-06)"};
  }
  const std::string& id() const { return id_; }

 private:
  std::string id_;
};

}  // namespace sluice
