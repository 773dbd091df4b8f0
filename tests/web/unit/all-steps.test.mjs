// Texts on steps, for traces that mark none.

import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';

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
});
