// Markup in a trace's texts stays text: in the page, in a report from the disk, in a notebook's output.

import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {pathToFileURL} from 'node:url';

import {environment, generated, scratch, stepscope, written} from './lib/program.mjs';
import {parseCsv} from './lib/shown.mjs';
import {site} from './lib/site.mjs';
import {MARKUP, tainted} from './lib/tainted.mjs';
import {isText, look, walk} from './lib/walk.mjs';

const here = site();

/** Files and folders may have no slash in their names. */
const NAME = 'a<img src=x onerror="window.taken=1"><b class="taken">\'&lt;i&gt;';

/** The tainted ranks of a job, in a folder of such a name. */
const folder = (() => {
  const clean = generated('markup/clean', '--job', '2x1x1', '--steps', '4', '--seed', '17');
  const folder = path.dirname(scratch(`markup/${NAME}/rank`));
  for (const name of fs.readdirSync(clean)) {
    const trace = JSON.parse(fs.readFileSync(path.join(clean, name), 'utf8'));
    trace.traceEvents.push({
      ph: 'C',
      cat: 'counter',
      name: 'load',
      pid: 1,
      tid: 1,
      ts: trace.traceEvents.find((/** @type {any} */ event) => event.ph === 'X').ts,
      args: {of: 3},
    });
    const text = tainted({...trace, [MARKUP]: MARKUP});
    fs.writeFileSync(path.join(folder, name.replace('.json', `${NAME}.json`)), JSON.stringify(text));
  }
  return folder;
})();

/** Another trace, to compare with: not all of its names are those of the first. */
const other = (() => {
  const trace = JSON.parse(fs.readFileSync(generated('markup/other.json', '--seed', '19', '--steps', '5', '--groups', '3'), 'utf8'));
  for (const event of trace.traceEvents) if (['cpu_op', 'kernel'].includes(event.cat)) event.name = `other ${event.name}`;
  return written(`markup/other ${NAME}.json`, JSON.stringify(tainted(trace)));
})();

test('in the page, in every tab, of an event, of a range, in what it is compared with, in the list of files and in a problem', async () => {
  const visit = await here.visit();
  await visit.drop(folder);
  await walk(visit.page);
  await visit.compare(other);
  await visit.part('compare-table').selectOption('kernels');
  await visit.part('table-compared-kernels').locator('.row').first().waitFor();
  const compared = await look(visit.page);
  assert.ok(compared.includes('onerror'), 'what is compared is shown');
  await isText(visit.page, 'what is compared');
  await visit.tab('overview');
  await visit.part('files').click();
  await visit.part('files-rank').first().waitFor();
  assert.ok((await visit.page.locator('dialog[open]').innerText()).includes('onerror'));
  await isText(visit.page, 'the list of files');
  await visit.page.keyboard.press('Escape');
  await visit.hand([`${NAME}.json`, MARKUP]);
  assert.ok((await visit.problem()).includes(NAME));
  await isText(visit.page, 'a problem');
  await visit.close();
});

test('in an export that is opened again', async () => {
  const visit = await here.visit();
  await visit.drop(folder);
  await visit.results();
  const {file} = await visit.export('perfetto.all');
  await visit.open(file);
  await walk(visit.page);
  await visit.close();
});

test('in a report from the disk, and in the analyzer and the traces that it carries', async () => {
  const visit = await here.visit();
  for (const options of [[], ['--trace']]) {
    const output = scratch(`markup/report${options.join('')}.html`);
    stepscope('report', ...options, '--page', environment('STEPSCOPE_PAGE'), '-o', output, folder);
    const page = await visit.page.context().newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(pathToFileURL(output).href);
    await isText(page, 'the report');
    assert.ok((await page.locator('main').innerText()).includes('onerror'));
    if (options.length) {
      await page.locator('[data-test="explore"]').click();
      await walk(page);
    }
    await page.close();
  }
  await visit.close();
});

test('formulas stay text in every table that is saved', async () => {
  const clean = generated('markup/formulas.json', '--seed', '18', '--steps', '4');
  const trace = JSON.parse(fs.readFileSync(clean, 'utf8'));
  const starts = ['=', '+', '-', '@', '\t=', '\r='];
  for (const [index, event] of trace.traceEvents.entries()) {
    if (event.ph === 'X' && !/ProfilerStep/.test(event.name)) event.name = `${starts[index % starts.length]}cmd|'/C calc'!A0 ${event.name}`;
  }
  const visit = await here.visit();
  await visit.open(written('markup/=formulas.json', JSON.stringify(trace)));
  let defused = 0;
  for (const tab of ['steps', 'idle', 'operators', 'kernels', 'copies', 'memory', 'advice']) {
    await visit.tab(tab);
    const saves = visit.page.locator('#panel [data-test="save-csv"]:visible');
    for (let table = 0; table < (await saves.count()); table++) {
      const {bytes, name} = await visit.saved(() => saves.nth(table).click());
      const cells = parseCsv(bytes.toString()).flat();
      assert.deepEqual(
        cells.filter((cell) => /^[=+\-@\t\r]/.test(cell) && !(Number(cell) < Infinity)),
        [],
        name,
      );
      defused += cells.filter((cell) => /^'[=+\-@\t\r]/.test(cell)).length;
    }
  }
  assert.ok(defused > 20, `${defused} formulas were met`);
  await visit.close();
});

test('in what a notebook shows', async () => {
  const output = written('markup/notebook.html', '');
  const script =
    'import sys, stepscope\nfrom stepscope import _show\n_show._is_watched = lambda: False\nbundle = stepscope.show(sys.argv[1])._repr_mimebundle_()[0]\nopen(sys.argv[2], "w", encoding="utf-8").write(bundle["text/html"])';
  execFileSync('python3', ['-c', script, folder, output], {
    env: {
      ...process.env,
      PYTHONPATH: path.join(import.meta.dirname, '../../collector/python'),
      STEPSCOPE_PROGRAM: environment('STEPSCOPE_PROGRAM'),
      STEPSCOPE_PAGE: environment('STEPSCOPE_PAGE'),
    },
  });
  const visit = await here.visit();
  const page = await visit.page.context().newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(pathToFileURL(output).href);
  await isText(page, 'the notebook');
  const frame = await (await page.locator('iframe').elementHandle())?.contentFrame();
  assert.ok(frame);
  await isText(frame, 'the report in it');
  assert.ok((await frame.locator('main').innerText()).includes('onerror'));
  await visit.close();
});
