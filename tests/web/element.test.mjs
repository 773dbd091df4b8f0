// `<stepscope-view>` in somebody else's page, under the strictest policy that lets it run.

import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import path from 'node:path';
import {after, before, test} from 'node:test';

import {launchForTest} from './lib/browser.mjs';
import {environment, generated, summary as summaryOf, written} from './lib/program.mjs';
import {serve} from './lib/server.mjs';
import {PATIENCE, until} from './lib/until.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {HTMLElement & {open: (what?: any) => Promise<any>, summary: () => Promise<any>, src: any, tab: any, theme: any}} View */

// The content security policy that README requires of a page.
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; connect-src 'self'; style-src 'self'";
const trace = generated('element/trace.json.gz', '--seed', '71');
const folder = path.dirname(trace);
const host = (/** @type {string} */ body) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}"><link rel="stylesheet" href="host.css"><script type="module" src="embedded/element.js"></script><script type="module" src="host.js"></script><h1>Host</h1><button>theirs</button>${body}`;
written('element/host.css', 'button { background: rgb(255, 0, 0); } h1 { font-size: 40px; } .card { display: none; }');
written(
  'element/host.js',
  `window.told = [];
for (const view of document.querySelectorAll('stepscope-view'))
  for (const type of ['loaded', 'selected', 'error']) view.addEventListener(type, ({detail}) => window.told.push({view: view.id, type, detail}));`,
);
written(
  'element/two.html',
  host(
    '<stepscope-view id="one" src="trace.json.gz" theme="light" lang="en"></stepscope-view><stepscope-view id="two" src="trace.json.gz" tab="timeline" theme="dark" lang="zh"></stepscope-view>',
  ),
);
written('element/empty.html', host('<stepscope-view id="one"></stepscope-view>'));
const sized = '<link rel="stylesheet" href="sized.css"><stepscope-view id="one" src="trace.json.gz" theme="light" lang="en"></stepscope-view>';
written('element/sized.css', 'stepscope-view { width: 900px; height: 700px; }');
written(
  'element/loud.css',
  `html { font-size: 25px; }
body { font: italic small-caps 30px/3 serif; letter-spacing: 4px; word-spacing: 20px; text-transform: uppercase; white-space: pre; text-indent: 40px;
  text-align: right; text-shadow: 2px 2px 2px red; color: red; direction: rtl; cursor: wait; user-select: none; border-collapse: collapse; list-style: square; }
:root { --accent: magenta; --line: magenta; --text: magenta; }
div, button, td { margin: 20px !important; padding: 10px !important; }`,
);
written('element/quiet.html', host(sized));
written('element/loud.html', host(`<link rel="stylesheet" href="loud.css">${sized}`));
written('element/broken.json', '{"traceEvents": [{"ph": "X" "name"');

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;
/** @type {Awaited<ReturnType<typeof launchForTest>>} */
let browser;
before(async () => {
  server = await serve({'/': folder, '/embedded/': environment('STEPSCOPE_EMBEDDED')});
  browser = await launchForTest();
});
after(async () => {
  await browser.close();
  server.close();
});

/** @param {string} name @returns {Promise<{page: Page, complaints: string[]}>} */
async function opened(name) {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  /** @type {string[]} */
  const complaints = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`${server.origin}/${name}`);
  return {page, complaints};
}

/** Waits for an event of an element, and returns its detail. @param {Page} page @param {string} type @param {string} view */
async function told(page, type, view) {
  const found = await page.waitForFunction(
    ([type, view]) => /** @type {any} */ (window).told?.find((/** @type {any} */ one) => one.type === type && one.view === view)?.detail,
    [type, view],
  );
  return /** @type {any} */ (found.jsonValue());
}

/** Waits for the workers of removed elements to end, which takes a moment. @param {Page} page */
const hasNoWorkers = (page) => until('workers end with their elements', () => page.workers().length === 0);

