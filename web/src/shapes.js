// The things of the picture as three.js objects. Each has `update(at)`: at = frame number with a fraction.
import { Color, ConeGeometry, CircleGeometry, InstancedMesh, Matrix4, MeshBasicMaterial, MeshLambertMaterial, Quaternion, SphereGeometry, Vector3 } from 'three';
import { Line2 } from 'three/examples/jsm/lines/Line2.js';
import { LineGeometry } from 'three/examples/jsm/lines/LineGeometry.js';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';
import { capped, coil, placesAt, windings } from './frames.js';
import { colour } from './theme.js';

const TAIL = 160; // frames of the bright part of a trail

export const three = (name) => new Color(colour(name));
const material = (width, options = {}) => new LineMaterial({ linewidth: width, worldUnits: false, ...options });

// All links of one kind in one object: segments between places.
export function segments(pieces, width) {
  const geometry = new LineSegmentsGeometry();
  const positions = new Float32Array(6 * pieces);
  geometry.setPositions(positions);
  const object = new LineSegments2(geometry, material(width));
  object.frustumCulled = false;
  const buffer = geometry.attributes.instanceStart.data;
  return { object, array: buffer.array, touch: () => { buffer.needsUpdate = true; } };
}

export function rods(scene, tracks, width, tone, group = scene.root) {
  if (!tracks.length) return null;
  const { object, array, touch } = segments(tracks.length, width);
  group.add(object);
  const place = [];
  return {
    update(at) {
      tracks.forEach((track, i) => { array.set(placesAt(track, at, scene.count, place).slice(0, 6), 6 * i); });
      touch();
    },
    paint: () => object.material.color.copy(three(tone)),
  };
}

export function springs(scene, tracks, width, normal) {
  if (!tracks.length) return null;
  const turns = normal ? 7 : 8;
  const pieces = windings(Boolean(normal), turns).s.length - 1;
  const { object, array, touch } = segments(tracks.length * pieces, width);
  scene.root.add(object);
  const place = [];
  const line = [];
  return {
    update(at) {
      tracks.forEach((track, i) => {
        placesAt(track, at, scene.count, place);
        coil(place.slice(0, 3), place.slice(3, 6), 0.035 * scene.size, normal, turns, line);
        for (let p = 0; p < pieces; ++p) array.set(line.slice(3 * p, 3 * p + 6), 6 * (i * pieces + p));
      });
      touch();
    },
    paint: () => object.material.color.copy(three('rod')),
  };
}

export function curves(scene, tracks, width) {
  return tracks.filter((track) => track.places > 1).map((track) => {
    const { object, array, touch } = segments(track.places - 1, width);
    scene.root.add(object);
    const place = [];
    const still = isStill(track);
    let drawn = false;
    return {
      update(at) {
        if (still && drawn) return;
        placesAt(track, at, scene.count, place);
        for (let p = 0; p + 1 < track.places; ++p) array.set(place.slice(3 * p, 3 * p + 6), 6 * p);
        drawn = true;
        touch();
      },
      paint: () => object.material.color.copy(three('curve')),
    };
  });
}

export function isStill(track) {
  const width = 3 * track.places;
  return track.xyz.every((value, k) => value === track.xyz[k % width]);
}

export function points(scene, tracks, planar) {
  if (!tracks.length) return null;
  const radius = (tracks.length > 40 ? 0.016 : tracks.length > 12 ? 0.024 : planar ? 0.034 : 0.05) * scene.size;
  const geometry = planar ? new CircleGeometry(radius, 32) : new SphereGeometry(radius, 24, 16);
  const mesh = new InstancedMesh(geometry, planar ? new MeshBasicMaterial() : new MeshLambertMaterial(), tracks.length);
  mesh.frustumCulled = false;
  scene.root.add(mesh);
  const place = [];
  const matrix = new Matrix4();
  return {
    update(at) {
      tracks.forEach((track, i) => {
        placesAt(track, at, scene.count, place);
        if (planar) matrix.makeRotationFromQuaternion(scene.camera.quaternion);
        mesh.setMatrixAt(i, matrix.setPosition(place[0], place[1], place[2]));
      });
      mesh.instanceMatrix.needsUpdate = true;
    },
    paint: () => mesh.material.color.copy(three('bob')),
  };
}

