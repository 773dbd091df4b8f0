// The user's choices: language, theme and step, by pointer and by keys.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {generated, stepscope, summary} from './lib/program.mjs';
import {csvRecords} from './lib/shown.mjs';
import {site} from './lib/site.mjs';

const here = site();
const trace = generated('choices/trace.json.gz', '--seed', '71', '--steps', '6');

/** Texts that are the same in every language: names, times, sizes. */
const SAME =
  /^(Stepscope|English|Ctrl K|CSV|Rank|Kernel|PyTorch|HolisticTraceAnalysis|TraceLens|Paddle|MindSpore|(from|import|nsys) .*|.*\.json\.gz|-?[\d.]+ [KMG]iB|[\d.]+ [kMGTP]?FLOP(\/s)?( \*)?|[\d.: -]+ UTC|bf16=989, hbm=3350|1 × NVIDIA.*)$/s;

/** The short names of the trace's kernels, as the program writes them. */
function kernelNames() {
  process.env.COLUMNS = '4000';
  const lines = stepscope('summary', '--by', 'kernels', '--top', '0', trace).toString().split('\n');
  return new Set(lines.flatMap((line) => line.trim().split(/ {2,}/)).filter((cell) => /[<(]/.test(cell)));
}

/** Every text that the page shows or announces, by its position. @param {import('./lib/site.mjs').Visit} visit @returns {Promise<string[]>} */
async function texts(visit) {
  return visit.page.evaluate(() => {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) found.push(node.textContent ?? '');
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]')) {
      for (const name of ['aria-label', 'title', 'placeholder']) if (element.getAttribute(name)) found.push(element.getAttribute(name) ?? '');
    }
    return found;
  });
}

/** Chinese characters. */
const CHINESE = /[\u4e00-\u9fff]/;

test('the language switches every text at once, and is remembered', async () => {
  const visit = await here.visit();
  const check = async (/** @type {string} */ where) => {
    await visit.set('language', 'en');
    await visit.page.locator('html[lang="en"]').waitFor();
    const english = await texts(visit);
    assert.deepEqual(
      english.filter((text) => CHINESE.test(text) && text !== '中文'),
      [],
      `${where}: Chinese in the English page`,
    );
    await visit.toSetting('language');
    await visit.part('language').focus();
    await visit.part('language').selectOption('zh');
    await visit.page.locator('html[lang="zh-Hans"]').waitFor();
    assert.ok(await visit.part('language').evaluate((one) => one === document.activeElement), 'the choice keeps the focus');
    const chinese = new Set(await texts(visit));
    const ours = english.filter((text) => !SAME.test(text) && /[a-z]{3}/i.test(text));
    // Names from the trace stay as they are; our own words do not.
    const names = JSON.stringify(summary(trace));
    const kernels = kernelNames();
    const left = ours.filter((text) => chinese.has(text) && !kernels.has(text) && !names.includes(JSON.stringify(text).slice(1, -1)));
    assert.deepEqual(left, [], `${where}: English in the Chinese page`);
  };
  await check('empty');
  await visit.set('language', 'en');
  await visit.open(trace);
  for (const tab of ['overview', 'steps', 'idle', 'operators', 'kernels', 'copies', 'memory']) {
    await visit.tab(tab);
    await check(tab);
  }
  await visit.page.reload();
  await visit.page.locator('html[lang="zh-Hans"]').waitFor();
  assert.equal(await visit.part('language').inputValue(), 'zh');
  await visit.close();
});

test("the theme switches page and charts, and is remembered; the system's is followed", async () => {
  const visit = await here.visit({colorScheme: 'light'});
  await visit.open(trace);
  const ground = () => visit.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  /** The colours of a column of pixels in the middle of the first bar. */
  const chart = () =>
    visit.page
      .locator('.chart-canvas')
      .first()
      .evaluate((canvas) => {
        const {width, height} = /** @type {HTMLCanvasElement} */ (canvas);
        return [
          .../** @type {CanvasRenderingContext2D} */ (/** @type {HTMLCanvasElement} */ (canvas).getContext('2d')).getImageData(
            Math.round(width * 0.3),
            0,
            1,
            height,
          ).data,
        ].join();
      });
  await visit.tab('kernels');
  await visit.part('search').fill('gemm');
  await visit.tab('overview');
  const [lightGround, lightChart] = [await ground(), await chart()];
  await visit.set('theme', 'dark');
  assert.notEqual(await ground(), lightGround);
  assert.notEqual(await chart(), lightChart);
  await visit.tab('kernels');
  assert.equal(await visit.part('search').inputValue(), 'gemm', 'what was typed is still there');
  await visit.page.reload();
  assert.equal(await visit.part('theme').inputValue(), 'dark');
  assert.notEqual(await ground(), lightGround);
  await visit.set('theme', 'system');
  assert.equal(await ground(), lightGround);
  await visit.page.emulateMedia({colorScheme: 'dark'});
  await visit.page.waitForFunction((before) => getComputedStyle(document.body).backgroundColor !== before, lightGround);
  await visit.close();
});

test('charts are as sharp as the screen', async () => {
  for (const deviceScaleFactor of [1, 2]) {
    const visit = await here.visit({deviceScaleFactor});
    await visit.open(trace);
    const ratio = await visit.page
      .locator('.chart-canvas')
      .first()
      .evaluate((canvas) => /** @type {HTMLCanvasElement} */ (canvas).width / canvas.clientWidth);
    assert.ok(Math.abs(ratio - deviceScaleFactor) < 0.01, String(ratio));
    await visit.close();
  }
});

