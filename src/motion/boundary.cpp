#include "vinculum/motion/boundary.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <optional>

#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/motion/assemble.hpp"

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
    weigh();
  }

  BoundaryStart solve() {
    Vector u = Vector::Zero(size()), end;
    best_ = start_;
    if (!shoot(u, end)) return answer(false);
    take_reach(end);
    const Vector from = end;
    double reached = 0, part = 1;
    while (reached < 1 && part >= smallest_part && !spent()) {
      const double next = std::min(1.0, reached + part);
      const Vector goal = from + next * (target_ - from);
      Vector tried = u;
      if (approach(goal, next < 1 ? on_the_way : problem_.tolerance, tried)) {
        u = tried;
        reached = next;
        part *= 2;
      } else {
        part /= 2;
      }
    }
    return answer(reached >= 1 || search_around());
  }

 private:
  Eigen::Index size() const { return static_cast<Eigen::Index>(free_.size()); }
  bool spent() const { return motions_ >= problem_.most_motions || cancelled_; }

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
  void weigh() {
    Workspace work(system_);
    const Equations e = evaluate_stated(system_, start_, work);
    const double time = std::fabs(options_.until - start_.t);
    std::vector<double> mass(start_.v.size(), 0.0), speed(start_.v.size(), 0.0);
    for (int i = 0; i < e.M.rows; ++i)
      for (int k = e.M.start[i]; k < e.M.start[i + 1]; ++k)
        if (e.M.column[k] == i) mass[i] = std::fabs(e.M.value[k]);
    for (std::size_t i = 0; i < speed.size(); ++i) speed[i] = std::fabs(start_.v[i]);
    for (std::size_t k = 0; k < condition_.size(); ++k) {
      const Place& p = condition_[k];
      const int v = p.is_velocity ? p.index : system_.velocity_of_coordinate(p.index);
      const double way = p.is_velocity
                             ? std::fabs(target_[static_cast<Eigen::Index>(k)])
                             : std::fabs(target_[static_cast<Eigen::Index>(k)] - start_.q[p.index]) / time;
      if (v >= 0 && std::isfinite(way)) speed[v] = std::max(speed[v], way);
    }
    double energy = 0;
    for (std::size_t i = 0; i < speed.size(); ++i) energy = std::max(energy, mass[i] * speed[i] * speed[i]);
    if (energy == 0) energy = 1;
    scale_ = Vector::Ones(size());
    for (Eigen::Index k = 0; k < size(); ++k) {
      const Place& p = free_[static_cast<std::size_t>(k)];
      if (p.is_velocity && mass[p.index] > 0) scale_[k] = std::sqrt(energy / mass[p.index]);
      if (p.is_velocity) continue;
      double square = 0;  // of A M^-1/2 over the row of this mu
      for (int r = 0; r < e.A.rows; ++r)
        if (system_.multiplier_coordinate(r) == p.index)
          for (int j = e.A.start[r]; j < e.A.start[r + 1]; ++j)
            if (const double m = mass[e.A.column[j]]; m > 0) square += e.A.value[j] * e.A.value[j] / m;
      if (square > 0) scale_[k] = std::sqrt(energy / square);
    }
  }

  /// How far the motion goes, or is to go: what a miss of the end is small or large against.
  void take_reach(const Vector& end) {
    reach_ = Vector::Zero(target_.size());
    double widest = 0;
    for (Eigen::Index k = 0; k < target_.size(); ++k) {
      const Place& p = condition_[static_cast<std::size_t>(k)];
      const double from = value_at(start_, p);
      reach_[k] = std::max({std::fabs(target_[k] - from), std::fabs(end[k] - from),
                            p.is_velocity ? std::fabs(target_[k]) : 0.0});
      if (!p.is_velocity)
        for (int i = 0; i < last_.waypoints.size(); ++i)
          reach_[k] = std::max(reach_[k], std::fabs(last_.waypoints.q(i)[p.index] - from));
      widest = std::max(widest, reach_[k]);
    }
    for (double& reach : reach_)
      if (reach == 0) reach = widest > 0 ? widest : 1;
  }

  State start_at(const Vector& u) const {
    State state = start_;
    for (Eigen::Index k = 0; k < size(); ++k)
      at(state, free_[static_cast<std::size_t>(k)]) += u[k] * scale_[k];
    return state;
  }

  /// Where the motion ends; false where there is no such start or the motion does not come to its end.
  bool shoot(const Vector& u, Vector& end) {
    State state = start_at(u);
    if (!u.isZero()) {
      AssembleOptions repair;
      repair.fixed = fixed_;
      const Assembly assembly = assemble(system_, state, repair);
      if (!assembly.repaired) return false;
      state = assembly.state;
    }
    ++motions_;
    last_ = simulate(system_, state, options_);
    cancelled_ = cancelled_ || last_.stop == Stop::cancelled;
    if (last_.stop != Stop::end) {
      if (best_miss_ == INFINITY) why_ = last_.reason;
      return false;
    }
    end.resize(target_.size());
    for (Eigen::Index k = 0; k < end.size(); ++k)
      end[k] = value_at(last_.last, condition_[static_cast<std::size_t>(k)]);
    if (!end.allFinite()) return false;
    keep_best(end);
    return true;
  }

  void keep_best(const Vector& end) {
    if (reach_.size() == 0) return;
    const double miss = ((end - target_).cwiseQuotient(reach_)).cwiseAbs().maxCoeff();
    if (miss >= best_miss_) return;
    best_miss_ = miss;
    best_ = last_.first;
    best_end_ = end;
  }

  bool differentiate(const Vector& u, const Vector& end, Matrix& jacobian) {
    jacobian.resize(target_.size(), size());
    for (Eigen::Index k = 0; k < size(); ++k) {
      Vector beside = u, moved;
      double by = nudge;
      beside[k] += by;
      if (!shoot(beside, moved)) {  // on this side there is no motion
        beside[k] = u[k] - by;
        by = -by;
        if (spent() || !shoot(beside, moved)) return false;
      }
      jacobian.col(k) = (moved - end).cwiseQuotient(reach_) / by;
    }
    return true;
  }

  /// Newton's method, each correction shortened until it helps.
  bool approach(const Vector& goal, double tolerance, Vector& u) {
    Vector end;
    if (!shoot(u, end)) return false;
    for (int i = 0; i < most_corrections && !spent(); ++i) {
      const Vector miss = (end - goal).cwiseQuotient(reach_);
      if (miss.cwiseAbs().maxCoeff() <= tolerance) return true;
      Matrix jacobian;
      if (!differentiate(u, end, jacobian)) return false;
      Eigen::JacobiSVD<Matrix> svd(jacobian, Eigen::ComputeThinU | Eigen::ComputeThinV);
      svd.setThreshold(least_effect);
      rank_ = static_cast<int>(svd.rank());
      Vector correction = -svd.solve(miss);
      if (const double longest = correction.norm(); longest > 2) correction *= 2 / longest;
      bool helped = false;
      for (double part = 1; part > 1e-3 && !helped && !spent(); part /= 2) {
        Vector next_end;
        const Vector next = u + part * correction;
        if (!shoot(next, next_end)) continue;
        if (!((next_end - goal).cwiseQuotient(reach_).norm() < (1 - 0.1 * part) * miss.norm())) continue;
        helped = true;
        u = next;
        end = next_end;
      }
      if (!helped) return false;
    }
    return ((end - goal).cwiseQuotient(reach_)).cwiseAbs().maxCoeff() <= tolerance;
  }

  /// Where the end turns back on the way, no path leads on: the nearest of some starts around are followed.
  bool search_around() {
    static constexpr int bases[] = {2, 3, 5, 7, 11, 13, 17, 19};
    const auto places = std::min<Eigen::Index>(size(), std::size(bases));
    std::vector<std::pair<double, Vector>> tried;
    for (int k = 1; k <= starts_around * places && !spent(); ++k) {
      Vector u = Vector::Zero(size()), end;
      for (Eigen::Index i = 0; i < places; ++i) u[i] = around * (2 * van_der_corput(k, bases[i]) - 1);
      if (shoot(u, end)) tried.emplace_back((end - target_).cwiseQuotient(reach_).norm(), u);
    }
    std::stable_sort(tried.begin(), tried.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t k = 0; k < tried.size() && k < most_followed && !spent(); ++k)
      if (approach(target_, problem_.tolerance, tried[k].second)) return true;
    return false;
  }

  // --- What is said

  std::string conditions_text() const {
    std::vector<std::string> list;
    for (std::size_t k = 0; k < condition_.size(); ++k)
      list.push_back(condition_[k].name + " = " + number_text(target_[static_cast<Eigen::Index>(k)], 10));
    return list_text(list, 6) + " at t = " + number_text(options_.until, 10);
  }

  BoundaryStart answer(bool found) {
    BoundaryStart out;
    out.found = found && best_miss_ <= problem_.tolerance;
    out.cancelled = cancelled_;
    out.start = best_;
    out.end = problem_.end;
    out.motions = motions_;
    std::vector<std::string> values, names;
    for (const Place& place : free_) {
      out.values.emplace_back(place.name, value_at(best_, place));
      values.push_back(place.name + " = " + number_text(out.values.back().second, 10));
      names.push_back(place.name);
    }
    const std::string motions = std::to_string(motions_) + (motions_ == 1 ? " motion" : " motions");
    if (best_end_.size() == 0) {
      out.text = "no start was found that leads to " + conditions_text() +
                 ": the motion from the start as stated does not come to its end" +
                 (why_.empty() ? "" : " (" + why_ + ")");
      return out;
    }
    Eigen::Index worst = 0;
    (best_end_ - target_).cwiseQuotient(reach_).cwiseAbs().maxCoeff(&worst);
    out.worst = condition_[static_cast<std::size_t>(worst)].name;
    out.miss = best_end_[worst] - target_[worst];
    if (out.found) {
      out.text = list_text(values, 12) + " at the start lead" + (values.size() == 1 ? "s" : "") + " to " +
                 conditions_text() + " (" + out.worst + " within " + magnitude_text(std::fabs(out.miss)) +
                 "; " + motions + "). Other starts may lead there, too";
      return out;
    }
    out.text = "no start was found that leads to " + conditions_text() + ": the nearest of " + motions +
               " misses '" + out.worst + "' by " + number_text(out.miss, 3) +
               ". Free at the start: " + list_text(names, 12);
    if (rank_ >= 0 && rank_ < static_cast<int>(condition_.size()))
      out.text += ", which moves the end in " + std::to_string(rank_) + " of " +
                  std::to_string(condition_.size()) + " directions only";
    return out;
  }

  const System& system_;
  const State start_;
  MotionOptions options_;
  const BoundaryProblem& problem_;
  std::vector<std::string> mu_, fixed_;
  std::vector<Place> condition_, free_;
  Vector target_, scale_, reach_;
  Trajectory last_;
  State best_;
  Vector best_end_;
  double best_miss_ = INFINITY;
  std::string why_;
  int motions_ = 0, rank_ = -1;
  bool cancelled_ = false;
};

}  // namespace

BoundaryStart find_start(const System& system, const State& start, const MotionOptions& options,
                         const BoundaryProblem& problem) {
  if (problem.end.empty()) fail("find_start: no end is given");
  if (!(std::fabs(options.until - start.t) > 0)) fail("find_start: the end is at the time of the start");
  return Shooting(system, start, options, problem).solve();
}

}  // namespace vinculum
