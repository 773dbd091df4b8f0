// Tables as the analyzer describes them: cells, details and CSV follow from the description, for as many rows as there are.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {generated, summary, written} from './lib/program.mjs';
import {assertShows, csvRecords} from './lib/shown.mjs';
import {site} from './lib/site.mjs';

const here = site();
const trace = generated('described/trace.json.gz', '--seed', '47', '--steps', '4', '--groups', '12');

/** The CSV of the first table. @param {import('./lib/site.mjs').Visit} visit */
async function csv(visit) {
  return csvRecords((await visit.saved(() => visit.page.locator('[data-test="save-csv"]').first().click())).bytes);
}

/** The headings' keys, and the rows that are elements now. @param {import('./lib/site.mjs').Visit} visit @param {string} table */
function shown(visit, table) {
  return visit.part(`table-${table}`).evaluate((element) => ({
    keys: [...element.querySelectorAll('.sort')].map((one) => (one.getAttribute('data-test') ?? '').replace('sort-', '')),
    rows: [...element.querySelectorAll('.rows [role="row"]')].map((row) => [...row.querySelectorAll('[role="cell"]')].map((cell) => cell.textContent ?? '')),
  }));
}

/** A value by a path of keys. @param {any} row @param {string} key */
const at = (row, key) => key.split('.').reduce((value, part) => value?.[part], row);

/** Text of a value in the CSV. @param {any} value */
const plain = (value) => (value === null || value === undefined ? '' : Array.isArray(value) ? value.join() : String(value));

test("every cell and every value of the CSV is the JSON's", async () => {
  const visit = await here.visit();
  await visit.open(trace);
  const rank = summary('--step', 'average', trace).ranks[0];
  const used = summary('--by', 'kernel-use', '--step', 'average', trace).ranks[0].kernel_use.kernels;
  const tables = /** @type {[string, any[]][]} */ ([
    ['operators', rank.operators],
    ['kernels', used],
    ['copies', rank.copies],
  ]);
  for (const [tab, rows] of tables) {
    await visit.tab(tab);
    await visit.settled();
    const saved = await csv(visit);
    assert.equal(saved.length, rows.length, tab);
    const by = new Map(rows.map((row) => [row.name, row]));
    for (const line of saved) {
      const row = by.get(line.name);
      assert.ok(row, line.name);
      for (const [key, text] of Object.entries(line)) assert.equal(text, plain(at(row, key)), `${tab} ${line.name} ${key}`);
    }
    const {keys, rows: cells} = await shown(visit, tab);
    assert.ok(keys.length >= 7 && cells.length > 0, `${tab}: ${keys}`);
    for (const row of cells) {
      const expected = by.get(row[0]);
      keys.forEach((key, index) => {
        const value = at(expected, key);
        const coverage = at(expected, `${key}_coverage`) ?? 1;
        if (typeof value !== 'number') return;
        // Units that the test cannot read back have tests of their own.
        if (coverage >= 0.8 && !/FLOP|GB\/s/.test(row[index])) assertShows(row[index], key.endsWith('_percent') ? value / 100 : value, `${tab} ${key}`);
      });
    }
  }
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a column that tells how much calls differ is in table, details and CSV', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('kernels');
  const [first] = (await csv(visit)).toSorted((a, b) => Number(b.total_ns) - Number(a.total_ns));
  assert.ok(Math.abs(Number(first.variation) - Number(first.std_ns) / Number(first.mean_ns)) < 1e-9);
  assert.equal(await visit.part('sort-variation').innerText(), 'Variation');
  await visit.page.locator('.rows .row').first().click();
  assert.match(await visit.text('detail'), /Variation\s+\d+\.\d %/);
  await visit.close();
});

test('a hundred thousand rows of twenty columns are opened and scrolled', async () => {
  const count = 100_000;
  const events = Array.from({length: count}, (_, index) => {
    const args = `"device": 0, "stream": 7, "grid": [${1 + (index % 500)}, 1, 1], "block": [256, 1, 1], "registers per thread": ${16 + (index % 64)}, "shared memory": ${index % 4096}, "blocks per SM": 2.5, "est. achieved occupancy %": 50`;
    return `{"ph": "X", "cat": "kernel", "name": "kernel_${String(index).padStart(6, '0')}", "pid": 0, "tid": 7, "ts": ${index * 10}, "dur": ${1 + ((index * 7919) % 9)}, "args": {${args}}}`;
  });
  const device =
    '{"id": 0, "name": "NVIDIA A100-SXM4-80GB", "totalGlobalMem": 85899345920, "computeMajor": 8, "computeMinor": 0, "numSms": 108, "warpSize": 32}';
  const visit = await here.visit();
  await visit.open(written('described/many.json', `{"schemaVersion": 1, "deviceProperties": [${device}], "traceEvents": [\n${events.join(',\n')}\n]}`));
  await visit.tab('kernels');
  await visit.settled();
  assert.equal((await visit.text('count')).replaceAll('\u202f', ''), `Rows: ${count}`);
  const {keys} = await shown(visit, 'kernels');
  assert.ok(keys.length >= 19, `${keys.length} columns: ${keys}`);
  await visit.part('sort-name').click();
  const scroll = visit.part('table-kernels');
  for (const part of [0, 0.37, 1]) {
    const {top, elements} = await scroll.evaluate(async (element, part) => {
      element.scrollTop = part * (element.scrollHeight - element.clientHeight);
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return {top: element.scrollTop, elements: element.querySelectorAll('.rows [role="row"]').length};
    }, part);
    assert.ok(elements > 10 && elements < 80, `${elements} rows are elements`);
    const first = `kernel_${String(Math.ceil(top / 30)).padStart(6, '0')}`;
    assert.ok(
      (await shown(visit, 'kernels')).rows.some(([name]) => name === first),
      `${first} is shown at ${part}`,
    );
  }
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});
