// The first tab: the verdict in a few numbers, where each step's time goes, how good the data is.

import {fill, h} from '../dom.js';
import {has, t} from '../i18n.js';
import {BarChart} from './chart.js';

/** @typedef {import('../protocol.js').Rank} Rank */
/** @typedef {import('../protocol.js').RoleName} RoleName */
/** @typedef {import('../state.js').State} State */

/** @type {RoleName[]} */
const ROLES = ['kernel', 'memcpy', 'memset', 'communication', 'runtime', 'dataloader', 'cpu', 'other'];

/** Parts of the overlap bar, with the class whose colour each has. @type {[keyof import('../protocol.js').OverlapBar, string][]} */
const OVERLAP = [
  ['compute_alone_ns', 'kernel'],
  ['overlap_ns', 'overlap'],
  ['exposed_communication_ns', 'communication'],
  ['exposed_memcpy_ns', 'memcpy'],
  ['exposed_memset_ns', 'memset'],
  ['idle_ns', 'idle'],
];

/** The overview of a rank. */
export class Overview {
  #tiles = h('div', {class: 'tiles'});
  #quality = h('section', {class: 'card', 'aria-labelledby': 'quality-title'});
  #about = h('section', {class: 'card', 'aria-labelledby': 'about-title'});
  #definition = h('section', {class: 'card', 'aria-labelledby': 'definition-title', hidden: true});
  #stepsNote = h('p', {class: 'hint'});

  /** @param {import('../app.js').App} app */
  constructor(app) {
    this.app = app;
    const {duration, percent} = app.wasm;
    this.steps = new BarChart(app, {
      height: 240,
      partName: (part) => t(`role.${part}`),
      describe: (region, part) => {
        const {steps} = this.rank;
        const names = region.end - region.first === 1 ? steps[region.first].name : `${steps[region.first].name} – ${steps[region.end - 1].name}`;
        return [t('step', {name: names}), `${t(`role.${part}`)}: ${duration(region.value)}`, t('chart.pick')];
      },
      onPick: (region) => app.choose({step: app.state.step === region.first ? null : region.first}),
    });
    this.overlap = new BarChart(app, {
      height: 90,
      partName: (part) => t(`overlap.${part}`),
      describe: (region, part) => {
        const bar = app.state.selection?.overlap[region.first];
        const whole = bar ? OVERLAP.map(([key]) => bar[key]).reduce((sum, value) => sum + value, 0) : 0;
        return [t(`overlap.${part}`), `${duration(region.value)} · ${percent(whole ? region.value / whole : null)}`];
      },
    });
    this.element = h(
      'div',
      {class: 'overview'},
      this.#tiles,
      h('section', {class: 'card wide'}, h('h2', {}, t('overview.steps')), this.#stepsNote, this.steps.element),
      h('section', {class: 'card wide'}, h('h2', {}, t('overview.overlap')), h('p', {class: 'hint'}, t('overview.overlap.why')), this.overlap.element),
      this.#definition,
      this.#quality,
      this.#about,
    );
  }

  /** @returns {Rank} */
  get rank() {
    const {summary, rank} = this.app.state;
    return /** @type {Rank} */ (summary?.ranks[rank]);
  }

  /** @param {State} now @param {State | undefined} before */
  show(now, before) {
    const sameRank = before && now.summary === before.summary && now.rank === before.rank;
    if (!sameRank) {
      this.#showQuality(now);
      this.#showAbout(now);
      this.#showDefinition();
    }
    if (!sameRank || now.step !== before.step) this.#showSteps(now);
    if (!before || now.selection !== before.selection) this.#showSelection(now);
  }

  /** @param {State} state */
  #showSteps(state) {
    const {steps} = this.rank;
    fill(this.#stepsNote, t(`overview.source.${this.rank.step_source}`, {steps: steps.length}));
    this.steps.show({
      parts: ROLES,
      bars: steps.map((step) => ({label: step.name, values: ROLES.map((role) => step.roles[`${role}_ns`]), pale: !step.counted})),
      lying: false,
      selected: state.step,
    });
  }

  /** @param {State} state */
  #showSelection({selection}) {
    if (!selection) return;
    const {duration, percent} = this.app.wasm;
    fill(
      this.#tiles,
      selection.tiles.map((tile) =>
        h(
          'div',
          {class: `tile tile-${tile.name}`, tabindex: '0', 'data-test': `tile-${tile.name}`, 'aria-describedby': `formula-${tile.name}`},
          h('span', {class: 'tile-name'}, t(`tile.${tile.name}`)),
          h('span', {class: 'tile-value'}, tile.share === null ? duration(tile.time_ns) : percent(tile.share)),
          h('span', {class: 'tile-more'}, tile.share === null ? t('tile.step.more') : duration(tile.time_ns)),
          h('span', {class: 'formula', role: 'tooltip', id: `formula-${tile.name}`}, t(`tile.${tile.name}.formula`)),
        ),
      ),
    );
    this.overlap.element.parentElement?.toggleAttribute('hidden', selection.overlap.length === 0);
    this.overlap.show({
      parts: OVERLAP.map(([, part]) => part),
      bars: selection.overlap.map((bar) => ({label: t('device', {device: bar.device}), values: OVERLAP.map(([key]) => bar[key]), pale: false})),
      lying: true,
      selected: null,
    });
  }

