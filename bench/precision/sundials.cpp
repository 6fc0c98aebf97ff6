// SUNDIALS on hand-written equations: CVODE with projection, CVODE without, ARKODE, and IDA in two forms.
// Jacobians are the difference quotients these codes make by themselves: who could write better ones has
// written the derivatives of the equations of motion by hand.
#include "bench/precision/loop.hpp"
#include "bench/precision/pendulum.hpp"
#include "bench/precision/solvers.hpp"
#include "bench/precision/squeezer.hpp"

#ifdef VINCULUM_SUNDIALS
#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>

#include "bench/precision/project.hpp"

namespace vinculum::precision {
namespace {

constexpr long step_limit = 1'000'000;

/// The vectors and the dense solver of one run.
class Memory {
 public:
  explicit Memory(int size) {
    SUNContext_Create(nullptr, &context);
    y = N_VNew_Serial(size, context);
    N_VConst(0, y);
    matrix = SUNDenseMatrix(size, size, context);
    linear = SUNLinSol_Dense(y, matrix, context);
    fixed_point = SUNNonlinSol_FixedPoint(y, 0, context);
  }
  ~Memory() {
    SUNNonlinSolFree(fixed_point);
    SUNLinSolFree(linear);
    SUNMatDestroy(matrix);
    N_VDestroy(y);
    SUNContext_Free(&context);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  double* data() { return N_VGetArrayPointer(y); }

  SUNContext context = nullptr;
  N_Vector y = nullptr;
  SUNMatrix matrix = nullptr;
  SUNLinearSolver linear = nullptr;
  SUNNonlinearSolver fixed_point = nullptr;
};

template <class P>
Run result(Memory& memory, int flag, long evaluations) {
  return {flag >= 0, std::vector<double>(memory.data(), memory.data() + P::n), evaluations};
}

template <class P>
int right_side(double, N_Vector y, N_Vector rate, void* evaluations) {
  ++*static_cast<long*>(evaluations);
  const double* x = N_VGetArrayPointer(y);
  double* out = N_VGetArrayPointer(rate);
  std::copy(x + P::n, x + 2 * P::n, out);
  P::acceleration(x, x + P::n, out + P::n);
  return 0;
}

/// What has to be added to y, and the part of the error estimate that projection leaves.
template <class P>
int projection(double, N_Vector y, N_Vector change, double, N_Vector error, void*) {
  const double* x = N_VGetArrayPointer(y);
  double* d = N_VGetArrayPointer(change);
  double z[2 * P::n];
  std::copy(x, x + 2 * P::n, z);
  const auto at = project<P>(z, z + P::n);
  for (int i = 0; i < 2 * P::n; ++i) d[i] = z[i] - x[i];
  if (error != nullptr)
    for (const int part : {0, P::n}) make_tangent<P>(at, N_VGetArrayPointer(error) + part);
  return 0;
}

template <class P>
Run cvode(double tolerance, bool projected) {
  Memory memory(2 * P::n);
  P::start(memory.data(), memory.data() + P::n);
  long evaluations = 0;
  void* solver = CVodeCreate(projected ? CV_BDF : CV_ADAMS, memory.context);
  CVodeInit(solver, right_side<P>, 0, memory.y);
  CVodeSetUserData(solver, &evaluations);
  CVodeSStolerances(solver, tolerance, tolerance);
  if (projected) {  // BDF alone may project
    CVodeSetLinearSolver(solver, memory.linear, memory.matrix);
    CVodeSetProjFn(solver, projection<P>);
  } else {
    CVodeSetNonlinearSolver(solver, memory.fixed_point);
  }
  CVodeSetMaxNumSteps(solver, step_limit);
  CVodeSetErrFile(solver, nullptr);
  CVodeSetStopTime(solver, P::until);
  double t = 0;
  const int flag = CVode(solver, P::until, memory.y, &t, CV_NORMAL);
  CVodeFree(&solver);
  return result<P>(memory, flag, evaluations);
}

template <class P>
Run arkode(double tolerance) {
  Memory memory(2 * P::n);
  P::start(memory.data(), memory.data() + P::n);
  long evaluations = 0;
  void* solver = ERKStepCreate(right_side<P>, 0, memory.y, memory.context);
  ERKStepSetUserData(solver, &evaluations);
  ERKStepSStolerances(solver, tolerance, tolerance);
  ERKStepSetOrder(solver, 8);
  ERKStepSetMaxNumSteps(solver, step_limit);
  ERKStepSetErrFile(solver, nullptr);
  ERKStepSetStopTime(solver, P::until);
  double t = 0;
  const int flag = ERKStepEvolve(solver, P::until, memory.y, &t, ARK_NORMAL);
  ERKStepFree(&solver);
  return result<P>(memory, flag, evaluations);
}

/// y = (q, v, lambda):  q' = v,  v' = a,  G a = b  with  a = M^-1 (f - G^T lambda)
template <class P>
int index_one(double, N_Vector y, N_Vector rate, N_Vector out, void* evaluations) {
  ++*static_cast<long*>(evaluations);
  constexpr int n = P::n;
  const double *q = N_VGetArrayPointer(y), *v = q + n, *lambda = v + n, *dq = N_VGetArrayPointer(rate);
  double *r = N_VGetArrayPointer(out), f[n], a[n], b[P::rows];
  const typename P::template At<double> at(q);
  at.force(v, f);
  at.solve_mass(f, a);
  at.subtract(lambda, a);
  for (int i = 0; i < n; ++i) r[i] = dq[i] - v[i], r[n + i] = dq[n + i] - a[i];
  at.right_side(v, b);
  at.rows_times(a, r + 2 * n);
  for (int i = 0; i < P::rows; ++i) r[2 * n + i] -= b[i];
  return 0;
}

/// y = (q, v, lambda, mu), after Gear, Gupta and Leimkuhler:
///     q' = v - M^-1 G^T mu,  v' = M^-1 (f - G^T lambda),  phi = 0,  G v = 0
template <class P>
int stabilised(double, N_Vector y, N_Vector rate, N_Vector out, void* evaluations) {
  ++*static_cast<long*>(evaluations);
  constexpr int n = P::n;
  const double *q = N_VGetArrayPointer(y), *v = q + n, *lambda = v + n, *mu = lambda + P::rows;
  double *r = N_VGetArrayPointer(out), f[n], u[n], a[n];
  const double* dq = N_VGetArrayPointer(rate);
  const typename P::template At<double> at(q);
  at.force(v, f);
  at.solve_mass(f, a);
  at.subtract(lambda, a);
  std::copy(v, v + n, u);
  at.subtract(mu, u);
  for (int i = 0; i < n; ++i) r[i] = dq[i] - u[i], r[n + i] = dq[n + i] - a[i];
  at.gap(r + 2 * n);
  at.rows_times(v, r + 2 * n + P::rows);
  return 0;
}

/// q' and v' at the start, and the multipliers behind the velocities.
template <class P>
void consistent_start(double* y, double* rate) {
  constexpr int n = P::n;
  double f[n], free[n], b[P::rows], miss[P::rows];
  P::start(y, y + n);
  std::copy(y + n, y + 2 * n, rate);
  P::acceleration(y, y + n, rate + n);
  typename P::template At<double> at(y);
  at.factor();
  at.force(y + n, f);
  at.solve_mass(f, free);
  at.rows_times(free, miss);
  at.right_side(y + n, b);
  for (int i = 0; i < P::rows; ++i) miss[i] -= b[i];
  at.solve(miss, y + 2 * n);
}

template <class P>
Run ida(double tolerance, bool index_two) {
  const int size = 2 * P::n + (index_two ? 2 : 1) * P::rows;
  Memory memory(size);
  N_Vector rate = N_VClone(memory.y), differential = N_VClone(memory.y);
  N_VConst(0, rate);
  N_VConst(0, differential);
  std::fill_n(N_VGetArrayPointer(differential), 2 * P::n, 1.0);
  consistent_start<P>(memory.data(), N_VGetArrayPointer(rate));
  long evaluations = 0;
  void* solver = IDACreate(memory.context);
  IDAInit(solver, index_two ? stabilised<P> : index_one<P>, 0, memory.y, rate);
  IDASetUserData(solver, &evaluations);
  IDASStolerances(solver, tolerance, tolerance);
  IDASetId(solver, differential);
  IDASetSuppressAlg(solver, index_two);
  IDASetLinearSolver(solver, memory.linear, memory.matrix);
  IDASetMaxNumSteps(solver, step_limit);
  IDASetErrFile(solver, nullptr);
  IDASetStopTime(solver, P::until);
  double t = 0;
  const int flag = IDASolve(solver, P::until, &t, memory.y, rate, IDA_NORMAL);
  IDAFree(&solver);
  N_VDestroy(rate);
  N_VDestroy(differential);
  return result<P>(memory, flag, evaluations);
}

}  // namespace

template <class P>
std::vector<Solver> sundials_solvers() {
  return {
      {Family::sundials, "CVODE BDF, projected", [](double tolerance) { return cvode<P>(tolerance, true); }},
      {Family::sundials, "CVODE Adams", [](double tolerance) { return cvode<P>(tolerance, false); }},
      {Family::sundials, "ARKODE order 8", arkode<P>},
      {Family::sundials, "IDA index 1", [](double tolerance) { return ida<P>(tolerance, false); }},
      {Family::sundials, "IDA index 2, stabilised", [](double tolerance) { return ida<P>(tolerance, true); }},
  };
}

#else
namespace vinculum::precision {
template <class P>
std::vector<Solver> sundials_solvers() {
  return {};
}
#endif

template std::vector<Solver> sundials_solvers<Pendulum>();
template std::vector<Solver> sundials_solvers<Loop>();
template std::vector<Solver> sundials_solvers<Squeezer>();

}  // namespace vinculum::precision
