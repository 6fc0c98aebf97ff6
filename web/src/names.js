// Names beside the points, as text over the picture.
import { Vector3 } from 'three';
import { element } from './dom.js';
import { placesAt } from './frames.js';

// Texts at places: [{text, place}].
export class Labels {
  constructor(scene, things) {
    this.scene = scene;
    this.things = things;
    this.labels = things.map(({ text }) => element('span', { class: 'name' }, text));
    this.layer = element('div', { class: 'names', 'aria-hidden': 'true' }, this.labels);
    scene.stage.append(this.layer);
  }

  update() {
    const { stage, camera } = this.scene;
    const point = new Vector3();
    this.things.forEach(({ place, away = [10, -22] }, i) => {
      point.set(place[0], place[1], place[2]).project(camera);
      const x = (0.5 + 0.5 * point.x) * stage.clientWidth;
      const y = (0.5 - 0.5 * point.y) * stage.clientHeight;
      const left = x > stage.clientWidth - 80; // no name is cut at the edge
      this.labels[i].style.transform = `translate(${left ? x - away[0] : x + away[0]}px, ${y + away[1]}px) translateX(${left ? '-100%' : '0'})`;
    });
  }
}

export class Names extends Labels {
  constructor(scene, tracks) {
    super(scene, tracks.map((track) => ({ text: track.name, place: [0, 0, 0] })));
    this.tracks = tracks;
    this.show(tracks.length <= 6);
  }

  show(on) {
    this.on = on;
    this.layer.hidden = !on;
  }

  update(at) {
    if (!this.on) return;
    this.tracks.forEach((track, i) => placesAt(track, at, this.scene.count, this.things[i].place));
    super.update();
  }
}
