// Cards and tables that the command palette leads to.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {sectionsOf} from '../../../www/js/page/views/palette/sections.js';
import {TABS} from '../../../www/js/page/state.js';

test('each section has a name, and is offered where its tab is', () => {
  const english = JSON.parse(fs.readFileSync(path.join(import.meta.dirname, '../../../www/i18n/en.json'), 'utf8'));
  const all = sectionsOf(TABS, true);
  assert.deepEqual(
    all.filter(({key}) => !(key in english)).map(({key}) => key),
    [],
  );
  const names = all.map(({key}) => english[key]).join('\n');
  for (const word of [/famil/i, /launch/i, /critical/i, /waterfall/i]) assert.match(names, word);
  assert.deepEqual(
    sectionsOf(['memory'], true).map(({tab}) => tab),
    ['memory'],
  );
  assert.ok(!sectionsOf(TABS, false).some(({choose}) => choose), 'nothing is compared');
});
