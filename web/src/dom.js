// Elements by one call. Text always goes in as text: nothing of a model is ever read as HTML.

export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return node;
}

export function section(id, title, ...children) {
  return element('section', { id, 'aria-labelledby': `${id}-title` },
    element('h2', { id: `${id}-title` }, ...[title].flat()), ...children);
}

// A box that scrolls sideways on its own can be reached and moved by the keyboard.
export function scroller(label, ...children) {
  return element('div', { class: 'scroller', tabindex: 0, role: 'group', 'aria-label': label }, ...children);
}
