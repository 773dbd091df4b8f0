// By what calls are grouped: call stacks, modules or ranges, as the address and the history have it.

import {openAgain} from '../parts/opened.js';

/** The name of the choice in the address. */
export const BY = 'calls-by';

/** By what boxes are made at first. */
export const FIRST = 'calls';

/** Opens the tab of calls by a grouping. @param {Pick<import('../../app.js').App, 'state' | 'store' | 'opened' | 'go'>} app @param {string} grouping */
export function showCalls(app, grouping) {
  const {tab, opened} = app.state;
  const by = grouping === FIRST ? undefined : grouping;
  if (tab === 'calls') app.opened(BY, by);
  else {
    const own = {...opened.calls};
    if (by === undefined) delete own[BY];
    else own[BY] = by;
    // With the tab, so that both are one entry of the history.
    app.store.set({tab: 'calls', opened: {...opened, calls: own}});
  }
  app.go('calls');
  openAgain(app.state.opened.calls ?? {});
}
