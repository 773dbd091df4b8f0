// Tables: sorting, search, keys, CSV, many rows.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {generated, summary, written} from './lib/program.mjs';
import {assertShows, csvRecords, parseCsv} from './lib/shown.mjs';
import {site} from './lib/site.mjs';

const here = site();
const trace = generated('tables/trace.json.gz', '--seed', '61', '--groups', '20');

/** A trace of many operators with names of their own. @param {number} operators */
function manyRows(operators) {
  const events = Array.from({length: operators}, (_, index) => {
    const [ts, name] = [index * 10, `aten::operator_${String(index).padStart(6, '0')}`];
    return `{"ph": "X", "cat": "cpu_op", "name": "${name}", "pid": 1, "tid": 1, "ts": ${ts}, "dur": ${1 + ((index * 7919) % 9)}}`;
  });
  return written('tables/many.json', `{"schemaVersion": 1, "traceEvents": [\n${events.join(',\n')}\n]}`);
}

/** Cells of the rows that are elements now, in their order on the screen. @param {import('./lib/site.mjs').Visit} visit @returns {Promise<string[][]>} */
function rows(visit) {
  return visit.page.evaluate(() =>
    [...document.querySelectorAll('.rows [role="row"]')].map((row) => [...row.querySelectorAll('[role="cell"]')].map((cell) => cell.textContent ?? '')),
  );
}

/** The CSV of the table, caught where it is handed to the browser: a browser limits how many files a page may save. @param {import('./lib/site.mjs').Visit} visit */
async function csv(visit) {
  const text = await visit.page.evaluate(async () => {
    const [create, click] = [URL.createObjectURL, HTMLAnchorElement.prototype.click];
    /** @type {Blob | undefined} */
    let saved;
    URL.createObjectURL = (blob) => create((saved = /** @type {Blob} */ (blob)));
    HTMLAnchorElement.prototype.click = () => {};
    /** @type {HTMLElement} */ (document.querySelector('[data-test="save-csv"]')).click();
    [URL.createObjectURL, HTMLAnchorElement.prototype.click] = [create, click];
    return saved?.text();
  });
  assert.ok(text, 'a file was saved');
  return csvRecords(Buffer.from(text));
}

// The order of values is tested without a browser (unit/table-arrange.test.mjs, unit/described.test.mjs).
test('columns sort, both ways', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  for (const tab of ['steps', 'operators', 'kernels', 'copies']) {
    await visit.tab(tab);
    // The first table, where a tab has several.
    const table = visit.page.locator('.table-box').first();
    const keys = await table.locator('.sort').evaluateAll((all) => all.map((one) => (one.getAttribute('data-test') ?? '').replace('sort-', '')));
    assert.ok(keys.length >= 7, tab);
    // Those of steps have an order of their own; the others are alike.
    for (const key of tab === 'steps' ? keys : keys.slice(0, 3)) {
      const head = table.locator(`[data-test="sort-${key}"]`);
      /** @type {Record<string, string[]>} */
      const orders = {};
      for (let click = 0; click < 2; click++) {
        await head.click();
        assert.ok(await head.evaluate((one) => one === document.activeElement), `${tab} ${key} keeps the focus`);
        const sorted = table.locator('[aria-sort]:not([aria-sort="none"])');
        assert.equal(await sorted.count(), 1, `${tab} ${key}`);
        const direction = (await sorted.getAttribute('aria-sort')) ?? '';
        // Values known for too little of the time are shown as unknown. Kernels are in the order of the shown names, which the CSV lacks.
        const isShort = tab === 'kernels' && key === 'name';
        orders[direction] = isShort
          ? (await rows(visit)).map(([name]) => name)
          : (await csv(visit)).map((row) => (Number(row[`${key}_coverage`] || 1) >= 0.8 ? row[key] : ''));
        // Nothing is less than any number.
        const number = (/** @type {string} */ value) => (value === '' ? -Infinity : Number(value));
        const numbers = orders[direction].some((value) => value !== '') && orders[direction].every((value) => value === '' || Number.isFinite(Number(value)));
        const order = numbers
          ? (/** @type {string} */ a, /** @type {string} */ b) => number(a) - number(b) || 0
          : (/** @type {string} */ a, /** @type {string} */ b) => a.localeCompare(b, 'en');
        const expected = orders[direction].toSorted(direction === 'ascending' ? order : (a, b) => order(b, a));
        assert.deepEqual(orders[direction], expected, `${tab} ${key} ${direction}`);
      }
      assert.deepEqual(Object.keys(orders).sort(), ['ascending', 'descending'], `${tab} ${key}`);
    }
  }
  await visit.close();
});

