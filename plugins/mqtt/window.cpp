#include "plugins/mqtt/window.hpp"

namespace sluice::mqtt {

Window::Ticket Window::add(Publication publication, Time deadline) {
  open_.emplace(++last_, Entry{std::move(publication), deadline});
  return last_;
}

std::optional<Publication> Window::remove(Ticket ticket) {
  auto node = open_.extract(ticket);
  if (node.empty()) return std::nullopt;
  return std::move(node.mapped().publication);
}

std::vector<Publication> Window::remove_overdue(Time now) {
  std::vector<Publication> out;
  while (!open_.empty() && open_.begin()->second.deadline <= now) {
    out.push_back(std::move(open_.begin()->second.publication));
    open_.erase(open_.begin());
  }
  return out;
}

std::vector<Publication> Window::remove_all() { return remove_overdue(Time::max()); }

std::optional<Window::Time> Window::next_deadline() const {
  if (open_.empty()) return std::nullopt;
  return open_.begin()->second.deadline;
}

}  // namespace sluice::mqtt
