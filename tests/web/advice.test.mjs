// Advice: the page shows the program's advice; thresholds, rules, evidence.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {generated, summary, written} from './lib/program.mjs';
import {assertShows} from './lib/shown.mjs';
import {site} from './lib/site.mjs';

const here = site();
const trace = generated('advice/trace.json.gz', '--demo');

/** The program's judgements. @param {...string} args @returns {any[]} */
function judged(...args) {
  return summary('--by', 'advice', ...args).advice;
}

/** The rules whose cards are shown, in their order. @param {import('./lib/site.mjs').Visit} visit */
async function cards(visit) {
  const names = await visit.page.locator('[data-test="advice"] li.card').evaluateAll((all) => all.map((one) => one.getAttribute('data-test') ?? ''));
  return names.map((name) => name.replace('advice-', ''));
}

/** @param {import('./lib/site.mjs').Visit} visit */
async function settled(visit) {
  await visit.page.waitForSelector('[data-test="report-advice"]:not([aria-busy])');
  await visit.page.waitForSelector('[data-test="report-advice"] .card');
}

/** The English message of a key. @param {string} key @returns {string} */
function message(key) {
  const file = path.join(import.meta.dirname, '../../www/i18n/en.json');
  return JSON.parse(fs.readFileSync(file, 'utf8'))[key];
}

test('every card is a rule of the program that holds, with its numbers', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('advice');
  await settled(visit);
  const rules = judged(trace);
  const holding = rules.filter(({verdict}) => verdict === 'holds');
  assert.ok(holding.length >= 2, 'the demo has something to tell');
  assert.deepEqual(
    await cards(visit),
    holding.map(({rule}) => rule),
  );
  for (const {rule, wording, value, unit, saves, evidence, text} of holding) {
    const card = visit.part(`advice-${rule}`);
    if (unit !== 'count') assertShows((await card.locator(`[data-test="value-${rule}"]`).textContent()) ?? '', value, rule);
    const whole = message(`advice.${wording ?? rule}.whole`) ?? message(`advice.${rule}.whole`);
    if (unit === 'share') {
      const shown = (await card.locator('.advice-value > span').first().textContent()) ?? '';
      const end = whole.split('{share}')[1].replace('{window}', message('advice.window.steps'));
      assert.ok(end.length > 3 && shown.endsWith(end), `${rule}: ${shown}`);
    }
    const said = (await card.locator('.advice-gain').textContent()) ?? '';
    assert.equal(said, saves, rule);
    assert.equal(await card.locator('.advice-text').textContent(), text);
    assert.equal(await card.locator('.evidence > li').count(), evidence?.length ?? 0, rule);
  }
  for (const [verdict, name] of [
    ['passed', 'passed'],
    ['passed', 'covered_rules'],
    ['not_judged', 'not_applicable'],
  ]) {
    // Rules that another finding covers have their own list.
    const expected = rules.filter((one) => one.verdict === verdict && Boolean(one.covered_by) === (name === 'covered_rules'));
    if (name === 'covered_rules' && !expected.length) continue;
    const list = visit.part(`advice-${name}`);
    await list.locator('summary').click();
    assert.equal(await list.locator('li').count(), expected.length, name);
    for (const {rule, reason} of expected) {
      const line = (await list.locator(`[data-test="advice-${rule}"]`).textContent()) ?? '';
      assert.ok(line.includes(reason ? reason.text : message('advice.value')), line);
    }
  }
  await visit.close();
});

test('evidence opens the table that has it', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('advice');
  await settled(visit);
  const rule = judged(trace).find((one) => one.verdict === 'holds' && one.evidence?.some((/** @type {any} */ evidence) => evidence.table));
  const evidence = rule.evidence.find((/** @type {any} */ one) => one.table);
  await visit.part(`evidence-${rule.rule}`).first().click();
  await visit.page.waitForSelector(`[data-test="tab-${evidence.table}"][aria-selected="true"]`);
  // The row is opened, down to its slowest events.
  await visit.part('row-events').waitFor();
  assert.equal(await visit.part('search').inputValue(), evidence.search);
  assert.equal(await visit.page.locator('.rows .row.active .cell').first().textContent(), evidence.search);
  await visit.close();
});