test('search filters by any part of a name, and says how many rows are left', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('operators');
  const {operators} = summary(trace).ranks[0];
  await visit.page.keyboard.press('/');
  assert.ok(await visit.part('search').evaluate((one) => one === document.activeElement));
  await visit.page.keyboard.type('BACKWARD');
  const expected = operators.filter((/** @type {any} */ row) => row.name.toLowerCase().includes('backward')).length;
  assert.ok(expected > 1 && expected < operators.length);
  assert.equal(await visit.text('count'), `Rows: ${expected} of ${operators.length}`);
  assert.ok((await rows(visit)).every(([name]) => /backward/i.test(name)));
  assert.equal((await csv(visit)).length, expected, 'the CSV holds what is shown');
  await visit.part('search').fill('no such operator');
  assert.match(await visit.text('table-operators'), /No row matches/);
  await visit.page.keyboard.press('Escape');
  assert.equal(await visit.part('search').inputValue(), '');
  assert.equal(await visit.text('count'), `Rows: ${operators.length}`);
  await visit.page.keyboard.press('Escape');
  assert.ok(await visit.part('search').evaluate((one) => one !== document.activeElement), 'the second Escape leaves the search');
  await visit.close();
});

test('rows are walked through by keys, each showing its details', async () => {
  const visit = await here.visit();
  await visit.open(manyRows(300));
  await visit.tab('operators');
  await visit.part('sort-name').click();
  // All of it is read in one go: rows are made anew when the table has scrolled, a frame after the key.
  const active = () =>
    visit.page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const row = document.querySelector('.rows [aria-current="true"]');
      const frame = row?.closest('.table-scroll');
      const detail = document.querySelector('[data-test="detail"] dd');
      if (!row || !frame || !detail) throw new Error('no row is the current one, or its details are not shown');
      const [box, view] = [row.getBoundingClientRect(), frame.getBoundingClientRect()];
      return {
        name: row.querySelector('.cell')?.textContent ?? '',
        detail: detail.textContent ?? '',
        inView: box.top >= view.top && box.bottom <= view.bottom + 1,
      };
    });
  await visit.page.locator('.table-scroll').focus();
  const moves = /** @type {[string, number][]} */ ([
    ['ArrowDown', 0],
    ['ArrowDown', 1],
    ['ArrowUp', 0],
    ['End', 299],
    ['ArrowDown', 299],
    ['Home', 0],
  ]);
  for (const [key, index] of moves) {
    await visit.page.keyboard.press(key);
    const name = `aten::operator_${String(index).padStart(6, '0')}`;
    assert.deepEqual(await active(), {name, detail: name, inView: true}, key);
  }
  await visit.page.keyboard.press('PageDown');
  const {name, inView} = await active();
  assert.ok(Number(name.slice(-3)) > 2 && inView, name);
  await visit.page.keyboard.press('Escape');
  assert.equal(await visit.part('detail').isVisible(), false);
  await visit.page.keyboard.press('ArrowDown');
  await visit.part('detail').getByRole('button', {name: 'Close'}).click();
  assert.equal(await visit.part('detail').isVisible(), false);
  assert.ok(await visit.page.locator('.table-scroll').evaluate((one) => one === document.activeElement), 'the table has the focus again');
  // The details of a row at the lower edge take the room in which it stands.
  const lowest = await visit.page.evaluate(() => {
    const {bottom = 0} = document.querySelector('.table-scroll')?.getBoundingClientRect() ?? {};
    const seen = [...document.querySelectorAll('.rows .row')].filter((row) => row.getBoundingClientRect().bottom <= bottom);
    return seen.at(-1)?.querySelector('.cell')?.textContent ?? '';
  });
  await visit.page.locator('.rows .row', {hasText: lowest}).click();
  assert.deepEqual(await active(), {name: lowest, detail: lowest, inView: true});
  await visit.close();
});

