#include "vinculum/motion/boundary.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <optional>

#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/equation/sparse_row.hpp"
#include "vinculum/motion/assemble.hpp"
#include "vinculum/motion/verify.hpp"

namespace vinculum {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// Motions are computed at least so exactly that differences of their ends are derivatives.
constexpr double loosest = 1e-10;
/// A difference of starts, in units of their scales: its square and the error of the motions are both far
/// below.
constexpr double nudge = 1e-5;
/// Directions that move the end by less than this part of what others do are lost in the error of a
/// difference.
constexpr double least_effect = 1e-6;
/// On the way to the end its parts need not be met exactly.
constexpr double on_the_way = 1e-3;
constexpr double smallest_part = 1.0 / 128;
constexpr int most_corrections = 15;
/// Starts that are tried around the one stated where no way leads from it, for each thing that is free at
/// most; how far around, in units of the scales; and how many of the nearest are followed.
constexpr int starts_around = 24;
constexpr double around = 3;
constexpr int most_followed = 6;
/// Some seconds on an ordinary machine, counted as for a verification: what takes longer leads nowhere.
constexpr double most_work = 5e9;

/// Numbers that fill (0, 1) evenly, in another order for each base.
double van_der_corput(int number, int base) {
  double value = 0, part = 1.0 / base;
  for (; number > 0; number /= base, part /= base) value += part * (number % base);
  return value;
}

/// A number of a state.
struct Place {
  std::string name;
  bool is_velocity = false;
  int index = 0;
};

double& at(State& state, const Place& place) {
  return (place.is_velocity ? state.v : state.q)[static_cast<std::size_t>(place.index)];
}
double value_at(const State& state, const Place& place) {
  return (place.is_velocity ? state.v : state.q)[static_cast<std::size_t>(place.index)];
}

std::optional<Place> find(const std::vector<std::string>& names, int count, const std::string& name,
                          bool velocity) {
  const auto end = names.begin() + count;
  const auto found = std::find(names.begin(), end, name);
  if (found == end) return std::nullopt;
  return Place{name, velocity, static_cast<int>(found - names.begin())};
}

[[noreturn]] void refuse(const char* what, const std::string& name, const std::vector<std::string>& known) {
  const std::string near = nearest_name(name, known);
  fail(std::string(what) + " '" + name + "'" +
       (near.empty() ? "; there are " + list_text(known) : " (did you mean '" + near + "'?)"));
}

std::vector<std::string> joined(std::vector<std::string> list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
  return list;
}

/// The motion as a function of its start.
class Shooting {
 public:
  Shooting(const System& system, const State& start, const MotionOptions& options,
           const BoundaryProblem& problem)
      : system_(system), start_(start), options_(options), problem_(problem) {
    options_.tolerance = std::min(options.tolerance, loosest);
    options_.samples = 1;
    options_.instants.clear();
    options_.sink = nullptr;
    const std::vector<std::string>& q = system.coordinate_names();
    const std::vector<std::string>& v = system.velocity_names();
    mu_.assign(q.begin() + system.stated_coordinates(), q.end());
    for (const auto& [name, value] : problem.end) add_condition(name, value);
    for (const std::string& name : names_of_free()) add_free(name);
    for (const std::string& name : v)
      if (std::none_of(free_.begin(), free_.end(), [&](const Place& f) { return f.name == name; }))
        fixed_.push_back(name);
    weigh({start_});
  }

  BoundaryStart solve() {
    best_ = start_;
    const Vector stated = Vector::Zero(size());
    Shot first;
    const bool arrives = shoot(stated, first);
    if (arrives) weigh({start_, first.last});
    const bool found = (arrives && approach(target_, problem_.tolerance, stated)) ||
                       approach(target_, problem_.tolerance, straight()) ||
                       (arrives && go_in_parts(first.end)) || search_around();
    return answer(found);
  }

 private:
  Eigen::Index size() const { return static_cast<Eigen::Index>(free_.size()); }
  bool spent() const { return motions_ >= problem_.most_motions || work_ > most_work || cancelled_; }

