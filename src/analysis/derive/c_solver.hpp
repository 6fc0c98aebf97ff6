// The solver inside the C file that derive writes, as text. Sizes are its constants `velocities` and `rows`.
#pragma once

namespace vinculum::derive {

inline constexpr const char* solver_in_c = R"(
/* --- The solver -----------------------------------------------------------------------------------
   M q'' = Q + A^T lambda, A q'' = b, in velocities scaled by their masses and rows scaled to length 1.
   Householder reflections, the longest remaining row first, split the velocities into directions that
   the rows govern and directions they leave free; along the free ones M decides. Rows that depend on
   others are found by their remaining length. M may be singular where the rows make up for it. */

typedef struct {
  int rank;
  int order[row_space];                      /* the independent rows, then the others */
  double scale[velocities];                  /* q''[i] = scale[i] * y[i] */
  double length[row_space];                  /* of the scaled rows */
  double reflection[row_space][velocities];  /* I - u u^T */
  double R[row_space][row_space];            /* R[k][j]: part of row order[j] along direction k */
  double B[velocities][velocities];          /* M in the new directions */
  double L[velocities][velocities];          /* its factor along the free directions */
} Split;

/* Between 0 and the number of rows and of velocities, said so that a compiler knows it too. */
static int rank_of(const Split *s) {
  const int most = rows < velocities ? rows : velocities;
  return s->rank < 0 ? 0 : s->rank < most ? s->rank : most;
}

static double dot(const double *x, const double *y, int first) {
  double sum = 0.0;
  int i;
  for (i = first; i < velocities; ++i) sum += x[i] * y[i];
  return sum;
}

/* The largest size scales it, so that no square overflows. */
static double length_of(const double *x, int first) {
  double largest = 0.0, sum = 0.0;
  int i;
  for (i = first; i < velocities; ++i)
    if (fabs(x[i]) > largest) largest = fabs(x[i]);
  if (largest == 0.0) return 0.0;
  for (i = first; i < velocities; ++i) sum += (x[i] / largest) * (x[i] / largest);
  return largest * sqrt(sum);
}

static void reflect(const Split *s, int k, double *x) {
  const double w = dot(s->reflection[k], x, k);
  int i;
  for (i = k; i < velocities; ++i) x[i] -= w * s->reflection[k][i];
}
static void to_directions(const Split *s, double *x) {
  int k;
  for (k = 0; k < rank_of(s); ++k) reflect(s, k, x);
}
static void from_directions(const Split *s, double *x) {
  int k;
  for (k = rank_of(s); k-- > 0;) reflect(s, k, x);
}

/* A velocity without mass takes the geometric mean of the others' scales. */
static void find_scales(Split *s, const double *M) {
  double logarithms = 0.0;
  int massive = 0, i;
  for (i = 0; i < velocities; ++i)
    if (M[i * velocities + i] > 0.0) {
      logarithms += log(M[i * velocities + i]);
      ++massive;
    }
  for (i = 0; i < velocities; ++i) {
    const double m = M[i * velocities + i];
    s->scale[i] = m > 0.0 ? 1.0 / sqrt(m) : massive > 0 ? exp(-0.5 * logarithms / massive) : 1.0;
  }
}

/* The reflection that turns x, from its entry k on, into (alpha, 0, ..., 0); returns alpha. */
static double make_reflection(double *x, int k) {
  const double size = length_of(x, k);
  const double alpha = x[k] > 0.0 ? -size : size;
  double factor;
  int i;
  x[k] -= alpha;
  factor = sqrt(2.0) / length_of(x, k);
  for (i = k; i < velocities; ++i) x[i] *= factor;
  return alpha;
}

/* Rows, longest remaining part first, until what remains is rounding. */
static void split_rows(Split *s, const double *A) {
  double work[row_space][velocities], first = 0.0;
  int i, j, k;
  for (j = 0; j < rows; ++j) {
    for (i = 0; i < velocities; ++i) work[j][i] = A[j * velocities + i] * s->scale[i];
    s->length[j] = length_of(work[j], 0);
    if (s->length[j] == 0.0) s->length[j] = 1.0;
    for (i = 0; i < velocities; ++i) work[j][i] /= s->length[j];
    s->order[j] = j;
  }
  s->rank = 0;
  for (k = 0; k < rows && k < velocities; ++k) {
    int longest = k, swap;
    double size = 0.0;
    for (j = k; j < rows; ++j) {
      const double rest = length_of(work[s->order[j]], k);
      if (rest > size) {
        size = rest;
        longest = j;
      }
    }
    if (k == 0) first = size;
    if (!(size > 1e-10 * first)) return;
    swap = s->order[k];
    s->order[k] = s->order[longest];
    s->order[longest] = swap;
    for (j = 0; j < k; ++j) { /* the parts along earlier directions move with their rows */
      const double part = s->R[j][k];
      s->R[j][k] = s->R[j][longest];
      s->R[j][longest] = part;
    }
    for (i = 0; i < velocities; ++i) s->reflection[k][i] = i < k ? 0.0 : work[s->order[k]][i];
    s->R[k][k] = make_reflection(s->reflection[k], k);
    s->rank = k + 1;
    for (j = k + 1; j < rows; ++j) {
      reflect(s, k, work[s->order[j]]);
      s->R[k][j] = work[s->order[j]][k];
    }
  }
}

/* M in the new directions, and its factor along the free ones. 0 where M does not decide there. */
static int split_mass(Split *s, const double *M) {
  const int r = rank_of(s);
  double noise = 0.0;
  int i, j, k;
  for (i = 0; i < velocities; ++i) {
    double sum = 0.0;
    for (j = 0; j < velocities; ++j) {
      s->B[i][j] = s->scale[i] * M[i * velocities + j] * s->scale[j];
      sum += fabs(s->B[i][j]);
    }
    if (M[i * velocities + i] < 0.0) return 0;
    if (sum > noise) noise = sum;
  }
  noise *= 16.0 * velocities * 2.220446049250313e-16;
  for (i = 0; i < velocities; ++i) to_directions(s, s->B[i]);
  for (j = 0; j < velocities; ++j) {
    double column[velocities];
    for (i = 0; i < velocities; ++i) column[i] = s->B[i][j];
    to_directions(s, column);
    for (i = 0; i < velocities; ++i) s->B[i][j] = column[i];
  }
  for (i = r; i < velocities; ++i)
    for (j = r; j <= i; ++j) {
      double sum = s->B[i][j];
      for (k = r; k < j; ++k) sum -= s->L[i][k] * s->L[j][k];
      if (i == j && !(sum > noise)) return 0;
      s->L[i][j] = i == j ? sqrt(sum) : sum / s->L[j][j];
    }
  return 1;
}

/* The acceleration under the force Q with A a = b; pull[k]: the constraint force along direction k. */
static void respond(const Split *s, const double *Q, const double *b, double *a, double *pull) {
  const int r = rank_of(s);
  double force[velocities], y[velocities] = {0.0};
  int i, k;
  for (i = 0; i < velocities; ++i) force[i] = s->scale[i] * Q[i];
  to_directions(s, force);
  for (k = 0; k < r; ++k) {
    double sum = b[s->order[k]] / s->length[s->order[k]];
    for (i = 0; i < k; ++i) sum -= s->R[i][k] * y[i];
    y[k] = sum / s->R[k][k];
  }
  for (i = r; i < velocities; ++i) {
    double sum = force[i];
    for (k = 0; k < r; ++k) sum -= s->B[i][k] * y[k];
    for (k = r; k < i; ++k) sum -= s->L[i][k] * y[k];
    y[i] = sum / s->L[i][i];
  }
  for (i = velocities; i-- > r;) {
    for (k = i + 1; k < velocities; ++k) y[i] -= s->L[k][i] * y[k];
    y[i] /= s->L[i][i];
  }
  for (k = 0; k < r; ++k) pull[k] = dot(s->B[k], y, 0) - force[k];
  from_directions(s, y);
  for (i = 0; i < velocities; ++i) a[i] = s->scale[i] * y[i];
}

static void force_of(const Split *s, const double *pull, double *f) {
  int i;
  for (i = 0; i < velocities; ++i) f[i] = i < rank_of(s) ? pull[i] : 0.0;
  from_directions(s, f);
  for (i = 0; i < velocities; ++i) f[i] /= s->scale[i];
}

/* Row order[k] as the sum of weight times the independent rows, all of length 1. */
static void find_weights(const Split *s, int k, double *weight) {
  int i, j;
  for (i = rank_of(s); i-- > 0;) {
    weight[i] = s->R[i][k];
    for (j = i + 1; j < rank_of(s); ++j) weight[i] -= s->R[i][j] * weight[j];
    weight[i] /= s->R[i][i];
  }
}

/* Whether the rows that depend on others agree with them: to 1e-8 of the terms of all of them, or to the
   rounding of all that moves. A row's own terms may be rounding themselves, as across the plane of a planar
   mechanism. For a size the diagonal of M tells the free acceleration well enough. */
static int rows_agree(const Split *s, const double *Q, const double *A, const double *b, const double *a) {
  double terms[row_space], noise[row_space], weight[row_space] = {0.0}, free[velocities], moving;
  int i, j, k;
  for (i = 0; i < velocities; ++i) free[i] = s->scale[i] * s->scale[i] * Q[i];
  moving = 64.0 * (rows + velocities) * 2.220446049250313e-16 * (length_of(a, 0) + length_of(free, 0));
  for (j = 0; j < rows; ++j) {
    terms[j] = fabs(b[j]);
    for (i = 0; i < velocities; ++i) terms[j] += fabs(A[j * velocities + i] * a[i]);
    terms[j] /= s->length[j];
    noise[j] = length_of(A + j * velocities, 0) * (moving + 1e-28) / s->length[j];
  }
  for (k = rank_of(s); k < rows; ++k) {
    double gap, size, rounding;
    j = s->order[k];
    gap = b[j] / s->length[j], size = terms[j], rounding = noise[j];
    find_weights(s, k, weight);
    for (i = 0; i < rank_of(s); ++i) {
      j = s->order[i];
      gap -= weight[i] * b[j] / s->length[j];
      size += fabs(weight[i]) * terms[j];
      rounding += fabs(weight[i]) * noise[j];
    }
    if (fabs(gap) > rounding && fabs(gap) > 1e-8 * size) return 0;
  }
  return 1;
}

static int all_finite(const double *x, int count) {
  int i;
  for (i = 0; i < count; ++i)
    if (!(fabs(x[i]) <= 1.7976931348623157e308)) return 0;
  return 1;
}
)";

