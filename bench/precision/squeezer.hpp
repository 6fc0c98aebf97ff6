// Andrews' squeezing mechanism by hand: seven angles beta, Theta, gamma, Phi, delta, Omega, epsilon (b, t, g,
// p, d, o, e below) and three loops of two rows each. Data and equations: Test Set for IVP Solvers, problem
// "andrews"; Hairer and Wanner, Solving Ordinary Differential Equations II, VI.9.
#pragma once
#include <cmath>

namespace vinculum::precision {

/// Lengths [m], masses [kg], inertias [kg m^2], spring [N/m], drive [N m] under the names of the test set.
template <class T>
struct SqueezerData {
  T m1 = T(4325) / 100000, m2 = T(365) / 100000, m3 = T(2373) / 100000, m4 = T(706) / 100000,
    m5 = T(7050) / 100000, m6 = T(706) / 100000, m7 = T(5498) / 100000;
  T i1 = T(2194) / 1000000000, i2 = T(4410) / 10000000000LL, i3 = T(5255) / 1000000000,
    i4 = T(5667) / 10000000000LL, i5 = T(1169) / 100000000, i6 = T(5667) / 10000000000LL,
    i7 = T(1912) / 100000000;
  T xa = -T(6934) / 100000, ya = -T(227) / 100000, xb = -T(3635) / 100000, yb = T(3273) / 100000,
    xc = T(14) / 1000, yc = T(72) / 1000;
  T d = T(28) / 1000, da = T(115) / 10000, e = T(2) / 100, ea = T(1421) / 100000, rr = T(7) / 1000,
    ra = T(92) / 100000, l0 = T(7785) / 100000, ss = T(35) / 1000, sa = T(1874) / 100000,
    sb = T(1043) / 100000, sc = T(18) / 1000, sd = T(2) / 100, ta = T(2308) / 100000, tb = T(916) / 100000,
    u = T(4) / 100, ua = T(1228) / 100000, ub = T(449) / 100000, zf = T(2) / 100, zt = T(4) / 100,
    fa = T(1421) / 100000;
  T c0 = 4530, drive = T(33) / 1000;

  // Parts of M that do not move.
  T m11 = m1 * ra * ra + m2 * (rr * rr + da * da) + i1 + i2, m22 = m2 * da * da + i2, k12 = m2 * da * rr,
    m33 = m3 * (sa * sa + sb * sb) + i3, i33 = 1 / m33, m44 = m4 * (e - ea) * (e - ea) + i4,
    k45 = m4 * zt * (e - ea), m55 = m44 + m4 * zt * zt + m5 * (ta * ta + tb * tb) + i5,
    m66 = m6 * (zf - fa) * (zf - fa) + i6, k67 = m6 * u * (zf - fa),
    m77 = m66 + m6 * u * u + m7 * (ua * ua + ub * ub) + i7;
};
template <class T>
inline constexpr SqueezerData<T> squeezer_data{};

struct Squeezer {
  static constexpr const char* title = "squeezing mechanism, 0.03 s";
  static constexpr int n = 7, rows = 6;
  static constexpr double until = 0.03, first_step = 1e-5;  // [s]
  static constexpr double rounding = 1e-17;                 // a constraint that misses by less holds [m]
  /// Where it ends. Two roads that share no code agree to 1e-19: one freedom (beta) in 34-digit arithmetic
  /// with the other angles by intersection of circles, and the time as an integral over beta of the energy
  /// balance. The equations below, extrapolated in 113-bit arithmetic, agree to all digits written.
  static constexpr double end[n] = {15.81077119515370709712,   -15.75637105841183946973,
                                    0.04082224011964580485828, -0.5347301163420795937702,
                                    0.5244099658799540693717,  0.5347301163420795937702,
                                    1.048080741041937873069};

  template <class T>
  static void start(T* q, T* v) {
    constexpr long double angles[7] = {
        -0.0617138900142764496358948458001L, 0,
        0.455279819163070380255912382449L,   0.222668390165885884674473185609L,
        0.48736497954384255022559895353L,    -0.222668390165885884674473185609L,
        1.23054744454982119249735015568L};
    for (int i = 0; i < 7; ++i) q[i] = T(angles[i]), v[i] = 0;
  }

