#include "motion/abreast/abreast.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <new>

#include "motion/abreast/eight_rows.hpp"
#include "motion/abreast/eight_steps.hpp"
#include "motion/abreast/walk.hpp"
#include "motion/steppers/tableau.hpp"
#include "system/evaluate/eight_systems.hpp"
#include "system/system_impl.hpp"
#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {

using Eights = std::vector<Eight>;

}  // namespace

/// Eight places, in which motions go on.
class Abreast::Impl {
 public:
  void go(Walkers& walkers, std::optional<Walkers::Asked> first) {
    walkers_ = &walkers;
    fill(0, first);
    for (int lane = 1; lane < places; ++lane) fill(lane, walkers.next(lane));
    while (any_walks()) step();
  }
  long along = 0;
  bool fits(const System& system) const { return like_ == &system.impl(); }

  /// For motions of systems compiled like that one; none that go along where that cannot be.
  explicit Impl(const System& system) : like_(&system.impl()), keeps_(system) {
    if (!EightSystems::possible(system)) return;
    systems_.emplace(system);
    row_count_ = system.row_names().size();
  }

 private:
  static constexpr int most_powers = 2;  // of stated forces, and what time does to their energy
  enum class Way : char { none, goes, refused, leaves };  // of a place in the step at hand

  bool any_walks() const {
    return std::ranges::any_of(walks_, [](const auto& walk) { return walk.has_value(); });
  }
  bool goes(int lane) const { return way_[lane] == Way::goes; }
  void for_those_going(const auto& act) {
    for (int lane = 0; lane < places; ++lane)
      if (goes(lane)) act(lane, *walks_[lane]);
  }

  /// The next motion that goes along takes this place; those that do not are made here and now.
  void fill(int lane) {
    walks_[lane].reset();
    fill(lane, walkers_->next(lane));
  }
  void fill(int lane, std::optional<Walkers::Asked> asked) {
    while (asked) {
      try {
        Walk walk(*asked);
        if (systems_ && fits(asked->system) && walk.may_go_along()) {
          walks_[lane].emplace(std::move(walk));
          begin(lane);
          return;
        }
        walkers_->take(lane, walk.go_alone());
      } catch (const Error&) {
        walkers_->refuse(lane);
      } catch (const std::bad_alloc&) {
        walkers_->refuse(lane);
      }
      const auto next = walkers_->next(lane);
      asked.reset();
      if (next) asked.emplace(*next);
    }
  }

  void begin(int lane) {
    Walk& walk = *walks_[lane];
    Course& c = walk.course();
    if (!sizes_) make_room(c);
    systems_->bind(lane, walk.system());
    sizes_->take(lane, c.sizes);
    rows_->begin(lane, c.singularity);
    for (std::size_t r = 0; r < row_count_; ++r)
      position_terms_[r].lane[lane] = velocity_terms_[r].lane[lane] = 0.0;
    read_terms(lane, walk);
    read(lane, c.step.y, y_);
    read(lane, c.step.f, f_);
    t_.lane[lane] = c.step.t;
    span_.lane[lane] = c.span();
    allowed_.relative.lane[lane] = c.tolerance.relative;
    allowed_.absolute.lane[lane] = c.tolerance.absolute;
  }
  void make_room(Course& c) {
    sizes_.emplace(c.sizes);
    rows_.emplace(c.singularity.rows(), c.singularity);
    places_ = c.flow.coordinates();
    velocities_ = c.flow.velocities();
    numbers_ = c.flow.size();
    for (Eights* of_all : {&y_, &f_, &y_new_, &f_new_, &before_, &at_, &error_, &error_low_})
      of_all->assign(numbers_, Eight(0.0));
    x_.assign(velocities_, Eight(0.0));
    position_.assign(row_count_, Eight(0.0));
    velocity_.assign(row_count_, Eight(0.0));
    position_terms_ = velocity_terms_ = position_;
    miss_.resize(2 * row_count_);
    one_.resize(numbers_);
    one_slope_.resize(numbers_);
  }
  static void read(int lane, std::span<const double> one, Eights& all) {
    for (std::size_t i = 0; i < one.size(); ++i) all[i].lane[lane] = one[i];
  }
  static void write(int lane, const Eights& all, std::span<double> one) {
    for (std::size_t i = 0; i < one.size(); ++i) one[i] = all[i].lane[lane];
  }

