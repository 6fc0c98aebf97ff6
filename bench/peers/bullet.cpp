#include "bench/peers/bullet.hpp"

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <BulletDynamics/Featherstone/btMultiBodyPoint2Point.h>
#include <btBulletDynamicsCommon.h>

namespace vinculum::bench {
namespace {
constexpr double step_size = 1e-3;  // [s]
constexpr int sweeps = 100;
}  // namespace

struct BulletChain::Impl {
  explicit Impl(const RodChain& chain);
  Impl(const Impl&) = delete;
  ~Impl();
  void add_rods(const RodChain& chain);
  void add_colliders();
  void close(const RodChain& chain);

  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btMultiBodyConstraintSolver solver;
  btMultiBodyDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
  btEmptyShape shape;
  btMultiBody body;
  std::vector<std::unique_ptr<btMultiBodyLinkCollider>> colliders;
  std::unique_ptr<btMultiBodyPoint2Point> loop;
  std::vector<double> angle, rate;  // of each joint, at the start
  std::vector<double> acceleration;
  btAlignedObjectArray<btScalar> numbers;
  btAlignedObjectArray<btVector3> vectors;
  btAlignedObjectArray<btMatrix3x3> matrices;
};

BulletChain::Impl::Impl(const RodChain& chain)
    : body(chain.size(), 0, btVector3(0, 0, 0), true, false), acceleration(chain.size()) {
  world.setGravity(btVector3(0, -rod_gravity, 0));
  btContactSolverInfo& info = world.getSolverInfo();
  info.m_numIterations = sweeps;
  info.m_erp = info.m_erp2 = 0.8;
  info.m_globalCfm = 0;
  info.m_leastSquaresResidualThreshold = 0;
  info.m_splitImpulse = false;
  add_rods(chain);
  add_colliders();
  if (chain.closed) close(chain);
  numbers.resize(chain.size() + 1);
  vectors.resize(chain.size() + 1);
  matrices.resize(chain.size() + 1);
}

BulletChain::Impl::~Impl() {
  if (loop) world.removeMultiBodyConstraint(loop.get());
  for (const auto& collider : colliders) world.removeCollisionObject(collider.get());
  world.removeMultiBody(&body);
}

void BulletChain::Impl::add_rods(const RodChain& chain) {
  const btVector3 half(0.5, 0, 0), inertia(rod_inertia_along, rod_inertia_across, rod_inertia_across);
  for (int i = 0; i < chain.size(); ++i)
    body.setupRevolute(i, 1, inertia, i - 1, btQuaternion::getIdentity(), btVector3(0, 0, 1),
                       i == 0 ? btVector3(0, 0, 0) : half, half, true);
  body.finalizeMultiDof();
  body.setLinearDamping(0);
  body.setAngularDamping(0);
  body.setMaxAppliedImpulse(1e30);
  body.setMaxCoordinateVelocity(1e30);
  body.setHasSelfCollision(false);
  body.setUseGyroTerm(true);
  world.addMultiBody(&body);
  for (int i = 0; i < chain.size(); ++i) {
    rate.push_back(chain.rate[i] - (i > 0 ? chain.rate[i - 1] : 0));
    angle.push_back(chain.angle[i] - (i > 0 ? chain.angle[i - 1] : 0));
    body.setJointPos(i, angle.back());
    body.setJointVel(i, rate.back());
  }
  btAlignedObjectArray<btQuaternion> rotations;
  btAlignedObjectArray<btVector3> places;
  body.forwardKinematics(rotations, places);
}

/// Without them the constraints of a multi-body belong to no island and are passed over.
void BulletChain::Impl::add_colliders() {
  for (int i = -1; i < body.getNumLinks(); ++i) {
    colliders.push_back(std::make_unique<btMultiBodyLinkCollider>(&body, i));
    colliders.back()->setCollisionShape(&shape);
    world.addCollisionObject(colliders.back().get(), 2, 0);
    if (i < 0)
      body.setBaseCollider(colliders.back().get());
    else
      body.getLink(i).m_collider = colliders.back().get();
  }
}

void BulletChain::Impl::close(const RodChain& chain) {
  double x = 0, y = 0;
  for (const double a : chain.angle) x += std::cos(a), y += std::sin(a);
  btRigidBody* const ground = nullptr;
  loop = std::make_unique<btMultiBodyPoint2Point>(&body, chain.size() - 1, ground, btVector3(0.5, 0, 0),
                                                  btVector3(x, y, 0));
  loop->setMaxAppliedImpulse(1e30);
  world.addMultiBodyConstraint(loop.get());
  loop->finalizeMultiDof();
}

BulletChain::BulletChain(const RodChain& chain) : impl_(std::make_unique<Impl>(chain)) {}
BulletChain::~BulletChain() = default;

void BulletChain::accelerate() {
  Impl& i = *impl_;
  const int n = i.body.getNumLinks();
  i.body.clearForcesAndTorques();
  for (int k = 0; k < n; ++k) i.body.addLinkForce(k, btVector3(0, -rod_gravity, 0));
  i.body.computeAccelerationsArticulatedBodyAlgorithmMultiDof(step_size, i.numbers, i.vectors, i.matrices,
                                                              false, false, false);
  for (int k = 0; k < n; ++k) {  // it has added them, times the step, to the velocities
    i.acceleration[k] = (i.body.getJointVel(k) - i.rate[k]) / step_size;
    i.body.setJointVel(k, i.rate[k]);
  }
}

void BulletChain::accelerate_from_state() {
  Impl& i = *impl_;
  for (int k = 0; k < i.body.getNumLinks(); ++k) i.body.setJointPos(k, i.angle[k]);
  accelerate();
}

void BulletChain::step() { impl_->world.stepSimulation(step_size, 0, step_size); }

const std::vector<double>& BulletChain::joint_acceleration() const { return impl_->acceleration; }

}  // namespace vinculum::bench
