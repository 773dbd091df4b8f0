// The pane of a time range: its content and where its time goes, beside another range that was kept.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {startText} from '../../timeline/start-text.js';
import {BarChart} from '../charts/chart.js';
import {showCallsOf} from '../calls/opening.js';
import {knownCategories} from '../frame/definition.js';
import {PARTS, values} from '../overview/device-time.js';
import {copyLink, hasLink} from '../share/copy-link.js';
import {DescribedTable} from '../table/described/described.js';
import {gapIn} from './range-gap.js';
import {RangeAmong} from './range-among.js';

/** @typedef {import('../../../../types/reports.js').OneRangeReport} OneRange */
/** @typedef {import('../../../../types/reports.js').RangeReport} RangeReport */
/** @typedef {import('../../../../types/reports.js').RangeSumsReport} RangeSums */
/** @typedef {import('../../../protocol/answers.js').CategoryName} CategoryName */
/** @typedef {import('../../../../types/reports.js').RangeTrackReport} Track */
/** @typedef {[from: number, to: number]} Span in ns of the timeline's time */

/** Delay before a request, in ms: a range that is still being drawn has no report. */
const PAUSE = 120;

/** @type {CategoryName[]} */
const CATEGORIES = ['kernel', 'memcpy', 'memset', 'communication', 'runtime', 'dataloader', 'cpu', 'other'];
const PHASES = ['dataloader', 'forward', 'backward', 'optimizer', 'other'];
/** @type {import('../../../protocol/answers.js').HostActivity[]} */
const HOST = ['data_loading', 'synchronization', 'allocation', 'launching', 'operator', 'python', 'range', 'unrecorded'];

/** Sums over slices, as columns. @type {(keyof RangeSums)[]} */
const SUMS = ['count', 'begun', 'sum_ns', 'union_ns', 'self_ns', 'mean_ns', 'min_ns', 'max_ns'];

/** The pane. */
export class RangePane {
  #asked = 0;
  /** @type {Span | null} */
  #span = null;
  /** Where the shown rank's time zero lies. */
  #shift = 0;
  /** The range that later ones are shown beside. @type {Span | null} */
  #kept = null;
  /** @type {RangeReport | undefined} */
  #report;
  #title = h('h2', {id: 'range-title', title: t('range.why')}, t('range'));
  #beside = h('p', {class: 'hint', 'data-test': 'range-kept', hidden: true});
  #note = h('p', {class: 'range-note', 'data-test': 'range-note', hidden: true});
  #hint = h('p', {class: 'hint', 'data-test': 'range-none'}, t('range.none'));
  #keep = h('button', {class: 'button', 'data-test': 'range-keep', onclick: () => this.#toggleKept()});
  #copy = h('button', {class: 'button', 'data-test': 'range-copy', onclick: () => this.#copyText()}, t('range.copy'));
  #tools;
  #calls;
  #among;
  #said = h('p', {class: 'only-read-out', role: 'status', 'data-test': 'range-said'});
  #facts = h('dl', {class: 'facts range-facts', 'data-test': 'range-length'});
  #sums = h('dl', {class: 'facts range-facts', 'data-test': 'range-facts'});
  #devices;
  #categories;
  #names;
  #changes;
  #more = h('div', {class: 'range-more'});
  #gap = h('div', {});
  #body;