  /// It meets what only a run by itself can do.
  void leave(int lane) {
    try {
      walkers_->take(lane, walks_[lane]->start_again());
    } catch (const std::bad_alloc&) {
      walkers_->refuse(lane);
    }
    fill(lane);
  }

  /// Methods may differ from study to study, not within one: who steps by another goes with his like.
  const Tableau& tableau() {
    for (const auto& walk : walks_)
      if (walk) return tableau_of(const_cast<Walk&>(*walk).course().method);
    return rk4();
  }
  static const Tableau& tableau_of(Integrator method) {
    return method == Integrator::rk4 ? rk4() : method == Integrator::dopri5 ? dopri5() : dop853();
  }

  // --- One step of all ---------------------------------------------------------------------------------

  void step() {
    const Tableau& method = tableau();
    for (int lane = 0; lane < places; ++lane) plan(lane, method);
    but_for_others([this] { eights::aim(*sizes_, t_, y_.data(), f_.data(), h_); });
    attempt(method);
    if (!method.error.empty()) judge(method);
    project();
    found_ = systems_->evaluate(at_end());
    if (!method.error.empty()) mend(method);
    arrive();
    for (int lane = 0; lane < places; ++lane)
      if (way_[lane] == Way::leaves) leave(lane);
  }

  void plan(int lane, const Tableau& method) {
    way_[lane] = Way::none;
    h_.lane[lane] = 0.0;
    t_new_.lane[lane] = t_.lane[lane];
    if (!walks_[lane] || &tableau_of(walks_[lane]->course().method) != &method) return;
    Walk& walk = *walks_[lane];
    if (!walk.plan(t_.lane[lane])) {
      way_[lane] = Way::leaves;
      return;
    }
    way_[lane] = Way::goes;
    h_.lane[lane] = walk.h();
    t_new_.lane[lane] = walk.t_new();
  }

  /// dy = f(t, y), as motion/steppers/flow.cpp has it; those that have no closed form there ask it one by
  /// one.
  void slope(const Eight& t, const Eight* y, Eight* dy, bool accepted = false) {
    const EightSystems::At at{t, y, y + places_};
    const Eight good = systems_->accelerate(at, dy + places_);
    const EightSystems::Powers found = parts_.empty() ? EightSystems::Powers{} : systems_->powers(at);
    const Eight* power[most_powers];
    for (std::size_t k = 0; k < parts_.size(); ++k)
      power[k] = parts_[k] == Flow::ForceKind::impressed ? found.impressed : found.explicit_time;
    eights::lay_slope(at.v, places_, power, static_cast<int>(parts_.size()), dy, dy + places_ + velocities_);
    if (eights::are_good(good)) return;
    for_those_going([&](int lane, Walk& walk) {
      if (good.lane[lane] == 1.0) return;
      for (int i = 0; i < numbers_; ++i) one_[i] = y[i].lane[lane];
      if (!walk.slope(t.lane[lane], one_, one_slope_, accepted)) way_[lane] = Way::leaves;
      for (int i = 0; i < numbers_; ++i) dy[i].lane[lane] = one_slope_[i];
    });
  }

