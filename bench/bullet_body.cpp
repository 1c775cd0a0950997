#include "bullet_body.h"

#include <map>
#include <tuple>
#include <vector>

#include <BulletSoftBody/btSoftBody.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>

namespace fascia::bench {

struct BulletBody::World {
    btSoftBodyRigidBodyCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btSoftRigidDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::unique_ptr<btSoftBody> soft;
};

BulletBody::BulletBody(const LayersBody& body, BulletLinks links) : world_(std::make_unique<World>()) {
    std::vector<btVector3> places;
    std::vector<btScalar> masses;
    std::map<std::tuple<int, int, int>, int> index;
    for (std::size_t i = 0; i < body.node_count(); ++i) {
        const lattice::Cell c = body.blueprint->tissue.cells[i];
        index[{c.x, c.y, c.z}] = int(i);
        places.emplace_back(btScalar(c.x), btScalar(c.y), btScalar(c.z));
        masses.push_back(body.layer()[i] == 0 ? 0 : 1);
    }
    world_->soft =
        std::make_unique<btSoftBody>(&world_->world.getWorldInfo(), int(places.size()), places.data(), masses.data());
    for (const auto& [cell, i] : index) {
        const auto [x, y, z] = cell;
        for (int k = 14; k < 27; ++k) {
            const int dx = k % 3 - 1, dy = k / 3 % 3 - 1, dz = k / 9 - 1;
            const int length2 = dx * dx + dy * dy + dz * dz;
            const bool edge = length2 == 1 || (length2 == 2 && (x + y + z) % 2 == 0);
            if (links == BulletLinks::tetrahedra && !edge) continue;
            const auto other = index.find({x + dx, y + dy, z + dz});
            if (other != index.end()) world_->soft->appendLink(i, other->second);
        }
    }
    world_->soft->m_cfg.piterations = 5;
    world_->soft->m_cfg.collisions = 0;
    world_->world.setGravity({0, -1, 0});
    world_->world.addSoftBody(world_->soft.get());
}

BulletBody::~BulletBody() {
    world_->world.removeSoftBody(world_->soft.get());
}

void BulletBody::step() {
    world_->world.stepSimulation(1.0f / 60, 0);
}

}  // namespace fascia::bench