  /// A motion, by where it ends and how far it goes.
  struct Shot {
    Vector end, reach;
    State last;
    Vector miss(const Vector& goal) const { return (end - goal).cwiseQuotient(reach); }
    double worst(const Vector& goal) const { return miss(goal).cwiseAbs().maxCoeff(); }
  };

  /// As if nothing acted on the way.
  Vector straight() const {
    Vector u = Vector::Zero(size());
    const double time = options_.until - start_.t;
    for (Eigen::Index k = 0; k < size(); ++k)
      for (std::size_t c = 0; c < condition_.size(); ++c) {
        const Place &free = free_[static_cast<std::size_t>(k)], &end = condition_[c];
        const double target = target_[static_cast<Eigen::Index>(c)];
        if (!free.is_velocity) continue;
        if (!end.is_velocity && system_.velocity_of_coordinate(end.index) == free.index)
          u[k] = ((target - start_.q[end.index]) / time - start_.v[free.index]) / scale_[k];
      }
    return u;
  }

  /// The end is moved from where it is to its place, in parts that can be followed.
  bool go_in_parts(const Vector& from) {
    Vector u = Vector::Zero(size());
    double reached = 0, part = 0.5;
    while (reached < 1 && part >= smallest_part && !spent()) {
      const double next = std::min(1.0, reached + part);
      Vector tried = u;
      if (approach(from + next * (target_ - from), next < 1 ? on_the_way : problem_.tolerance, tried,
                   &tried)) {
        u = tried;
        reached = next;
        part *= 2;
      } else {
        part /= 2;
      }
    }
    return reached >= 1;
  }

  void add_condition(const std::string& name, double value) {
    const auto place = find(system_.coordinate_names(), system_.stated_coordinates(), name, false);
    const std::vector<std::string>& v = system_.velocity_names();
    const auto velocity = find(v, static_cast<int>(v.size()), name, true);
    if (!place && !velocity) {
      const auto& q = system_.coordinate_names();
      refuse("there is no coordinate or velocity", name,
             joined({q.begin(), q.begin() + system_.stated_coordinates()}, v));
    }
    if (!std::isfinite(value)) fail("the end of '" + name + "' is " + number_text(value) + ": no place");
    for (const Place& known : condition_)
      if (known.name == name) fail("the end of '" + name + "' is given twice");
    condition_.push_back(place ? *place : *velocity);
    target_.conservativeResize(target_.size() + 1);
    target_[target_.size() - 1] = value;
  }

  std::vector<std::string> names_of_free() const {
    if (!problem_.free.empty()) return problem_.free;
    return !mu_.empty() && mu_.size() >= condition_.size() ? mu_ : joined(mu_, system_.velocity_names());
  }

  void add_free(const std::string& name) {
    const std::vector<std::string>& v = system_.velocity_names();
    const std::vector<std::string>& q = system_.coordinate_names();
    auto place = find(v, static_cast<int>(v.size()), name, true);
    if (!place && std::find(mu_.begin(), mu_.end(), name) != mu_.end())
      place = find(q, static_cast<int>(q.size()), name, false);
    if (!place)
      refuse("what may change at the start is a velocity or a mu: there is no", name, joined(mu_, v));
    free_.push_back(*place);
  }

