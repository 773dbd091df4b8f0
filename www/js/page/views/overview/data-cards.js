// The cards on the loaded files and their quality.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {codeText} from '../parts/code-text.js';
import {heading} from '../parts/heading.js';
import {unitNames} from '../parts/units.js';
import {utcText} from '../parts/utc.js';
import {ownTool, showPrinted} from '../share/printed.js';
import {exampleText} from './warning-example.js';

/** @typedef {import('../../../../types/reports.js').Input} Input */
/** @typedef {import('../../../../types/reports.js').RankReport} Rank */
/** @typedef {import('../../../../types/reports.js').WarningReport} Warning */

/** Fills the card on the quality of a file. @param {HTMLElement} card @param {import('../../app.js').App} app @param {Input} input */
export function showQuality(card, app, input) {
  const {count} = app.wasm;
  fill(
    card,
    heading('h2', 'quality', 'quality', {id: 'quality-title'}),
    input.warnings.length === 0
      ? h('p', {class: 'good'}, t('quality.good'))
      : h(
          'ul',
          {class: 'warnings'},
          input.warnings.map((warning) =>
            h(
              'li',
              {class: `warning is-${warning.severity}`, 'data-code': warning.code},
              h('span', {class: 'severity'}, t(`severity.${warning.severity}`)),
              h(
                'div',
                {},
                h('span', {}, ...codeText(t(`warning.${warning.code}`))),
                warning.count > 1 && h('span', {class: 'times'}, ` × ${count(warning.count)}`),
                example(warning),
              ),
            ),
          ),
        ),
  );
}

/** The first case of a warning, and where it is. @param {Warning} warning */
function example(warning) {
  const {position} = warning;
  const words = exampleText(warning);
  const parts = [words, position === null ? '' : t('problem.at', {byte: position})].filter(Boolean);
  return parts.length > 0 && h('span', {class: 'example', title: words}, parts.join(' · '));
}

/** The card of a file's facts. @param {HTMLElement} card @param {import('../../app.js').App} app @param {Input} input @param {Rank} rank */
export function showAbout(card, app, input, rank) {
  const {bytes, count} = app.wasm;
  /** @type {[string, string][]} */
  const rows = [
    [t('about.file'), input.name],
    [t('about.size'), input.bytes === input.text_bytes ? bytes(input.bytes) : t('about.packed', {bytes: bytes(input.bytes), text: bytes(input.text_bytes)})],
    [t('about.framework'), [input.framework, input.framework_version].filter(Boolean).join(' ')],
    ...(rank.only_tables
      ? []
      : [/** @type {[string, string]} */ ([t('about.events'), t('about.slices', {events: count(input.events), slices: count(input.slices)})])]),
    [t('about.memory'), bytes(app.state.wasmBytes)],
  ];
  const {rank: number, world_size: world, origin_unix_ns: origin} = rank;
  if (number !== null) rows.push([t('about.rank'), world === null ? String(number) : t('about.of', {rank: number, world})]);
  if (origin !== null) rows.push([t('about.start'), utcText(BigInt(origin), true)]);
  const used = rank.device_time.length;
  for (const [name, some] of grouped(rank.devices)) {
    const more = [
      used > 0 && used < some.length && some.length === rank.devices.length ? t('about.devices.used', {used, all: some.length}) : '',
      some[0].memory_bytes === null ? '' : bytes(some[0].memory_bytes),
      some[0].multiprocessors === null ? '' : t('device.units', {count: some[0].multiprocessors, ...unitNames(rank.vendor)}),
    ];
    rows.push([t('about.device'), [`${some.length} × ${name || t('about.unnamed')}`, ...more.filter(Boolean)].join(' · ')]);
  }
  if (!rank.only_tables) rows.push([t('about.phases'), phasesText(rank.phase_sources) || t('source.absent')]);
  const list = (/** @type {[string, string][]} */ facts) =>
    h(
      'dl',
      {class: 'facts'},
      facts.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]),
    );
  fill(
    card,
    h('h2', {id: 'about-title', title: t('about.why')}, t('about')),
    list(rows),
    ownTool(input.framework) &&
      h(
        'p',
        {class: 'jumps'},
        h('button', {type: 'button', class: 'link', 'data-test': 'about-printed', onclick: () => showPrinted(app)}, t('printed.own', {tool: input.framework})),
      ),
    input.facts.length > 0 && h('details', {}, h('summary', {}, t('about.more')), list(input.facts)),
  );
}

/** @template {{name: string}} Thing @param {Thing[]} things @returns {Map<string, Thing[]>} by name */
function grouped(things) {
  const groups = new Map();
  for (const thing of things) groups.set(thing.name, [...(groups.get(thing.name) ?? []), thing]);
  return groups;
}

/** By what the phases are known, those of one source together. @param {Rank['phase_sources']} sources */
function phasesText(sources) {
  const phases = Object.entries(sources).filter(([, source]) => source !== 'absent');
  const named = (/** @type {string} */ source) => phases.flatMap(([phase, of]) => (of === source ? [t(`phase.${phase}`)] : [])).join(t('timeline.seen.comma'));
  return [...new Set(phases.map(([, source]) => source))].map((source) => [named(source), t(`source.${source}`)].join(': ')).join(' · ');
}
