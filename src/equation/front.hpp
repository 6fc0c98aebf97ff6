// Dense work on one front of the multifrontal factorisation. Matrices are stored by columns.
#pragma once

namespace vinculum {

/// Adds a child's update (k x k, lower triangle) to the front of its parent: the first `columns` columns of
/// the front are the panel (height rows), the rest is the update ((rows - columns) square). relative[i] is
/// the place of row i.
void extend_add(const double* child, int k, const int* relative, double* panel, int rows, int columns,
                double* update);

/// Eliminates the columns of the panel: L below the diagonal, D in `pivot`, and update -= L21 D L21^T.
/// Column c stands for row original[c] of the matrix; a pivot <= tolerance * reference[original[c]] is
/// dropped: its column of L becomes zero and its inverse 0. Returns the number dropped.
int eliminate_front(double* panel, int rows, int columns, double* update, double* pivot, double* inverse,
                    const int* original, const double* reference, double tolerance);

/// L y = y for the panel's columns: y[first..] are its pivots, `below` the other rows.
void forward_front(const double* panel, int rows, int columns, const int* below, double* y, int first,
                   double* scratch);

/// L^T y = y.
void backward_front(const double* panel, int rows, int columns, const int* below, double* y, int first,
                    double* scratch);

}  // namespace vinculum
