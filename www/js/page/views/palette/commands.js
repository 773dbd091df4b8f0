// The commands of the command palette.

import {GROUPS, tabsOf} from '../../state.js';
import {has, t} from '../../environment/i18n.js';
import {showFiles} from '../files/files.js';
import {DEFINITIONS} from '../frame/definition.js';
import {recentName} from '../frame/empty.js';
import {showHelp} from '../frame/help.js';
import {tabName} from '../frame/tab-name.js';
import {allStepsText, stepFlag} from '../parts/all-steps.js';
import {rankName} from '../parts/rank-name.js';
import {copyLink, hasLink} from '../share/copy-link.js';
import {exportsOf} from '../share/exports-menu.js';
import {matching} from './match.js';
import {goToSection, maybeSectionsOf, sectionsOf} from './sections.js';

/** @typedef {import('../../app.js').App} App */
/** @typedef {{kind: string, text: string, also?: string[], act: () => unknown}} Command `kind`: its kind, as shown; `also`: further search terms */

/** The languages, each under its own name. @type {[import('../../environment/i18n.js').Language, string][]} */
const LANGUAGES = [
  ['en', 'English'],
  ['zh', '中文'],
];

/** Other words by which a heading, a tab or an export is found. @param {string} key of its message @returns {string[]} */
function wordsFor(key) {
  const also = `palette.also.${key}`;
  return has(also) ? t(also).split(/[,，、] */) : [];
}

/** The commands for the open trace: views, ranks, steps, exports, settings. @param {App} app @param {import('./details.js').Details} [details] @returns {Command[]} */
export function commandsOf(app, details = {}) {
  const {summary, rank} = app.state;
  if (!summary) return [];
  const shown = summary.ranks[rank];
  const of = (/** @type {string} */ kind) => (/** @type {string} */ text, /** @type {() => unknown} */ act) => ({kind: t(`palette.${kind}`), text, act});
  const [view, one, step, save, setting] = ['view', 'rank', 'step', 'export', 'setting'].map(of);
  const tabs = tabsOf(summary, rank);
  const nameOf = (/** @type {import('../../state.js').Tab} */ tab) => tabName(tab, app.state);
  const groupOf = (/** @type {import('../../state.js').Tab} */ tab) => Object.entries(GROUPS).find(([, members]) => members.includes(tab))?.[0];
  return [
    ...tabs.map((tab) => ({...view(nameOf(tab), () => app.go(tab)), also: [t(`group.${groupOf(tab)}`), ...wordsFor(`tab.${tab}`)]})),
    ...sectionsOf(tabs, {summary, rank, other: app.comparing.other?.rank ?? null, details}).map((found) => ({
      kind: nameOf(found.tab),
      text: t(found.key),
      also: wordsFor(found.key),
      act: () => goToSection(app, found),
    })),
    ...(summary.ranks.length > 1
      ? summary.ranks.map((other, index) => one(rankName(other), () => app.choose({rank: index, step: null, selection: null})))
      : []),
    ...(shown.steps.length
      ? [
          step(allStepsText(shown), () => app.choose({step: null})),
          ...shown.steps.flatMap((other, index) =>
            other.covered ? [step(t('step', {name: other.name}) + stepFlag(other), () => app.choose({step: index}))] : [],
          ),
        ]
      : []),
    ...exportsOf(app).map(({key, text, act}) => ({...save(text, act), also: wordsFor(key)})),
    ...(hasLink() ? [save(t('link.copy'), () => copyLink(app))] : []),
    setting(t('header.open'), () => app.openChosen()),
    setting(t('header.folder'), () => app.openChosen(true)),
    ...app.state.recent.map((one) => setting(t('recent.open', {name: recentName(one, app.wasm)}), one.open)),
    setting(t('files.title'), () => showFiles(app)),
    setting(t('help.title'), showHelp),
    ...['system', 'light', 'dark'].map((theme) =>
      setting(`${t('header.theme')}: ${t(`theme.${theme}`)}`, () => app.chooseTheme(/** @type {import('../../environment/theme.js').Theme} */ (theme))),
    ),
    // Each in its own words, too, for whoever cannot read the other.
    ...LANGUAGES.map(([language, name]) =>
      setting(`${[...new Set(['Language', t('header.language')])].join(' · ')}: ${name}`, () => app.chooseLanguage(language)),
    ),
    ...(shown.only_tables ? [] : DEFINITIONS.map((name) => setting(`${t('definition.choose')}: ${t(`definition.${name}`)}`, () => app.define(name)))),
  ];
}

/** The details that decide whether the trace has a match of a query; empty before something is typed. @param {App} app @param {import('./details.js').Details} details @param {string} query @returns {Set<import('./details.js').Detail>} */
export function detailsFor(app, details, query) {
  const {summary, rank} = app.state;
  if (!summary || !query.trim()) return new Set();
  const maybe = maybeSectionsOf(tabsOf(summary, rank), {summary, rank, other: null, details});
  const named = maybe.map(({tab, key, detail}) => ({kind: tabName(tab, app.state), text: t(key), also: wordsFor(key), detail}));
  return new Set(matching(named, query, named.length, 0).map(({detail}) => detail));
}

/** Searches for the typed text. @param {App} app @param {string} query @returns {Command[]} */
export function searchesOf(app, query) {
  const {summary, rank} = app.state;
  if (!summary || !query.trim()) return [];
  const tabs = tabsOf(summary, rank);
  const kind = t('palette.find');
  const search = (/** @type {import('../../state.js').Tab} */ tab, /** @type {() => unknown} */ act) =>
    tabs.includes(tab) ? [{kind, text: t('palette.find.in', {query: query.trim(), where: tabName(tab, app.state)}), act}] : [];
  return [
    ...search('timeline', () => app.jump({find: query.trim()})),
    .../** @type {const} */ (['operators', 'kernels']).flatMap((tab) => search(tab, () => app.find(tab, query.trim()))),
  ];
}