  void attempt(const Tableau& method) {
    k_.resize(static_cast<std::size_t>(method.stages + 1) * numbers_);
    std::ranges::copy(f_, k_.begin());
    for (const auto& walk : walks_)
      if (walk) parts_ = const_cast<Walk&>(*walk).powers();
    for (int i = 1; i < method.stages; ++i) {
      eights::combine({method.row(i), static_cast<std::size_t>(i)}, h_, y_.data(), k_.data(), numbers_,
                      at_.data());
      slope(t_ + Eight(method.c[i]) * h_, at_.data(), stage(i));
    }
    eights::combine(method.b.first(static_cast<std::size_t>(method.stages)), h_, y_.data(), k_.data(),
                    numbers_, y_new_.data());
    const bool uses_end = static_cast<int>(method.error.size()) > method.stages;
    if (uses_end) slope(t_ + h_, y_new_.data(), stage(method.stages));
    for_those_going([&](int lane, Walk& walk) {
      walk.course().flow.evaluations += method.stages - (uses_end ? 0 : 1);
      for (int i = 0; method.error.empty() && i < places_ + velocities_; ++i)
        if (!std::isfinite(y_new_[i].lane[lane])) way_[lane] = Way::leaves;
    });
    miss_of_step_ = 0.0;
  }
  Eight* stage(int i) { return k_.data() + static_cast<std::ptrdiff_t>(i) * numbers_; }

  void judge(const Tableau& method) {
    eights::combine(method.error, h_, nullptr, k_.data(), numbers_, error_.data());
    if (!method.error_low.empty())
      eights::combine(method.error_low, h_, nullptr, k_.data(), numbers_, error_low_.data());
    Eight low = 0.0;
    measure(method, error_, error_low_, miss_of_step_, low);
    for_those_going([&](int lane, Walk& walk) {
      double& miss = miss_of_step_.lane[lane];
      if (!std::isfinite(miss)) {
        way_[lane] = Way::leaves;
        return;
      }
      miss = weighed(method, miss, low.lane[lane]);
      if (miss > std::max(1.0, walk.most_to_mend())) refuse(lane, walk);
    });
  }
  void measure(const Tableau& method, const Eights& error, const Eights& error_low, Eight& high, Eight& low) {
    const auto largest = [&](const Eights& of, Eight& found) {
      eights::largest_error(*sizes_, allowed_, places_ + velocities_, numbers_, y_.data(), y_new_.data(),
                            of.data(), found);
    };
    largest(error, high);
    if (!method.error_low.empty()) largest(error_low, low);
  }
  static double weighed(const Tableau& method, double high, double low) {
    return method.error_low.empty() || high == 0 ? high : high * (high / std::hypot(high, 0.1 * low));
  }

  void refuse(int lane, Walk& walk) {
    walk.refuse(miss_of_step_.lane[lane]);
    way_[lane] = Way::refused;
  }
  /// What the projection has left of errors that are too large (motion/run/step_maker.cpp).
  void mend(const Tableau& method) {
    const auto is_too_large = [this](int lane) { return goes(lane) && miss_of_step_.lane[lane] > 1; };
    bool any = false;
    for (int lane = 0; lane < places; ++lane) any = any || is_too_large(lane);
    if (!any) return;
    systems_->factorise_rows();
    left_ = error_;
    left_low_ = error_low_;
    keep_tangent(left_);
    if (!method.error_low.empty()) keep_tangent(left_low_);
    const Eight good = systems_->tangents_are_good();
    Eight high = 0.0, low = 0.0;
    measure(method, left_, left_low_, high, low);
    for_those_going([&](int lane, Walk& walk) {
      if (!is_too_large(lane)) return;
      const double left = weighed(method, high.lane[lane], low.lane[lane]);
      if (good.lane[lane] != 1.0)
        mend(lane, walk);
      else if (left <= 1)
        miss_of_step_.lane[lane] = left;
      else
        refuse(lane, walk);
    });
  }
  void keep_tangent(Eights& error) {
    eights::displace_and_back(y_new_.data(), places_, error.data());
    systems_->keep_tangent_part(Level::position, error.data());
    systems_->keep_tangent_part(Level::velocity, error.data() + places_);
  }
  /// One of them by itself.
  void mend(int lane, Walk& walk) {
    hand_over(lane);
    write(lane, y_new_, walk.course().step.y_new);
    write(lane, error_, one_);
    write(lane, error_low_, one_slope_);
    if (!walk.mend(miss_of_step_.lane[lane], one_, one_slope_)) refuse(lane, walk);
  }

  /// The state at the beginning of the step to the run of this place, which looks at something by itself.
  void hand_over(int lane) {
    Step& s = walks_[lane]->course().step;
    write(lane, y_, s.y);
    write(lane, f_, s.f);
    sizes_->give(lane, walks_[lane]->course().sizes);
  }