test('two on one page show a trace each in their own way, and leave the page alone', async () => {
  const {page, complaints} = await opened('two.html');
  assert.equal((await told(page, 'loaded', 'one')).ranks, 1);
  await told(page, 'loaded', 'two');
  const [one, two] = [page.locator('#one'), page.locator('#two')];
  await one.locator('[data-test="tab-overview"][aria-selected="true"]').waitFor();
  await two.locator('[data-test="tab-timeline"][aria-selected="true"]').waitFor();
  assert.equal(await one.locator('[data-test="tab-timeline"]').textContent(), 'Timeline');
  assert.equal(await two.locator('[data-test="tab-timeline"]').textContent(), '时间线');
  const ground = (/** @type {typeof one} */ view) => view.locator('.stage').evaluate((stage) => getComputedStyle(stage).backgroundColor);
  assert.notEqual(await ground(one), await ground(two));
  // Neither style sheet reaches the other side.
  assert.equal(await page.locator('body > button').evaluate((button) => getComputedStyle(button).backgroundColor), 'rgb(255, 0, 0)');
  assert.equal(await page.locator('body > h1').evaluate((heading) => getComputedStyle(heading).fontSize), '40px');
  assert.notEqual(await one.locator('[data-test="open"]').evaluate((button) => getComputedStyle(button).backgroundColor), 'rgb(255, 0, 0)');
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme ?? ''), '');
  assert.equal(await page.evaluate(() => location.hash + document.title), '');
  // Keys go to the one that has the focus.
  await one.locator('[data-test="tab-overview"]').focus();
  await page.keyboard.press('ArrowRight');
  await one.locator('[data-test="tab-steps"][aria-selected="true"]').waitFor();
  assert.equal(await two.locator('[data-test="tab-timeline"]').getAttribute('aria-selected'), 'true');
  assert.equal((await told(page, 'selected', 'one')).tab, 'steps');
  await one.evaluate((view) => view.setAttribute('tab', 'kernels'));
  await one.locator('[data-test="tab-kernels"][aria-selected="true"]').waitFor();
  await one.evaluate((view) => view.setAttribute('lang', 'zh'));
  await one.locator('[data-test="tab-timeline"]', {hasText: '时间线'}).waitFor();
  await one.evaluate((view) => view.setAttribute('theme', 'dark'));
  assert.equal(await ground(one), await ground(two));
  assert.deepEqual(complaints, [], 'the policy is enough');
  await page.close();
});

test('nothing that a page says of its own text comes in', async () => {
  const styles = [];
  for (const name of ['quiet.html', 'loud.html']) {
    const {page} = await opened(name);
    await told(page, 'loaded', 'one');
    await page.locator('#one [data-test="results"]').waitFor();
    const of = (/** @type {string} */ selector) =>
      page
        .locator('#one')
        .locator(selector)
        .first()
        .evaluate((element) => {
          const style = getComputedStyle(element);
          return Object.fromEntries([...style].map((property) => [property, style.getPropertyValue(property)]));
        });
    styles.push([await of('.stage'), await of('[data-test="tile-step"] .tile-value'), await of('[data-test="open"]'), await of('h2'), await of('.main p')]);
    await page.close();
  }
  assert.deepEqual(styles[1], styles[0]);
});

test('a page that hides it hides all of it', async () => {
  const {page} = await opened('quiet.html');
  const open = page.locator('#one [data-test="open"]');
  await open.waitFor();
  await page.locator('#one').evaluate((view) => (view.style.visibility = 'hidden'));
  assert.equal(await open.isVisible(), false);
  await page.close();
});

