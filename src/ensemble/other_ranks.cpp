#include "ensemble/other_ranks.hpp"

#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "ensemble/messages.hpp"

namespace vinculum {

using message::Kind;

Ranks::~Ranks() = default;

OtherRanks::OtherRanks(Ranks* ranks, const std::string& identity)
    : ranks_(ranks), identity_(identity), wanted_(ranks ? ranks->count() : 1), present_(count()) {}

OtherRanks::~OtherRanks() {
  try {
    let_go();
  } catch (...) {  // they cannot be told: nothing is left to be done for them
  }
}

void OtherRanks::serve(Parts& parts) {
  if (count() == 0) return;
  while (const auto heard = ranks_->receive()) hear(*heard, parts);
  for (int rank = 1; rank <= count(); ++rank)
    for (; wanted_[rank] > 0; --wanted_[rank]) {
      const auto part = parts.take();
      if (!part) return;
      ranks_->send(rank, message::part(*part));
    }
}

void OtherRanks::hear(const Ranks::Message& heard, Parts& parts) try {
  switch (message::kind_of(heard.bytes)) {
    case Kind::ready: {
      const message::Ready ready = message::ready_in(heard.bytes);
      if (ready.identity != identity_)
        fail("it has another model, other options or another version of vinculum than rank 0");
      wanted_[heard.from] += ready.wanted;
      return;
    }
    case Kind::rows:
      parts.give(message::rows_in(heard.bytes));
      ++wanted_[heard.from];
      return;
    case Kind::gone:
      --present_;
      return;
    default:
      fail(std::string(message::text_of(heard.bytes)));
  }
} catch (const Error& e) {
  parts.end_with(std::make_exception_ptr(Error(fmt::format("rank {}: {}", heard.from, e.text()))));
}

void OtherRanks::dismiss(Parts& parts) {
  let_go();
  while (present_ > 0) {
    while (const auto heard = ranks_->receive()) hear(*heard, parts);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void OtherRanks::let_go() {
  if (dismissed_) return;
  dismissed_ = true;
  for (int rank = 1; rank <= count(); ++rank) ranks_->send(rank, message::plain(Kind::over));
}

void dismiss(Ranks& ranks) { OtherRanks(&ranks, ""); }

}  // namespace vinculum
