// The tasks of the book's chapter, each done by its instructions, with as many clicks.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {site} from './lib/site.mjs';
import {TASKS, doTask} from './lib/tasks.mjs';

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
  for (const [index, task] of TASKS.entries()) {
    const visit = await here.visit({permissions: ['clipboard-read', 'clipboard-write']});
    await doTask(visit, task);
    assert.deepEqual(visit.complaints, [], `task ${index + 1}`);
    await visit.close();
  }
});