  /** @param {import('../../app.js').App} app @param {{event: (event: number) => void, span: (span: Span) => void, kept: () => void, among: (among: import('../../timeline/view.js').Among | null) => void, cause: (event: number) => void}} go `kept`: called when another range is kept, `among`: called when other rows are chosen, `cause`: called with the slice that causes the range, where that is known */
  constructor(app, go) {
    this.app = app;
    this.go = go;
    this.#among = new RangeAmong(go.among);
    const {duration, percent} = app.wasm;
    const bars = (/** @type {string} */ key, /** @type {(part: string) => string} */ name, /** @type {(range: OneRange) => number} */ barsOf) =>
      new BarChart(app, {
        label: t(key),
        partName: name,
        describe: (region, part) => {
          const length = this.#shown.flatMap((range) => Array.from({length: barsOf(range)}, () => range.length_ns))[region.first];
          return [name(part), `${duration(region.value)} · ${percent(length ? region.value / length : null)}`];
        },
      });
    this.#devices = bars(
      'range.devices',
      (part) => t(`overlap.${part}`),
      (range) => range.overlap.length,
    );
    this.#categories = bars(
      'range.categories',
      // The last category includes Python functions.
      (part) => t(part === 'other' && this.#hasPython ? 'range.category.other' : `category.${part}`),
      () => 1,
    );
    this.#names = this.#nameTable();
    this.#changes = this.#changeTable();
    const tool = (/** @type {string} */ name, /** @type {() => void} */ onclick) =>
      h('button', {class: 'button', 'data-test': `range-${name}`, onclick}, t(`range.${name}`));
    this.#calls = tool('tree', () => this.#span && showCallsOf(app, this.#own(this.#span)));
    this.#calls.title = t('range.tree.why');
    this.#tools = h(
      'div',
      {class: 'range-tools', hidden: true},
      this.#among.element,
      tool('zoom', () => this.#span && go.span(this.#span)),
      this.#calls,
      tool('export', () => this.#span && app.exports.perfetto({part: {name: 'range', span: this.#own(this.#span), tracks: this.#among.tracks}})),
      this.#copy,
      this.#keep,
      hasLink() && h('button', {class: 'button', 'data-test': 'range-link-copy', onclick: () => copyLink(app)}, t('link.copy')),
    );
    const section = (/** @type {string} */ key, /** @type {HTMLElement} */ body) =>
      h('section', {class: 'range-section'}, h('h3', {title: t(`${key}.why`)}, t(key)), body);
    this.#body = h(
      'div',
      {class: 'range-body', hidden: true},
      this.#facts,
      this.#gap,
      this.#sums,
      h('div', {class: 'range-charts'}, section('range.devices', this.#devices.element), section('range.categories', this.#categories.element)),
      section('range.names', h('div', {}, this.#names.element, this.#changes.element)),
      this.#more,
    );
    this.element = h(
      'section',
      {class: 'card range-pane', 'aria-labelledby': 'range-title', 'data-test': 'range-pane'},
      h('div', {class: 'card-head'}, this.#title, h('span', {class: 'space'}), this.#tools),
      this.#note,
      this.#beside,
      this.#hint,
      this.#said,
      this.#body,
    );
    this.#tellKept();
  }

  /** Shows a note on the measurement that made the range; hides it without a text. @param {string} text */
  note(text) {
    this.#note.hidden = !text;
    fill(this.#note, text);
  }

  /** Whether the shown rank has calls. */
  get #hasCalls() {
    const {summary, rank} = this.app.state;
    return summary?.ranks[rank].topics?.includes('call_tree') ?? false;
  }

  /** Whether a thread runs Python in the shown reports. */
  get #hasPython() {
    return this.#shown.some(({hosts}) => hosts.some(({python_ns: time}) => (time ?? 0) > 0));
  }

  /** The range that others are shown beside. */
  get kept() {
    return this.#kept;
  }

  set kept(span) {
    this.#kept = span;
    this.#tellKept();
  }

  /** Shows a range; without one, a hint on how to choose one. @param {Span | null} span @param {number} shift where the shown rank's time zero lies @param {import('./range-among.js').Told} among the rows that the report covers */
  show(span, shift, among) {
    this.#among.show(among);
    this.#tell(span, shift);
  }

  /** @param {Span | null} span @param {number} shift */
  #tell(span, shift) {
    const asked = ++this.#asked;
    this.#span = span;
    this.#shift = shift;
    this.#tellKept();
    this.#tools.hidden = !span;
    this.#hint.hidden = span !== null;
    this.#calls.hidden = !span || span[0] === span[1] || !this.#hasCalls;
    // The pane takes no room until there is something to show.
    this.element.hidden = span === null && this.#kept === null;
    if (!span) {
      this.#report = undefined;
      this.#body.hidden = true;
      fill(this.#title, t('range'));
      this.element.removeAttribute('aria-busy');
      return;
    }
    this.element.setAttribute('aria-busy', 'true');
    setTimeout(() => this.#ask(asked), PAUSE);
  }

  /** Whole nanoseconds around a range, in the shown rank's own time. @param {Span} span @returns {Span} */
  #own([from, to]) {
    return [Math.floor(from - this.#shift), Math.ceil(to - this.#shift)];
  }

  /** Draws the charts again: the theme changed. */
  redraw() {
    if (!this.#report) return;
    for (const chart of [this.#devices, this.#categories]) chart.draw();
    for (const {table} of [this.#names, this.#changes]) table.redraw();
  }

  /** @param {number} asked */
  async #ask(asked) {
    if (asked !== this.#asked || !this.#span) return;
    const kept = this.#kept && String(this.#kept) !== String(this.#span) ? {other_span_ns: this.#own(this.#kept)} : {};
    const {tracks} = this.#among;
    const report = await this.app.report('range', {span_ns: this.#own(this.#span), ...kept, ...(tracks && {tracks})});
    if (asked !== this.#asked) return;
    this.element.removeAttribute('aria-busy');
    this.#report = report;
    fill(this.#gap);
    if (!report) return;
    this.#draw(report);
    const gap = tracks ? null : await gapIn(this.app, report, this.go.event);
    if (asked !== this.#asked) return;
    fill(this.#gap, gap?.element);
    if (typeof gap?.cause === 'number') this.go.cause(gap.cause);
  }

  /** The range in words, with the step that it is in. @param {RangeReport} report */
  #titleOf({start_ns: start, end_ns: end, length_ns: length}) {
    const {summary, rank} = this.app.state;
    const step = summary?.ranks[rank].steps.find((one) => one.start_ns <= start && one.end_ns >= end);
    const [from, to, time] = [startText(start, length, this.app.wasm), startText(end, length, this.app.wasm), this.app.wasm.duration(length)];
    const range = t('range.of', {from, to, length: time});
    return step ? `${t('step', {name: step.name})} · ${range}` : range;
  }

  /** The ranges that are shown, the one that was kept last. @returns {OneRange[]} */
  get #shown() {
    return this.#report ? [this.#report, ...(this.#report.other ? [this.#report.other] : [])] : [];
  }

  /** @param {RangeReport} report */
  #draw(report) {
    const {duration, count, percent} = this.app.wasm;
    this.#body.hidden = false;
    // In the unit that the program takes, for whoever wants the same of it.
    this.element.dataset.range = `${report.start_ns}ns..${report.end_ns}ns`;
    this.element.dataset.tracks = this.#among.tracks?.join(' ') ?? '';
    fill(this.#title, this.#titleOf(report));
    fill(this.#said, t('range.said', {count: count(report.slices.count), length: duration(report.length_ns)}));
    const fact = (/** @type {string} */ key, /** @type {(range: OneRange) => string} */ of) => {
      const [own, other] = this.#shown.map(of);
      return [
        h('dt', {title: t(`range.${key}.why`)}, t(`range.${key}`)),
        h('dd', {'data-test': `range-fact-${key}`}, other === undefined ? own : t('range.both', {own, other})),
      ];
    };
    fill(this.#facts, ...fact('length', (range) => duration(range.length_ns)));
    fill(
      this.#sums,
      ...fact('count', (range) => count(range.slices.count)),
      ...fact('begun', (range) => count(range.slices.begun)),
      ...fact('sum_ns', (range) => duration(range.slices.sum_ns)),
      ...fact('union_ns', (range) => `${duration(range.slices.union_ns)} · ${percent(range.length_ns ? range.slices.union_ns / range.length_ns : null)}`),
    );
    const name = (/** @type {OneRange} */ range) => t(range === report ? 'range.this' : 'range.other');
    const labelled = this.#shown.length > 1;
    const ofDevices = this.#devices.element.closest('section');
    if (ofDevices) ofDevices.hidden = report.overlap.length === 0;
    this.#devices.show({
      parts: PARTS.map(([, part]) => part),
      bars: this.#shown.flatMap((range) =>
        range.overlap.map((bar) => ({
          label: [t('device', {device: bar.device}), labelled ? name(range) : ''].filter(Boolean).join(' · '),
          values: values(bar),
          pale: range !== report,
        })),
      ),
      lying: true,
      selected: null,
    });
    const isKnown = this.#shown.every((range) => !range.categories_before_first_activity);
    this.#categories.show({
      parts: isKnown ? CATEGORIES : [...CATEGORIES, 'delay'],
      bars: this.#shown.map((range) => {
        const categories = knownCategories(range);
        return {
          label: name(range),
          values: [...CATEGORIES.map((category) => categories[`${category}_ns`]), ...(isKnown ? [] : [range.categories_before_first_activity?.total_ns ?? 0])],
          pale: range !== report,
        };
      }),
      lying: true,
      selected: null,
    });
    this.#names.element.hidden = report.changes !== undefined;
    this.#changes.element.hidden = report.changes === undefined;
    if (report.changes) this.#changes.show(report.changes);
    else this.#names.show(report.names);
    fill(this.#more, ...this.#sections(report));
  }

  #nameTable() {
    return new DescribedTable(this.app, 'range.names', {
      name: 'range',
      isPassing: true,
      label: t('range.names'),
      empty: () => t('range.empty'),
      go: this.go.event,
    });
  }

  #changeTable() {
    return new DescribedTable(this.app, 'range.changes', {name: 'range-changes', isPassing: true, label: t('range.names'), empty: () => t('range.empty')});
  }

  /** The tables of a few rows, which a person opens. @param {OneRange} range */
  #sections(range) {
    const {duration, count, percent, number, bytes} = this.app.wasm;
    const sums = (/** @type {RangeSums} */ of) => SUMS.map((key) => (key.endsWith('_ns') ? duration : count)(of[key] ?? 0));
    const go = (/** @type {string} */ text, /** @type {number | null | undefined} */ event) =>
      event === null || event === undefined ? text : h('button', {class: 'link', onclick: () => this.go.event(event)}, text);
    const amount = (/** @type {number} */ value) => (value < 0 ? `−${bytes(-value)}` : bytes(value));
    const level = (/** @type {import('../../../../types/reports.js').MemoryLevelReport} */ of) =>
      [of.first_bytes, of.last_bytes, of.last_bytes - of.first_bytes, of.peak_bytes].map(amount);
    const whole = !this.#among.tracks;
    return [
      table(
        'tracks',
        ['busy', ...SUMS],
        range.tracks.map((row) => [go(placeText(row), row.longest), percent(row.busy_share), ...sums(row)]),
      ),
      table(
        'classes',
        ['share', ...SUMS],
        range.classes.map((row) => [go(t(`range.class.${row.class}`), row.longest), percent(row.share), ...sums(row)]),
      ),
      // The rest is of the whole rank, whatever tracks are chosen.
      !whole
        ? null
        : table(
            'phases',
            ['calls', 'host_ns', 'device_ns'],
            PHASES.map((phase) => [
              t(`phase.${phase}`),
              count(range.phases[phase].calls),
              duration(range.phases[phase].host_ns),
              duration(range.phases[phase].device_ns),
            ]),
          ),
      table(
        'hosts',
        ['mostly', ...HOST],
        range.hosts.map((row) => [
          placeText(row),
          go(t(`host.${row.activity}`), row.shown_by?.slice),
          ...HOST.map((activity) => duration(row[`${activity}_ns`] ?? 0)),
        ]),
      ),
      !whole
        ? null
        : table(
            'memory',
            ['first', 'last', 'memory_change', 'peak', 'allocations', 'releases'],
            (range.memory ?? []).flatMap((row) => {
              const name = row.device === null ? t('memory.host') : t('device', {device: row.device});
              const own = [
                name,
                ...level(row.allocated),
                `${count(row.allocations)} · ${bytes(row.allocated_bytes)}`,
                `${count(row.releases)} · ${bytes(row.released_bytes)}`,
              ];
              return row.reserved ? [own, [t('range.reserved', {name}), ...level(row.reserved), '', '']] : [own];
            }),
          ),
      !whole
        ? null
        : table(
            'counters',
            ['samples', 'mean', 'least', 'most', 'last_value'],
            (range.counters ?? []).map((row) => [`${row.owner} · ${row.name}`, count(row.samples), ...[row.mean, row.min, row.max, row.last].map(number)]),
          ),
    ];
  }

  #toggleKept() {
    this.#kept = this.#kept ? null : this.#span;
    this.#tell(this.#span, this.#shift);
    this.go.kept();
  }

  #tellKept() {
    fill(this.#keep, t(this.#kept ? 'range.forget' : 'range.keep'));
    this.#keep.setAttribute('aria-pressed', String(this.#kept !== null));
    this.#beside.hidden = !this.#kept;
    const {duration} = this.app.wasm;
    if (!this.#kept) return;
    const [from, to] = this.#own(this.#kept);
    fill(
      this.#beside,
      t('range.kept', {from: startText(from, to - from, this.app.wasm), to: startText(to, to - from, this.app.wasm), length: duration(to - from)}),
    );
  }

  async #copyText() {
    try {
      await navigator.clipboard.writeText(this.#asText());
      fill(this.#copy, t('table.copied'));
    } catch {
      fill(this.#copy, t('table.copy.failed'));
    }
    setTimeout(() => fill(this.#copy, t('range.copy')), 2000);
  }

  /** The shown content, as lines with tabs. */
  #asText() {
    const cells = (/** @type {Element} */ row) => [...row.children].map((cell) => cell.textContent ?? '').join('\t');
    const facts = [...this.#facts.children, ...this.#sums.children]
      .filter(({tagName}) => tagName === 'DT')
      .map((name) => `${name.textContent}\t${name.nextElementSibling?.textContent ?? ''}`);
    const tables = [...this.#more.querySelectorAll('details')].flatMap((one) => [
      '',
      one.querySelector('summary')?.textContent ?? '',
      ...[...one.querySelectorAll('tr')].map(cells),
    ]);
    const {duration} = this.app.wasm;
    const devices = this.#shown.flatMap((range) =>
      range.overlap.map((bar) =>
        [
          t('device', {device: bar.device}),
          ...PARTS.flatMap(([key, part]) =>
            bar[/** @type {keyof typeof bar} */ (key)] ? [`${t(`overlap.${part}`)} ${duration(values(bar)[PARTS.findIndex(([one]) => one === key)])}`] : [],
          ),
        ].join('\t'),
      ),
    );
    const rows = (this.#report?.changes ? this.#changes : this.#names).table.csvRows().map((row) => row.join('\t'));
    return [
      this.#title.textContent ?? '',
      ...[this.#among.text].filter(Boolean),
      ...facts,
      '',
      t('range.devices'),
      ...devices,
      '',
      t('range.names'),
      ...rows,
      ...tables,
      '',
    ].join('\n');
  }
}

/** A table that is opened by a click; nothing without rows. @param {string} name @param {string[]} keys @param {(string | HTMLElement)[][]} rows */
function table(name, keys, rows) {
  if (!rows.length) return null;
  const heads = keys.map((key) => {
    const own = HOST.includes(/** @type {any} */ (key)) ? `host.${key}` : `range.${key}`;
    return h('th', {scope: 'col', title: t(HOST.includes(/** @type {any} */ (key)) ? 'range.hosts.why' : `${own}.why`)}, t(own));
  });
  const body = rows.map(([first, ...cells]) => h('tr', {}, h('th', {scope: 'row'}, first), ...cells.map((cell) => h('td', {}, cell))));
  const label = t(`range.${name}`);
  return h(
    'details',
    {class: 'range-section', open: name === 'tracks' || null},
    h('summary', {title: t(`range.${name}.why`)}, label),
    h(
      'div',
      {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label},
      h(
        'table',
        {class: 'small-table', 'data-test': `range-${name}`},
        h('thead', {}, h('tr', {}, h('th', {scope: 'col'}, label), ...heads)),
        h('tbody', {}, ...body),
      ),
    ),
  );
}

/** A thread, or a stream of a device. @param {Pick<Track, 'layer' | 'thread' | 'device' | 'stream'>} place */
function placeText({layer, thread, device, stream}) {
  const place = device === undefined ? thread : t('row.stream', {device, stream: stream ?? ''});
  return layer === 'host' || layer === 'device' ? place : `${place} · ${t(`range.layer.${layer}`)}`;
}