test('a click on a bar shows that step, another one all steps again', async () => {
  const [{steps}] = summary(trace).ranks;
  const visit = await here.visit();
  await visit.open(trace);
  const canvas = visit.page.locator('.chart-canvas').first();
  const box = await canvas.boundingBox();
  assert.ok(box);
  // The bars share what is right of the axis' labels.
  const at = (/** @type {number} */ index) => ({x: 64 + ((box.width - 72) * (index + 0.5)) / steps.length, y: box.height - 40});
  await canvas.hover({position: at(2)});
  assert.match(
    await visit.page.locator('.tip').first().innerText(),
    new RegExp(`Step ${steps[2].name}\nCompute kernels: .* · .* %\nof .* in total\nClick to show only this step`),
  );
  await canvas.click({position: at(2)});
  await visit.page.locator(`.tiles[aria-label="Step ${steps[2].name}"]`).waitFor();
  assert.equal(await visit.part('step').inputValue(), '2');
  await canvas.click({position: at(2)});
  await visit.page.locator('.tiles[aria-label^="All steps"]').waitFor();
  assert.equal(await visit.part('step').inputValue(), '');
  await visit.close();
});

test('steps are chosen by keys, from anywhere and in the list, which keeps the focus', async () => {
  const [{steps}] = summary(trace).ranks;
  const visit = await here.visit();
  await visit.open(trace);
  const shown = (/** @type {string} */ label) => visit.page.locator(`.tiles[aria-label^="${label}"]`).waitFor();
  await visit.page.keyboard.press('ArrowRight');
  await shown(`Step ${steps[0].name}`);
  await visit.page.keyboard.press('ArrowRight');
  await shown(`Step ${steps[1].name}`);
  await visit.page.keyboard.press('ArrowLeft');
  await shown(`Step ${steps[0].name}`);
  await visit.page.keyboard.press('Escape');
  await shown('All steps');
  await visit.page.keyboard.press('ArrowLeft');
  await shown(`Step ${steps.at(-1).name}`);
  await visit.part('step').focus();
  await visit.page.keyboard.press('Home');
  await shown('All steps');
  await visit.page.keyboard.press('ArrowDown');
  await shown(`Step ${steps[0].name}`);
  await visit.page.keyboard.press('ArrowDown');
  await shown(`Step ${steps[1].name}`);
  assert.ok(await visit.part('step').evaluate((one) => one === document.activeElement));
  await visit.toSetting('definition');
  await visit.part('definition').focus();
  await visit.page.keyboard.press('ArrowDown');
  await visit.part('definition-values').waitFor();
  assert.ok(await visit.part('definition').evaluate((one) => one === document.activeElement));
  await visit.close();
});

test('the address keeps the view, for a link and for a reload', async () => {
  const [{steps}] = summary(trace).ranks;
  const visit = await here.visit({query: '?trace=demo#tab=kernels&step=2'});
  await visit.results();
  assert.equal(await visit.page.locator('.tab[aria-selected="true"]').innerText(), 'Kernels');
  assert.equal(await visit.part('step').inputValue(), '2');
  await visit.tab('overview');
  await visit.part('step').selectOption('3');
  assert.equal(new URL(visit.page.url()).hash, '#tab=overview&step=3');
  await visit.page.reload();
  await visit.results();
  assert.equal(await visit.part('step').inputValue(), '3');
  await visit.page.evaluate(() => void (location.hash = '#tab=steps'));
  await visit.part('table-steps').waitFor();
  assert.equal(await visit.part('step').inputValue(), '');
  await visit.part('step').selectOption('1');
  await visit.open(trace);
  await visit.part('table-steps').waitFor();
  assert.equal(await visit.part('step').inputValue(), '', 'another trace starts with all of its steps');
  for (const hash of ['#tab=nothing&step=999&rank=7', '#step=-1', '#main', '#%', `#step=${steps.length}`]) {
    const odd = await here.visit({query: `?trace=demo${hash}`});
    await odd.results();
    assert.equal(await odd.page.locator('.tab[aria-selected="true"]').innerText(), 'Overview', hash);
    assert.deepEqual(odd.complaints, [], hash);
    await odd.close();
  }
  await visit.close();
});

test("a step's tables hold what was launched in it, and nothing else", async () => {
  const [{steps}] = summary(trace).ranks;
  const visit = await here.visit();
  await visit.open(trace);
  for (const index of [1, 4]) {
    await visit.tab('overview');
    await visit.part('step').selectOption(String(index));
    await visit.page.locator(`.tiles[aria-label="Step ${steps[index].name}"]`).waitFor();
    let calls = 0;
    for (const tab of ['kernels', 'copies']) {
      await visit.tab(tab);
      const {bytes} = await visit.saved(() => visit.part('save-csv').first().click());
      for (const row of csvRecords(bytes)) calls += Number(row.calls);
    }
    assert.equal(calls, steps[index].activities);
  }
  await visit.close();
});

test('of more steps than fit, neighbours are drawn as one, and their tooltip says so', async () => {
  const many = generated('choices/many.json.gz', '--seed', '72', '--steps', '1500', '--groups', '1');
  const visit = await here.visit({viewport: {width: 400, height: 800}});
  await visit.open(many);
  await visit.page
    .locator('.chart-canvas')
    .first()
    .hover({position: {x: 200, y: 200}});
  assert.match(await visit.page.locator('.tip').first().innerText(), /Step \d+ – \d+\n.*\(mean\)/);
  const {chart, screen} = await visit.page.evaluate(() => ({chart: document.querySelector('.tip')?.getBoundingClientRect().right ?? 0, screen: innerWidth}));
  assert.ok(chart <= screen, 'the tooltip is on the screen');
  await visit.close();
});