test('thresholds decide, are remembered, and can be reset', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('advice');
  await settled(visit);
  const before = await cards(visit);
  const {rule} = judged(trace).find(
    ({verdict, unit, condition, thresholds}) => verdict === 'holds' && unit === 'share' && condition === 'above' && thresholds.length === 1,
  );
  const input = visit.part(`threshold-${rule}`);
  await input.fill('99.5');
  await input.press('Enter');
  await visit.page.waitForFunction((name) => !document.querySelector(`[data-test="advice"] [data-test="advice-${name}"]`), rule);
  const file = written('advice/thresholds.json', JSON.stringify({[rule]: 0.995}));
  const expected = judged('--thresholds', file, trace).filter(({verdict}) => verdict === 'holds');
  assert.deepEqual(
    await cards(visit),
    expected.map((one) => one.rule),
  );
  await visit.page.reload();
  // The address says which tab was open.
  await visit.choose(trace);
  await visit.part('results').waitFor();
  await settled(visit);
  assert.deepEqual(
    await cards(visit),
    expected.map((one) => one.rule),
    'after the page was opened again',
  );
  await visit.part('advice-reset').click();
  await visit.page.waitForSelector(`[data-test="advice"] [data-test="advice-${rule}"]`);
  assert.deepEqual(await cards(visit), before);
  await visit.close();
});

test("the plugin's rules can be chosen", async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('advice');
  await settled(visit);
  await visit.part('advice-rules').selectOption('tensorboard');
  await visit.page.waitForSelector('[data-test="advice-tensorboard_tensor_cores"]', {state: 'attached'});
  const rules = judged('--rules', 'tensorboard', trace);
  assert.equal(rules.length, 7);
  const shown = await visit.page.locator('[data-test="report-advice"] li[data-test^="advice-tensorboard"]').count();
  assert.equal(shown, 7);
  assert.deepEqual(
    await cards(visit),
    rules.filter(({verdict}) => verdict === 'holds').map(({rule}) => rule),
  );
  await visit.close();
});

test('the overview shows the three that promise most', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  const card = visit.part('advice-card');
  await card.waitFor();
  const holding = judged(trace)
    .filter(({verdict}) => verdict === 'holds')
    .slice(0, 3);
  const shown = await card.locator('li .link').evaluateAll((all) => all.map((one) => (one.getAttribute('data-test') ?? '').replace('top-', '')));
  assert.deepEqual(
    shown,
    holding.map(({rule}) => rule),
  );
  await visit.part(`top-${holding[0].rule}`).click();
  await settled(visit);
  assert.equal(await visit.part('tab-advice').getAttribute('aria-selected'), 'true');
  await visit.close();
});

test('rules stand below their causes, those that compare ranks first and symptoms last', async () => {
  const headings = (/** @type {import('./lib/site.mjs').Visit} */ visit) =>
    visit.page.locator('[data-test^="advice-of-"]').evaluateAll((all) => all.map((one) => (one.getAttribute('data-test') ?? '').replace('advice-of-', '')));
  const single = await here.visit();
  await single.open(trace);
  await single.tab('advice');
  await settled(single);
  const causes = new Set(judged(trace).flatMap(({verdict, detail_of: of}) => (verdict === 'holds' ? [of?.cause ?? 'others'] : [])));
  assert.ok(causes.size > 1, [...causes].join());
  assert.deepEqual(await headings(single), [...causes]);
  await single.close();
  const job = generated('advice/job', '--job', '4x2x1', '--seed', '7', '--steps', '4', '--slow', '5', '--details');
  const visit = await here.visit();
  await visit.drop(job);
  await visit.results();
  await visit.tab('advice');
  await settled(visit);
  const shown = await headings(visit);
  assert.equal(shown[0], 'job');
  assert.equal(shown.at(-1), 'others');
  assert.ok(shown.length > 2, shown.join());
  await visit.close();
});

test('while a step is chosen, the advice says that it is of all steps', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  const onCard = visit.part('advice-card-scope');
  assert.equal(await onCard.isVisible(), false);
  await visit.part('step').selectOption('1');
  await visit.settled();
  const text = await onCard.innerText();
  assert.match(text, /^Advice is of all steps\. Chosen: Step \S+\.$/);
  await visit.tab('advice');
  await settled(visit);
  const onTab = visit.part('advice-scope');
  assert.equal(await onTab.innerText(), text);
  await visit.part('step').selectOption('');
  await visit.until('all steps are chosen', async () => !(await onTab.isVisible()));
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a cause that no rule is a detail of comes first, with its fix', async () => {
  const visit = await here.visit();
  await visit.open(path.join(import.meta.dirname, '../fixtures/kineto/two_devices/input.json'));
  await visit.tab('advice');
  await settled(visit);
  const [cause, others] = await visit.page.locator('[data-test="advice"] > .advice-group').all();
  assert.match(await cause.innerText(), /^31\.7 % of the recorded time \(19\.00 µs\) is lost to the host launching too slowly\.\s+Capture graphs/);
  assert.equal(await others.locator('h2').innerText(), message('advice.cause.others'));
  assert.ok((await others.locator('li.card').count()) > 0);
  await visit.close();
});
