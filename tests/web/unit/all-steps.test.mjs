// Texts on steps, for traces that mark none.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import {after, before, test} from 'node:test';

import {t} from '../../../www/js/page/environment/i18n.js';
import {ofSteps} from '../../../www/js/page/views/parts/all-steps.js';
import {speak} from './lib/page.mjs';

before(() => speak('en'));
after(() => speak('en'));

test('without marked steps, a text on the step says that it is the recorded time', async () => {
  assert.equal(ofSteps('A part of the step.', false), 'A part of the step.');
  assert.equal(ofSteps('A part of the step.', true), 'A part of the step. The trace marks no steps: “step” means the recorded time.');
  assert.equal(ofSteps('A part of all kernels.', true), 'A part of all kernels.');
  await speak('zh');
  assert.match(ofSteps('占步的比例。', true), /记录的时间/);
  assert.equal(ofSteps('异步拷贝。', true), '异步拷贝。');
});

test('both languages say it of the same texts', async () => {
  const all = JSON.parse(fs.readFileSync(new URL('../../../www/i18n/en.json', import.meta.url), 'utf8'));
  const keys = Object.keys(all).filter((key) => /^tile\..*\.formula$|^advice\..*\.why$/.test(key));
  const said = async (/** @type {import('../../../www/js/page/environment/i18n.js').Language} */ language) => {
    await speak(language);
    return keys.filter((key) => ofSteps(t(key), true) !== t(key));
  };
  const english = await said('en');
  assert.ok(english.length > 5 && english.length < keys.length, `${english}`);
  assert.deepEqual(await said('zh'), english);
});
