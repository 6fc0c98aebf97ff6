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

  // A name stands at the first place beside its thing where no other stands; where there is none, it is left out.
  update() {
    const { stage, camera } = this.scene;
    const point = new Vector3();
    const taken = this.scene.namesTaken ??= new Map();
    taken.set(this, []);
    const others = [...taken].filter(([labels]) => labels !== this && !labels.layer.hidden).flatMap(([, boxes]) => boxes);
    this.things.forEach(({ text, place, away = [10, -22] }, i) => {
      point.set(place[0], place[1], place[2]).project(camera);
      const x = (0.5 + 0.5 * point.x) * stage.clientWidth;
      const y = (0.5 - 0.5 * point.y) * stage.clientHeight;
      const [width, height] = [7 * text.length + 4, 16];
      const beside = [[away[0], away[1]], [-away[0] - width, away[1]], [away[0], -away[1] - height], [-away[0] - width, -away[1] - height]]
        .map(([dx, dy]) => [x + dx, y + dy]);
      const free = beside.find(([left, top]) => left >= 0 && left + width <= stage.clientWidth && top >= 0 && top + height <= stage.clientHeight
        && ![...others, ...taken.get(this)].some((box) => left < box[0] + box[2] && box[0] < left + width && top < box[1] + box[3] && box[1] < top + height));
      this.labels[i].hidden = !free;
      if (!free) return;
      taken.get(this).push([...free, width, height]);
      this.labels[i].style.transform = `translate(${free[0]}px, ${free[1]}px)`;
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
