#include "ensemble/messages.hpp"

#include <cstring>
#include <type_traits>

#include "vinculum/base/error.hpp"

namespace vinculum::message {
namespace {

template <class Plain>
void put(std::string& bytes, const Plain& value) {
  static_assert(std::is_trivially_copyable_v<Plain>);
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}
void put(std::string& bytes, const std::vector<double>& numbers) {
  put(bytes, static_cast<long>(numbers.size()));
  for (const double x : numbers) put(bytes, x);
}

/// What was put, in the same order.
class Reading {
 public:
  explicit Reading(std::string_view message) : rest_(message.substr(1)) {}
  bool has_more() const { return !rest_.empty(); }
  std::string_view rest() const { return rest_; }
  template <class Plain>
  Plain next() {
    Plain value;
    std::memcpy(&value, text(sizeof value).data(), sizeof value);
    return value;
  }
  std::string_view text(std::size_t size) {
    if (size > rest_.size()) fail("a message of another rank ends too early");
    const std::string_view found = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return found;
  }
  std::vector<double> numbers() {
    const auto count = static_cast<std::size_t>(next<long>());
    if (count > rest_.size() / sizeof(double)) fail("a message of another rank ends too early");
    std::vector<double> all(count);
    for (double& x : all) x = next<double>();
    return all;
  }

 private:
  std::string_view rest_;
};

}  // namespace

std::string plain(Kind kind, std::string_view text) {
  return std::string(1, static_cast<char>(kind)).append(text);
}
std::string_view text_of(std::string_view message) {
  return message.substr(std::min<std::size_t>(1, message.size()));
}

std::string ready(int wanted, std::string_view identity) {
  std::string bytes = plain(Kind::ready);
  put(bytes, wanted);
  return bytes.append(identity);
}
Ready ready_in(std::string_view message) {
  Reading reading(message);
  const int wanted = reading.next<int>();
  return {wanted, reading.rest()};
}

std::string part(const MemberRange& part) {
  std::string bytes = plain(Kind::part);
  put(bytes, part);
  return bytes;
}
MemberRange part_in(std::string_view message) { return Reading(message).next<MemberRange>(); }

std::string rows(std::span<const MemberRow> rows) {
  std::string bytes = plain(Kind::rows);
  for (const MemberRow& row : rows) {
    put(bytes, row.member);
    put(bytes, row.varied);
    put(bytes, row.kept);
    put(bytes, row.end);
    put(bytes, static_cast<long>(row.reason.size()));
    bytes += row.reason;
  }
  return bytes;
}
std::vector<MemberRow> rows_in(std::string_view message) {
  std::vector<MemberRow> rows;
  for (Reading reading(message); reading.has_more();) {
    MemberRow& row = rows.emplace_back();
    row.member = reading.next<long>();
    row.varied = reading.numbers();
    row.kept = reading.numbers();
    row.end = reading.next<MemberEnd>();
    row.reason = reading.text(static_cast<std::size_t>(reading.next<long>()));
  }
  return rows;
}

}  // namespace vinculum::message