  /// The sizes of motions that do not go on stay what they are.
  void but_for_others(const auto& act) {
    const auto stays = [this](int lane) { return walks_[lane] && !goes(lane); };
    for (int lane = 0; lane < places; ++lane)
      if (stays(lane)) sizes_->give(lane, walks_[lane]->course().sizes);
    act();
    for (int lane = 0; lane < places; ++lane)
      if (stays(lane)) sizes_->take(lane, walks_[lane]->course().sizes);
  }

  // --- Back to the constraints (motion/assemble/project.cpp) -------------------------------------------

  void project() {
    std::ranges::copy(y_new_, before_.begin());
    moved_ = 0.0;
    for (int lane = 0; lane < places; ++lane) pending_[lane] = goes(lane);
    const std::array<bool, 8> all = pending_;
    reach(Level::position);
    pending_ = all;
    reach(Level::velocity);
    systems_->misses(at_end(), position_.data(), velocity_.data());
    rounding_ = EightTruths(true);
    eights::are_rounding(position_.data(), position_terms_.data(), row_count_, rounding_);
    eights::are_rounding(velocity_.data(), velocity_terms_.data(), row_count_, rounding_);
    eights::changed(*sizes_, places_, places_ + velocities_, span_, before_.data(), y_new_.data(), change_);
    for_those_going([&](int lane, Walk& walk) {
      if (!lands(lane, walk)) way_[lane] = Way::leaves;
    });
  }
  EightSystems::At at_end() const { return {t_new_, y_new_.data(), y_new_.data() + places_}; }

  void reach(Level level) {
    constexpr int most_iterations = 12;
    constexpr double last_change = 1e-9, no_change = 4e-16;
    Eight* const at = y_new_.data() + (level == Level::position ? 0 : places_);
    sizes_of_.clear();
    for (int i = 0; i < velocities_; ++i)
      sizes_of_.push_back(level == Level::position ? sizes_->of_move(i) : sizes_->of_velocity(i));
    Eight before = INFINITY, change;
    for (int pass = 0; pass <= most_iterations; ++pass) {
      Eight good = systems_->correct(level, at_end(), x_.data());
      for_those_going([&](int lane, Walk& walk) {
        if (pending_[lane] && good.lane[lane] != 1.0) good.lane[lane] = correct(lane, walk, level);
      });
      eights::change_of(x_.data(), at, sizes_of_.data(), velocities_, change);
      EightTruths moves(false);
      bool any = false;
      for (int lane = 0; lane < places; ++lane) {
        if (!pending_[lane] || !goes(lane)) continue;
        const double by = change.lane[lane];
        if (good.lane[lane] == 1.0 && by <= no_change) {
          pending_[lane] = false;
          continue;
        }
        if (good.lane[lane] != 1.0 || !std::isfinite(by) || (pass > 3 && by >= 0.5 * before.lane[lane]) ||
            pass == most_iterations) {
          way_[lane] = Way::leaves;
          continue;
        }
        moved_.lane[lane] = std::max(moved_.lane[lane], by);
        moves.lane[lane] = -1;
        pending_[lane] = by > last_change;
        any = any || pending_[lane];
      }
      eights::add(moves, x_.data(), velocities_, at);
      before = change;
      if (!any) return;
    }
  }

  /// By the general road, for one that has no closed form there; 1 where that has an answer.
  double correct(int lane, Walk& walk, Level level) {
    write(lane, y_new_, walk.course().step.y_new);
    const std::span<double> x = std::span(one_).first(velocities_),
                            residual = std::span(miss_).first(row_count_);
    if (!walk.correct(level, x, residual)) return 0;
    for (int i = 0; i < velocities_; ++i) x_[i].lane[lane] = x[i];
    return 1;
  }

