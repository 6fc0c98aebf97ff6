// The spherical pendulum by hand: one mass in space on a rod of length 1, y up.
#pragma once

namespace vinculum::precision {

struct Pendulum {
  static constexpr const char* title = "spherical pendulum, 10 s";
  static constexpr int n = 3, rows = 1;
  static constexpr double until = 10, first_step = 1e-2;  // [s]
  static constexpr double g = 9.81;                       // [m/s^2]
  static constexpr double rounding = 1e-15;               // a constraint that misses by less holds [m]
  /// Where it ends. Extrapolation of order 16 in 113-bit arithmetic; 250 and 500 steps agree to 5e-22.
  static constexpr double end[n] = {0.7602090637836909820052626, -0.64689467511042385605093,
                                    0.06007877041770430745328907};

  template <class T>
  static void start(T* q, T* v) {
    q[0] = 1, q[1] = q[2] = 0;
    v[0] = v[1] = 0, v[2] = 2;
  }

  /// The multiplier eliminated: a = (0, -g, 0) + w q with q.a + v.v = 0.
  template <class T>
  static void acceleration(const T* q, const T* v, T* a) {
    const T speed2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    const T w = (T(g) * q[1] - speed2) / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    a[0] = w * q[0];
    a[1] = w * q[1] - T(g);
    a[2] = w * q[2];
  }

  /// M a = f - G^T lambda and phi = (q.q - 1)/2 at one position, for projection and for DAE codes.
  template <class T>
  class At {
   public:
    explicit At(const T* q) : q_(q), r2_(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]) {}
    void gap(T* phi) const { phi[0] = (r2_ - 1) / 2; }
    void rows_times(const T* w, T* out) const { out[0] = q_[0] * w[0] + q_[1] * w[1] + q_[2] * w[2]; }
    void add_transposed(const T* lambda, T* w) const {
      for (int i = 0; i < 3; ++i) w[i] += q_[i] * lambda[0];
    }
    void right_side(const T* v, T* b) const { b[0] = -(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }
    void mass_times(const T* x, T* y) const { y[0] = x[0], y[1] = x[1], y[2] = x[2]; }
    void force(const T*, T* f) const { f[0] = 0, f[1] = -T(g), f[2] = 0; }
    void factor() {}
    void solve_mass(const T* f, T* x) const { mass_times(f, x); }
    /// lambda = (G M^-1 G^T)^-1 miss
    void solve(const T* miss, T* lambda) const { lambda[0] = miss[0] / r2_; }
    /// w -= M^-1 G^T lambda
    void subtract(const T* lambda, T* w) const {
      for (int i = 0; i < 3; ++i) w[i] -= q_[i] * lambda[0];
    }

   private:
    const T* q_;
    T r2_;
  };
};

}  // namespace vinculum::precision
