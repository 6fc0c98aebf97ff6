#include "vinculum/ensemble/run_study.hpp"

#include <algorithm>
#include <chrono>

#include "ensemble/crew.hpp"
#include "ensemble/other_ranks.hpp"
#include "ensemble/parts.hpp"

namespace vinculum {

bool run_study(const Study& study, const MemberMaker& make, const std::vector<std::string>& kept,
               const RowSink& sink, const StudyOptions& options) {
  OtherRanks others(options.ranks, options.identity);
  study.require_sound();
  const long left = study.count() - options.there.count();
  if (left <= 0) return true;
  const int threads = threads_of(options.threads, left);
  Parts parts(study, sink, options.there, static_cast<long>(threads) * (1 + others.count()));
  Crew crew(parts, study, make, kept, threads);
  const auto began = std::chrono::steady_clock::now();
  auto told = began;
  while (!parts.wait_for(others.count() > 0 ? std::chrono::milliseconds(1) : std::chrono::milliseconds(50))) {
    others.serve(parts);
    const auto now = std::chrono::steady_clock::now();
    if (now - told < std::chrono::milliseconds(50)) continue;
    told = now;
    const std::chrono::duration<double> seconds = now - began;
    if (options.progress && !options.progress(parts.progress(seconds.count()))) parts.close();
  }
  if (!parts.whole()) crew.cancel();
  others.dismiss(parts);
  crew.finish();
  parts.rethrow();
  return parts.whole();
}

MemberRow run_member(const Study& study, const MemberMaker& make, const std::vector<std::string>& kept,
                     long member) {
  const std::atomic<bool> never = false;
  return Worker(study, make, kept, never).compute({member, member + 1}).front();
}

}  // namespace vinculum