  /** @param {State} state */
  #showQuality({summary, rank}) {
    const {count} = this.app.wasm;
    const warnings = summary?.inputs[rank].warnings ?? [];
    fill(
      this.#quality,
      h('h2', {id: 'quality-title'}, t('quality')),
      warnings.length === 0 && h('p', {class: 'good'}, t('quality.good')),
      h(
        'ul',
        {class: 'warnings'},
        warnings.map((warning) =>
          h(
            'li',
            {class: `warning is-${warning.severity}`, 'data-code': warning.code},
            h('span', {class: 'severity'}, t(`severity.${warning.severity}`)),
            h(
              'div',
              {},
              h('span', {}, t(`warning.${warning.code}`)),
              warning.count > 1 && h('span', {class: 'times'}, ` × ${count(warning.count)}`),
              (warning.example || warning.position !== null) &&
                h('span', {class: 'example', title: warning.example}, [warning.example, warning.position === null ? '' : t('problem.at', {byte: warning.position})].filter(Boolean).join(' · ')),
            ),
          ),
        ),
      ),
    );
  }

  /** @param {State} state */
  #showAbout({summary, rank}) {
    const {bytes, count} = this.app.wasm;
    const input = /** @type {import('../protocol.js').Input} */ (summary?.inputs[rank]);
    const {devices, rank: number, world_size: world, origin_unix_ns: origin, phase_sources: phases} = this.rank;
    /** @type {[string, string][]} */
    const rows = [
      [t('about.file'), input.name],
      [t('about.size'), input.bytes === input.text_bytes ? bytes(input.bytes) : t('about.packed', {bytes: bytes(input.bytes), text: bytes(input.text_bytes)})],
      [t('about.framework'), [input.framework, input.framework_version].filter(Boolean).join(' ')],
      [t('about.events'), t('about.slices', {events: count(input.events), slices: count(input.slices)})],
    ];
    if (number !== null) rows.push([t('about.rank'), world === null ? String(number) : t('about.of', {rank: number, world})]);
    if (origin !== null) rows.push([t('about.start'), new Date(Number(BigInt(origin) / 1000000n)).toISOString().replace('T', ' ').replace('Z', ' UTC')]);
    for (const [name, some] of grouped(devices)) {
      const more = [some[0].memory_bytes === null ? '' : bytes(some[0].memory_bytes), some[0].multiprocessors === null ? '' : `${some[0].multiprocessors} SM`];
      rows.push([t('about.device'), [`${some.length} × ${name || t('about.unnamed')}`, ...more.filter(Boolean)].join(' · ')]);
    }
    rows.push([t('about.phases'), Object.entries(phases).map(([phase, source]) => `${t(`phase.${phase}`)}: ${t(`source.${source}`)}`).join(' · ')]);
    fill(
      this.#about,
      h('h2', {id: 'about-title'}, t('about')),
      h('dl', {class: 'facts'}, ...rows.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])),
      input.facts.length > 0 &&
        h('details', {}, h('summary', {}, t('about.more')), h('dl', {class: 'facts'}, ...input.facts.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]))),
    );
  }

  #showDefinition() {
    const {definition, definition_values: found} = this.rank;
    this.#definition.hidden = !found;
    if (!found) return;
    const {duration, percent} = this.app.wasm;
    const text = (/** @type {string} */ key, /** @type {number | null} */ value) => (key.endsWith('_ns') ? duration(value ?? 0) : percent(value));
    const name = (/** @type {string} */ key) => (has(`value.${key}`) ? t(`value.${key}`) : key.replace(/_ns$/, '').replaceAll('_', ' '));
    fill(
      this.#definition,
      h('h2', {id: 'definition-title'}, t('overview.definition', {name: t(`definition.${definition}`)})),
      h('p', {class: 'hint'}, t(`definition.${definition}.why`)),
      h('dl', {class: 'facts', 'data-test': 'definition-values'}, ...Object.entries(found.values).flatMap(([key, value]) => [h('dt', {}, name(key)), h('dd', {}, text(key, value))])),
      found.steps &&
        h(
          'div',
          {class: 'scroll'},
          h(
            'table',
            {class: 'small-table'},
            h('thead', {}, h('tr', {}, h('th', {scope: 'col'}, t('column.step')), ...Object.keys(found.steps[0].values).map((key) => h('th', {scope: 'col'}, name(key))))),
            h('tbody', {}, ...found.steps.slice(0, 50).map((step) => h('tr', {}, h('th', {scope: 'row'}, step.name), ...Object.entries(step.values).map(([key, value]) => h('td', {}, text(key, value)))))),
          ),
        ),
    );
  }
}

/** @template {{name: string}} Thing @param {Thing[]} things @returns {Map<string, Thing[]>} by name */
function grouped(things) {
  const groups = new Map();
  for (const thing of things) groups.set(thing.name, [...(groups.get(thing.name) ?? []), thing]);
  return groups;
}