  /// Velocities count by the energy they hold, mu by the momentum it makes: M v^2 and mu A v have one unit.
  /// Rows may be nothing at the start, so that other places of the motion are looked at, too.
  void weigh(const std::vector<State>& places) {
    Workspace work(system_);
    const double time = std::fabs(options_.until - start_.t);
    std::vector<double> root_mass(start_.v.size(), 0.0), speed(start_.v.size(), 0.0);
    for (std::size_t i = 0; i < speed.size(); ++i) speed[i] = std::fabs(start_.v[i]);
    for (std::size_t k = 0; k < condition_.size(); ++k) {
      const Place& p = condition_[k];
      const double target = target_[static_cast<Eigen::Index>(k)];
      const int v = p.is_velocity ? p.index : system_.velocity_of_coordinate(p.index);
      const double way = p.is_velocity ? std::fabs(target) : std::fabs(target - start_.q[p.index]) / time;
      if (v >= 0) speed[v] = std::max(speed[v], way);
    }
    scale_ = Vector::Zero(size());
    for (const State& place : places) {
      const Equations e = evaluate_stated(system_, place, work);
      for (int i = 0; i < e.M.rows; ++i)
        root_mass[i] = std::max(root_mass[i], std::sqrt(std::fabs(row_of(e.M, i).entry(i))));
      double energy = 0;  // its root
      for (std::size_t i = 0; i < speed.size(); ++i) energy = std::max(energy, root_mass[i] * speed[i]);
      if (energy == 0) energy = 1;
      for (Eigen::Index k = 0; k < size(); ++k) {
        const Place& p = free_[static_cast<std::size_t>(k)];
        if (p.is_velocity) {
          const double scale = root_mass[p.index] > 0 ? energy / root_mass[p.index] : speed[p.index];
          scale_[k] = std::max(scale_[k], scale);
          continue;
        }
        scale_[k] = std::max(scale_[k], std::fabs(start_.q[p.index]));
        for (int r = 0; r < e.A.rows; ++r)
          if (system_.multiplier_coordinate(r) == p.index)
            for (const auto [column, value] : row_of(e.A, r))
              if (const double a = std::fabs(value); a > 0)
                scale_[k] = std::max(scale_[k], energy * root_mass[column] / a);
      }
    }
    for (double& scale : scale_)
      if (!(scale > 0) || !std::isfinite(scale)) scale = 1;
  }

  /// How far a motion goes, or is to go: what a miss of its end is small or large against.
  Vector reach_of(const Trajectory& motion, const Vector& end) const {
    Vector reach = Vector::Zero(target_.size());
    for (Eigen::Index k = 0; k < target_.size(); ++k) {
      const Place& p = condition_[static_cast<std::size_t>(k)];
      const double from = value_at(start_, p);
      reach[k] = std::max(std::fabs(target_[k] - from), std::fabs(end[k] - from));
      if (p.is_velocity) reach[k] = std::max(reach[k], std::fabs(target_[k]));
      for (int i = 0; !p.is_velocity && i < motion.waypoints.size(); ++i)
        reach[k] = std::max(reach[k], std::fabs(motion.waypoints.q(i)[p.index] - from));
    }
    const double widest = reach.maxCoeff();
    for (double& r : reach)
      if (r == 0) r = widest > 0 ? widest : 1;
    return reach;
  }

  State start_at(const Vector& u) const {
    State state = start_;
    for (Eigen::Index k = 0; k < size(); ++k)
      at(state, free_[static_cast<std::size_t>(k)]) += u[k] * scale_[k];
    return state;
  }

  /// False where there is no such start or the motion does not come to its end.
  bool shoot(const Vector& u, Shot& shot) {
    State state = start_at(u);
    if (!u.isZero()) {
      AssembleOptions repair;
      repair.fixed = fixed_;
      const Assembly assembly = assemble(system_, state, repair);
      if (!assembly.repaired) return false;
      state = assembly.state;
    }
    ++motions_;
    const Trajectory motion = simulate(system_, state, options_);
    work_ += static_cast<double>(motion.evaluations) * evaluation_work(system_);
    cancelled_ = cancelled_ || motion.stop == Stop::cancelled;
    if (motion.stop != Stop::end) {
      if (why_.empty()) why_ = motion.reason;
      return false;
    }
    shot.last = motion.last;
    shot.end.resize(target_.size());
    for (Eigen::Index k = 0; k < shot.end.size(); ++k)
      shot.end[k] = value_at(motion.last, condition_[static_cast<std::size_t>(k)]);
    if (!shot.end.allFinite()) return false;
    shot.reach = reach_of(motion, shot.end);
    if (const double miss = shot.worst(target_); miss < best_miss_) {
      best_miss_ = miss;
      best_ = motion.first;
      best_shot_ = shot;
    }
    return true;
  }

