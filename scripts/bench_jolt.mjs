// What a soft body of Jolt costs, for docs/engine.md: a cube with a node at every voxel, five iterations per step of
// 1/60 s, one thread, WASM in node. Not a dependency of the project:
//
//     npm install --no-save jolt-physics && node scripts/bench_jolt.mjs [SIDE]
import initJolt from 'jolt-physics/wasm-compat';

const jolt = await initJolt();
const side = Number(process.argv[2] ?? 16);
const nodes = side ** 3;

function makeWorld() {
  const settings = new jolt.JoltSettings();
  settings.mMaxWorkerThreads = 0;
  const pairs = new jolt.ObjectLayerPairFilterTable(2);
  pairs.EnableCollision(0, 1);
  const layers = new jolt.BroadPhaseLayerInterfaceTable(2, 2);
  for (const k of [0, 1]) layers.MapObjectToBroadPhaseLayer(k, new jolt.BroadPhaseLayer(k));
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = layers;
  settings.mObjectVsBroadPhaseLayerFilter = new jolt.ObjectVsBroadPhaseLayerFilterTable(layers, 2, pairs, 2);
  return new jolt.JoltInterface(settings);
}

// The five tetrahedra of a cube, by the bits of its corners (1 x, 2 y, 4 z); neighbouring cubes are mirror images.
const even = [[0, 1, 2, 4], [3, 1, 2, 7], [5, 1, 4, 7], [6, 2, 4, 7], [1, 2, 4, 7]];
const odd = [[2, 3, 0, 6], [1, 0, 3, 5], [4, 0, 5, 6], [7, 3, 6, 5], [0, 3, 5, 6]];

function makeCube(withVolumes) {
  const out = new jolt.SoftBodySharedSettings();
  const softness = 1e-5;
  const at = (x, y, z) => x + side * (y + side * z);
  for (let k = 0; k < nodes; ++k) {
    const vertex = new jolt.SoftBodySharedSettingsVertex();
    vertex.mPosition = new jolt.Float3(k % side, Math.floor(k / side) % side, Math.floor(k / side ** 2));
    vertex.mInvMass = k % side === 0 ? 0 : 1;  // one face is held
    out.mVertices.push_back(vertex);
  }
  const seen = new Set();
  const link = (a, b) => {
    const key = Math.min(a, b) * nodes + Math.max(a, b);
    if (!seen.has(key)) out.mEdgeConstraints.push_back(new jolt.SoftBodySharedSettingsEdge(a, b, softness));
    seen.add(key);
  };
  for (let z = 0; z + 1 < side; ++z)
    for (let y = 0; y + 1 < side; ++y)
      for (let x = 0; x + 1 < side; ++x)
        for (const corners of (x + y + z) % 2 ? odd : even) {
          const [a, b, c, d] = corners.map((k) => at(x + (k & 1), y + (k >> 1 & 1), z + (k >> 2)));
          for (const [p, q] of [[a, b], [a, c], [a, d], [b, c], [b, d], [c, d]]) link(p, q);
          if (withVolumes)
            out.mVolumeConstraints.push_back(new jolt.SoftBodySharedSettingsVolume(a, b, c, d, softness));
        }
  out.CalculateEdgeLengths();
  if (withVolumes) out.CalculateVolumeConstraintVolumes();
  out.Optimize();
  return out;
}

for (const withVolumes of [false, true]) {
  const world = makeWorld();
  const bodies = world.GetPhysicsSystem().GetBodyInterface();
  const settings = new jolt.SoftBodyCreationSettings(makeCube(withVolumes), new jolt.RVec3(0, 0, 0),
    jolt.Quat.prototype.sIdentity(), 1);
  settings.mNumIterations = 5;
  settings.mAllowSleeping = false;
  bodies.AddBody(bodies.CreateSoftBody(settings).GetID(), jolt.EActivation_Activate);
  let least = Infinity;
  for (let k = 0; k < 300; ++k) {
    const begun = performance.now();
    world.Step(1 / 60, 1);
    if (k > 20) least = Math.min(least, performance.now() - begun);
  }
  const kind = withVolumes ? 'edges and volumes of tetrahedra' : 'edges of tetrahedra';
  console.log(`${nodes} nodes, ${kind}: ${(least * 1e6 / nodes).toFixed(0)} ns per node and frame of 1/60 s`);
}
