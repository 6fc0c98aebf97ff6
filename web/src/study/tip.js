// A small box beside the pointer.
import { element } from '../dom.js';

export class Tip {
  constructor(stage) {
    this.stage = stage;
    this.node = element('div', { class: 'tip', role: 'status', hidden: true });
    stage.append(this.node);
  }

  // `lines`: [title, [name, value], ..]
  show(x, y, [title, ...lines]) {
    this.node.replaceChildren(element('b', {}, title), ...lines.filter(Boolean).map(([name, value]) => element('div', {}, element('span', {}, name), element('span', {}, value))));
    this.node.hidden = false;
    const { offsetWidth: width, offsetHeight: height } = this.node;
    const left = x + 14 + width <= this.stage.clientWidth ? x + 14 : Math.max(0, x - 14 - width);
    const top = Math.min(Math.max(0, y - height / 2), Math.max(0, this.stage.clientHeight - height));
    this.node.style.transform = `translate(${left}px, ${top}px)`;
  }

  hide() {
    this.node.hidden = true;
  }
}