  bool differentiate(const Vector& u, const Shot& here, Matrix& jacobian) {
    jacobian.resize(target_.size(), size());
    for (Eigen::Index k = 0; k < size(); ++k) {
      Vector beside = u;
      Shot moved;
      double by = nudge;
      beside[k] += by;
      if (!shoot(beside, moved)) {  // on this side there is no motion
        beside[k] = u[k] - by;
        by = -by;
        if (spent() || !shoot(beside, moved)) return false;
      }
      jacobian.col(k) = (moved.end - here.end).cwiseQuotient(here.reach) / by;
    }
    return true;
  }

  /// Newton's method from u, each correction shortened until it helps; `found` takes where it came to.
  bool approach(const Vector& goal, double tolerance, Vector u, Vector* found = nullptr) {
    Shot here;
    if (spent() || !shoot(u, here)) return false;
    for (int i = 0; i < most_corrections && !spent() && here.worst(goal) > tolerance; ++i) {
      Matrix jacobian;
      if (!differentiate(u, here, jacobian)) return false;
      Eigen::JacobiSVD<Matrix> svd(jacobian, Eigen::ComputeThinU | Eigen::ComputeThinV);
      svd.setThreshold(least_effect);
      rank_ = static_cast<int>(svd.rank());
      const Vector miss = here.miss(goal);
      Vector correction = -svd.solve(miss);
      if (const double longest = correction.norm(); longest > 2) correction *= 2 / longest;
      bool helped = false;
      for (double part = 1; part > 1e-3 && !helped && !spent(); part /= 2) {
        Shot next;
        if (!shoot(u + part * correction, next)) continue;
        const double left = (next.end - goal).cwiseQuotient(here.reach).norm();
        if (!(left < (1 - 0.1 * part) * miss.norm())) continue;
        helped = true;
        u += part * correction;
        here = next;
      }
      if (!helped) return false;
    }
    if (found != nullptr) *found = u;
    return here.worst(goal) <= tolerance;
  }

  /// Where the end turns back on the way, no path leads on: the nearest of some starts around are followed.
  bool search_around() {
    static constexpr int bases[] = {2, 3, 5, 7, 11, 13, 17, 19};
    const auto places = std::min<Eigen::Index>(size(), std::size(bases));
    struct Tried {
      Vector u;
      Shot shot;
    };
    std::vector<Tried> tried;
    const int more = size() == 1 ? 3 : 1;  // a line can be looked through farther
    for (int k = 1; k <= more * starts_around * places && !spent(); ++k) {
      Tried t{Vector::Zero(size()), {}};
      for (Eigen::Index i = 0; i < places; ++i)
        t.u[i] = more * around * (2 * van_der_corput(k, bases[i]) - 1);
      if (shoot(t.u, t.shot)) tried.push_back(std::move(t));
    }
    if (size() == 1 && target_.size() == 1) {
      std::ranges::sort(tried, [](const Tried& a, const Tried& b) { return a.u[0] < b.u[0]; });
      const auto above = [&](const Tried& t) { return t.shot.end[0] > target_[0]; };
      for (std::size_t k = 1; k < tried.size() && !spent(); ++k)
        if (above(tried[k - 1]) != above(tried[k]) &&
            bisect(tried[k - 1].u[0], tried[k].u[0], above(tried[k])))
          return true;
    }
    std::ranges::stable_sort(tried, [&](const Tried& a, const Tried& b) {
      return a.shot.miss(target_).norm() < b.shot.miss(target_).norm();
    });
    for (std::size_t k = 0; k < tried.size() && k < most_followed && !spent(); ++k)
      if (approach(target_, problem_.tolerance, tried[k].u)) return true;
    return false;
  }

  /// Between two starts of one free number that end on both sides of the goal; false where it jumps over it.
  bool bisect(double low, double high, bool rising) {
    for (int i = 0; i < 80 && !spent(); ++i) {
      const double middle = 0.5 * (low + high);
      Shot shot;
      if (!shoot(Vector::Constant(1, middle), shot)) return false;
      if (shot.worst(target_) <= problem_.tolerance) return true;
      (shot.end[0] > target_[0]) == rising ? high = middle : low = middle;
    }
    return false;
  }

  // --- What is said