test('of thousands of rows only those in view are elements, and headings stay on top', async () => {
  const count = 20_000;
  const visit = await here.visit();
  await visit.open(manyRows(count));
  await visit.tab('operators');
  assert.equal((await visit.text('count')).replaceAll('\u202f', ''), `Rows: ${count}`);
  assert.equal(await visit.part('table-operators').getAttribute('aria-rowcount'), String(count + 1));
  await visit.part('sort-name').click();
  const scroll = visit.page.locator('.table-scroll');
  for (const part of [0, 0.37, 0.5, 1]) {
    const {top, elements} = await scroll.evaluate(async (element, part) => {
      element.scrollTop = part * (element.scrollHeight - element.clientHeight);
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return {top: element.scrollTop, elements: element.querySelectorAll('.rows [role="row"]').length};
    }, part);
    assert.ok(elements > 10 && elements < 80, `${elements} rows are elements`);
    const first = `aten::operator_${String(Math.ceil(top / 30)).padStart(6, '0')}`;
    assert.ok(
      (await rows(visit)).some(([name]) => name === first),
      `${first} is shown at ${part}`,
    );
    const [head, frame] = await Promise.all([visit.page.locator('.row.head').boundingBox(), scroll.boundingBox()]);
    assert.ok(head && frame && Math.abs(head.y - frame.y) < 2, 'the headings stay');
  }
  const page = await visit.page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  assert.ok(page <= 0, `the window has to be scrolled by ${page} px besides`);
  await visit.close();
});

test('no heading and no number is cut, and headings stand above their columns', async () => {
  for (const width of [1280, 1024, 400]) {
    for (const locale of ['en-GB', 'zh-CN']) {
      const visit = await here.visit({locale, viewport: {width, height: 800}, query: '?trace=demo'});
      await visit.results();
      for (const tab of ['steps', 'operators', 'kernels', 'copies']) {
        await visit.tab(tab);
        const cut = await visit.page.evaluate(() => {
          const texts = document.querySelectorAll('.row.head .sort, .rows .cell:not(.left)');
          return [...texts].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent);
        });
        assert.deepEqual(cut, [], `${width} ${locale} ${tab}`);
        const tables = await visit.page.evaluate(() =>
          [...document.querySelectorAll('.table-box')].map((table) =>
            [...table.querySelectorAll('.row')].slice(0, 5).map((row) => [...row.children].map((cell) => cell.getBoundingClientRect().right)),
          ),
        );
        const apart = Math.max(...tables.flatMap((rows) => rows.flatMap((row) => row.map((edge, column) => Math.abs(edge - rows[0][column])))));
        assert.ok(apart < 1, `${width} ${locale} ${tab}: columns are ${apart} px out of line`);
      }
      const over = await visit.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(over <= 0, `${width} ${locale}: the page is ${over} px too wide`);
      await visit.close();
    }
  }
});

test('the CSV on the clipboard is the saved one, and formulas in it are defused', async () => {
  const names = ['=1+1', '+cmd|x', '-2+3', '@SUM(A1)', 'plain', 'with, comma "and quotes"', '-5'];
  const events = names.map((name, index) => `{"ph": "X", "cat": "cpu_op", "name": ${JSON.stringify(name)}, "pid": 1, "tid": 1, "ts": ${index * 10}, "dur": 5}`);
  const file = written('tables/formulas.json', `{"schemaVersion": 1, "traceEvents": [${events.join(',')}]}`);
  const visit = await here.visit({permissions: ['clipboard-read', 'clipboard-write']});
  await visit.open(file);
  await visit.tab('operators');
  const saved = await visit.saved(() => visit.part('save-csv').click());
  assert.equal(saved.name, 'formulas.operators.csv');
  await visit.part('copy').click();
  await visit.part('copy-csv').click();
  await visit.part('copy').getByText('Copied').waitFor();
  const copied = await visit.page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied.replaceAll('\r\n', '\n'), saved.bytes.toString().replaceAll('\r\n', '\n'));
  const cells = parseCsv(saved.bytes.toString()).flat();
  const dangerous = cells.filter((cell) => /^[=+\-@\t\r]/.test(cell) && !Number.isFinite(Number(cell)));
  assert.deepEqual(dangerous, []);
  for (const name of names) assert.ok(cells.includes(/^[=+@]|^-\D|^-2/.test(name) ? `'${name}` : name), name);
  await visit.close();
});

