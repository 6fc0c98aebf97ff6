// Taking things out of the page: text to the clipboard, pictures to a file.
import { element } from './dom.js';
import { colour } from './theme.js';

// The clipboard of a page from disk is not everywhere to be had: then by the selection, as of old.
async function toClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = element('textarea', { style: 'position:fixed;opacity:0' });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
}

// A button that copies what `make` gives, and says so.
export function copyButton(label, name, make) {
  const button = element('button', {
    class: 'tool', type: 'button', 'aria-label': name,
    onclick: async () => {
      await toClipboard(make());
      button.textContent = 'copied';
      setTimeout(() => { button.textContent = label; }, 1500);
    },
  }, label);
  return button;
}

// A table with tabs between its columns: what spreadsheets and scripts read.
export function tabbed(head, columns) {
  const rows = columns[0].map((_, i) => columns.map((column) => column[i] ?? '').join('\t'));
  return [head.join('\t'), ...rows].join('\n');
}

// The canvas of a plot with its title and the names of its lines, on paper, as a PNG file.
export function savePicture(canvas, title, lines, file) {
  const scale = window.devicePixelRatio || 1;
  const [top, row] = [30 * scale, 20 * scale];
  const picture = element('canvas', { width: canvas.width, height: canvas.height + top + row * lines.length + 8 * scale });
  const pen = picture.getContext('2d');
  pen.fillStyle = colour('paper');
  pen.fillRect(0, 0, picture.width, picture.height);
  pen.drawImage(canvas, 0, top);
  pen.fillStyle = colour('ink');
  pen.font = `600 ${14 * scale}px system-ui, sans-serif`;
  pen.fillText(title, 10 * scale, 20 * scale);
  pen.font = `${12 * scale}px system-ui, sans-serif`;
  lines.forEach(({ name, stroke, dash }, i) => {
    const y = top + canvas.height + row * i + 12 * scale;
    pen.strokeStyle = stroke;
    pen.lineWidth = 2 * scale;
    pen.setLineDash(dash.map((d) => d * scale));
    pen.beginPath();
    pen.moveTo(10 * scale, y - 4 * scale);
    pen.lineTo(38 * scale, y - 4 * scale);
    pen.stroke();
    pen.fillText(name, 46 * scale, y);
  });
  picture.toBlob((blob) => {
    const link = element('a', { href: URL.createObjectURL(blob), download: file });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  });
}