/// Where there are rows.
inline constexpr const char* multipliers_in_c = R"(
/* The shortest lambda, for the rows as they stand, with A^T lambda = the constraint force. */
static void find_multipliers(const Split *s, const double *pull, double *lambda) {
  double G[row_space][row_space], T[row_space][row_space], y[row_space];
  const int r = rank_of(s);
  int i, j, k, pass;
  for (k = 0; k < r; ++k)
    for (j = 0; j < rows; ++j) G[k][s->order[j]] = j < k ? 0.0 : s->R[k][j] * s->length[s->order[j]];
  for (j = 0; j < rows; ++j) lambda[j] = 0.0;
  for (k = r; k-- > 0;) { /* from the last: it has the fewest entries */
    double size = 0.0;
    for (i = k + 1; i < r; ++i) T[k][i] = 0.0;
    for (pass = 0; pass < 2; ++pass) /* twice is enough (Kahan) */
      for (i = k + 1; i < r; ++i) {
        double sum = 0.0;
        for (j = 0; j < rows; ++j) sum += G[k][j] * G[i][j];
        for (j = 0; j < rows; ++j) G[k][j] -= sum * G[i][j];
        T[k][i] += sum;
      }
    for (j = 0; j < rows; ++j) size += G[k][j] * G[k][j];
    size = sqrt(size);
    for (j = 0; j < rows; ++j) G[k][j] /= size;
    y[k] = pull[k];
    for (i = k + 1; i < r; ++i) y[k] -= T[k][i] * y[i];
    y[k] /= size;
    for (j = 0; j < rows; ++j) lambda[j] += y[k] * G[k][j];
  }
}
)";

}  // namespace vinculum::derive
