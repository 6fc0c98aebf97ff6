// Bodies by numbers: random poses and inertias, rigid motions, forces on bodies. By Eigen's quaternions,
// which share nothing with those of the project.
#pragma once
#include <Eigen/Dense>
#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "vinculum/system/system.hpp"

namespace vinculum::test {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::VectorXd;

inline std::array<double, 3> numbers(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }
inline std::array<double, 4> numbers(const Quaterniond& q) { return {q.w(), q.x(), q.y(), q.z()}; }
inline Vector3d vector_of(const std::array<double, 3>& v) { return {v[0], v[1], v[2]}; }
/// Of plain numbers.
inline Vector3d vector_of(const Triple& v) { return {v[0].value(), v[1].value(), v[2].value()}; }
inline Quaterniond turn_of(const Orientation& q) {
  return {q[0].value(), q[1].value(), q[2].value(), q[3].value()};
}

/// The rotation by a vector: its direction and its angle.
inline Quaterniond turn_by(const Vector3d& v) {
  const double angle = v.norm();
  return angle > 0 ? Quaterniond(Eigen::AngleAxisd(angle, v / angle)) : Quaterniond::Identity();
}

struct Pose {
  Vector3d position = Vector3d::Zero();
  Quaterniond turn = Quaterniond::Identity();
  Vector3d operator*(const Vector3d& p) const { return position + turn * p; }
};
inline Pose operator*(const Pose& a, const Pose& b) { return {a * b.position, a.turn * b.turn}; }

inline Pose pose_at(const double* q) { return {{q[0], q[1], q[2]}, {q[3], q[4], q[5], q[6]}}; }
inline void put(const Pose& pose, double* q) {
  for (int k = 0; k < 3; ++k) q[k] = pose.position[k];
  const std::array<double, 4> turn = numbers(pose.turn);
  for (int k = 0; k < 4; ++k) q[3 + k] = turn[k];
}

/// Random numbers of a fixed seed.
class Draw {
 public:
  explicit Draw(unsigned seed) : engine_(seed) {}
  int whole(int from, int to) { return std::uniform_int_distribution<int>(from, to)(engine_); }
  double real(double from = -1, double to = 1) {
    return std::uniform_real_distribution<double>(from, to)(engine_);
  }
  Vector3d vector(double size = 1) { return size * Vector3d(real(), real(), real()); }
  Vector3d unit() {
    const auto normal = [this] { return std::normal_distribution<double>()(engine_); };
    const double x = normal(), y = normal(), z = normal();
    return Vector3d(x, y, z).normalized();
  }
  Quaterniond turn() {
    const auto normal = [this] { return std::normal_distribution<double>()(engine_); };
    const double w = normal(), x = normal(), y = normal(), z = normal();
    return Quaterniond(w, x, y, z).normalized();
  }
  Pose pose(double size = 1) {
    const Vector3d at = vector(size);
    return {at, turn()};
  }
  /// That of four point masses: full, and such as a body can have.
  Matrix3d inertia() {
    Matrix3d sum = Matrix3d::Zero();
    for (int k = 0; k < 4; ++k) {
      const Vector3d r = vector();
      sum += real(0.2, 0.6) * (r.squaredNorm() * Matrix3d::Identity() - r * r.transpose());
    }
    return sum;
  }

