#include "kernel/schedule.hpp"

#include <algorithm>
#include <array>

namespace vinculum::kernel {
namespace {

/// The steps a step reads from, the neediest first.
struct Sources {
  std::array<StepId, 3> step;
  int count = 0;
};

class Scheduling {
 public:
  explicit Scheduling(const Lowered& program) : program_(program), need_(program.steps.size()) {}

  std::vector<StepId> run() {
    for (StepId s = 0; s < need_.size(); ++s) need_[s] = registers_needed(sources(s));
    done_.assign(need_.size(), false);
    for (const ValueId v : program_.outputs) visit(program_.values[v].step);
    return std::move(order_);
  }

 private:
  Sources sources(StepId s) const {
    Sources from;
    for (const ValueId v : program_.steps[s].operand) {
      if (v != no_value && program_.values[v].step != no_step) from.step[from.count++] = program_.values[v].step;
    }
    std::stable_sort(from.step.begin(), from.step.begin() + from.count,
                     [this](StepId x, StepId y) { return need_[x] > need_[y]; });
    return from;
  }

  /// Sethi and Ullman's number: while the i-th source is computed, i results of earlier ones wait in registers. Exact
  /// for trees; for shared values it still tells the deep side from the shallow one.
  std::uint32_t registers_needed(const Sources& from) const {
    std::uint32_t need = 1;
    for (int i = 0; i < from.count; ++i) need = std::max(need, need_[from.step[i]] + i);
    return need;
  }

  /// Depth first, the neediest source first. The path is kept by hand: expressions may be deeper than the stack.
  void visit(StepId root) {
    if (root == no_step || done_[root]) return;
    path_.push_back({root, sources(root), 0});
    while (!path_.empty()) {
      Frame& at = path_.back();
      if (at.next < at.from.count) {
        const StepId source = at.from.step[at.next++];
        if (!done_[source]) path_.push_back({source, sources(source), 0});
      } else {
        if (!done_[at.step]) order_.push_back(at.step);
        done_[at.step] = true;
        path_.pop_back();
      }
    }
  }

  struct Frame {
    StepId step;
    Sources from;
    int next;
  };
  const Lowered& program_;
  std::vector<std::uint32_t> need_;  // of each step: registers, if it were a tree
  std::vector<bool> done_;
  std::vector<Frame> path_;
  std::vector<StepId> order_;
};

}  // namespace

std::vector<StepId> schedule(const Lowered& program) { return Scheduling(program).run(); }

}  // namespace vinculum::kernel
