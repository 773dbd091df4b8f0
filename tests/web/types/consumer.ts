// All that the package's README tells of, as a page in TypeScript uses it. What has a comment `@ts-expect-error` must be refused.

import 'stepscope-view';
import type {Loaded, Openable, OpenError, Problem, Selected, StepscopeView} from 'stepscope-view';

const view = document.createElement('stepscope-view');
const found: StepscopeView | null = document.querySelector('stepscope-view');
document.body.append(view, ...(found ? [found] : []));

view.setAttribute('src', 'trace.json.gz');
view.setAttribute('tab', 'timeline');
view.setAttribute('theme', 'dark');
view.setAttribute('lang', 'zh');

view.src = 'trace.json.gz';
view.tab = 'timeline';
view.theme = null;
view.lang = 'zh';
// @ts-expect-error there is no such tab
view.tab = 'nowhere';

const loaded = (event: CustomEvent<Loaded>): void => console.log(event.detail.ranks, event.detail.inputs[0].name);
view.addEventListener('loaded', loaded, {once: true});
view.removeEventListener('loaded', loaded);
view.addEventListener('selected', ({detail}: CustomEvent<Selected>) => console.log(detail.rank, detail.step, detail.tab, detail.event));
view.addEventListener('error', ({detail}) => told(detail));
view.addEventListener('click', (event) => console.log(event.clientX));

function told({code, file, position, message}: Problem): string {
  return `${code} ${file} ${position ?? 0} ${message}`;
}

export async function all(file: File, blob: Blob, buffer: ArrayBuffer): Promise<object> {
  const several: Openable[] = [file, blob, buffer, new Uint8Array(buffer), new URL('https://example.org/'), 'trace.json', {path: 'a/b.json', bytes: buffer}];
  for (const one of several) await view.open(one);
  const {ranks, inputs}: Loaded = await view.open(several);
  console.log(ranks, inputs[0].bytes);
  view.open(file).catch((error: OpenError) => told(error.problem));
  // @ts-expect-error a number is no trace
  await view.open(7);
  // @ts-expect-error its detail has no such part
  view.addEventListener('selected', ({detail}) => console.log(detail.ranks));
  return view.summary();
}
