// Rigid bodies as three.js objects: one instanced mesh for each shape, one set of lines for all edges.
import { BoxGeometry, Color, CylinderGeometry, Float32BufferAttribute, InstancedMesh, Matrix4, MeshLambertMaterial, Quaternion, SphereGeometry, Vector3 } from 'three';
import { poseAt } from './frames.js';
import { segments, three } from './shapes.js';
import { isDark, seriesColour } from './theme.js';

const EDGES_AT_MOST = 150; // bodies
const THINNEST = 0.006; // of the scene: a sheet or a wire is still seen

// The colour of a body: that of a series, softened.
export function bodyColour(index) {
  const soft = new Color(isDark() ? '#2b2f36' : '#ffffff');
  return new Color(seriesColour(index)).lerp(soft, isDark() ? 0.3 : 0.38);
}

// Shapes of half size 1. Balls and drums have fields of two tones, so that turning is seen.
const unit = {
  box: () => fields(new BoxGeometry(2, 2, 2), () => 1),
  ellipsoid: () => fields(new SphereGeometry(1, 48, 32), (x, y, z) => x * y * z),
  cylinder: () => fields(new CylinderGeometry(1, 1, 2, 64, 1).rotateX(Math.PI / 2), (x, y) => x * y),
};

// Each triangle is bright or dark as the sign of `tone` at its middle says.
function fields(given, tone) {
  const geometry = given.toNonIndexed();
  const p = geometry.attributes.position;
  const colours = new Float32Array(3 * p.count).fill(1);
  for (let i = 0; i < p.count; i += 3) {
    const [x, y, z] = ['getX', 'getY', 'getZ'].map((get) => (p[get](i) + p[get](i + 1) + p[get](i + 2)) / 3);
    if (tone(x, y, z) < 0) colours.fill(0.74, 3 * i, 3 * i + 9);
  }
  geometry.setAttribute('color', new Float32BufferAttribute(colours, 3));
  return geometry;
}

function circle(pieces, at) {
  return Array.from({ length: pieces }, (_, k) => [k, k + 1].flatMap((i) => at(Math.cos((2 * Math.PI * i) / pieces), Math.sin((2 * Math.PI * i) / pieces)))).flat();
}

// Pairs of places: the edges of a unit shape.
const edges = {
  box: [0, 1, 2].flatMap((k) => [[-1, -1], [-1, 1], [1, -1], [1, 1]].flatMap(([a, b]) => [-1, 1].flatMap((side) => {
    const place = [0, 0, 0];
    place[k] = side;
    place[(k + 1) % 3] = a;
    place[(k + 2) % 3] = b;
    return place;
  }))),
  ellipsoid: [],
  cylinder: [-1, 1].flatMap((side) => circle(48, (c, s) => [c, s, side])),
};

function meshes(view, solids, translucent) {
  return Object.keys(unit).map((shape) => {
    const mine = solids.map((solid, index) => ({ solid, index })).filter(({ solid }) => solid.shape === shape && solid.of_inertia === translucent);
    if (!mine.length) return null;
    const material = new MeshLambertMaterial({ vertexColors: true, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    if (translucent) Object.assign(material, { transparent: true, opacity: 0.72, depthWrite: false });
    const mesh = new InstancedMesh(unit[shape](), material, mine.length);
    mesh.frustumCulled = false;
    view.bodies.add(mesh);
    const matrix = new Matrix4();
    const [at, turn, size] = [new Vector3(), new Quaternion(), new Vector3()];
    return {
      update() {
        mine.forEach(({ solid }, i) => {
          const [x, y, z, qw, qx, qy, qz] = solid.now;
          size.set(...solid.drawn);
          mesh.setMatrixAt(i, matrix.compose(at.set(x, y, z), turn.set(qx, qy, qz, qw).normalize(), size));
        });
        mesh.instanceMatrix.needsUpdate = true;
      },
      paint() {
        mine.forEach(({ index }, i) => mesh.setColorAt(i, bodyColour(index)));
        mesh.instanceColor.needsUpdate = true;
      },
    };
  });
}

function outlines(view, solids) {
  const pieces = solids.reduce((sum, solid) => sum + edges[solid.shape].length / 6, 0);
  if (!pieces || solids.length > EDGES_AT_MOST) return null;
  const { object, array, touch } = segments(pieces, 1);
  Object.assign(object.material, { transparent: true, opacity: 0.55 });
  view.bodies.add(object);
  const [turn, place] = [new Quaternion(), new Vector3()];
  return {
    update() {
      let next = 0;
      for (const solid of solids) {
        const [x, y, z, qw, qx, qy, qz] = solid.now;
        turn.set(qx, qy, qz, qw).normalize();
        const line = edges[solid.shape];
        for (let k = 0; k < line.length; k += 3) {
          place.set(line[k] * solid.drawn[0], line[k + 1] * solid.drawn[1], line[k + 2] * solid.drawn[2]).applyQuaternion(turn);
          array[next++] = x + place.x;
          array[next++] = y + place.y;
          array[next++] = z + place.z;
        }
      }
      touch();
    },
    paint: () => object.material.color.copy(three('bob')),
  };
}

export function bodies(view, solids) {
  if (!solids.length) return [];
  for (const solid of solids) {
    solid.drawn = solid.half.map((h) => Math.max(h, THINNEST * view.size));
    solid.now = [];
  }
  const follow = {
    update: (at) => { for (const solid of solids) poseAt(solid, at, view.count, solid.now); },
    paint() {},
  };
  return [follow, ...meshes(view, solids, false), ...meshes(view, solids, true), outlines(view, solids)];
}
