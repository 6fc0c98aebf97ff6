// The replay: a picture of the motion that follows the clock. It draws only when something has changed.
import { AmbientLight, DirectionalLight, Group, OrthographicCamera, PerspectiveCamera, Scene, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { element } from './dom.js';
import { bodies, bodyColour } from './bodies.js';
import { arrowScale, axisVector, cross, extent, frameAt, torqueScale, withCentres } from './frames.js';
import { joints } from './joints.js';
import { Labels, Names } from './names.js';
import { arrows, curves, isStill, points, rods, springs, torques, trail } from './shapes.js';
import { axes, ground, roundStep } from './ground.js';
import { short } from './numbers.js';
import { onTheme } from './theme.js';

const TRAILS_AT_MOST = 24;
const TRAILS_AT_FIRST = 8;
const NAMES_AT_MOST = 16;
const LEGEND_AT_MOST = 12; // of bodies, and of joints
const HALF_ANGLE = Math.tan((16 * Math.PI) / 180); // of the field of view

// Where the camera looks from, and what points up on the screen.
function lookout(frames) {
  const up = axisVector(frames.up);
  if (!frames.planar) {
    const side = axisVector(frames.up.endsWith('x') ? 'y' : 'x');
    const front = cross(side, up);
    return { up, from: [0, 1, 2].map((k) => 0.55 * side[k] + 1.0 * front[k] + 0.42 * up[k]) };
  }
  const [a, b] = frames.plane;
  const inPlane = frames.plane.includes(frames.up.at(-1));
  const vertical = inPlane ? up : axisVector(b);
  const right = axisVector(inPlane && frames.up.at(-1) === a ? b : a);
  return { up: vertical, from: cross(right, vertical) };
}

class Replay {
  constructor(frames, clock, stage) {
    this.frames = frames;
    this.clock = clock;
    this.stage = stage;
    this.count = frames.t.length;
    this.box = extent(frames);
    this.size = this.box.size;
    this.scene = new Scene();
    this.root = new Group();
    this.bodies = new Group();
    this.joints = new Group();
    this.trails = new Group();
    this.forces = new Group();
    this.scene.add(this.bodies, this.root, this.joints, this.trails, this.forces);
    this.shapes = [];
  }

  start() {
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true });
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
    this.stage.append(this.renderer.domElement);
    this.setCamera();
    this.addShapes();
    this.paint();
    onTheme(() => { this.paint(); this.draw(); });
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.stage);
    this.resize();
    this.clock.listen(() => this.draw());
  }

  // A browser lends a page few of its drawing contexts.
  stop() {
    this.stopped = true;
    this.observer.disconnect();
    this.controls.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  setCamera() {
    const { up, from } = lookout(this.frames);
    const planar = this.frames.planar;
    this.camera = planar ? new OrthographicCamera() : new PerspectiveCamera(32, 1, 0.01 * this.size, 100 * this.size);
    this.camera.up.set(...up);
    this.viewFrom = new Vector3(...from).normalize();
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.enableRotate = !planar;
    // One finger scrolls the page; two move the picture. The wheel zooms with ctrl only, for the same reason.
    this.controls.enableZoom = false;
    this.controls.screenSpacePanning = true;
    this.renderer.domElement.style.touchAction = 'pan-y';
    this.controls.addEventListener('change', () => this.draw());
    this.renderer.domElement.addEventListener('wheel', (event) => this.zoomByWheel(event), { passive: false });
    this.home();
    this.scene.add(new AmbientLight(0xffffff, 1.6));
    const light = new DirectionalLight(0xffffff, 2.2);
    light.position.copy(this.viewFrom).add(new Vector3(...up).multiplyScalar(1.2));
    this.scene.add(light);
  }

  zoomByWheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.zoom(Math.exp(-0.003 * event.deltaY));
  }

  zoom(factor) {
    this.camera.zoom = Math.min(50, Math.max(0.2, this.camera.zoom * factor));
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  home() {
    const centre = new Vector3(...this.box.centre);
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(this.viewFrom, this.frames.planar ? 4 * this.size : this.distance());
    this.camera.zoom = 1;
    this.controls.update();
    this.fit();
  }

  // From where all corners of the box are in sight, with some air.
  distance() {
    const right = new Vector3().crossVectors(this.camera.up, this.viewFrom).normalize();
    const up = new Vector3().crossVectors(this.viewFrom, right);
    const reach = 0.82 * HALF_ANGLE;
    const wide = Math.max(1, this.aspect());
    let most = 0;
    for (let corner = 0; corner < 8; ++corner) {
      const c = new Vector3(...this.box.half.map((h, k) => (corner & (1 << k) ? h : -h) || 0.2 * this.size * (corner & (1 << k) ? 1 : -1)));
      most = Math.max(most, c.dot(this.viewFrom) + Math.max(Math.abs(c.dot(right)) / wide, Math.abs(c.dot(up))) / reach);
    }
    return most;
  }

  aspect() {
    return (this.stage.clientWidth || 1) / (this.stage.clientHeight || 1);
  }

  // The whole motion fits, whatever the shape of the window.
  fit() {
    const aspect = this.aspect();
    if (this.frames.planar) {
      const right = new Vector3().crossVectors(this.camera.up, this.viewFrom);
      const across = (v) => this.box.half.reduce((sum, h, k) => sum + h * Math.abs(v.getComponent(k)), 0) + 0.22 * this.size;
      const half = Math.max(across(this.camera.up), across(right) / aspect, 0.6 * this.size);
      Object.assign(this.camera, { left: -half * aspect, right: half * aspect, top: half, bottom: -half, near: -100 * this.size, far: 100 * this.size });
    } else {
      this.camera.aspect = aspect;
      const half = HALF_ANGLE;
      this.camera.fov = (2 * Math.atan(aspect < 1 ? half / aspect : half) * 180) / Math.PI;
    }
    this.camera.updateProjectionMatrix();
  }

  addShapes() {
    const { frames } = this;
    const { from } = lookout(frames);
    const normal = frames.planar ? from : null;
    const kind = (name) => frames.links.filter((link) => link.kind === name);
    this.scale = arrowScale(frames, this.size);
    const shapes = [ground(this), ...bodies(this, frames.solids), ...joints(this, frames.joints), ...curves(this, frames.curves, 1.5), rods(this, kind('line'), 1, 'curve'), springs(this, kind('spring'), 1.5, normal),
      rods(this, kind('rod'), frames.links.length > 60 ? 1.5 : 3, 'rod'), points(this, frames.points, frames.planar), ...['force', 'friction'].map((kind) => arrows(this, frames.arrows.filter((arrow) => Boolean(arrow.friction) === (kind === 'friction')), this.scale, kind)),
      torques(this, frames.torques, torqueScale(frames, this.size)),
      ...this.addTrails()];
    this.shapes = shapes.filter(Boolean);
    this.layers();
    const named = [...frames.points, ...frames.solids.map((solid) => solid.centre)];
    if (named.length > 1 && named.length <= NAMES_AT_MOST) this.names = new Names(this, named);
    this.axes = new Labels(this, axes(this));
  }

  // Of a net of points the trails would hide everything else: there they wait until they are asked for.
  addTrails() {
    const tracks = [...this.frames.points, ...this.frames.solids.map((solid) => solid.centre)].filter((point) => point.trail && !isStill(point));
    this.trails.visible = tracks.length <= TRAILS_AT_FIRST;
    return tracks.slice(0, TRAILS_AT_MOST).map((point) => trail(this, point));
  }

  // In the plane nothing hides anything: drawn in this order, one over the other. Forces are never hidden.
  layers() {
    const order = new Map([[this.bodies, 1], [this.trails, 2], [this.root, 3], [this.joints, 4], [this.forces, 5]]);
    this.scene.traverse((object) => {
      if (!object.material) return;
      object.renderOrder = order.get(object.parent) ?? 0;
      if (this.frames.planar || object.parent === this.forces) object.material.depthTest = false;
    });
  }

  paint() {
    for (const shape of this.shapes) shape.paint();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.stage;
    if (!width || !height) return;
    this.renderer.setSize(width, height);
    this.fit();
    this.draw();
  }

  // How long a force is drawn: a bar of a round value, true in the plane and at the middle of the picture.
  measure() {
    if (!this.scale) return;
    const { camera, frames } = this;
    const height = frames.planar ? camera.top - camera.bottom
      : 2 * camera.position.distanceTo(this.controls.target) * Math.tan((camera.fov * Math.PI) / 360);
    const pixel = height / camera.zoom / this.stage.clientHeight;
    const force = roundStep((90 * pixel) / this.scale);
    this.bar ??= this.stage.appendChild(element('p', { class: 'scale' }, element('i'), element('span')));
    this.bar.firstChild.style.width = `${(force * this.scale) / pixel}px`;
    this.bar.lastChild.textContent = `force ${short(force, 2)}`;
    this.bar.hidden = !this.forces.visible;
  }

  draw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      if (this.stopped) return;
      const at = frameAt(this.frames, this.clock);
      for (const shape of this.shapes) shape.update?.(at);
      this.renderer.render(this.scene, this.camera);
      this.names?.update(at);
      this.axes.update();
      this.measure();
    });
  }
}

