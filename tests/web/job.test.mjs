// Many ranks in one tab: the page's numbers for the job are the program's for the folder; traces that do not fit into
// memory are dropped, and read again when a rank is selected.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {generated, scratch, stepscope, summary, written} from './lib/program.mjs';
import {assertShows} from './lib/shown.mjs';
import {runsOf} from '../../www/js/page/views/table/described/described-columns.js';
import {openRanks, saved} from './lib/ranks.mjs';
import {site} from './lib/site.mjs';
import {heads, watch} from './lib/timeline.mjs';

/** @typedef {import('./lib/site.mjs').Visit} Visit */

const here = site();
const SLOW = 21;
const large = generated('job/large', '--job', '8x2x4', '--seed', '5', '--steps', '3', '--slow', String(SLOW));
const small = generated('job/small', '--job', '2x2x2', '--seed', '5', '--steps', '5', '--slow', '3');
const healthy = generated('job/healthy', '--job', '4x1x1', '--seed', '5', '--steps', '4');

/** The cells of the rows that a table shows. @param {Visit} visit @param {string} name @returns {Promise<string[][]>} */
const cells = (visit, name) =>
  visit
    .part(name)
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => /** @type {HTMLElement} */ (cell).innerText)));

/** A number of a CSV. @param {number | null} value */
const said = (value) => (value === null ? '' : String(value));

