// The element in React's JSX, and what must be refused.

import 'stepscope-view';
import type {StepscopeView} from 'stepscope-view';
import type {} from 'stepscope-view/react';
import {useRef} from 'react';

export function Trace({address}: {address: string}) {
  const view = useRef<StepscopeView>(null);
  const open = (file: File) => view.current?.open(file);
  void open;
  return <stepscope-view ref={view} src={address} tab="timeline" theme="dark" lang="en" id="trace" style={{height: 640}} />;
}

// @ts-expect-error there is no such tab
export const wrong = <stepscope-view tab="nowhere" />;