function choices(view) {
  const draw = (change) => () => { change(); view.draw(); };
  const box = (id, label, on, change) => element('label', { class: 'switch' },
    element('input', { id, type: 'checkbox', checked: on, onchange: (event) => draw(() => change(event.target.checked))() }), ` ${label}`);
  const button = (label, text, change) => element('button', { class: 'quiet', type: 'button', 'aria-label': label, onclick: draw(change) }, text);
  return [
    view.trails.children.length ? box('trails', 'trails', view.trails.visible, (on) => { view.trails.visible = on; }) : null,
    view.forces.children.length ? box('forces', view.frames.arrows.some((arrow) => arrow.friction) ? 'constraint forces and friction' : 'constraint forces', true, (on) => { view.forces.visible = on; }) : null,
    view.bodies.children.length ? box('bodies', 'bodies', true, (on) => { view.bodies.visible = on; }) : null,
    view.joints.children.length ? box('joints', 'joints', true, (on) => { view.joints.visible = on; }) : null,
    view.names ? box('names', 'names', view.names.on, (on) => view.names.show(on)) : null,
    element('span', { class: 'views' }, button('Closer', '+', () => view.zoom(1.25)), button('Further away', '\u2212', () => view.zoom(0.8)),
      button('The view as at first', 'reset view', () => view.home())),
  ];
}