  /// What is left is rounding, and the way there was none of a jump: what is not clearly so is looked at by a
  /// run alone.
  bool lands(int lane, Walk& walk) {
    constexpr double clearly = 0.99;
    if (rounding_.lane[lane] == 0 && !agrees(lane, walk)) return false;
    const double tolerance = walk.course().options.tolerance;
    return change_.lane[lane] <= clearly * tolerance || moved_.lane[lane] <= clearly * 1000 * tolerance;
  }
  bool agrees(int lane, Walk& walk) {
    const std::span position = std::span(miss_).first(row_count_),
                    velocity = std::span(miss_).subspan(row_count_);
    write(lane, position_, position);
    write(lane, velocity_, velocity);
    hand_over(lane);
    write(lane, y_new_, walk.course().step.y_new);
    const bool good = walk.agrees(position, velocity);
    read_terms(lane, walk);
    return good;
  }
  void read_terms(int lane, Walk& walk) {
    read(lane, walk.course().projector.position_terms(), position_terms_);
    read(lane, walk.course().projector.velocity_terms(), velocity_terms_);
  }

  // --- The end of the step -------------------------------------------------------------------------------

  void arrive() {
    slope(t_new_, y_new_.data(), f_new_.data(), true);
    const EightTruths far = rows_->look(found_.rows);
    EightTruths good(false);
    for_those_going([&](int lane, Walk& walk) {
      ++walk.course().flow.evaluations;
      good.lane[lane] = far.lane[lane];
      if (far.lane[lane] == 0) way_[lane] = Way::leaves;
    });
    but_for_others([&] { eights::weigh_and_accept(*sizes_, found_.mass, found_.force, y_new_.data()); });
    rows_->accept(good, found_.rows);
    eights::choose(good, y_new_.data(), numbers_, y_.data());
    eights::choose(good, f_new_.data(), numbers_, f_.data());
    for_those_going([this](int lane, Walk& walk) { accept(lane, walk); });
  }

  void accept(int lane, Walk& walk) {
    t_.lane[lane] = t_new_.lane[lane];
    const bool looked_at = walk.is_looked_at();
    if (!walk.accept(miss_of_step_.lane[lane], sizes_->noisiest().lane[lane])) {
      way_[lane] = Way::leaves;
      return;
    }
    const bool over = walk.has_ended() || walk.is_cancelled();
    if (looked_at || over) hand_over(lane);
    if (over) {
      ++along;
      walkers_->take(lane, walk.end());
      fill(lane);
    } else if (!walk.choose_method()) {
      way_[lane] = Way::leaves;
    }
  }

  const System::Impl* like_;
  const System keeps_;  // as long as it is known by its address
  Walkers* walkers_ = nullptr;
  std::optional<EightSystems> systems_;
  std::size_t row_count_ = 0;
  std::array<std::optional<Walk>, 8> walks_;
  std::array<Way, 8> way_{};
  std::array<bool, 8> pending_{};
  int places_ = 0, velocities_ = 0, numbers_ = 0;
  std::span<const Flow::ForceKind> parts_;
  EightTruths rounding_{};
  std::optional<StepSizes<Eight>> sizes_;
  std::optional<EightRows> rows_;
  EightSystems::Numbers found_;  // where the step ends
  eights::Allowed allowed_;
  Eight t_ = 0.0, t_new_ = 0.0, h_ = 0.0, span_ = 1.0, miss_of_step_ = 0.0, moved_ = 0.0, change_ = 0.0;
  Eights y_, f_, y_new_, f_new_, before_, at_, error_, error_low_, left_, left_low_, k_, x_, position_,
      velocity_, position_terms_, velocity_terms_, sizes_of_;
  std::vector<double> miss_, one_, one_slope_;  // of one of them
};

Abreast::Abreast() = default;
Abreast::~Abreast() = default;
Abreast::Abreast(Abreast&&) noexcept = default;

long Abreast::along() const { return impl_ ? impl_->along : 0; }

void Abreast::go(Walkers& walkers) {
  const std::optional<Walkers::Asked> first = walkers.next(0);
  if (!first) return;
  if (!impl_ || !impl_->fits(first->system)) impl_ = std::make_unique<Impl>(first->system);
  impl_->go(walkers, first);
}

}  // namespace vinculum
