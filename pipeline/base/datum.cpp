#include "pipeline/base/datum.hpp"

#include <algorithm>
#include <charconv>

namespace sluice {

namespace {

void append_quoted(std::string& out, const std::string& text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += '"';
}

template <class N>
void append_number(std::string& out, N number) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, number).ptr;
  out.append(buffer, end);
}

void append(std::string& out, const Datum& datum) {
  if (datum.is_null()) {
    out += "null";
  } else if (const auto* b = datum.get_if<bool>()) {
    out += *b ? "true" : "false";
  } else if (const auto* i = datum.get_if<std::int64_t>()) {
    append_number(out, *i);
  } else if (const auto* d = datum.get_if<double>()) {
    append_number(out, *d);
  } else if (const auto* s = datum.get_if<std::string>()) {
    append_quoted(out, *s);
  } else if (const auto* list = datum.get_if<Datum::List>()) {
    out += '[';
    for (const auto& item : *list) {
      if (&item != list->data()) out += ',';
      append(out, item);
    }
    out += ']';
  } else if (const auto* members = datum.get_if<Datum::Struct>()) {
    out += '{';
    for (const auto& [name, item] : *members) {
      if (&item != &members->front().second) out += ',';
      append_quoted(out, name);
      out += ':';
      append(out, item);
    }
    out += '}';
  }
}

}  // namespace

bool Datum::as_number(double& out) const {
  if (const auto* i = get_if<std::int64_t>()) {
    out = static_cast<double>(*i);
    return true;
  }
  if (const auto* d = get_if<double>()) {
    out = *d;
    return true;
  }
  return false;
}

const Datum* Datum::member(std::string_view name) const {
  const auto* members = get_if<Struct>();
  if (members == nullptr) return nullptr;
  const auto it = std::find_if(members->begin(), members->end(),
                               [name](const auto& m) { return m.first == name; });
  return it == members->end() ? nullptr : &it->second;
}

std::string Datum::to_text() const {
  std::string out;
  append(out, *this);
  return out;
}

namespace {

bool list_less(const Datum::List& a, const Datum::List& b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), datum_less);
}

bool struct_less(const Datum::Struct& a, const Datum::Struct& b) {
  return std::lexicographical_compare(
      a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
        return x.first != y.first ? x.first < y.first : datum_less(x.second, y.second);
      });
}

}  // namespace

bool datum_less(const Datum& a, const Datum& b) {
  if (a.value().index() != b.value().index()) return a.value().index() < b.value().index();
  if (const auto* x = a.get_if<bool>()) return *x < *b.get_if<bool>();
  if (const auto* x = a.get_if<std::int64_t>()) return *x < *b.get_if<std::int64_t>();
  if (const auto* x = a.get_if<double>()) return *x < *b.get_if<double>();
  if (const auto* x = a.get_if<std::string>()) return *x < *b.get_if<std::string>();
  if (const auto* x = a.get_if<Datum::List>()) return list_less(*x, *b.get_if<Datum::List>());
  if (const auto* x = a.get_if<Datum::Struct>()) return struct_less(*x, *b.get_if<Datum::Struct>());
  return false;
}

}  // namespace sluice