 private:
  std::mt19937 engine_;
};

inline Inertia inertia_of(const Matrix3d& i) {
  return {i(0, 0), i(1, 1), i(2, 2), i(0, 1), i(0, 2), i(1, 2)};
}
inline Matrix3d matrix_of(const Inertia& i) {
  Matrix3d m;
  m << i[0].value(), i[3].value(), i[4].value(), i[3].value(), i[1].value(), i[5].value(), i[4].value(),
      i[5].value(), i[2].value();
  return m;
}

/// A body of random mass and inertia somewhere, at rest.
inline BodyOptions drawn_body(Draw& draw, const Pose& at) {
  return {.mass = draw.real(0.5, 2),
          .inertia = inertia_of(draw.inertia()),
          .position = numbers(at.position),
          .orientation = numbers(at.turn)};
}

inline MatrixXd dense(const SparseMatrix& m) {
  const std::vector<double> values = m.dense();
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      values.data(), m.rows, m.columns);
}
inline VectorXd vector_of(std::span<const double> v) {
  return Eigen::Map<const VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
}
inline Eigen::ColPivHouseholderQR<MatrixXd> factorised(const MatrixXd& rows) {
  Eigen::ColPivHouseholderQR<MatrixXd> qr(rows.transpose());
  qr.setThreshold(1e-10);
  return qr;
}
inline int rank_of(const MatrixXd& rows) { return static_cast<int>(factorised(rows).rank()); }
/// An orthonormal basis of the velocities that rows allow.
inline MatrixXd allowed_by(const MatrixXd& rows) {
  const Eigen::ColPivHouseholderQR<MatrixXd> qr = factorised(rows);
  const MatrixXd all = qr.householderQ();
  return all.rightCols(rows.cols() - qr.rank());
}

/// A generalised force on one body, as a force at its centre of mass and a torque, both in world axes.
struct Wrench {
  Vector3d force, torque;
  Vector3d moment(const Vector3d& at, const Vector3d& about) const {
    return torque + (at - about).cross(force);
  }
};
inline Wrench wrench_on(const Model::BodyData& body, std::span<const double> force,
                        std::span<const double> q) {
  const double* f = force.data() + body.first_velocity;
  return {{f[0], f[1], f[2]}, pose_at(q.data() + body.first_coordinate).turn * Vector3d(f[3], f[4], f[5])};
}

/// Where a state is after a time s of motion without any acceleration: bodies fly straight on and turn about
/// axes that stay; what else has a rate (angles of joints) follows by Simpson's rule.
inline State coasted(const System& system, const State& from, double s) {
  const auto rigid = [&](double by) {
    State out = from;
    out.t += by;
    for (std::size_t i = 0; i < out.q.size(); ++i)
      if (const int v = system.velocity_of_coordinate(static_cast<int>(i)); v >= 0) out.q[i] += by * out.v[v];
    for (const Rotation& r : system.rotations()) {
      double* const q = out.q.data() + r.coordinate;
      const double* const w = out.v.data() + r.velocity;
      const Quaterniond turned =
          Quaterniond(q[0], q[1], q[2], q[3]) * turn_by(by * Vector3d(w[0], w[1], w[2]));
      const std::array<double, 4> to = numbers(turned);
      for (int k = 0; k < 4; ++k) q[k] = to[k];
    }
    return out;
  };
  std::vector<char> known(from.q.size(), 0);
  for (std::size_t i = 0; i < known.size(); ++i)
    known[i] = system.velocity_of_coordinate(static_cast<int>(i)) >= 0;
  for (const Rotation& r : system.rotations())
    for (int k = 0; k < 4; ++k) known[r.coordinate + k] = 1;
  Workspace work(system);
  State out = rigid(s);
  const std::pair<double, double> simpson[] = {{0.0, s / 6}, {s / 2, 4 * s / 6}, {s, s / 6}};
  for (const auto& [at, weight] : simpson) {
    std::vector<double> rate(from.q.size());
    rates(system, rigid(at), work, rate);
    for (std::size_t i = 0; i < known.size(); ++i)
      if (!known[i]) out.q[i] += weight * rate[i];
  }
  return out;
}

/// Moves a whole state as one rigid body: every body of it, and their velocities with the world.
inline State moved_as_one(const Model& model, const State& from, const Pose& by) {
  State out = from;
  for (const Model::BodyData& b : model.bodies()) {
    put(by * pose_at(from.q.data() + b.first_coordinate), out.q.data() + b.first_coordinate);
    double* const v = out.v.data() + b.first_velocity;
    const Vector3d turned = by.turn * Vector3d(v[0], v[1], v[2]);
    for (int k = 0; k < 3; ++k) v[k] = turned[k];
  }
  return out;
}

}  // namespace vinculum::test
