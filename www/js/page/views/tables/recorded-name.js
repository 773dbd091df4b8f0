// The names of tables that a profiler wrote.

import {has, t} from '../../environment/i18n.js';

/** The name of a recorded table. @param {string} id */
export function nameOf(id) {
  return has(`recorded.${id}`) ? t(`recorded.${id}`) : id;
}