  template <class T>
  static void acceleration(const T* q, const T* v, T* a) {
    At<T> at(q);
    T b[6], miss[6], lambda[6], f[7];
    at.factor();
    at.force(v, f);
    at.solve_mass(f, a);
    at.right_side(v, b);
    at.rows_times(a, miss);
    for (int i = 0; i < 6; ++i) miss[i] -= b[i];
    at.solve(miss, lambda);
    at.subtract(lambda, a);
  }

  /// Cleverer by hand: what remains when every angle follows the crank.
  template <class T>
  static void acceleration_by_crank(const T* q, const T* v, T* a) {
    At<T>(q).by_crank(v, a);
  }

  /// M a = f - G^T lambda and the six loop equations at one position.
  template <class T>
  class At {
   public:
    explicit At(const T* q) {
      using std::cos, std::sin;
      sb_ = sin(q[0]), cb_ = cos(q[0]), st_ = sin(q[1]), ct_ = cos(q[1]);
      sg_ = sin(q[2]), cg_ = cos(q[2]), sp_ = sin(q[3]), cp_ = cos(q[3]);
      sd_ = sin(q[4]), cd_ = cos(q[4]), so_ = sin(q[5]), co_ = cos(q[5]);
      se_ = sin(q[6]), ce_ = cos(q[6]);
      // Sums of angles by the addition theorems: ten sines and cosines for the price of seven.
      sbt_ = sb_ * ct_ + cb_ * st_, cbt_ = cb_ * ct_ - sb_ * st_;
      spd_ = sp_ * cd_ + cp_ * sd_, cpd_ = cp_ * cd_ - sp_ * sd_;
      soe_ = so_ * ce_ + co_ * se_, coe_ = co_ * ce_ - so_ * se_;
      fill_rows();
      m11_ = k.m11 - 2 * k.k12 * ct_, m21_ = k.m22 - k.k12 * ct_;
      m54_ = k.m44 + k.k45 * sp_, m55_ = k.m55 + 2 * k.k45 * sp_;
      m76_ = k.m66 - k.k67 * so_, m77_ = k.m77 - 2 * k.k67 * so_;
      ib_ = 1 / (m11_ * k.m22 - m21_ * m21_), ip_ = 1 / (k.m44 * m55_ - m54_ * m54_);
      io_ = 1 / (k.m66 * m77_ - m76_ * m76_);
    }

