// The tasks of the book's chapter, each done by its instructions, with as many clicks.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {site} from './lib/site.mjs';
import {TASKS, act, traces} from './lib/tasks.mjs';

const here = site();
const book = path.join(import.meta.dirname, '../../docs/src');

test('each task of the book is done with the clicks that the book counts', async () => {
  for (const language of ['', 'zh/']) {
    const chapter = fs.readFileSync(path.join(book, language, 'tasks.md'), 'utf8');
    const counted = [...chapter.matchAll(/^\| \d+ \|.*\| (\d+) \|$/gm)].map(([, clicks]) => Number(clicks));
    assert.deepEqual(
      counted,
      TASKS.map(({clicks}) => clicks.length),
      `${language}tasks.md`,
    );
  }
  for (const [index, {open, clicks, shown}] of TASKS.entries()) {
    const visit = await here.visit({permissions: ['clipboard-read', 'clipboard-write']});
    if (open === 'trace') await visit.open(traces()[0]);
    else {
      await visit.part(open).click();
      await visit.results();
    }
    for (const click of clicks) await act(visit, click);
    await shown(visit);
    assert.deepEqual(visit.complaints, [], `task ${index + 1}`);
    await visit.close();
  }
});
