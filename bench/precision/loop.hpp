// A closed chain by hand: four unit masses in space on five rods of length 1 between two fixed points, y up.
#pragma once
#include <cmath>

namespace vinculum::precision {

struct Loop {
  static constexpr const char* title = "closed chain of 5 links, 10 s";
  static constexpr int n = 12, rows = 5;
  static constexpr double until = 10, first_step = 1e-2;  // [s]
  static constexpr double g = 9.81;                       // [m/s^2]
  static constexpr double rounding = 1e-15;               // a constraint that misses by less holds [m]
  /// Where it ends. Extrapolation of order 16 in 113-bit arithmetic; 250 and 500 steps agree to 6e-22.
  static constexpr double end[n] = {0.6087223074237438756965946, -0.7933833578067497198503065, 0,
                                    1.276392683322407536323763,  -1.537840387558861851527891,  0,
                                    2.275911843898285373003226,  -1.50683316837215411304034,   0,
                                    2.946702943552943269836384,  -0.7651868236605423789349359, 0};

  /// Where rod k begins at the start; rod 4 ends at corner 5.
  template <class T>
  static void corner(int k, T* p) {
    constexpr int degrees[5] = {-75, -30, 5, 40, 62};
    p[0] = p[1] = p[2] = 0;
    for (int i = 0; i < k; ++i) {
      const T angle = T(degrees[i]) * T(3.141592653589793238462643383279502884L) / 180;
      p[0] += std::cos(angle);
      p[1] += std::sin(angle);
    }
  }

  template <class T>
  static void start(T* q, T* v) {
    for (int k = 0; k < 4; ++k) corner(k + 1, q + 3 * k);
    for (int i = 0; i < n; ++i) v[i] = 0;
  }

  /// d[k] = from the begin of rod k to its end
  template <class T>
  static void rods(const T* q, T d[5][3]) {
    for (int i = 0; i < 3; ++i) {
      d[0][i] = q[i];
      d[1][i] = q[3 + i] - q[i];
      d[2][i] = q[6 + i] - q[3 + i];
      d[3][i] = q[9 + i] - q[6 + i];
      d[4][i] = last_corner<T>.p[i] - q[9 + i];
    }
  }
  template <class T>
  static T dot(const T* a, const T* b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  }

  /// G G^T couples neighbouring rods only. Elimination from both ends to the middle rod: three divisions
  /// wait for each other instead of five.
  template <class T>
  struct Twisted {
    T s01, s12, s23, s34, i0, i1, i2, i3, i4;
    Twisted() = default;
    explicit Twisted(const T d[5][3]) {
      s01 = -dot(d[0], d[1]), s12 = -dot(d[1], d[2]), s23 = -dot(d[2], d[3]), s34 = -dot(d[3], d[4]);
      i0 = 1 / dot(d[0], d[0]);
      i4 = 1 / dot(d[4], d[4]);
      i1 = 1 / (2 * dot(d[1], d[1]) - s01 * s01 * i0);
      i3 = 1 / (2 * dot(d[3], d[3]) - s34 * s34 * i4);
      i2 = 1 / (2 * dot(d[2], d[2]) - s12 * s12 * i1 - s23 * s23 * i3);
    }
    void solve(const T* e, T* x) const {
      const T e1 = e[1] - s01 * i0 * e[0], e3 = e[3] - s34 * i4 * e[4];
      x[2] = (e[2] - s12 * i1 * e1 - s23 * i3 * e3) * i2;
      x[1] = (e1 - s12 * x[2]) * i1;
      x[3] = (e3 - s23 * x[2]) * i3;
      x[0] = (e[0] - s01 * x[1]) * i0;
      x[4] = (e[4] - s34 * x[3]) * i4;
    }
  };

  template <class T>
  static void acceleration(const T* q, const T* v, T* a) {
    T d[5][3], e[5], x[5];
    rods(q, d);
    right_side(v, e);
    // Uniform gravity pulls at the first and last rod only: in between, both ends of a rod fall alike.
    e[0] += T(g) * d[0][1];
    e[4] -= T(g) * d[4][1];
    Twisted<T>(d).solve(e, x);
    for (int k = 0; k < 4; ++k) {
      for (int i = 0; i < 3; ++i) a[3 * k + i] = x[k] * d[k][i] - x[k + 1] * d[k + 1][i];
      a[3 * k + 1] -= T(g);
    }
  }

  template <class T>
  static void right_side(const T* v, T* b) {
    b[0] = -dot(v, v);
    for (int k = 1; k < 4; ++k) {
      const T u[3] = {v[3 * k] - v[3 * k - 3], v[3 * k + 1] - v[3 * k - 2], v[3 * k + 2] - v[3 * k - 1]};
      b[k] = -dot(u, u);
    }
    b[4] = -dot(v + 9, v + 9);
  }

  /// M a = f - G^T lambda and phi_k = (d_k.d_k - 1)/2 at one position, for projection and for DAE codes.
  template <class T>
  class At {
   public:
    explicit At(const T* q) { rods(q, d_); }
    void gap(T* phi) const {
      for (int k = 0; k < 5; ++k) phi[k] = (dot(d_[k], d_[k]) - 1) / 2;
    }
    void rows_times(const T* w, T* out) const {
      for (int k = 0; k < 5; ++k) {
        out[k] = 0;
        for (int i = 0; i < 3; ++i)
          out[k] += d_[k][i] * ((k < 4 ? w[3 * k + i] : T(0)) - (k > 0 ? w[3 * k - 3 + i] : T(0)));
      }
    }
    void add_transposed(const T* lambda, T* w) const {
      for (int k = 0; k < 4; ++k)
        for (int i = 0; i < 3; ++i) w[3 * k + i] += lambda[k] * d_[k][i] - lambda[k + 1] * d_[k + 1][i];
    }
    void right_side(const T* v, T* b) const { Loop::right_side(v, b); }
    void mass_times(const T* x, T* y) const {
      for (int i = 0; i < n; ++i) y[i] = x[i];
    }
    void force(const T*, T* f) const {
      for (int i = 0; i < n; ++i) f[i] = i % 3 == 1 ? -T(g) : T(0);
    }
    void solve_mass(const T* f, T* x) const { mass_times(f, x); }
    void factor() { factor_ = Twisted<T>(d_); }
    /// lambda = (G M^-1 G^T)^-1 miss
    void solve(const T* miss, T* lambda) const { factor_.solve(miss, lambda); }
    /// w -= M^-1 G^T lambda
    void subtract(const T* lambda, T* w) const {
      for (int k = 0; k < 4; ++k)
        for (int i = 0; i < 3; ++i) w[3 * k + i] -= lambda[k] * d_[k][i] - lambda[k + 1] * d_[k + 1][i];
    }

   private:
    T d_[5][3];
    Twisted<T> factor_;
  };

 private:
  template <class T>
  struct LastCorner {
    T p[3];
    LastCorner() { corner(5, p); }
  };
  template <class T>
  static inline const LastCorner<T> last_corner{};
};

}  // namespace vinculum::precision