    void gap(T* phi) const {
      const T x = k.rr * cb_ - k.d * cbt_, y = k.rr * sb_ - k.d * sbt_;
      phi[0] = x - k.ss * sg_ - k.xb;
      phi[1] = y + k.ss * cg_ - k.yb;
      phi[2] = x - k.e * spd_ - k.zt * cd_ - k.xa;
      phi[3] = y + k.e * cpd_ - k.zt * sd_ - k.ya;
      phi[4] = x - k.zf * coe_ - k.u * se_ - k.xa;
      phi[5] = y - k.zf * soe_ + k.u * ce_ - k.ya;
    }
    void rows_times(const T* w, T* out) const {
      const T x = b00_ * w[0] + b01_ * w[1], y = b10_ * w[0] + b11_ * w[1];
      out[0] = x + g0_ * w[2];
      out[1] = y + g1_ * w[2];
      out[2] = x + p00_ * w[3] + p01_ * w[4];
      out[3] = y + p10_ * w[3] + p11_ * w[4];
      out[4] = x + o00_ * w[5] + o01_ * w[6];
      out[5] = y + o10_ * w[5] + o11_ * w[6];
    }
    void add_transposed(const T* l, T* w) const {
      const T x = l[0] + l[2] + l[4], y = l[1] + l[3] + l[5];
      w[0] += b00_ * x + b10_ * y;
      w[1] += b01_ * x + b11_ * y;
      w[2] += g0_ * l[0] + g1_ * l[1];
      w[3] += p00_ * l[2] + p10_ * l[3];
      w[4] += p01_ * l[2] + p11_ * l[3];
      w[5] += o00_ * l[4] + o10_ * l[5];
      w[6] += o01_ * l[4] + o11_ * l[5];
    }
    /// b = -G' v
    void right_side(const T* v, T* b) const {
      const T b2 = v[0] * v[0], bt2 = (v[0] + v[1]) * (v[0] + v[1]), g2 = v[2] * v[2], d2 = v[4] * v[4];
      const T pd2 = (v[3] + v[4]) * (v[3] + v[4]), oe2 = (v[5] + v[6]) * (v[5] + v[6]), e2 = v[6] * v[6];
      const T x = k.rr * cb_ * b2 - k.d * cbt_ * bt2, y = k.rr * sb_ * b2 - k.d * sbt_ * bt2;
      b[0] = x - k.ss * sg_ * g2;
      b[1] = y + k.ss * cg_ * g2;
      b[2] = x - k.e * spd_ * pd2 - k.zt * cd_ * d2;
      b[3] = y + k.e * cpd_ * pd2 - k.zt * sd_ * d2;
      b[4] = x - k.zf * coe_ * oe2 - k.u * se_ * e2;
      b[5] = y - k.zf * soe_ * oe2 + k.u * ce_ * e2;
    }
    void mass_times(const T* x, T* y) const {
      y[0] = m11_ * x[0] + m21_ * x[1];
      y[1] = m21_ * x[0] + k.m22 * x[1];
      y[2] = k.m33 * x[2];
      y[3] = k.m44 * x[3] + m54_ * x[4];
      y[4] = m54_ * x[3] + m55_ * x[4];
      y[5] = k.m66 * x[5] + m76_ * x[6];
      y[6] = m76_ * x[5] + m77_ * x[6];
    }
    void force(const T* v, T* f) const {
      using std::sqrt;
      const T dx = k.sd * cg_ + k.sc * sg_ + k.xb - k.xc, dy = k.sd * sg_ - k.sc * cg_ + k.yb - k.yc;
      const T length = sqrt(dx * dx + dy * dy), pull = -k.c0 * (length - k.l0) / length;
      f[0] = k.drive - k.k12 * v[1] * (v[1] + 2 * v[0]) * st_;
      f[1] = k.k12 * v[0] * v[0] * st_;
      f[2] = pull * (dx * (k.sc * cg_ - k.sd * sg_) + dy * (k.sd * cg_ + k.sc * sg_));
      f[3] = k.k45 * v[4] * v[4] * cp_;
      f[4] = -k.k45 * v[3] * (v[3] + 2 * v[4]) * cp_;
      f[5] = -k.k67 * v[6] * v[6] * co_;
      f[6] = k.k67 * v[5] * (v[5] + 2 * v[6]) * co_;
    }
    /// x = M^-1 f
    void solve_mass(const T* f, T* x) const {
      x[0] = (k.m22 * f[0] - m21_ * f[1]) * ib_;
      x[1] = (m11_ * f[1] - m21_ * f[0]) * ib_;
      x[2] = f[2] * k.i33;
      x[3] = (m55_ * f[3] - m54_ * f[4]) * ip_;
      x[4] = (k.m44 * f[4] - m54_ * f[3]) * ip_;
      x[5] = (m77_ * f[5] - m76_ * f[6]) * io_;
      x[6] = (k.m66 * f[6] - m76_ * f[5]) * io_;
    }
    /// L D L^T of S = G M^-1 G^T. All loops share their first two columns: S = [K K K; K K K; K K K] +
    /// diagonal blocks.
    void factor() {
      T common[3], own[3][3];
      block(b00_, b01_, b10_, b11_, k.m22 * ib_, -m21_ * ib_, m11_ * ib_, common);
      own[0][0] = g0_ * g0_ * k.i33, own[0][1] = g0_ * g1_ * k.i33, own[0][2] = g1_ * g1_ * k.i33;
      block(p00_, p01_, p10_, p11_, m55_ * ip_, -m54_ * ip_, k.m44 * ip_, own[1]);
      block(o00_, o01_, o10_, o11_, m77_ * io_, -m76_ * io_, k.m66 * io_, own[2]);
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j <= i; ++j)
          s_[i][j] = common[i % 2 + j % 2] + (i / 2 == j / 2 ? own[i / 2][i % 2 + j % 2] : T(0));
      for (int j = 0; j < 6; ++j) {
        T row[6] = {};
        for (int c = 0; c < j; ++c) row[c] = s_[j][c] * s_[c][c], s_[j][j] -= s_[j][c] * row[c];
        inverse_[j] = 1 / s_[j][j];
        for (int i = j + 1; i < 6; ++i) {
          for (int c = 0; c < j; ++c) s_[i][j] -= s_[i][c] * row[c];
          s_[i][j] *= inverse_[j];
        }
      }
    }
    /// lambda = S^-1 miss
    void solve(const T* miss, T* x) const {
      for (int i = 0; i < 6; ++i) {
        x[i] = miss[i];
        for (int j = 0; j < i; ++j) x[i] -= s_[i][j] * x[j];
      }
      for (int i = 0; i < 6; ++i) x[i] *= inverse_[i];
      for (int i = 5; i >= 0; --i)
        for (int j = i + 1; j < 6; ++j) x[i] -= s_[j][i] * x[j];
    }
    /// w -= M^-1 G^T lambda
    void subtract(const T* lambda, T* w) const {
      T f[7] = {}, x[7];
      add_transposed(lambda, f);
      solve_mass(f, x);
      for (int i = 0; i < 7; ++i) w[i] -= x[i];
    }

