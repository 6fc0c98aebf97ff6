// Names beside the points, as text over the picture.
import { Vector3 } from 'three';
import { element } from './dom.js';
import { placesAt } from './frames.js';

export class Names {
  constructor(scene, tracks) {
    this.scene = scene;
    this.tracks = tracks;
    this.on = tracks.length > 1 && tracks.length <= 6;
    this.labels = tracks.map((track) => element('span', { class: 'name' }, track.name));
    this.layer = element('div', { class: 'names', 'aria-hidden': 'true' }, this.labels);
    this.layer.hidden = !this.on;
    scene.stage.append(this.layer);
  }

  show(on) {
    this.on = on;
    this.layer.hidden = !on;
  }

  update(at) {
    if (!this.on) return;
    const { stage, camera, count } = this.scene;
    const place = [];
    const point = new Vector3();
    this.tracks.forEach((track, i) => {
      placesAt(track, at, count, place);
      point.set(place[0], place[1], place[2]).project(camera);
      const x = (0.5 + 0.5 * point.x) * stage.clientWidth;
      const y = (0.5 - 0.5 * point.y) * stage.clientHeight;
      const left = x > stage.clientWidth - 80; // no name is cut at the edge
      this.labels[i].style.transform = `translate(${left ? x - 10 : x + 10}px, ${y - 22}px) translateX(${left ? '-100%' : '0'})`;
    });
  }
}