// Which colour is which body, and which joint is of which type; of very many it would be no help.
function legend(frames) {
  const bodyEntries = frames.solids.slice(0, LEGEND_AT_MOST).map((solid, i) => {
    const swatch = element('i', { class: 'swatch' });
    const paint = () => { swatch.style.background = `#${bodyColour(i).getHexString()}`; };
    paint();
    onTheme(paint);
    return element('li', {}, swatch, solid.name, solid.of_inertia ? element('small', {}, ' by its inertia') : null);
  });
  const jointEntries = frames.joints.slice(0, LEGEND_AT_MOST).map((joint) =>
    element('li', {}, joint.name, element('small', {}, ` ${joint.type}`)));
  const more = frames.solids.length + frames.joints.length - bodyEntries.length - jointEntries.length;
  const forceEntries = frames.arrows.some((arrow) => arrow.friction)
    ? [['constraint force', 'force'], ['friction', 'friction']].map(([text, kind]) => element('li', {}, element('i', { class: 'swatch', style: `background:var(--${kind})` }), text)) : [];
  return element('ul', { class: 'legend', id: 'legend', 'aria-label': 'What is drawn' }, bodyEntries, jointEntries, forceEntries,
    more > 0 ? element('li', {}, `and ${more} more`) : null);
}

let webGL; // asked once: every question takes one of the contexts that a page may have
function hasWebGL() {
  try {
    webGL ??= Boolean(document.createElement('canvas').getContext('webgl2'));
  } catch {
    webGL = false;
  }
  return webGL;
}

export function replay(data, clock) {
  const { frames } = data;
  const options = element('div', { class: 'options' });
  if (!frames || !frames.t.length || !(frames.points.length + frames.links.length + frames.curves.length + frames.solids.length)) {
    return { empty: true, node: '', options: '', hint: 'Nothing in this model has a place in space; a [view] table says what to draw. Drag across a plot to move the time.', mount() {} };
  }
  withCentres(frames);
  const dimension = frames.planar ? `the ${frames.plane} plane` : 'space';
  const stage = element('div', { class: 'canvas3d', id: 'replay', role: 'img', 'aria-label': `Replay of the motion in ${dimension}` });
  const hint = `Space plays and pauses, the arrow keys step${frames.planar ? '' : ', dragging turns the picture'}; drag across a plot to move the time, with shift to zoom, double-click to see all.`;
  const touch = `${frames.planar ? '' : 'A sideways swipe over the picture turns it, '}${frames.planar ? 'The' : 'the'} buttons + and \u2212 zoom; drag sideways across a plot to move the time, and tap a mark below the slider to go to its event.`;
  // What it gives ends the replay.
  const mount = () => {
    if (!hasWebGL()) {
      stage.classList.add('without');
      stage.removeAttribute('role');
      stage.append(element('p', {}, 'The replay needs WebGL, which this browser does not offer. Everything else on this page works without it.'));
      return undefined;
    }
    const view = new Replay(frames, clock, stage);
    view.start();
    options.append(...choices(view).filter(Boolean));
    if (frames.solids.length || frames.joints.length || frames.arrows.some((arrow) => arrow.friction)) options.after(legend(frames));
    return () => view.stop();
  };
  return { empty: false, node: stage, options, hint, touch, mount };
}