    /// The acceleration without multipliers: the crank b drives every other angle through 2 x 2 systems, so
    /// that one equation along N = dq/db is left, a = a_0 + a_b N with N.M a = N.f and a_0 at a_b = 0.
    void by_crank(const T* v, T* a) const {
      T b[6], f[7], along[7], used[7];
      right_side(v, b);
      force(v, f);
      const T idet_g = 1 / (b01_ * g1_ - g0_ * b11_), idet_p = 1 / (p00_ * p11_ - p01_ * p10_),
              idet_o = 1 / (o00_ * o11_ - o01_ * o10_);
      const auto follow = [&](const T* first, T* w) {  // the angles but b, from what each loop has to close
        w[1] = (first[0] * g1_ - g0_ * first[1]) * idet_g;
        w[2] = (b01_ * first[1] - b11_ * first[0]) * idet_g;
        const T x = b01_ * w[1], y = b11_ * w[1];
        w[3] = ((first[2] - x) * p11_ - p01_ * (first[3] - y)) * idet_p;
        w[4] = (p00_ * (first[3] - y) - p10_ * (first[2] - x)) * idet_p;
        w[5] = ((first[4] - x) * o11_ - o01_ * (first[5] - y)) * idet_o;
        w[6] = (o00_ * (first[5] - y) - o10_ * (first[4] - x)) * idet_o;
      };
      const T column[6] = {-b00_, -b10_, -b00_, -b10_, -b00_, -b10_};
      along[0] = 1, a[0] = 0;
      follow(column, along);
      follow(b, a);
      mass_times(a, used);
      T work = 0, inertia = 0;
      for (int i = 0; i < 7; ++i) work += along[i] * (f[i] - used[i]);
      mass_times(along, used);
      for (int i = 0; i < 7; ++i) inertia += along[i] * used[i];
      const T crank = work / inertia;
      for (int i = 0; i < 7; ++i) a[i] += crank * along[i];
    }

   private:
    static constexpr const SqueezerData<T>& k = squeezer_data<T>;

    void fill_rows() {
      b00_ = k.d * sbt_ - k.rr * sb_, b01_ = k.d * sbt_, b10_ = k.rr * cb_ - k.d * cbt_, b11_ = -k.d * cbt_;
      g0_ = -k.ss * cg_, g1_ = -k.ss * sg_;
      p00_ = -k.e * cpd_, p01_ = p00_ + k.zt * sd_, p10_ = -k.e * spd_, p11_ = p10_ - k.zt * cd_;
      o00_ = k.zf * soe_, o01_ = o00_ - k.u * ce_, o10_ = -k.zf * coe_, o11_ = o10_ - k.u * se_;
    }
    /// C W C^T for 2 x 2 matrices, W symmetric: the entries 00, 10 and 11.
    static void block(T c00, T c01, T c10, T c11, T w00, T w01, T w11, T* out) {
      const T x0 = w00 * c00 + w01 * c01, x1 = w01 * c00 + w11 * c01;
      out[0] = c00 * x0 + c01 * x1;
      out[1] = c10 * x0 + c11 * x1;
      out[2] = c10 * (w00 * c10 + w01 * c11) + c11 * (w01 * c10 + w11 * c11);
    }

    T sb_, cb_, st_, ct_, sg_, cg_, sp_, cp_, sd_, cd_, so_, co_, se_, ce_, sbt_, cbt_, spd_, cpd_, soe_,
        coe_;
    T b00_, b01_, b10_, b11_, g0_, g1_, p00_, p01_, p10_, p11_, o00_, o01_, o10_, o11_;
    T m11_, m21_, m54_, m55_, m76_, m77_, ib_, ip_, io_;
    T s_[6][6], inverse_[6];
  };
};

}  // namespace vinculum::precision