/** Text on the clipboard after copying in a format. @param {import('./lib/site.mjs').Visit} visit @param {'csv' | 'tsv' | 'markdown'} format */
async function copied(visit, format) {
  await visit.page.evaluate(() => navigator.clipboard.writeText(''));
  await visit.part('copy').click();
  await visit.part(`copy-${format}`).click();
  await visit.page.waitForFunction(async () => (await navigator.clipboard.readText()) !== '');
  return visit.page.evaluate(() => navigator.clipboard.readText());
}

test('columns are hidden, remembered, and left out of what is copied as shown', async () => {
  const visit = await here.visit({permissions: ['clipboard-read', 'clipboard-write']});
  await visit.open(trace);
  await visit.tab('kernels');
  const heads = () => visit.page.locator('.table-box').first().locator('.sort').allInnerTexts();
  const [name, ...others] = await heads();
  await visit.part('columns').click();
  assert.equal(await visit.part('column-name').count(), 0, 'what names the rows stays');
  await visit.part('column-calls').click();
  await visit.part('column-calls').press('Escape');
  assert.deepEqual(await heads(), [name, ...others.filter((one) => one !== 'Calls')]);
  assert.match(await visit.text('columns'), /1 hidden/);
  const markdown = (await copied(visit, 'markdown')).split('\n');
  const shown = await rows(visit);
  assert.equal(markdown.length, 2 + shown.length);
  assert.equal(markdown[0], `| ${(await heads()).map((one) => one.replace(/ [↑↓]$/, '')).join(' | ')} |`);
  assert.equal(markdown[2].replaceAll('\\', ''), `| ${shown[0].join(' | ')} |`);
  const tsv = (await copied(visit, 'tsv')).split('\n').map((line) => line.split('\t'));
  assert.ok(!tsv[0].includes('calls') && tsv[0].includes('total_ns'), tsv[0].join());
  const values = csvRecords(Buffer.from(await copied(visit, 'csv')));
  assert.equal(values[0].name, tsv[1][0]);
  assert.ok('calls' in values[0], 'the CSV has all');
  await visit.page.reload();
  await visit.open(trace);
  await visit.tab('kernels');
  assert.ok(!(await heads()).includes('Calls'), 'it is remembered');
  await visit.part('columns').click();
  await visit.part('column-calls').click();
  assert.deepEqual(await heads(), [name, ...others]);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('columns are moved and widened by pointer and keys, and that is remembered', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('kernels');
  const keys = () =>
    visit.page
      .locator('.table-box')
      .first()
      .locator('[role="columnheader"]')
      .evaluateAll((heads) => heads.map((head) => head.getAttribute('data-key')));
  const width = async (/** @type {string | null} */ key) => (await visit.page.locator(`[role="columnheader"][data-key="${key}"]`).boundingBox())?.width ?? 0;
  const [name, one, two, ...rest] = await keys();
  const middle = async (/** @type {string | null} */ key) => {
    const box = await visit.page.locator(`[role="columnheader"][data-key="${key}"]`).boundingBox();
    assert.ok(box);
    return {x: box.x + box.width / 2, y: box.y + 10};
  };
  // Dragged to the place of another one, it takes that; the press sorts nothing.
  const sorted = await visit.page.locator('[aria-sort]:not([aria-sort="none"])').getAttribute('data-key');
  const [from, to] = [await middle(two), await middle(one)];
  await visit.page.mouse.move(from.x, from.y);
  await visit.page.mouse.down();
  await visit.page.mouse.move(to.x, to.y, {steps: 4});
  await visit.page.mouse.up();
  assert.deepEqual(await keys(), [name, two, one, ...rest]);
  assert.equal(await visit.page.locator('[aria-sort]:not([aria-sort="none"])').getAttribute('data-key'), sorted);
  // Each row follows its heading.
  const cell = await visit.page.locator('.rows .row').first().locator('[role="cell"]').nth(1).boundingBox();
  assert.ok(cell && Math.abs(cell.width - (await width(two))) < 1);
  await visit.part(`sort-${two}`).focus();
  await visit.page.keyboard.press('Control+Shift+ArrowRight');
  assert.deepEqual(await keys(), [name, one, two, ...rest]);
  assert.equal(await visit.page.evaluate(() => document.activeElement?.getAttribute('data-test')), `sort-${two}`, 'the heading keeps the focus');
  const before = await width(two);
  await visit.page.keyboard.press('Shift+ArrowRight');
  assert.ok(Math.abs((await width(two)) - before - 16) < 1);
  // Neither chose a step.
  assert.equal(await visit.part('step').inputValue(), '');
  const edge = await visit.part(`edge-${two}`).boundingBox();
  assert.ok(edge);
  await visit.page.mouse.move(edge.x + 4, edge.y + 10);
  await visit.page.mouse.down();
  await visit.page.evaluate(() => {
    const seen = /** @type {any} */ (window);
    seen.changed = 0;
    seen.watching = new MutationObserver((changes) => (seen.changed += changes.length));
    seen.watching.observe(document.querySelector('.data-table'), {subtree: true, childList: true});
  });
  await visit.page.mouse.move(edge.x + 104, edge.y + 10, {steps: 4});
  const changed = await visit.page.evaluate(() => {
    const {watching, changed} = /** @type {any} */ (window);
    watching.disconnect();
    return changed;
  });
  assert.equal(changed, 0, 'nothing but the width changes while the edge is dragged');
  assert.ok(Math.abs((await width(two)) - before - 116) < 2);
  await visit.page.mouse.up();
  const wide = await width(two);
  assert.ok(Math.abs(wide - before - 116) < 2, `${before} to ${wide}`);
  // By the menu, too; a new visit finds both.
  await visit.part('columns').click();
  await visit.part(`column-before-${two}`).click();
  assert.deepEqual(await keys(), [name, two, one, ...rest]);
  assert.ok(await visit.part(`column-after-${two}`).isVisible(), 'the menu stays open');
  await visit.page.reload();
  await visit.open(trace);
  await visit.tab('kernels');
  assert.deepEqual(await keys(), [name, two, one, ...rest]);
  assert.ok(Math.abs((await width(two)) - wide) < 1);
  await visit.part('columns').click();
  await visit.part('columns-reset').click();
  assert.deepEqual(await keys(), [name, one, two, ...rest]);
  assert.ok((await width(two)) < wide);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('columns are filtered by text and by values with units', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('kernels');
  const all = await rows(visit);
  const heads = await visit.page
    .locator('.table-box')
    .first()
    .locator('[role="columnheader"]')
    .evaluateAll((heads) => heads.map((head) => head.getAttribute('data-key')));
  const of = (/** @type {string[]} */ row, /** @type {string} */ key) => row[heads.indexOf(key)];
  await visit.part('filters').click();
  assert.equal(await visit.page.evaluate(() => document.activeElement?.getAttribute('data-test')), 'filter-name');
  const [head, field] = [await visit.part('sort-name').boundingBox(), await visit.part('filter-name').boundingBox()];
  assert.ok(head && field && field.y >= head.y + head.height && field.width > head.width / 2, 'each field is below its heading');
  const [first] = all;
  await visit.part('filter-name').fill(of(first, 'name').slice(0, 9));
  const named = all.filter((row) => of(row, 'name').toLowerCase().includes(of(first, 'name').slice(0, 9).toLowerCase()));
  assert.deepEqual(await rows(visit), named);
  assert.match(await visit.text('count'), new RegExp(`^Rows: ${named.length} of `));
  await visit.part('filter-name').fill('');
  const limit = of(all[1], 'total_ns');
  await visit.part('filter-total_ns').fill(`>= ${limit}`);
  assert.deepEqual(await rows(visit), all.slice(0, 2), 'sorted by it, the first two');
  await visit.part('filter-total_ns').fill('> 1 GiB');
  assert.equal(await visit.part('filter-total_ns').getAttribute('aria-invalid'), 'true', 'no time is compared with bytes');
  assert.match((await visit.part('filter-total_ns').getAttribute('title')) ?? '', /^Not applied/);
  assert.doesNotMatch(await visit.text('count'), / of /, 'all rows stay');
  await visit.part('filter-name').fill('no such name');
  assert.match(await visit.page.locator('.rows').first().innerText(), /No row matches the search and the filters/);
  await visit.part('filter-name').fill('');
  // Sorting keeps the typed text; the focus stays in its field.
  await visit.part('filter-total_ns').fill(`< ${limit}`);
  assert.equal(await visit.page.evaluate(() => document.activeElement?.getAttribute('data-test')), 'filter-total_ns');
  await visit.part('sort-name').click();
  assert.equal(await visit.part('filter-total_ns').inputValue(), `< ${limit}`);
  // A hidden column filters nothing, and has no sign of a filter.
  assert.match(await visit.text('count'), / of /);
  await visit.part('columns').click();
  await visit.part('column-total_ns').uncheck();
  await visit.page.keyboard.press('Escape');
  assert.equal(await visit.text('count'), `Rows: ${all.length}`);
  await visit.part('columns').click();
  await visit.part('column-total_ns').check();
  await visit.page.keyboard.press('Escape');
  assert.match(await visit.text('count'), / of /);
  await visit.part('filters').click();
  assert.equal((await rows(visit)).length, all.length);
  assert.equal(await visit.part('filter-name').count(), 0);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('several rows are picked by pointer and keys; their sums are told, and they alone are copied', async () => {
  const visit = await here.visit({permissions: ['clipboard-read', 'clipboard-write']});
  await visit.open(trace);
  await visit.tab('kernels');
  const all = await csv(visit);
  const row = (/** @type {number} */ index) => visit.page.locator('.rows [role="row"]').nth(index);
  const picked = () => visit.page.locator('.rows [aria-selected="true"]').count();
  const total = (/** @type {number[]} */ ...of) => of.reduce((sum, index) => sum + Number(all[index].total_ns), 0);
  const told = async (/** @type {number[]} */ ...of) => {
    const text = await visit.text('picked');
    assert.match(text, new RegExp(`^Selected: ${of.length} · `));
    assertShows(/Total ([^·]*)/.exec(text)?.[1].trim() ?? '', total(...of), text);
  };
  const top = () =>
    visit.page
      .locator('.table-scroll')
      .first()
      .evaluate((table) => table.getBoundingClientRect().top);
  const before = await top();
  await row(0).click({modifiers: ['Control']});
  await row(2).click({modifiers: ['Control']});
  await told(0, 2);
  // Keys copy the picked rows as the menu does.
  await visit.page.keyboard.press('Control+c');
  const byKeys = await visit.page.evaluate(() => navigator.clipboard.readText());
  assert.equal(byKeys, await copied(visit, 'tsv'));
  assert.equal(await top(), before, 'the table stays where it is');
  assert.ok(await visit.part('picked').evaluate((sums) => sums.scrollWidth <= sums.clientWidth + 1), 'no sum is cut');
  assert.equal(await visit.part('detail').isVisible(), false);
  assert.deepEqual(
    csvRecords(Buffer.from(await copied(visit, 'csv'))).map(({name}) => name),
    [all[0].name, all[2].name],
  );
  await row(4).click({modifiers: ['Shift']});
  await told(0, 2, 3, 4);
  await row(3).click({modifiers: ['Shift']});
  await told(0, 2, 3);
  await row(0).click();
  assert.equal(await picked(), 0);
  assert.equal(await visit.text('picked'), '');
  const table = visit.page.locator('.table-scroll').first();
  await table.focus();
  await visit.page.keyboard.press('Home');
  await visit.page.keyboard.press('Shift+ArrowDown');
  await visit.page.keyboard.press('Shift+ArrowDown');
  await told(0, 1, 2);
  await visit.page.keyboard.press('Shift+ArrowUp');
  await told(0, 1);
  await visit.page.keyboard.press('Control+a');
  await told(...all.keys());
  // The details close first.
  await visit.page.keyboard.press('Escape');
  assert.ok((await picked()) > 0);
  await visit.page.keyboard.press('Escape');
  assert.equal(await picked(), 0);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('long names are cut where they are alike, and are whole for a screen reader', async () => {
  const before = 'void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_';
  const names = ['add', 'mul'].map((one) => `${before}${one}<float>, std::array<char*, 3ul> >(int, at::native::CUDAFunctor)`);
  const events = names.map((name, index) => ({ph: 'X', cat: 'cpu_op', name, pid: 1, tid: 1, ts: index * 10, dur: 5 + index}));
  const visit = await here.visit({viewport: {width: 700, height: 800}});
  await visit.open(written('tables/alike.json', JSON.stringify({schemaVersion: 1, traceEvents: events})));
  await visit.tab('operators');
  const cells = visit.page.locator('.rows .cell:first-child');
  assert.deepEqual((await cells.allTextContents()).sort(), names.toSorted());
  for (const [index, cell] of (await cells.all()).entries()) {
    const seen = await cell.evaluate((cell) => {
      const [, hidden, end] = cell.childNodes;
      const range = document.createRange();
      range.setStart(end, 0);
      range.setEnd(end, 6);
      return {hidden: hidden.textContent ?? '', end: end.textContent ?? '', in: range.getBoundingClientRect().right <= cell.getBoundingClientRect().right};
    });
    assert.ok(seen.hidden.length > 10 && seen.in, JSON.stringify(seen));
    assert.match(seen.end.slice(0, 6), /add|mul/, `row ${index}`);
  }
  await visit.close();
});

test('where there is little room, long names take two lines', async () => {
  const name = (/** @type {number} */ index) => `void at::native::vectorized_elementwise_kernel_of_operator_${String(index).padStart(3, '0')}<4, float>(int)`;
  const events = Array.from({length: 200}, (_, index) => ({ph: 'X', cat: 'cpu_op', name: name(index), pid: 1, tid: 1, ts: index * 10, dur: 5}));
  const visit = await here.visit({viewport: {width: 400, height: 900}});
  await visit.open(written('tables/long.json', JSON.stringify({schemaVersion: 1, traceEvents: events})));
  await visit.tab('operators');
  await visit.part('sort-name').click();
  const seen = () =>
    visit.page.evaluate(() =>
      [...document.querySelectorAll('.rows .row')].map((row) => {
        const cell = /** @type {HTMLElement} */ (row.firstElementChild);
        const texts = [...cell.childNodes].filter((node) => !(node instanceof Element));
        // The part of the name that distinguishes it.
        const node = texts.find((node) => /_\d+</.test(node.textContent ?? ''));
        const range = document.createRange();
        if (node) range.setStart(node, /_\d+</.exec(node.textContent ?? '')?.index ?? 0);
        if (node) range.setEnd(node, range.startOffset + 4);
        const {top, height, bottom} = row.getBoundingClientRect();
        const letters = texts.reduce((sum, node) => sum + (node.textContent ?? '').length, 0);
        return {
          text: cell.textContent ?? '',
          letters,
          lines: cell.scrollHeight > 34 ? 2 : 1,
          isSeen: node !== undefined && range.getBoundingClientRect().bottom < bottom,
          top,
          height,
        };
      }),
    );
  const rows = await seen();
  for (const {text, letters, lines, isSeen} of rows)
    assert.ok(lines === 2 && letters > 36 && isSeen, `${letters} letters of ${text} are shown in ${lines} lines`);
  for (const [index, {top}] of rows.slice(1).entries()) assert.ok(Math.abs(top - rows[index].top - rows[index].height) < 1, 'rows stand below each other');
  // Keys reach the last row, which is in view.
  await visit.page.locator('.table-scroll').focus();
  await visit.page.keyboard.press('End');
  await visit.page.locator('.rows [aria-current]').filter({hasText: '_199<'}).waitFor();
  await visit.part('detail').getByRole('button', {name: 'Close'}).click();
  // Where there is room, they take one.
  await visit.page.setViewportSize({width: 1000, height: 900});
  await visit.page.waitForFunction(() => document.querySelector('.rows .row')?.getBoundingClientRect().height === 30);
  assert.ok((await seen()).every(({lines}) => lines === 1));
  await visit.close();
});

test("grouping and merging give the program's rows", async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('operators');
  const before = (await csv(visit)).length;
  for (const group of ['shapes', 'type', 'stack', 'name']) {
    const {operators} = summary('--step', 'average', '--group', group, trace).ranks[0];
    await visit.part('grouping').selectOption(group);
    await visit
      .part('count')
      .getByText(new RegExp(`: ${operators.length}$`))
      .waitFor();
    const found = await csv(visit);
    for (const key of ['calls', 'host_total_ns', 'device_total_ns']) {
      const sorted = (/** @type {any[]} */ list) => list.map((row) => Number(row[key])).sort((a, b) => a - b);
      assert.deepEqual(sorted(found), sorted(operators), `${group} ${key}`);
    }
  }
  const {operators} = summary('--step', 'average', '--merge-same-name', trace).ranks[0];
  await visit.part('merge').check();
  await visit
    .part('count')
    .getByText(new RegExp(`: ${operators.length}$`))
    .waitFor();
  assert.ok(before >= operators.length);
  await visit.close();
});

test('rows by stack say where they are called, as the program does, and show the whole stack on hover', async () => {
  const frame = (/** @type {string} */ name, /** @type {number} */ ts, /** @type {number} */ dur) => ({
    ph: 'X',
    cat: 'python_function',
    name,
    pid: 1,
    tid: 1,
    ts,
    dur,
    args: {'Python id': ts},
  });
  const mm = (/** @type {number} */ ts) => ({ph: 'X', cat: 'cpu_op', name: 'aten::mm', pid: 1, tid: 1, ts, dur: 10});
  const events = [frame('train.py(1): main', 0, 200), frame('model.py(5): attend', 10, 50), mm(20), frame('model.py(9): project', 100, 50), mm(110)];
  const visit = await here.visit();
  await visit.open(written('tables/stacks.json', JSON.stringify({schemaVersion: 1, traceEvents: events})));
  await visit.tab('operators');
  await visit.part('grouping').selectOption('stack');
  const cells = visit.page.locator('.rows .row .cell:first-child');
  await cells.nth(1).waitFor();
  assert.deepEqual((await cells.allTextContents()).sort(), ['aten::mm at model.py(5): attend', 'aten::mm at model.py(9): project']);
  const whole = await visit.page.getByText('aten::mm at model.py(5): attend').first().getAttribute('title');
  assert.deepEqual(whole?.split('\n').slice(1), ['train.py(1): main', 'model.py(5): attend']);
  await visit.close();
});

test('tables that end a view have the rows that the program prints', async () => {
  const [{communication, synchronizations}] = summary('--step', 'average', trace).ranks;
  assert.ok(communication.length > 0 && synchronizations.length > 0);
  const visit = await here.visit();
  await visit.open(trace);
  const saved = async (/** @type {string} */ table) => {
    const save = visit.part(table).locator('[data-test="save-csv"]');
    return csvRecords((await visit.saved(() => save.click())).bytes);
  };
  await visit.tab('communication');
  assert.deepEqual(
    (await saved('communication')).map((row) => [row.operation, Number(row.bytes_per_call), Number(row.calls), Number(row.total_ns)]),
    communication.map((/** @type {any} */ row) => [row.operation, row.bytes_per_call, row.calls, row.total_ns]),
  );
  await visit.tab('idle');
  assert.equal(await visit.part('communication').count(), 0);
  assert.deepEqual(
    (await saved('synchronizations')).map((row) => [row.name, row.operator, Number(row.calls), Number(row.total_ns)]),
    synchronizations.map((/** @type {any} */ row) => [row.name, row.operator, row.calls, row.total_ns]),
  );
  // Those of a step are that step's.
  const {name} = summary(trace).ranks[0].steps[0];
  const [step] = summary('--step', name, trace).ranks;
  await visit.part('step').selectOption('0');
  await visit
    .part('synchronizations')
    .locator('.hint', {hasText: new RegExp(`^Step ${name}$`)})
    .waitFor();
  assert.deepEqual(
    (await saved('synchronizations')).map((row) => [row.name, Number(row.calls), Number(row.total_ns)]),
    step.synchronizations.map((/** @type {any} */ row) => [row.name, row.calls, row.total_ns]),
  );
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});
