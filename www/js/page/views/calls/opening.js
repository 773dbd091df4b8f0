// Opens the trees of calls: by a grouping, or of a range of time.

import {openAgain} from '../parts/opened.js';

/** The name of the choice of a grouping in the address. */
export const BY = 'calls-by';

/** The initial grouping of calls into boxes. */
export const FIRST = 'calls';

/** The grouping that has a tab of its own. */
export const MODULES = 'modules';

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

/** Opens the tab of calls of a range of time. @param {Pick<import('../../app.js').App, 'store' | 'go'>} app @param {[number, number]} range in whole ns of the shown rank */
export function showCallsOf(app, range) {
  app.store.set({tab: 'calls', callsRange: range});
  app.go('calls');
}