test("it opens bytes, and its summary is the program's", async () => {
  const {page, complaints} = await opened('empty.html');
  await page.locator('#one [data-test="drop-zone"]').waitFor();
  const summary = await page.evaluate(async () => {
    const view = /** @type {View} */ (document.querySelector('stepscope-view'));
    const bytes = await (await fetch('trace.json.gz')).arrayBuffer();
    // It waits for what is being opened.
    const opened = view.open({path: 'trace.json.gz', bytes});
    const summary = await view.summary();
    return {summary, opened: await opened};
  });
  assert.deepEqual(summary.summary, summaryOf(trace));
  assert.equal(summary.opened.ranks, 1);
  assert.deepEqual(summary.opened.inputs, summaryOf(trace).inputs);
  await page.evaluate(() => document.querySelector('stepscope-view')?.remove());
  await page.waitForFunction(() => !document.querySelector('stepscope-view'));
  await hasNoWorkers(page);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('it has what the page loads on demand built in: the graph of operators', async () => {
  const {page, complaints} = await opened('empty.html');
  await page.locator('#one [data-test="drop-zone"]').waitFor();
  await page.evaluate(async () => {
    const node = [
      {name: '1', opType: 'GetNext', scope: 'Default', fullName: 'Default/GetNext-op1'},
      {name: '2', opType: 'MatMul', scope: 'Default/net', fullName: 'Default/net/MatMul-op2', input: [{name: '1'}]},
    ];
    const config = {rankId: 0, stageId: 0, parallelType: 'auto_parallel', stageDevices: [{dim: [{size: '0'}]}]};
    const bytes = new TextEncoder().encode(JSON.stringify({config, graph: {node}})).buffer;
    await /** @type {View} */ (document.querySelector('stepscope-view')).open({path: 'parallel_strategy_0.json', bytes});
  });
  const choice = page.locator('#one [data-test="recorded"]');
  await choice.selectOption((await choice.locator('option', {hasText: 'Parallel strategy'}).getAttribute('value')) ?? '');
  const matrix = page.locator('#one [data-test="strategy-graph-operator"]', {hasText: 'MatMul-op2'});
  await matrix.click();
  // The focus stays where it was, in the element's own tree.
  assert.deepEqual(await matrix.evaluate((one) => [one.matches(':focus'), one.getAttribute('aria-pressed')]), [true, 'true']);
  assert.match(await page.locator('#one [data-test="strategy-graph-detail"]').innerText(), /Default\/GetNext-op1/);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('what cannot be opened is told, on the element and by an event', async () => {
  const {page} = await opened('empty.html');
  await page.locator('#one [data-test="drop-zone"]').waitFor();
  const open = (/** @type {string} */ what) =>
    page.evaluate(
      (what) =>
        /** @type {View} */ (document.querySelector('stepscope-view')).open(what).then(
          () => undefined,
          ({problem, message}) => ({problem, message}),
        ),
      what,
    );
  const broken = await open('broken.json');
  assert.match(broken?.message, /^broken\.json: /);
  assert.deepEqual(broken?.problem, await told(page, 'error', 'one'));
  assert.match((await told(page, 'error', 'one')).file, /broken\.json/);
  await page.locator('#one [role="alert"]', {hasText: 'broken.json'}).waitFor();
  const forget = () =>
    page.evaluate(() => {
      /** @type {any} */ (window).told.length = 0;
    });
  await forget();
  await open('missing.json');
  assert.match((await told(page, 'error', 'one')).message, /404/);
  await forget();
  // Neither the password nor the query of a URL is shown.
  for (const address of ['http://me:made-up-value@host/trace.json', `missing.json?key=made-up-value`]) {
    await open(address);
    assert.doesNotMatch(JSON.stringify(await told(page, 'error', 'one')), /made-up-value/, address);
    assert.doesNotMatch(await page.locator('#one').innerText(), /made-up-value/, address);
    await forget();
  }
  // The page restores the earlier trace without a new `loaded` event.
  assert.equal(await open('trace.json.gz'), undefined);
  await told(page, 'loaded', 'one');
  await forget();
  await open('broken.json');
  await told(page, 'error', 'one');
  await page.locator('#one [data-test="results"]').waitFor();
  assert.deepEqual(await page.evaluate(() => /** @type {any} */ (window).told.filter((/** @type {any} */ one) => one.type === 'loaded')), []);
  await page.close();
});

test('an element that is removed is forgotten, also while its trace is fetched', async () => {
  const {page, complaints} = await opened('empty.html');
  server.gate.close();
  await page.evaluate(async () => {
    document.querySelector('stepscope-view')?.remove();
    /** @type {WeakRef<View>[]} */
    const made = [];
    const add = (/** @type {string} */ src) => {
      const view = /** @type {View} */ (document.createElement('stepscope-view'));
      document.body.append(view);
      view.setAttribute('src', src);
      made.push(new WeakRef(view));
      return view;
    };
    for (let turn = 0; turn < 2; turn++) {
      const view = add('trace.json.gz');
      await new Promise((resolve) => view.addEventListener('loaded', resolve, {once: true}));
      view.remove();
    }
    // One is removed while it starts, one while it waits for its trace.
    add('trace.json.gz').remove();
    add('/gate').id = 'waits';
    Object.assign(window, {made});
  });
  await until('its trace is fetched', () => server.gate.held === 1);
  await page.evaluate(() => document.querySelector('#waits')?.remove());
  await until('the request ends with its element', () => server.gate.held === 0);
  await until('nothing holds an element', () =>
    page.evaluate(() => {
      /** @type {any} */ (window).gc();
      return /** @type {any} */ (window).made.every((/** @type {WeakRef<View>} */ one) => !one.deref());
    }),
  );
  server.gate.open();
  await hasNoWorkers(page);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('a load that another one replaces, or whose element goes, is aborted; what is no trace is refused', async () => {
  const {page, complaints} = await opened('empty.html');
  await page.locator('#one [data-test="drop-zone"]').waitFor();
  const names = await page.evaluate(async () => {
    const view = /** @type {View} */ (document.querySelector('stepscope-view'));
    const failed = (/** @type {Promise<any>} */ opening) =>
      opening.then(
        () => 'read',
        ({name, message}) => (name === 'AbortError' ? name : `${name}: ${message}`),
      );
    const first = failed(view.open('trace.json.gz'));
    const refused = [await failed(view.open()), await failed(view.open([])), await failed(view.open([{}]))];
    const second = failed(view.open('trace.json.gz'));
    const both = [await first, await second];
    const third = failed(view.open('trace.json.gz'));
    const summary = failed(view.summary());
    view.remove();
    return {refused, both, removed: [await third, await summary]};
  });
  assert.match(names.refused[0], /^TypeError: .* not undefined$/);
  assert.match(names.refused[1], /^TypeError: .*empty$/);
  assert.match(names.refused[2], /^TypeError: .* not object$/);
  assert.deepEqual(names.both, ['AbortError', 'read']);
  assert.deepEqual(names.removed, ['AbortError', 'AbortError']);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('its attributes are properties, also those set before it was defined', async () => {
  const {page} = await opened('empty.html');
  await page.evaluate(() => document.querySelector('stepscope-view')?.remove());
  const said = await page.evaluate(() => {
    const view = /** @type {View} */ (document.createElement('stepscope-view'));
    const before = [view.src, view.tab, view.theme];
    // As a framework leaves it that renders before the module is there.
    Object.defineProperty(view, 'tab', {value: 'kernels', writable: true, configurable: true, enumerable: true});
    view.id = 'made';
    document.querySelector('h1')?.before(view);
    Object.assign(view, {src: 'trace.json.gz', theme: 'dark', lang: 'zh'});
    return {before, attributes: Object.fromEntries([...view.attributes].map(({name, value}) => [name, value]))};
  });
  assert.deepEqual(said, {before: ['', '', ''], attributes: {id: 'made', tab: 'kernels', src: 'trace.json.gz', theme: 'dark', lang: 'zh'}});
  await page.locator('#made [data-test="tab-kernels"][aria-selected="true"]').waitFor();
  await page.evaluate(() => void Object.assign(/** @type {View} */ (document.querySelector('#made')), {tab: 'steps', theme: null}));
  await page.locator('#made [data-test="tab-steps"][aria-selected="true"]').waitFor();
  assert.equal(await page.locator('#made').getAttribute('theme'), null);
  await page.close();
});

test('importing it where there are no elements does nothing', () => {
  const module = path.join(environment('STEPSCOPE_EMBEDDED'), 'element.js');
  const code = 'import(process.argv[1]).then(({StepscopeView}) => console.log(typeof StepscopeView))';
  assert.equal(execFileSync(process.execPath, ['-e', code, module], {encoding: 'utf8'}).trim(), 'function');
});

/** A page with two elements and a changed policy. @param {(policy: string) => string} change */
async function under(change) {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  const view = (/** @type {string} */ id) => `<stepscope-view id="${id}" src="trace.json.gz" lang="en"></stepscope-view>`;
  await page.route('**/other.html', (route) =>
    route.fulfill({contentType: 'text/html', body: host(view('one') + view('two')).replace(POLICY, change(POLICY))}),
  );
  await page.goto(`${server.origin}/other.html`);
  return page;
}

const DEMANDED = "; require-trusted-types-for 'script'; trusted-types";

test('a page may demand Trusted Types, if it allows the policy that is documented', async () => {
  const page = await under((policy) => `${policy}${DEMANDED} stepscope-view`);
  for (const view of ['one', 'two']) assert.equal((await told(page, 'loaded', view)).ranks, 1);
  await page.close();
});

test('an element that cannot start says so by an event, and which policy forbids it', async () => {
  /** @type {[RegExp, (policy: string) => string][]} */
  const forbidden = [
    [/./, (policy) => policy.replace(" 'wasm-unsafe-eval'", '')],
    [/worker-src blob:/, (policy) => policy.replace('worker-src blob:', "worker-src 'none'")],
    [/trusted-types stepscope-view/, (policy) => `${policy}${DEMANDED} 'none'`],
  ];
  for (const [message, change] of forbidden) {
    const page = await under(change);
    const problem = await told(page, 'error', 'one');
    assert.equal(problem.code, 'start');
    assert.match(problem.message, message);
    assert.equal(await page.locator('#one [role="alert"]').innerText(), `Stepscope\n\n${problem.message}`);
    await page.close();
  }
});
