// The drawn instants as numbers: where each thing is at any time between them.

// Places of a track at `at` = frame number with a fraction: cubic through the neighbours, so that a rod that
// turns keeps its length to the eye even where frames are far apart.
export function placesAt(track, at, count, out) {
  const width = 3 * track.places;
  const i = Math.min(count - 1, Math.floor(at));
  const f = at - i;
  const xyz = track.xyz;
  if (f === 0 || i + 1 >= count) {
    for (let k = 0; k < width; ++k) out[k] = xyz[i * width + k];
    return out;
  }
  const before = Math.max(0, i - 1);
  const after = Math.min(count - 1, i + 2);
  for (let k = 0; k < width; ++k) {
    const a = xyz[i * width + k];
    const b = xyz[(i + 1) * width + k];
    const m0 = (b - xyz[before * width + k]) / (i - before + 1);
    const m1 = (xyz[after * width + k] - a) / (after - i);
    const f2 = f * f;
    const f3 = f2 * f;
    out[k] = (2 * f3 - 3 * f2 + 1) * a + (f3 - 2 * f2 + f) * m0 + (3 * f2 - 2 * f3) * b + (f3 - f2) * m1;
  }
  return out;
}

// The pose of a solid at `at`: its place as any place, its quaternion (w, x, y, z) turned evenly the way the motion went, up to a full turn:
// signs are as recorded, so that a body that turns by more than half a turn between two frames does not seem to turn back.
export function poseAt(solid, at, count, out) {
  placesAt(solid.centre, at, count, out);
  const i = Math.min(count - 1, Math.floor(at));
  const a = 7 * i + 3;
  const b = 7 * Math.min(count - 1, i + 1) + 3;
  const f = at - i;
  let cosine = 0;
  for (let k = 0; k < 4; ++k) cosine += solid.pose[a + k] * solid.pose[b + k];
  const angle = Math.acos(Math.min(1, Math.max(-1, cosine)));
  const sine = Math.sin(angle);
  const [from, to] = sine > 1e-6 ? [Math.sin((1 - f) * angle) / sine, Math.sin(f * angle) / sine] : [1 - f, f];
  for (let k = 0; k < 4; ++k) out[3 + k] = from * solid.pose[a + k] + to * solid.pose[b + k];
  return out;
}

// The columns of a quaternion's rotation matrix.
export function columns(w, x, y, z) {
  return [[w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y)],
    [2 * (x * y - w * z), w * w - x * x + y * y - z * z, 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), w * w - x * x - y * y + z * z]];
}

// What is drawn like points, too: the centres of solids; and the two places of each joint.
export function withCentres(frames) {
  for (const solid of frames.solids)
    solid.centre = { name: solid.name, places: 1, trail: solid.trail, xyz: solid.pose.filter((_, k) => k % 7 < 3) };
  for (const joint of frames.joints) joint.places = 3; // on the first part, on the second, the axis
  return frames;
}

// The frame number, with a fraction, of a time.
export function frameAt(frames, clock) {
  const t = frames.t;
  const s = clock.time * clock.direction;
  let low = 0;
  let high = t.length - 1;
  if (high <= 0 || s <= t[0] * clock.direction) return 0;
  if (s >= t[high] * clock.direction) return high;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (t[middle] * clock.direction <= s) low = middle;
    else high = middle;
  }
  const length = (t[high] - t[low]) * clock.direction;
  return length > 0 ? low + (s - t[low] * clock.direction) / length : low;
}

// The box of everything that is somewhere (arrows are not: their length is no length in space).
export function extent(frames) {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  const include = (k, value, around = 0) => {
    if (value === null) return;
    low[k] = Math.min(low[k], value - around);
    high[k] = Math.max(high[k], value + around);
  };
  for (const track of [...frames.points, ...frames.links, ...frames.curves]) track.xyz.forEach((value, k) => include(k % 3, value));
  for (const joint of frames.joints) joint.xyz.forEach((value, k) => k % 9 < 6 && include(k % 3, value));
  for (const { pose, half } of frames.solids)
    for (let i = 0; i + 6 < pose.length; i += 7) {
      const axes = columns(...pose.slice(i + 3, i + 7));
      for (let k = 0; k < 3; ++k) include(k, pose[i + k], half.reduce((sum, h, j) => sum + h * Math.abs(axes[j][k]), 0));
    }
  if (!Number.isFinite(low[0])) return { centre: [0, 0, 0], half: [1, 1, 1], size: 1 };
  const half = high.map((h, k) => 0.5 * (h - low[k]));
  return { centre: high.map((h, k) => 0.5 * (h + low[k])), half, size: Math.max(...half) || 1 };
}

// One scale for all arrows: the 95th hundredth of their lengths becomes a quarter of the picture, so that a
// single spike does not make all others vanish.
export function arrowScale(frames, size) {
  const lengths = [];
  for (const track of frames.arrows)
    for (let i = 0; i + 5 < track.xyz.length; i += 6) lengths.push(Math.hypot(track.xyz[i + 3], track.xyz[i + 4], track.xyz[i + 5]));
  lengths.sort((a, b) => a - b);
  const typical = lengths[Math.floor(0.95 * (lengths.length - 1))] ?? 0;
  return typical > 0 ? (0.6 * size) / typical : 0;
}

// An arrow longer than the picture is cut before its edge; how long it is the plots say.
export const capped = (length, size) => Math.min(length, 0.9 * size);

// Of torques the same, as the radius of an arc.
export function torqueScale(frames, size) {
  return arrowScale({ arrows: frames.torques }, size) / 4;
}

// A spring as a polyline between two places: a zigzag across `normal` in the plane, a helix in space.
export function coil(from, to, radius, normal, turns, out) {
  const along = to.map((b, k) => b - from[k]);
  const length = Math.hypot(...along) || 1e-300;
  const e = along.map((a) => a / length);
  const helper = normal ?? (Math.abs(e[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0]);
  const u = cross(helper, e);
  const size = Math.hypot(...u) || 1;
  const across = u.map((a) => a / size);
  const other = cross(e, across);
  const { s, c, d } = windings(Boolean(normal), turns);
  for (let i = 0; i < s.length; ++i)
    for (let k = 0; k < 3; ++k) out[3 * i + k] = from[k] + s[i] * along[k] + radius * (c[i] * across[k] + d[i] * other[k]);
  return out;
}

// Along the spring, across it and across both, for unit length and radius; straight at both ends.
export function windings(flat, turns) {
  const steps = flat ? 2 * turns : 16 * turns;
  const s = [0];
  const c = [0];
  const d = [0];
  for (let i = 0; i <= steps; ++i) {
    const angle = (2 * Math.PI * turns * i) / steps;
    s.push(0.14 + (0.72 * i) / steps);
    c.push(flat ? (i === 0 || i === steps ? 0 : (-1) ** i) : Math.cos(angle));
    d.push(flat ? 0 : Math.sin(angle));
  }
  return { s: [...s, 1], c: [...c, 0], d: [...d, 0] };
}

export function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

export function axisVector(name) {
  const vector = [0, 0, 0];
  vector['xyz'.indexOf(name.at(-1))] = name.startsWith('-') ? -1 : 1;
  return vector;
}
