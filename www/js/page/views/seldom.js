// The tabs that few visits open: a script that the page loads when one of them is wanted.

export {CallsTab} from './calls/calls-tab.js';
export {CompareTab} from './compare/compare-tab.js';
export {DataTab} from './data/data-tab.js';
export {MemoryTab} from './memory/memory-tab.js';
export {RecordedTab} from './tables/recorded.js';
export {ResourcesTab} from './resources/resources-tab.js';
