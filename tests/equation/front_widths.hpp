// The work on a front compiled once more for one vector unit each. The library itself takes the widest that
// the machine has.
#pragma once

namespace vinculum::test {

/// One front: what eliminate_front is given.
struct FrontNumbers {
  int rows, columns;
  double *panel, *update;
  bool fresh;
  double *pivot, *inverse;
  const int* original;
  const double* reference;
  double tolerance;
};

int eliminate_by_two(const FrontNumbers& front);   ///< vectors of two numbers: any machine
int eliminate_by_four(const FrontNumbers& front);  ///< of four; only where has_four()
bool has_four();

}  // namespace vinculum::test
