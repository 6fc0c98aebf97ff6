// Joints as small marks: what each lets happen can be told from its shape.
import { BoxGeometry, CylinderGeometry, InstancedMesh, Matrix4, MeshLambertMaterial, Quaternion, SphereGeometry, TorusGeometry, Vector3 } from 'three';
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import { placesAt } from './frames.js';
import { rods, three } from './shapes.js';

const pin = (radius, length) => new CylinderGeometry(radius, radius, length, 24).rotateX(Math.PI / 2);
const ring = (radius, thickness) => new TorusGeometry(radius, thickness, 12, 32);

// About the axis z, for a joint of size 1.
const marks = {
  spherical: () => new SphereGeometry(0.75, 24, 16),
  revolute: () => mergeGeometries([pin(0.45, 2.4), ring(0.85, 0.22)]),
  universal: () => mergeGeometries([pin(0.32, 2.4), pin(0.32, 2.4).rotateX(Math.PI / 2), new SphereGeometry(0.5, 24, 16)]),
  prismatic: () => new BoxGeometry(1.1, 1.1, 2.8),
  cylindrical: () => mergeGeometries([pin(0.7, 1.6), pin(0.35, 3.4)]),
  screw: () => mergeGeometries([pin(0.35, 3.4), ...[-0.9, -0.3, 0.3, 0.9].map((z) => ring(0.6, 0.2).translate(0, 0, z))]),
  planar: () => new BoxGeometry(2.4, 2.4, 0.3),
  weld: () => mergeGeometries([new BoxGeometry(1.6, 0.45, 0.45), new BoxGeometry(0.45, 1.6, 0.45), new BoxGeometry(0.45, 0.45, 1.6)]),
  distance: () => new SphereGeometry(0.6, 24, 16),
  rolling: () => ring(0.7, 0.18),
};

const SLIDES = ['prismatic', 'cylindrical', 'screw'];

// A mark inside a body shines through it.
function instanced(view, geometry, count) {
  const seen = new InstancedMesh(geometry, new MeshLambertMaterial(), count);
  const hidden = new InstancedMesh(geometry, new MeshLambertMaterial({ transparent: true, opacity: 0.3, depthTest: false, depthWrite: false }), count);
  hidden.instanceMatrix = seen.instanceMatrix;
  for (const mesh of [hidden, seen]) {
    mesh.frustumCulled = false;
    view.joints.add(mesh);
  }
  return seen;
}

function marksOf(view, type, tracks, size) {
  // A kept distance has a mark at both of its ends; what slides is marked where its second part is.
  const ends = type === 'distance' ? [0, 3] : SLIDES.includes(type) ? [3] : [0];
  const mesh = instanced(view, marks[type](), tracks.length * ends.length);
  const others = view.joints.children.slice(-2);
  const place = [];
  const matrix = new Matrix4();
  const [turn, z, axis, at, scale] = [new Quaternion(), new Vector3(0, 0, 1), new Vector3(), new Vector3(), new Vector3(size, size, size)];
  return {
    update(time) {
      tracks.forEach((track, i) => {
        placesAt(track, time, view.count, place);
        turn.setFromUnitVectors(z, axis.set(place[6], place[7], place[8]).normalize());
        ends.forEach((end, k) => mesh.setMatrixAt(i * ends.length + k, matrix.compose(at.set(place[end], place[end + 1], place[end + 2]), turn, scale)));
      });
      mesh.instanceMatrix.needsUpdate = true;
    },
    paint: () => { for (const each of others) each.material.color.copy(three('bob')); },
  };
}

export function joints(view, tracks) {
  if (!tracks.length) return [];
  // Small beside the picture, and beside the bodies it joins.
  const reaches = view.frames.solids.map((solid) => Math.max(...solid.half)).sort((a, b) => a - b);
  const size = Math.min(0.028 * view.size, Math.max(0.2 * reaches[reaches.length >> 1], 0.006 * view.size));
  const types = [...new Set(tracks.map((track) => track.type))];
  const of = (...wanted) => tracks.filter((track) => wanted.includes(track.type));
  return [rods(view, of(...SLIDES), 1.5, 'curve', view.joints), rods(view, of('distance'), 3, 'rod', view.joints),
    ...types.map((type) => marksOf(view, type, of(type), size))];
}