  std::string conditions_text() const {
    std::vector<std::string> list;
    for (std::size_t k = 0; k < condition_.size(); ++k)
      list.push_back(condition_[k].name + " = " + number_text(target_[static_cast<Eigen::Index>(k)]));
    return list_text(list, 6) + " at t = " + number_text(options_.until, 10);
  }

  BoundaryStart answer(bool found) {
    BoundaryStart out;
    out.found = found && best_miss_ <= problem_.tolerance;
    out.cancelled = cancelled_ && !out.found;
    out.start = best_;
    out.end = problem_.end;
    out.motions = motions_;
    std::vector<std::string> names;
    for (const Place& place : free_) {
      out.values.emplace_back(place.name, value_at(best_, place));
      names.push_back(place.name);
    }
    const std::string motions = std::to_string(motions_) + (motions_ == 1 ? " motion" : " motions");
    if (best_shot_.end.size() == 0) {
      out.text = "no start was found that leads to " + conditions_text() + ": none of " + motions +
                 " tried comes to its end" + (why_.empty() ? "" : " (" + why_ + ")");
      return out;
    }
    Eigen::Index worst = 0;
    best_shot_.miss(target_).cwiseAbs().maxCoeff(&worst);
    out.worst = condition_[static_cast<std::size_t>(worst)].name;
    out.miss = best_shot_.end[worst] - target_[worst];
    if (out.found) {
      std::vector<std::string> values;
      for (const auto& [name, value] : out.values) values.push_back(name + " = " + number_text(value, 10));
      out.text = list_text(values, 12) + " at the start lead" + (values.size() == 1 ? "s" : "") + " to " +
                 conditions_text() + " (found in " + motions + "; other starts may lead there, too)";
      return out;
    }
    out.text = "no start was found that leads to " + conditions_text() + ": the nearest of " + motions +
               " misses '" + out.worst + "' by " + number_text(out.miss, 3) +
               ". Free at the start: " + list_text(names, 12);
    if (rank_ >= 0 && rank_ < static_cast<int>(condition_.size()) && size() >= target_.size())
      out.text += ". Where it was tried last, what is free moves the end in " + std::to_string(rank_) +
                  " of " + std::to_string(condition_.size()) + " directions that could be told apart";
    else if (size() < target_.size())
      out.text += ", fewer than the ends given";
    if (cancelled_) out.text += ". The search was cancelled";
    if (work_ > most_work || motions_ >= problem_.most_motions)
      out.text += ". The search was given up: it had taken enough work";
    return out;
  }

  const System& system_;
  const State start_;
  MotionOptions options_;
  const BoundaryProblem& problem_;
  std::vector<std::string> mu_, fixed_;
  std::vector<Place> condition_, free_;
  Vector target_, scale_;
  State best_;
  Shot best_shot_;
  double best_miss_ = INFINITY, work_ = 0;
  std::string why_;
  int motions_ = 0, rank_ = -1;
  bool cancelled_ = false;
};

}  // namespace

BoundaryStart find_start(const System& system, const State& start, const MotionOptions& options,
                         const BoundaryProblem& problem) {
  if (problem.end.empty()) fail("no end is given");
  if (!(std::fabs(options.until - start.t) > 0)) fail("an end is asked for at the time of the start");
  return Shooting(system, start, options, problem).solve();
}

void judge_end(const System& system, const Trajectory& motion, BoundaryStart& start) {
  double worst = -1;
  for (const auto& [name, value] : start.end) {
    const std::vector<std::string>&q = system.coordinate_names(), &v = system.velocity_names();
    const auto at = std::find(q.begin(), q.end(), name), as_velocity = std::find(v.begin(), v.end(), name);
    const double reached =
        at != q.end() ? motion.last.q[at - q.begin()] : motion.last.v[as_velocity - v.begin()];
    if (std::fabs(reached - value) <= worst) continue;
    worst = std::fabs(reached - value);
    start.worst = name;
    start.miss = reached - value;
  }
  start.text += ". This run, at its tolerance, ends with " + start.worst + " off by " +
                magnitude_text(std::fabs(start.miss));
}

}  // namespace vinculum