// A bright tail that fades into the whole path so far.
export function trail(scene, track) {
  const path = new LineGeometry();
  path.setPositions(Float32Array.from(track.xyz));
  const whole = new Line2(path, material(1, { transparent: true, opacity: 0.28 }));
  const tail = new LineGeometry();
  tail.setPositions(new Float32Array(3 * (TAIL + 2)));
  tail.setColors(new Float32Array(3 * (TAIL + 2)));
  const bright = new Line2(tail, material(2, { vertexColors: true }));
  const group = [whole, bright];
  for (const line of group) {
    line.frustumCulled = false;
    scene.trails.add(line);
  }
  const place = [];
  const colours = { from: new Color(), to: new Color(), mixed: new Color() };
  const starts = tail.attributes.instanceStart.data;
  const tints = tail.attributes.instanceColorStart.data;
  return {
    update(at) {
      const last = Math.floor(at);
      const first = Math.max(0, last - TAIL);
      path.instanceCount = last;
      const vertices = [];
      for (let i = first; i <= last; ++i) vertices.push(...track.xyz.slice(3 * i, 3 * i + 3));
      vertices.push(...placesAt(track, at, scene.count, place));
      const count = vertices.length / 3 - 1;
      for (let p = 0; p < count; ++p) {
        starts.array.set(vertices.slice(3 * p, 3 * p + 6), 6 * p);
        for (const side of [0, 1]) {
          const bit = Math.max(0, 1 - (count - p - side) / TAIL);
          colours.mixed.copy(colours.from).lerp(colours.to, bit * bit).toArray(tints.array, 6 * p + 3 * side);
        }
      }
      tail.instanceCount = count;
      starts.needsUpdate = true;
      tints.needsUpdate = true;
    },
    paint() {
      whole.material.color.copy(three('accent'));
      colours.to.copy(three('accent'));
      colours.from.copy(three('stage')).lerp(colours.to, 0.28);
    },
  };
}

// Torques as arcs of three quarters of a turn about their direction, with a head where they go to.
const ARC = 24;
export function torques(scene, tracks, scale) {
  if (!tracks.length || scale === 0) return null;
  const { object, array, touch } = segments(tracks.length * ARC, 2.5);
  const head = 0.024 * scene.size;
  const cones = new InstancedMesh(new ConeGeometry(head, 3 * head, 20), new MeshBasicMaterial(), tracks.length);
  cones.frustumCulled = false;
  scene.forces.add(object, cones);
  const place = [];
  const [up, helper] = [new Vector3(0, 1, 0), new Vector3()];
  const [along, level, other, tangent, tip] = [new Vector3(), new Vector3(), new Vector3(), new Vector3(), new Vector3()];
  const turn = new Quaternion();
  const matrix = new Matrix4();
  const on = (angle, radius, out) => out.set(place[0], place[1], place[2])
    .addScaledVector(level, radius * Math.cos(angle)).addScaledVector(other, radius * Math.sin(angle));
  return {
    update(at) {
      tracks.forEach((track, i) => {
        placesAt(track, at, scene.count, place);
        along.set(place[3], place[4], place[5]);
        const radius = along.length() * scale;
        if (radius > 0) along.normalize();
        level.crossVectors(scene.camera.up, along);
        if (level.length() < 1e-3) level.crossVectors(helper.set(scene.camera.up.y, scene.camera.up.z, scene.camera.up.x), along);
        level.normalize();
        other.crossVectors(along, level);
        const end = 1.5 * Math.PI;
        for (let k = 0; k < ARC; ++k) {
          on((end * k) / ARC, radius, tip).toArray(array, 6 * (i * ARC + k));
          on((end * (k + 1)) / ARC, radius, tip).toArray(array, 6 * (i * ARC + k) + 3);
        }
        const size = Math.min(1, radius / (2 * head)); // a small arc gets a small head
        tangent.copy(level).multiplyScalar(-Math.sin(end)).addScaledVector(other, Math.cos(end));
        turn.setFromUnitVectors(up, radius > 0 ? tangent.normalize() : up);
        cones.setMatrixAt(i, matrix.compose(on(end, radius, tip), turn, new Vector3(size, size, size)));
      });
      touch();
      cones.instanceMatrix.needsUpdate = true;
    },
    paint() {
      object.material.color.copy(three('force'));
      cones.material.color.copy(three('force'));
    },
  };
}

export function arrows(scene, tracks, scale, kind = 'force') {
  if (!tracks.length || scale === 0) return null;
  const { object, array, touch } = segments(tracks.length, 2.5);
  const head = (tracks.length > 8 ? 0.02 : 0.032) * scene.size;
  const cones = new InstancedMesh(new ConeGeometry(head, 3 * head, 20).translate(0, -1.5 * head, 0), new MeshBasicMaterial(), tracks.length);
  cones.frustumCulled = false;
  scene.forces.add(object, cones);
  const place = [];
  const up = new Vector3(0, 1, 0);
  const along = new Vector3();
  const turn = new Quaternion();
  const matrix = new Matrix4();
  return {
    update(at) {
      tracks.forEach((track, i) => {
        placesAt(track, at, scene.count, place);
        along.set(place[3], place[4], place[5]).multiplyScalar(scale);
        const whole = along.length();
        if (whole > 0) along.multiplyScalar(capped(whole, scene.size) / whole);
        const length = along.length();
        const tip = place.slice(0, 3).map((x, k) => x + along.getComponent(k));
        const size = Math.min(1, length / (3 * head)); // a small arrow gets a small head
        const neck = tip.map((x, k) => x - (length > 0 ? (1.5 * head * size * along.getComponent(k)) / length : 0));
        array.set([...place.slice(0, 3), ...neck], 6 * i);
        turn.setFromUnitVectors(up, length > 0 ? along.normalize() : up);
        cones.setMatrixAt(i, matrix.compose(new Vector3(...tip), turn, new Vector3(size, size, size)));
      });
      touch();
      cones.instanceMatrix.needsUpdate = true;
    },
    paint() {
      object.material.color.copy(three(kind));
      cones.material.color.copy(three(kind));
    },
  };
}