test('64 ranks of which few fit into memory say what the program says of the folder', async () => {
  assert.equal(fs.readdirSync(large).length, 64);
  const expected = summary(large);
  const {job, collectives, stragglers} = expected;
  assert.deepEqual(
    stragglers.map((/** @type {any} */ one) => [one.place, one.ranks, one.cause]),
    [['rank', [SLOW], 'longer_kernels']],
    'the planted one',
  );
  const visit = await here.visit({query: '?memory=2'});
  await openRanks(visit, large);
  const [, held] = /^The traces of (\d+) of 64 ranks are in memory/.exec(await visit.text('ranks-memory')) ?? [];
  assert.ok(Number(held) >= 1 && Number(held) < 32, held);

  const [[place, cause, value, usual, device, data, host, votes, voted, , gain]] = await cells(visit, 'stragglers');
  assert.equal(place, `rank ${SLOW}`);
  assert.equal(cause, 'its kernels take longer');
  assertShows(value, stragglers[0].value);
  assertShows(usual, stragglers[0].usual);
  const {excess} = stragglers[0];
  for (const [text, key] of [
    [device, 'compute_ns'],
    [data, 'data_ns'],
    [host, 'host_ns'],
  ])
    assertShows(text.replace(/^[+−-]/, ''), Math.abs(excess[key]), key);
  assert.deepEqual([votes, voted], [String(stragglers[0].votes), String(stragglers[0].voted)]);
  assertShows(gain, stragglers[0].gain_ns_per_step);
  assert.match(await visit.text('ranks-facts'), /^64 of 64 ranks · .*pipeline parallel 4.* · shared clock, half of the ends of collectives within /);

  const rows = await saved(visit, 'ranks');
  assert.deepEqual(
    rows.map(({rank}) => Number(rank)),
    job.ranks.map((/** @type {any} */ row) => row.rank),
  );
  for (const [index, row] of job.ranks.entries()) {
    const keys = Object.keys(rows[index]).filter((key) => key !== 'votes' && key in row && !['marks', 'input', 'host'].includes(key));
    assert.ok(keys.length > 9, keys.join());
    for (const key of keys) assert.equal(rows[index][key], said(row[key]), `${key} of rank ${row.rank}`);
    assert.equal(rows[index].clock_residual_ns, said(row.clock.residual_ns));
  }
  const sums = await saved(visit, 'collectives');
  assert.equal(sums.length, collectives.length);
  for (const of of collectives) {
    const found = sums.some(
      (row) =>
        row.operation === of.operation &&
        [
          'group_size',
          'count',
          'matched',
          'parts',
          'bytes',
          'total_ns',
          'transfer_ns',
          'wait_ns',
          'mean_skew_ns',
          'max_skew_ns',
          'algorithm_bytes_per_second',
          'bus_bytes_per_second',
        ].every((key) => row[key] === said(of[key])),
    );
    assert.ok(found, JSON.stringify(of));
  }
  const marks = job.ranks.flatMap((/** @type {any} */ row) => row.marks);
  assert.equal((await visit.part('heat-map').locator('tbody td').count()) % 64, 0);
  assert.equal(await visit.part('heat-marked').count(), marks.length);
  assert.match((await visit.part('heat-marked').first().getAttribute('title')) ?? '', /beyond the spread of the others/);
  assert.equal(await visit.part('links').locator('.heat-cell').count(), job.links.length);
  const links = await saved(visit, 'job-links');
  assert.equal(links.length, job.links.length);
  for (const link of job.links) {
    const row = links.find(({from, to}) => from === String(link.from) && to === String(link.to));
    for (const key of ['count', 'bytes', 'transfer_ns', 'wait_ns', 'bytes_per_second'])
      assert.equal(row?.[key], said(link[key]), `${key} of ${JSON.stringify(link)}`);
  }
  const groups = await saved(visit, 'groups');
  assert.deepEqual(
    groups.map((row) => [row.name, row.parallel, row.ranks]).sort(),
    job.groups.map((/** @type {any} */ group) => [group.name, group.parallel, group.ranks.join(',')]).sort(),
  );
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

/** The ranks of which a step has a color. @param {import('./lib/site.mjs').Visit} visit @returns {Promise<string[]>} */
const coloredRanks = (visit) =>
  visit
    .part('step-map-line')
    .evaluateAll((lines) =>
      lines
        .filter((line) => [...line.querySelectorAll('td')].some((cell) => parseFloat(cell.style.getPropertyValue('--heat')) > 0))
        .map((line) => line.querySelector('th')?.textContent ?? ''),
    );

test('where the verdict finds no straggler, no number has a color', async () => {
  // One of two ranks needs more in some steps, but none waits for it.
  const kernel = (/** @type {number} */ ts, /** @type {number} */ dur) => ({
    ph: 'X',
    cat: 'kernel',
    name: 'gemm',
    pid: 0,
    tid: 7,
    ts,
    dur,
    args: {device: 0, stream: 7},
  });
  const rank = (/** @type {number} */ rank, /** @type {number[]} */ lengths) => {
    const events = lengths.flatMap((length, step) => [
      {ph: 'X', cat: 'user_annotation', name: `ProfilerStep#${step}`, pid: 1, tid: 1, ts: step * 1000, dur: length},
      kernel(step * 1000 + 10, length - 20),
    ]);
    return written(`job/two/rank${rank}.json`, JSON.stringify({schemaVersion: 1, distributedInfo: {rank, world_size: 2}, traceEvents: events}));
  };
  const visit = await here.visit();
  await visit.open(rank(0, [500, 500, 500, 500]), rank(1, [500, 900, 500, 500]));
  await visit.tab('ranks');
  await visit.part('step-map-line').first().waitFor();
  assert.match(await visit.part('step-map').innerText(), /\+\d/, 'a number is there');
  const colored = await coloredRanks(visit);
  const judged = await visit.part('step-map').innerText();
  assert.deepEqual(colored, [], judged);
  assert.match(judged, /the verdict names no rank/);
  assert.match(await visit.page.locator('[data-test="table-ranks"] .rows').innerText(), /\+\d.*%/, 'a value is marked');
  assert.equal(await visit.page.locator('[data-test="table-ranks"] .worse').count(), 0);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('the overview of a job begins with its budget, then the straggler, its cause, and ranks by steps', async () => {
  const {job, stragglers, ranks} = summary(small);
  const {advice} = summary('--by', 'advice', small);
  const visit = await here.visit();
  await visit.drop(small);
  await visit.results();
  const card = visit.part('job-card');
  await card.waitFor();
  assert.ok(await visit.page.evaluate(() => document.querySelector('.overview > section:not([hidden])')?.matches('[data-test="job-card"]')), 'it is the first');
  assert.equal(stragglers[0].ranks[0], 3, 'the planted one');
  assert.equal(await visit.text('job-budget-first'), job.budget.sentences[0]);
  assert.match(await visit.text('job-budget-cause-late_longer_kernels'), /rank 3 being late/);
  assert.match(await visit.text('job-budget-whole'), new RegExp(`${job.ranks.length} of ${job.world_size} ranks`));
  // The sentences above name the straggler and the cause: they are not repeated.
  assert.equal(await visit.part('job-late').count(), 0);
  assert.match(await visit.text('job-verdict'), /^Stragglers found: 1 /);
  assert.match(await visit.part('job-straggler').first().innerText(), /^rank 3: own time \d.*others .*saves up to/s);
  assert.doesNotMatch(await visit.part('job-straggler').first().innerText(), /its kernels take longer/);
  assert.match(await visit.part('job-budget-first').innerText(), /rank 3 being late/);
  assert.equal(await visit.part('job-budget-cause-late_longer_kernels').locator('p').count(), 0, 'its fix stands above');
  const rules = (/** @type {string} */ list) =>
    visit
      .part(list)
      .locator('li .link')
      .evaluateAll((all) => all.map((one) => (one.getAttribute('data-test') ?? '').replace(/^(job-)?top-/, '')));
  const holding = advice.filter((/** @type {any} */ one) => one.verdict === 'holds');
  assert.deepEqual(
    await rules('job-advice'),
    holding.slice(0, 3).map((/** @type {any} */ one) => one.rule),
  );
  // Ranks by steps: all of them, of each step that enters averages.
  assert.equal(await visit.part('step-map-line').count(), job.ranks.length);
  const counted = ranks[0].steps.filter((/** @type {any} */ step) => step.counted);
  assert.equal(await visit.part('step-map-line').first().locator('td').count(), counted.length);
  const own = job.ranks[3].own_of_steps_ns.filter((/** @type {number | null} */ time) => time !== null);
  const cells = visit.part('step-map-line').nth(3).locator('td');
  for (const [index, time] of own.entries()) {
    const [, said] = /own time (.+?) · median/.exec((await cells.nth(index).getAttribute('title')) ?? '') ?? [];
    assertShows(said, time);
    assert.match(await cells.nth(index).innerText(), /^\+\d/, 'it needs more than the others in each step');
  }
  // Color is where the verdict names a rank, and nowhere else.
  assert.deepEqual(await coloredRanks(visit), ['rank 3']);
  // By keys: one stop, from which arrows lead to the cells.
  const table = visit.part('step-map').locator('table');
  assert.equal(await table.getAttribute('aria-label'), 'Own time by rank and step');
  assert.equal(await visit.part('step-map').locator('[tabindex="0"]').count(), 1);
  await visit.part('step-map-rank').first().focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight']) await visit.page.keyboard.press(key);
  const focused = () => visit.page.evaluate(() => document.activeElement?.getAttribute('title') ?? '');
  assert.match(await focused(), /^rank 3 · Step/);
  assert.equal(await visit.part('step').inputValue(), '', 'arrows choose no step meanwhile');
  // A cell leads to its step on the timeline of its rank.
  await visit.page.keyboard.press('Enter');
  await visit.page.waitForFunction(() => location.hash.includes('tab=timeline') && location.hash.includes('rank=3'));
  await visit.tab('overview');
  // The rank's part is closed until something leads into it, and stays as it is then.
  const part = visit.part('rank-part');
  const isOpen = () => part.evaluate((details) => /** @type {HTMLDetailsElement} */ (details).open);
  assert.equal(await visit.text('overview-rank'), `rank 3 · ${ranks[3].input}`);
  assert.equal(await isOpen(), false);
  await visit.part('job-open').click();
  await visit.part('tile-step').waitFor();
  await visit.part('advice-card').waitFor();
  const ofRank = holding.filter((/** @type {any} */ one) => one.ranks?.some((/** @type {any} */ rank) => rank.place === 3));
  assert.ok(ofRank.length > 0 && ofRank.length < holding.length);
  assert.deepEqual(
    (await rules('advice-card')).sort(),
    ofRank
      .map((/** @type {any} */ one) => one.rule)
      .slice(0, 3)
      .sort(),
  );
  await visit.tab('steps');
  await visit.tab('overview');
  assert.equal(await isOpen(), true);
  await part.locator('summary').first().click();
  await visit.tab('steps');
  await visit.tab('overview');
  assert.equal(await isOpen(), false);
  await visit.page.keyboard.press('Control+k');
  await visit.page.keyboard.type('rank 2');
  await visit.page.keyboard.press('Enter');
  await visit.part('tile-step').waitFor();
  assert.equal(await visit.text('overview-rank'), `rank 2 · ${ranks[2].input}`);
  // The straggler beside a rank that does the same.
  await visit.part('job-compare').first().click();
  await visit.part('table-contributions').waitFor();
  assert.equal(await visit.part('rank').inputValue(), '3');
  // Their steps have the same length: the own time shows the slower rank.
  const verdict = await visit.text('compare-verdict');
  const [, peer, slower, faster] = /^The own time per step is longer on rank 3 than on rank (\d): (.+) and (.+) on average \(\+.*%\)\.$/.exec(verdict) ?? [];
  assertShows(slower, job.ranks[3].own_ns, verdict);
  assertShows(faster, job.ranks[Number(peer)].own_ns, verdict);
  assert.match(await visit.text('compare-waits'), /^Own time is .* wait for each other/);
  assert.match(await visit.text('compare-spread'), /^rank 3: median own time .* do not overlap/);
  await visit.part('compare-swap').click();
  await visit.page.waitForFunction(() => document.querySelector('[data-test="compare-verdict"]')?.textContent?.includes('shorter on rank'));
  await visit.tab('overview');
  await visit.part('job-more').click();
  await visit.page.waitForSelector('[data-test="tab-ranks"][aria-selected="true"]');
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('each row of the table of ranks has its own time in each step as a line', async () => {
  const {job, ranks} = summary(small);
  const visit = await here.visit();
  await openRanks(visit, small);
  const lines = visit.part('table-ranks').locator('[data-test="sparkline"]');
  await lines.nth(job.ranks.length - 1).waitFor();
  assert.equal(await lines.count(), job.ranks.length);
  /** The own times of a rank that are known. @param {number} rank @returns {number[]} */
  const own = (rank) => job.ranks[rank].own_of_steps_ns.filter((/** @type {number | null} */ time) => time !== null);
  const drawn = await lines.evaluateAll((all) =>
    all.map((svg) => ({
      label: svg.getAttribute('aria-label') ?? '',
      isJudged: svg.classList.contains('is-judged'),
      height: Number(/[ML][\d.]+ ([\d.]+)/.exec(svg.querySelector('.sparkline-line')?.getAttribute('d') ?? '')?.[1]),
      usual: Number(/M0 ([\d.]+)/.exec(svg.querySelector('.sparkline-usual')?.getAttribute('d') ?? '')?.[1]),
    })),
  );
  for (const [rank, {label, isJudged, height, usual}] of drawn.entries()) {
    const [, lowest, middle, highest] = /^lowest (.+), median (.+), highest (.+)$/.exec(label) ?? [];
    const sorted = own(rank).sort((a, b) => a - b);
    assertShows(lowest, sorted[0]);
    assertShows(highest, sorted[sorted.length - 1]);
    if (sorted.length % 2) assertShows(middle, sorted[sorted.length >> 1]);
    assert.equal(isJudged, rank === 3, 'only the straggler has the color of the verdict');
    assert.ok(usual > 0 && usual <= 20, `a line across at ${usual}`);
    // Ranks of other stages do something else.
    if (rank === 3) {
      const peers = drawn.filter((_, peer) => peer !== 3 && job.ranks[peer].stage === job.ranks[3].stage);
      assert.ok(peers.length > 0 && peers.every((peer) => height < peer.height), 'it lies above its peers on the scale of all');
    }
  }
  // Hovering at the first place shows the step and its own time; the mark follows the pointer.
  const first = lines.nth(3);
  await first.scrollIntoViewIfNeeded();
  await first.hover({position: {x: 2, y: 8}});
  assert.equal(await first.locator('.sparkline-mark').count(), 1);
  const title = (await first.locator('..').getAttribute('title')) ?? '';
  const at = job.ranks[3].own_of_steps_ns.findIndex((/** @type {number | null} */ time) => time !== null);
  const [, name, time] = /^Step (.+): own time (.+)$/.exec(title) ?? [];
  assert.equal(name, ranks[3].steps[at].name);
  assertShows(time, own(3)[0]);
  await visit.part('ranks-facts').hover();
  assert.equal(await first.locator('.sparkline-mark').count(), 0);
  // Sorting and CSV take the longest step.
  const rows = await saved(visit, 'ranks');
  for (const [rank, row] of rows.entries()) assert.equal(row.own_longest_ns, String(Math.max(...own(rank))));
  await visit.part('table-ranks').locator('[role="columnheader"]', {hasText: 'Own by step'}).locator('button').first().click();
  assert.match(await visit.part('table-ranks').locator('.rows .row').first().innerText(), /^3\b/);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a job in which none is late says so first', async () => {
  const visit = await here.visit();
  await visit.drop(healthy);
  await visit.results();
  await visit.part('job-card').waitFor();
  assert.match(await visit.text('job-verdict'), /^No straggler found: 4 of 4 ranks compared/);
  assert.equal(await visit.part('job-straggler').count(), 0);
  await visit.close();
});

test("few ranks are bars; stages, links and advice are the program's", async () => {
  const {job, stragglers} = summary(small);
  const visit = await here.visit();
  await openRanks(visit, small);
  assert.equal(await visit.part('ranks-as').inputValue(), 'bars');
  await visit.part('ranks-as').selectOption('heat');
  await visit.part('heat-map').waitFor();
  // By keys: a stop, arrows, and the rank's row by Enter.
  const heat = visit.part('heat-map');
  assert.equal(await heat.getAttribute('aria-label'), 'Heat map of the ranks');
  assert.equal(await heat.locator('[tabindex="0"]').count(), 1);
  await visit.part('ranks-as').focus();
  await visit.page.keyboard.press('Tab');
  assert.ok(
    await heat
      .locator('td')
      .first()
      .evaluate((cell) => cell === document.activeElement),
  );
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown']) await visit.page.keyboard.press(key);
  // The tooltip of the cell stands below the map.
  const cell = heat.locator('[tabindex="0"]');
  const said = (await cell.getAttribute('title'))?.replaceAll('\n', ' · ');
  assert.match(said ?? '', /^rank 2 · Own, to the next step: \d/);
  assert.equal(await heat.locator('xpath=../..').locator('[data-test="grid-said"]').innerText(), said);
  await visit.page.keyboard.press('Enter');
  assert.match(await visit.page.locator('.table-box:has([data-test="table-ranks"]) .row[aria-current="true"]').innerText(), /^2\b/);
  assert.equal(await heat.locator('[tabindex="0"]').count(), 1);
  const stages = await cells(visit, 'job.stages');
  assert.equal(stages.length, 2);
  for (const [index, stage] of job.stages.entries()) {
    const [name, of, ...times] = stages[index];
    assert.ok(name.startsWith(`stage ${stage.stage}`), name);
    assert.equal(of, runsOf(stage.ranks.join(',')));
    for (const [place, key] of ['stage_ns', 'compute_ns', 'receive_alone_ns', 'collective_alone_ns'].entries()) assertShows(times[place], stage[key], key);
  }
  // A stage filters the heat map and the table, whose rows still lead to their own ranks.
  const ofStage = job.stages[1].ranks.map(String);
  await visit.part('ranks-stage').selectOption('1');
  assert.equal(await heat.locator('thead th').count(), ofStage.length + 1);
  assert.deepEqual(
    (await saved(visit, 'ranks')).map(({rank}) => rank),
    ofStage,
  );
  const rowOfRank = visit.part('table-ranks').locator('.rows .row').first();
  await rowOfRank.click();
  assert.equal(await visit.text('rank-open'), `Show rank ${ofStage[0]} alone`);
  // A rank of another stage in the picture leads to its row, too.
  const other = visit.part('strategy-rank').getByText(String(job.stages[0].ranks[1]), {exact: true});
  await other.click();
  assert.equal(await visit.part('ranks-stage').inputValue(), '');
  assert.equal(await visit.text('rank-open'), `Show rank ${job.stages[0].ranks[1]} alone`);
  assert.equal((await saved(visit, 'ranks')).length, job.ranks.length);
  assertShows((await cells(visit, 'stragglers'))[0].at(-1) ?? '', stragglers[0].gain_ns_per_step);
  await visit.part('straggler-open').click();
  await visit.page.waitForSelector('[data-test="tab-overview"][aria-selected="true"]');
  assert.equal(await visit.part('rank').inputValue(), '3');
  await visit.tab('advice');
  const {advice} = summary('--by', 'advice', small);
  const slow = advice.find((/** @type {any} */ one) => one.rule === 'slow_rank');
  assert.equal(slow.verdict, 'holds');
  const card = visit.part('advice-slow_rank');
  await card.waitFor();
  assertShows((await card.locator('[data-test="value-slow_rank"]').textContent()) ?? '', slow.value);
  const told = await card.locator('.evidence > li').allTextContents();
  assert.equal(told.length, slow.evidence.length);
  assertShows(told[0].replace(slow.evidence[0].name, ''), slow.evidence[0].value);
  assert.match(await card.innerText(), /All ranks/);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

/** Lines of the program's drill-down, without its hints where to look, by whether they are off. @param {...string} args */
function walked(...args) {
  const [, ...lines] = stepscope('summary', '--by', 'drill-down', ...args)
    .toString()
    .replace(/\n {2,}(?![ !·])/g, ' · ')
    .trim()
    .split('\n');
  const steps = lines.map((line) => line.trim()).filter((line) => /^[!·] /.test(line));
  const said = (/** @type {string} */ mark) => steps.filter((line) => line.startsWith(mark)).map((line) => line.slice(2).replace(/ · see --by.*$/, ''));
  return {off: said('! '), fine: said('· ').sort()};
}

/** The page's drill-down; lines that are not off are sorted by text, since outliers among them stand apart. @param {Visit} visit */
async function shownWalk(visit) {
  const texts = (/** @type {string} */ list) => visit.page.locator(`${list} [data-test="drill-down-text"]`).allTextContents();
  const fine = await Promise.all(['noted', 'other', 'fine'].map((list) => texts(`[data-test="drill-down-${list}"]`)));
  return {off: await texts('[data-test="drill-down"] > .drill-down'), fine: fine.flat().sort()};
}

test('the walk leads from the job to the cause, in the words of the program', async () => {
  const visit = await here.visit();
  await openRanks(visit, small);
  const {off, fine} = await shownWalk(visit);
  assert.deepEqual({off, fine}, walked(small));
  const noted = await visit.part('drill-down-noted').locator('[data-test="drill-down-text"]').allTextContents();
  assert.deepEqual(
    noted.map((line) => line.split(' · ')[0]),
    ['compute, most of rank 3'],
    'an outlier is no passed check',
  );
  // The walk of pipelines comes first, and compares the ranks of the slowest stage with each other.
  assert.match(off[1], /^pipeline parallel/);
  assert.ok(off.some((line) => line.startsWith('stage 0: compute, most of rank 3 ·')));
  assert.ok(off.some((line) => line.startsWith('waiting for other stages, most of rank 6 ·')));
  const leading = off.filter((line) => !/^(pipeline parallel|stage 0|waiting for other stages|exposed communication)/.test(line));
  assert.equal(leading.length, 5, 'the job, what ranks share, the number, the rank, the cause');
  assert.match((await visit.part('drill-down-place').getAttribute('title')) ?? '', /larger|values/);
  // Each step leads to where it can be looked at.
  const step = (/** @type {string} */ name) => visit.page.locator(`[data-test="drill-down"] > .drill-down > [data-test="drill-down-${name}"]`);
  await step('metric').locator('[data-test="drill-down-look-row"]').first().click();
  assert.match(await visit.page.locator('.table-box:has([data-test="table-ranks"]) .row[aria-current="true"]').innerText(), /^3\b/);
  await step('cause').locator('[data-test="drill-down-look-kernels"]').click();
  await visit.page.waitForSelector('[data-test="tab-kernels"][aria-selected="true"]');
  assert.equal(await visit.part('rank').inputValue(), '3');
  await visit.tab('ranks');
  await step('cause').locator('[data-test="drill-down-step"]').click();
  await visit.page.waitForFunction(() => location.hash.includes('tab=timeline') && location.hash.includes('rank=3'));
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('where nothing is off the walk says so in a line', async () => {
  const visit = await here.visit();
  await openRanks(visit, healthy);
  assert.match(await visit.text('drill-down-none'), /^No straggler found: \d+ of \d+ ranks compared, \d+ of \d+ collectives found on several ranks\.$/);
  const {off, fine} = await shownWalk(visit);
  assert.deepEqual({off, fine}, walked(healthy));
  assert.deepEqual(off, []);
  assert.equal(await visit.part('drill-down-noted').count(), 0);
  assert.equal(await visit.part('stragglers').count(), 0);
  await visit.close();
});

test("a person says how the model is spread; all that follows is the program's with --parallel", async () => {
  const grid = 'pp=2,cp=2,tp=2';
  const visit = await here.visit();
  await openRanks(visit, small);
  const told = await visit.text('ranks-facts');
  assert.match(told, /data parallel 2 \(described\)/);
  const before = await shownWalk(visit);
  await visit.part('layout-box').locator('summary').click();
  const say = async (/** @type {string} */ text) => {
    await visit.part('layout').fill(text);
    await visit.part('layout-use').click();
    await visit.settled();
  };
  for (const [text, fault] of /** @type {const} */ ([
    ['pp=2,dp=2', 'The layout has 4 ranks, the traces have 8.'],
    ['pp=2,xp=4', 'xp=4: it is not one of pp, dp, ep, cp and tp'],
    ['dp=8,dp=1', 'dp=1: it occurs twice'],
    ['dp', 'dp: it has no size, such as pp=2'],
  ])) {
    await say(text);
    await visit.page.waitForFunction((fault) => document.querySelector('[data-test="layout-fault"]')?.textContent === fault, fault);
    assert.equal(await visit.text('ranks-facts'), told, 'nothing changes');
    assert.ok(!visit.page.url().includes('parallel'));
  }
  await say(grid);
  await visit.page.waitForFunction(() => document.querySelector('[data-test="ranks-facts"]')?.textContent?.includes('(given)'));
  assert.equal(await visit.text('layout-fault'), '');
  assert.match(await visit.text('layout-told'), /^In the traces: .*data parallel 2 \(described\)/);
  assert.deepEqual(await shownWalk(visit), walked('--parallel', grid, small));
  const expected = summary('--parallel', grid, small);
  assert.deepEqual(
    (await cells(visit, 'job.stages')).map(([, of]) => of),
    expected.job.stages.map((/** @type {any} */ stage) => runsOf(stage.ranks.join(','))),
  );
  const {bytes} = await visit.export('json');
  assert.equal(
    `${bytes}\n`,
    stepscope('summary', '--json', '--parallel', grid, small)
      .toString()
      .replaceAll(`${path.dirname(small)}/`, ''),
  );

  // The address keeps it.
  const hash = new URL(visit.page.url()).hash;
  assert.equal(new URLSearchParams(hash.slice(1)).get('parallel'), grid);
  const other = await here.visit({query: hash});
  await other.drop(small);
  await other.results();
  await other.settled();
  assert.equal(await other.part('layout').inputValue(), grid);
  assert.match(await other.text('layout-told'), /^In the traces: .*data parallel 2 \(described\)/, 'at once, not only after that was seen');
  assert.match(await other.text('ranks-facts'), /sequence parallel 2 \(given\)/);
  await other.close();

  // It is undone by a click.
  await visit.part('layout-undo').click();
  await visit.page.waitForFunction((told) => document.querySelector('[data-test="ranks-facts"]')?.textContent === told, told);
  assert.deepEqual(await shownWalk(visit), before);
  assert.ok(!visit.page.url().includes('parallel'));
  assert.equal(await visit.part('layout').inputValue(), '');
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('links tell whether they lead to another host', async () => {
  const folder = scratch('job/hosts');
  fs.rmSync(folder, {recursive: true, force: true});
  fs.mkdirSync(folder);
  for (const name of fs.readdirSync(small)) {
    const host = Number(/\d+/.exec(name)?.[0]) < 4 ? 'node0' : 'node1';
    fs.writeFileSync(path.join(folder, name), fs.readFileSync(path.join(small, name), 'utf8').replace('{', `{"host_name": "${host}",`));
  }
  const {job} = summary(folder);
  assert.ok(
    job.links.some((/** @type {any} */ link) => link.across_hosts),
    'stages are on hosts of their own',
  );
  const visit = await here.visit();
  await openRanks(visit, folder);
  const links = await saved(visit, 'job-links');
  assert.deepEqual(
    links.map(({from, to, across_hosts: across}) => [from, to, across].join(' ')).sort(),
    job.links.map((/** @type {any} */ link) => [link.from, link.to, link.across_hosts].join(' ')).sort(),
  );
  assert.match((await visit.part('links').locator('.is-across').first().getAttribute('title')) ?? '', /across hosts/);
  await visit.close();
});

test('the heat map shows FLOPs and the memory that MindSpore planned, and leads to a rank', async () => {
  const folder = scratch('job/planned');
  fs.rmSync(folder, {recursive: true, force: true});
  fs.cpSync(path.join(import.meta.dirname, '../fixtures/mindspore_tables/ascend_two_ranks/input'), folder, {recursive: true});
  for (const [rank, peak] of [1.5, 12].entries()) {
    fs.writeFileSync(
      path.join(folder, `profiler/memory_usage_summary_${rank}.json`),
      JSON.stringify({capacity: 32, peak_mem: peak, static_mem: 0.5, allocations: 3, deallocations: 3}),
    );
  }
  const {job} = summary(folder);
  const visit = await here.visit();
  await openRanks(visit, folder);
  await visit.part('ranks-as').selectOption('heat');
  const line = (/** @type {string} */ name) =>
    visit
      .part('heat-map')
      .locator('tbody tr', {has: visit.page.locator('th', {hasText: new RegExp(`^${name}$`)})})
      .locator('td');
  await line('Planned peak').first().waitFor();
  assert.deepEqual(await line('Planned peak').allInnerTexts(), ['1.50 GiB', '12.0 GiB']);
  assert.deepEqual(await line('Planned peak').evaluateAll((all) => all.map((cell) => /** @type {HTMLElement} */ (cell).style.getPropertyValue('--heat'))), [
    '0%',
    '100%',
  ]);
  for (const [index, text] of (await line('FLOPs').allInnerTexts()).entries()) {
    assert.match(text, / GFLOP$/);
    assertShows(text.replace(' GFLOP', ''), job.ranks[index].flops / 1e9);
  }
  await visit.part('ranks-sort').selectOption('planned_peak_bytes');
  assert.deepEqual(await visit.part('heat-map').locator('thead .heat-rank').allInnerTexts(), ['1', '0']);
  await line('Planned peak').first().click();
  await visit.part('rank-open').waitFor();
  assert.match(await visit.part('rank-open').innerText(), /1/);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('what MindSpore wrote of its ranks is shown, and nothing as zero that nobody measured', async () => {
  const folder = path.join(import.meta.dirname, '../fixtures/mindspore_tables/ascend_two_ranks/input');
  const {cluster, job} = summary(folder);
  const visit = await here.visit();
  await openRanks(visit, folder);
  const rows = await saved(visit, 'recorded-ranks');
  assert.equal(rows.length, cluster.rows.length);
  for (const [index, row] of cluster.rows.entries()) {
    for (const key of Object.keys(row)) assert.equal(rows[index][key], said(row[key]), `${key} of rank ${row.rank}`);
    const {mflops, gflops_per_second: rate} = cluster.flops.find((/** @type {any} */ one) => one.rank === row.rank);
    assert.deepEqual([row.flops, row.flops_per_second], [Math.round(mflops * 1e6), rate * 1e9]);
  }
  const links = await saved(visit, 'recorded-links');
  const sorted = (/** @type {any[]} */ list) =>
    list.map((link) => ['rank', 'link', 'type', 'time_ns', 'bytes', 'bytes_per_second'].map((key) => String(link[key])).join()).sort();
  assert.deepEqual(sorted(links), sorted(cluster.links));
  const operators = (await saved(visit, 'recorded-operators')).map((row) => [row.operator, row.rank, row.communication_ns, row.wait_ns].map(String));
  assert.deepEqual(
    operators.toSorted(),
    cluster.operators.map((/** @type {any} */ row) => [row.operator, row.rank, row.communication_ns, row.wait_ns].map(String)).toSorted(),
  );
  assert.ok(operators.length > 1, 'an operator of each rank');
  // Sortable like other tables.
  const first = () => visit.part('table-recorded-ranks').locator('.rows .row').first().innerText();
  assert.match(await first(), /^0\b/);
  await visit.part('table-recorded-ranks').locator('[data-test="sort-receive_alone_ns"]').click();
  assert.match(await first(), /^1\b/);
  assert.equal((await cells(visit, 'cluster.outliers')).length, cluster.outliers.length);
  const {communication_rate: alone, between_stages_rate: between} = cluster;
  const facts = await visit.text('recorded-facts');
  assert.match(facts, /^pipeline-parallel · 2 stages · 2 of 2 ranks · /);
  for (const share of [alone, between]) assert.ok(facts.includes(`${(100 * share).toFixed(1)} %`), facts);
  // Its strategy and its stages, beside the numbers that they explain.
  assert.match(await visit.text('ranks-strategy'), /^MindSpore's parallel strategy: semi_auto_parallel · stage 0: rank 0 · stage 1: rank 1/);
  assert.match(await visit.text('ranks-facts'), /pipeline parallel 2 \(strategy\)/);
  assert.deepEqual(
    (await cells(visit, 'job.stages')).map(([, of]) => of),
    ['0', '1'],
  );
  const ranks = await saved(visit, 'ranks');
  for (const [index, row] of job.ranks.entries()) {
    for (const key of ['own_ns', 'communication_ns', 'exposed_memcpy_ns', 'idle_ns']) assert.deepEqual([row[key], ranks[index][key]], [null, ''], key);
    for (const key of ['step_ns', 'compute_ns', 'exposed_communication_ns', 'stage_ns', 'receive_alone_ns', 'flops'])
      assert.equal(ranks[index][key], said(row[key]), key);
    assert.equal(ranks[index].note, "from its profiler's tables");
  }
  const table = visit.part('table-ranks');
  assert.deepEqual([await table.locator('[data-test="sort-idle_ns"]').count(), await table.locator('[data-test="sort-compute_ns"]').count()], [0, 1]);
  assert.deepEqual(await shownWalk(visit), walked(folder));
  assert.match(await visit.text('drill-down-none'), /^Stragglers cannot be judged: no rank has events here|^Stragglers found by the profiler's tables/);
  assert.deepEqual(visit.complaints, []);
  await visit.close();

  // Without anything but these tables, they are all there is.
  const bare = scratch('job/bare');
  fs.rmSync(bare, {recursive: true, force: true});
  fs.mkdirSync(bare);
  const input = path.join(folder, 'profiler');
  for (const name of fs.readdirSync(input)) if (/cluster|hccl/.test(name)) fs.copyFileSync(path.join(input, name), path.join(bare, name));
  const sparse = await here.visit();
  await sparse.drop(bare);
  await sparse.results();
  await sparse.tab('ranks');
  await sparse.part('recorded-facts').waitFor();
  assert.equal((await saved(sparse, 'recorded-ranks')).length, 2);
  assert.deepEqual(sparse.complaints, []);
  await sparse.close();
});

test('ranks that are missing, or there twice, are not counted', async () => {
  const odd = scratch('job/odd');
  fs.rmSync(odd, {recursive: true, force: true});
  fs.cpSync(small, odd, {recursive: true});
  fs.renameSync(path.join(odd, 'rank5.json'), path.join(odd, 'rank2-again.json'));
  fs.copyFileSync(path.join(odd, 'rank2.json'), path.join(odd, 'rank2-again.json'));
  const visit = await here.visit();
  await openRanks(visit, odd);
  assert.match(await visit.text('ranks-facts'), /^7 of 8 ranks · /);
  assert.match(stepscope('summary', '--by', 'job', odd).toString(), /7 of 8 ranks/);
  assert.match(await visit.text('ranks-warning-repeated_rank'), /\(1\) rank 2$/);
  await visit.close();
});

/** A trace of a rank with two steps of one kernel each, and no collective. @param {number} rank @param {number} world @param {number} [late] microseconds */
function quiet(rank, world, late = 0) {
  const step = (/** @type {number} */ number, /** @type {number} */ at) => [
    {ph: 'X', cat: 'user_annotation', name: `ProfilerStep#${number}`, pid: 1, tid: 1, ts: at, dur: 1000},
    {ph: 'X', cat: 'cuda_runtime', name: 'cudaLaunchKernel', pid: 1, tid: 1, ts: at + 10, dur: 5, args: {correlation: number}},
    {ph: 'X', cat: 'kernel', name: 'gemm', pid: 0, tid: 7, ts: at + 30, dur: 700, args: {device: 0, stream: 7, correlation: number}},
  ];
  const traceEvents = [...step(1, 1000 + late), ...step(2, 2000 + late), ...step(3, 3000 + late)];
  return JSON.stringify({schemaVersion: 1, deviceProperties: [], distributedInfo: {backend: 'nccl', rank, world_size: world}, traceEvents});
}

test('unrelated runs in one folder are no job: the tab says why, and each is shown by itself', async () => {
  const folder = path.dirname(written('job/apart/a.json', quiet(0, 2)));
  written('job/apart/b.json', quiet(3, 8));
  const told = summary(folder);
  assert.deepEqual([told.job, told.not_a_job.traces[0].reason], [undefined, 'other_world']);
  const visit = await here.visit();
  await visit.drop(folder);
  await visit.results();
  await visit.tab('ranks');
  await visit.part('ranks-apart').waitFor();
  const text = await visit.text('ranks-apart');
  assert.match(text, /^These 2 traces are not ranks of one job/);
  assert.match(text, /b\.json: a run with a different number of ranks than .*a\.json/);
  assert.equal(await visit.part('ranks-facts').count(), 0, 'nothing compares them');
  assert.equal(await visit.part('stragglers').count(), 0);
  assert.equal(await visit.part('rank').locator('option').count(), 2, 'each can be chosen');
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('where no collective was recorded, stragglers are not judged and the tab says so', async () => {
  const folder = path.dirname(written('job/silent/a.json', quiet(0, 2)));
  written('job/silent/b.json', quiet(1, 2, 200));
  assert.equal(summary(folder).job.verdict, 'no_collectives');
  const visit = await here.visit();
  await openRanks(visit, folder);
  assert.match(await visit.text('collectives-none'), /^No collectives are recorded/);
  const text = await visit.text('ranks-report');
  assert.match(text, /Stragglers cannot be judged: no collective is recorded/);
  assert.match(await visit.text('step-map'), /these times contain the waiting for other ranks/);
  assert.doesNotMatch(text, /No straggler found/);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('causes of a job lead to their longest span, on its rank', async () => {
  const {causes} = summary(small).job;
  const found = causes.find((/** @type {any} */ {longest}) => longest.length);
  assert.ok(found, JSON.stringify(causes));
  const [{rank, length_ns: length, start_ns: start}] = found.longest;
  const visit = await here.visit();
  await visit.drop(small);
  await visit.results();
  const link = visit.part(`job-budget-cause-${found.wording}`).locator('[data-test="jump"]');
  const [, time] = /^longest: (.*), rank \d+$/.exec(await link.innerText()) ?? [];
  assertShows(time, length);
  assert.ok((await link.innerText()).endsWith(`, rank ${rank}`));
  await link.click();
  await visit.until('the timeline shows the rank', async () => new URL(visit.page.url()).hash.includes('timeline'));
  const shown = await visit.part('rank').inputValue();
  assert.equal(summary(small).ranks[Number(shown)].rank, rank);
  assert.ok(start >= 0);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('ranks without a number have the names of their files, as in the terminal, and no invented number', async () => {
  const names = ['left.json', 'right.json'];
  const files = names.map((name, rank) => {
    const {distributedInfo: _, ...rest} = JSON.parse(fs.readFileSync(path.join(healthy, `rank${rank}.json`), 'utf8'));
    return written(`job/unnumbered/${name}`, JSON.stringify(rest));
  });
  assert.deepEqual(
    summary(...files).ranks.map((/** @type {any} */ {rank}) => rank),
    [null, null],
  );
  const visit = await here.visit();
  await watch(visit);
  await visit.open(...files);
  await visit.part('step-map-line').first().waitFor();
  assert.deepEqual(await visit.part('step-map-rank').allInnerTexts(), names);
  assert.doesNotMatch(await visit.text('job-card'), /rank \d/);
  await visit.tab('timeline');
  const titles = (await heads(visit)).filter(({key}) => /^rank:\d$/.test(key)).map(({title}) => title);
  assert.deepEqual(titles, names);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});
