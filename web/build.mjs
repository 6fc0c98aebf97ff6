// Bundles src/ and page.html into one file without a reference to anything outside of it.
//     node build.mjs OUT [FOLDER]      FOLDER holds node_modules; this folder without it
// What is left open in the page are two marks that the program fills in: @TITLE@ and @DATA@.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const [out, folder = here] = process.argv.slice(2);
if (!out) {
  console.error('usage: node build.mjs OUT [FOLDER]');
  process.exit(2);
}
const modules = resolve(folder, 'node_modules');
const esbuild = createRequire(join(modules, 'x.js'))('esbuild');

async function bundle(entry) {
  const result = await esbuild.build({
    entryPoints: [join(here, 'src', entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: ['es2022'],
    charset: 'utf8',
    legalComments: 'none', // the licences stand at the top of the page
    nodePaths: [modules],
    // Every browser that has WebGL 2 reads woff2: the two older formats would triple the size.
    loader: { '.woff2': 'dataurl', '.woff': 'empty', '.ttf': 'empty' },
    logLevel: 'warning',
  });
  return result.outputFiles[0].text.trim();
}

function licences() {
  const text = (name) => readFileSync(join(modules, name, 'LICENSE'), 'utf8').trim();
  const parts = ['three', 'uplot', 'katex'].map((name) => `${name}\n\n${text(name)}`);
  return parts.join('\n\n').replaceAll('--', '- -');
}

const script = (await bundle('main.js')).replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
const style = (await bundle('style.css')).replaceAll('</style', '<\\/style');
const parts = {
  '@LICENCES@': licences(),
  '@STYLE@': style,
  '@SCRIPT@': script,
  // Only this very script may run, whatever a model's text contains.
  '@SCRIPT_HASH@': `sha256-${createHash('sha256').update(script).digest('base64')}`,
};
let page = readFileSync(join(here, 'page.html'), 'utf8');
for (const [mark, text] of Object.entries(parts)) {
  if (page.split(mark).length !== 2) throw new Error(`page.html must contain ${mark} once`);
  page = page.replace(mark, () => text);
}
for (const mark of ['@TITLE@', '@DATA@'])
  if (page.split(mark).length !== 2) throw new Error(`the page must contain ${mark} once`);
writeFileSync(out, page);
