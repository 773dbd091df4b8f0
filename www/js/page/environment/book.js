// The book that is shipped with the page: addresses of the sections on views, tables and numbers.

import {environment} from './environment.js';

/** Pages of the book, each with a heading in English and in Chinese where a part of it is meant. @satisfies {Record<string, [page: string, en?: string, zh?: string]>} */
export const SECTIONS = {
  advice: ['advice'],
  budget: ['budget', 'leaves', '叶'],
  calls: ['numbers', 'calls-by-stack', '按调用栈的调用'],
  columns: ['numbers', 'columns-of-tables', '表格的列'],
  compare: ['page', 'compare-two-traces', '比较两个-trace'],
  critical: ['numbers', 'critical-path', '关键路径'],
  data: ['numbers', 'data', '数据'],
  definitions: ['page', 'other-definitions', '其他工具的定义'],
  formats: ['formats'],
  graphs: ['page', 'several-graphs', '多个子图'],
  idle: ['numbers', 'idle-time', '空闲时间'],
  introduction: ['index'],
  launch: ['numbers', 'launches', '启动'],
  memory: ['numbers', 'memory', '内存'],
  numbers: ['numbers'],
  overview: ['numbers', 'overview', '概览'],
  page: ['page'],
  queue: ['numbers', 'queues', '队列'],
  quality: ['formats'],
  ranks: ['ranks'],
  ranks_numbers: ['numbers', 'ranks-of-a-job', '作业的各-rank'],
  recorded: ['page', 'recorded-tables', '记录的表格'],
  resources: ['page', 'which-tab-answers-which-question', '哪个标签页回答哪个问题'],
  step_trace: ['numbers', 'step-trace', '迭代轨迹'],
  steps: ['budget', 'steps', '步'],
  throughput: ['numbers', 'throughput', '吞吐量'],
  timeline: ['timeline'],
  drill_down: ['numbers', 'from-the-job-to-a-cause', '从作业到原因'],
};

/** A part of the book that the page names. @typedef {keyof typeof SECTIONS} Section */

/** The section about each view. @type {Record<import('../state.js').Tab, Section>} */
export const OF_TABS = {
  overview: 'overview',
  ranks: 'ranks',
  timeline: 'timeline',
  steps: 'steps',
  idle: 'idle',
  calls: 'calls',
  operators: 'columns',
  kernels: 'columns',
  modules: 'calls',
  communication: 'columns',
  copies: 'columns',
  data: 'data',
  resources: 'resources',
  compare: 'compare',
  memory: 'memory',
  advice: 'advice',
  recorded: 'recorded',
};

/**
 * The address of a section in the language that is shown; nothing where no book is shipped: in an element on somebody else's
 * page, in a report, on a page that was built without it.
 * @param {Section} section
 */
export function bookAddress(section) {
  const {book, holder} = environment();
  if (book === undefined) return null;
  const [page, en, zh] = /** @type {[string, string?, string?]} */ (SECTIONS[section]);
  const isChinese = holder.lang.startsWith('zh');
  const part = isChinese ? zh : en;
  return new URL(`${isChinese ? 'zh/' : ''}${page}.html${part === undefined ? '' : `#${encodeURIComponent(part)}`}`, book).href;
}
