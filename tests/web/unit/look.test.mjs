// The look of the page: texts have enough contrast in each theme, sizes and spaces are those of the scales, the face is small and licensed.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

const www = path.join(import.meta.dirname, '../../../www');
const sheets = fs.readdirSync(path.join(www, 'css'));
/** @param {string} name */
const sheet = (name) => fs.readFileSync(path.join(www, 'css', name), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');

/** The colors defined by rules, by name. @param {string} rules @returns {Record<string, string>} */
const colors = (rules) => Object.fromEntries([...rules.matchAll(/--([\w-]+): (#[\da-f]{6});/g)].map(([, name, value]) => [name, value]));

/** The colors of each theme. A theme with more contrast inherits those that it does not redefine. */
function themes() {
  const [plain, more] = sheet('base.css').split('@media (prefers-contrast: more)');
  const ofDark = (/** @type {string} */ rules) => rules.slice(rules.indexOf("[data-theme='dark']"));
  const ofLight = (/** @type {string} */ rules) => rules.slice(0, rules.indexOf("[data-theme='dark']"));
  const [light, dark] = [colors(ofLight(plain)), {...colors(ofLight(plain)), ...colors(ofDark(plain))}];
  const contrast = more.slice(0, more.indexOf('\n}\n'));
  return {light, dark, 'light, more': {...light, ...colors(ofLight(contrast))}, 'dark, more': {...dark, ...colors(ofDark(contrast))}};
}

/** Relative luminance of a color, as defined by WCAG. @param {string} color */
function luminance(color) {
  const [red, green, blue] = [1, 3, 5]
    .map((at) => parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** @param {string} one @param {string} other */
function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

test('texts can be read on every ground, and better where more contrast is asked for', () => {
  const found = themes();
  for (const [theme, of] of Object.entries(found)) {
    const least = theme.endsWith('more') ? 7 : 4.5;
    for (const text of ['text', 'muted', 'accent', 'good', 'warning', 'loss', 'info']) {
      for (const ground of ['ground', 'surface', 'raised', 'hover']) {
        const is = contrast(of[text], of[ground]);
        assert.ok(is >= least, `${theme}: ${text} on ${ground} has ${is.toFixed(2)}`);
      }
    }
    for (const ground of ['selected', 'share']) assert.ok(contrast(of.text, of[ground]) >= least, `${theme}: text on ${ground}`);
    assert.ok(contrast(of['accent-text'], of.accent) >= least, `${theme}: on buttons`);
    // Controls and text fields have a visible edge.
    assert.ok(contrast(of['control-line'], of.surface) >= 3, `${theme}: edges of controls`);
  }
  assert.ok(contrast(found['light, more'].line, found['light, more'].surface) >= 4.5);
});

test('what is seen by its colour alone has an edge where more contrast is asked for', () => {
  const found = themes();
  for (const theme of /** @type {const} */ (['light, more', 'dark, more']))
    for (const ground of ['ground', 'surface', 'raised', 'hover'])
      assert.ok(contrast(found[theme].edge, found[theme][ground]) >= 3, `${theme}: edges on ${ground}`);
  // Others see the colors as they are.
  assert.deepEqual([found.light.edge, found.dark.edge], [undefined, undefined]);
  assert.match(sheet('base.css'), /--edge: transparent;/);
  // Colors that carry information stay when the system forces colors: these are the ones. Cells of a map have numbers.
  const colored = sheets.flatMap((name) =>
    [...sheet(name).matchAll(/([^{};]+)\{([^{}]*forced-color-adjust: none;[^{}]*)\}/g)].map(([, selector, rules]) => ({selector: selector.trim(), rules})),
  );
  const bare = colored.filter(({rules}) => !rules.includes('box-shadow: inset 0 0 0 1px var(--edge);')).map(({selector}) => selector);
  assert.deepEqual(bare, ['.heat-cell']);
  for (const selector of ['.swatch', '.budget-segment', '.budget-swatch', '.part-bars-piece', '.step-piece'])
    assert.ok(
      colored.some((one) => one.selector === selector),
      selector,
    );
});

test('sizes of texts are those of the scale', () => {
  const other = sheets.flatMap((name) =>
    [...sheet(name).matchAll(/font-size: ([^;]+);/g)].flatMap(([, size]) =>
      /^(var\(--size-[1-6]\)|inherit|0|[\d.]+em)$/.test(size) ? [] : `${name}: ${size}`,
    ),
  );
  assert.deepEqual(other, []);
  const sizes = [...sheet('base.css').matchAll(/--size-\d: ([\d.]+)rem/g)].map(([, size]) => Math.round(Number(size) * 14));
  assert.deepEqual(sizes, [11, 12, 14, 16, 20, 24]);
});

/** Spaces that are no steps of the scale. @type {Record<string, string>} by style sheet, selector and declaration: the reason */
const OTHER_SPACES = {
  'compare.css .compare-start margin: 4vh auto 0': 'a place within the window',
  'layout.css .empty, .loading margin: 6vh auto': 'a place within the window',
  'layout.css .fatal margin: 15vh auto': 'a place within the window',
  'layout.css .palette margin-top: 10vh': 'a place within the window',
  'compare.css .aligned-heads padding-top: 22px': "the height of the canvas's overview strip",
};

/** A length on the grid: a multiple of the scale's step, zero, or a hairline. */
const STEP = String.raw`var\(--space-\d+\)`;
const ON_GRID = new RegExp(String.raw`^(?:0|auto|inherit|-?[12]px|${STEP}|var\(--group-indent\)|calc\((?:-1|var\(--depth, 0\)) \* ${STEP}\))$`);

/** The lengths of a value; a text in brackets is one. @param {string} value */
const lengths = (value) => value.match(/(?:[^\s()]|\((?:[^()]|\([^()]*\))*\))+/g) ?? [];

/** Paddings, margins and gaps of a style sheet, with their selectors. @param {string} name */
const spaces = (name) =>
  [...sheet(name).matchAll(/([^{};]+)\{([^{}]*)\}/g)].flatMap(([, selector, rules]) =>
    [...rules.matchAll(/(?<![\w-])((?:(?:padding|margin)(?:-[a-z-]+)?|(?:(?:row|column)-)?gap)): ([^;]+);/g)].map(([, property, value]) => ({
      of: `${name} ${selector.trim().replace(/\s+/g, ' ')} ${property}: ${value}`,
      value,
    })),
  );

test('paddings, margins and gaps stand on a grid of 4 px', () => {
  const found = sheets.flatMap(spaces);
  assert.ok(found.length > 300, `${found.length} spaces`);
  const off = found.filter(({value}) => !lengths(value).every((length) => ON_GRID.test(length))).map(({of}) => of);
  assert.deepEqual(off.sort(), Object.keys(OTHER_SPACES).sort());
  const steps = Object.fromEntries([...sheet('base.css').matchAll(/--space-(\d+): (\d+)px;/g)].map(([, step, pixels]) => [step, Number(pixels)]));
  for (const [step, pixels] of Object.entries(steps)) assert.equal(pixels, 4 * Number(step), `--space-${step}`);
  for (const [, step] of sheets
    .map(sheet)
    .join('')
    .matchAll(/var\(--space-(\d+)\)/g))
    assert.ok(step in steps, `--space-${step} is no step of the scale`);
  assert.match(sheet('tables.css'), new RegExp(`--group-indent: ${STEP};`));
});

test('the report stands on the same grid', () => {
  const report = fs.readFileSync(path.join(www, '../crate/report/src/report.css'), 'utf8');
  const said = [...report.matchAll(/(?:(?:padding|margin)(?:-[a-z-]+)?|(?:(?:row|column)-)?gap): ([^;}]+)/g)].flatMap(([, value]) => value.split(' '));
  assert.ok(said.length > 60, `${said.length} spaces`);
  // Its rem is the browser's own: 16 px.
  const isOn = (/** @type {string} */ length) => /^(0|auto|-?[12]px)$/.test(length) || (length.endsWith('rem') && (Number.parseFloat(length) * 16) % 4 === 0);
  assert.deepEqual([...new Set(said.filter((length) => !isOn(length)))], []);
});

test('the face is small, has its license, and belongs to the page of its own', () => {
  const fonts = path.join(www, 'fonts');
  const face = fs.readFileSync(path.join(fonts, 'inter.woff2'));
  assert.equal(face.subarray(0, 4).toString(), 'wOF2');
  assert.ok(face.length <= 40_000, `${face.length} bytes`);
  assert.match(fs.readFileSync(path.join(fonts, 'LICENSE'), 'utf8'), /SIL Open Font License, Version 1\.1/);
  for (const name of sheets) assert.doesNotMatch(sheet(name), /@font-face|url\(/, `${name} is in elements and reports, too`);
});
