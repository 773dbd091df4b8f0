// The first case of a warning in both languages: the analyzer's words are translated, the file's own text stays.

import assert from 'node:assert/strict';
import {after, test} from 'node:test';

import {exampleText} from '../../../www/js/page/views/overview/warning-example.js';
import {speak} from './lib/page.mjs';

const CASES = /** @type {const} */ ([
  ['launch_without_activity', '1 of 2 launching calls', '1 of 2 launching calls', '2 个启动调用中的 1 个'],
  ['out_of_order', '3 of 9 activities', '3 of 9 activities', '9 个活动中的 3 个'],
  ['steps_not_covered', '2 of 5', '2 of 5', '5 个中的 2 个'],
  ['step_not_recorded', '7: 9.900 of 10.000 ms not recorded', 'Step 7: 9.900 of 10.000 ms are not recorded', '第 7 步：10.000 ms 中有 9.900 ms 未记录'],
  ['no_step_marks', 'host operators, and what they launched', 'host operators, and what they launched', '主机算子及其启动的活动'],
  ['several_runs', 'process 4827 besides 4663', 'process 4827 besides 4663', '进程 4663 之外还有进程 4827'],
  ['merged_ranks', '1 ranks', '1 rank', '1 个 rank'],
  ['incomplete_event', 'no ts', 'no ts', '缺少 ts'],
  ['partial_step', '3, 4', 'Step 3, 4', '第 3, 4 步'],
  ['malformed_event', 'expected a value', 'expected a value', ''],
  ['activity_without_launch', 'dma_in', 'dma_in', 'dma_in'],
  ['only_tables', '', '', ''],
]);

after(() => speak('en'));

for (const [place, language] of /** @type {const} */ ([
  [2, 'en'],
  [3, 'zh'],
])) {
  test(`the first case of a warning: ${language}`, async () => {
    await speak(language);
    for (const one of CASES) assert.equal(exampleText({code: one[0], example: one[1]}), one[place], one[1]);
  });
}
