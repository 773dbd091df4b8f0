// The timeline: what happened when, in rows that can be folded, moved and pinned.
//
// The session's worker draws it; this decides which part of time and which rows it draws, and what is chosen.

import {fill, h} from '../../dom.js';
import {t} from '../../surroundings/i18n.js';
import {rowsAmong, tracksOf, withRows} from '../../timeline/among.js';
import {overviewRowOf} from '../../timeline/groups.js';
import {alongArrow, around, limited, reaching, shifted, zoomed} from '../../timeline/navigation.js';
import {OVERVIEW, TOP} from '../../timeline/scene.js';
import {EventPane} from '../event/event-pane.js';
import {RangePane} from '../range/range-pane.js';
import {TimelineCanvas} from './canvas.js';
import {FindBar} from './find-bar.js';
import {Keys} from './keys.js';
import {legend} from './legend.js';
import {describe, saidOf} from './names.js';
import {followPointers} from './pointer.js';
import {Rows} from './rows.js';
import {Tip} from './tip.js';

/** @typedef {import('../../../protocol/protocol.js').TimelineFound} Found */
/** @typedef {import('../../../protocol/protocol.js').TimelineReport} TimelineReport */
/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../timeline/view.js').Among} Among */
/** @typedef {import('../../timeline/view.js').TimelineView} TimelineView */

/** How long the view must stay before it is put into the address, in ms: browsers allow that only so often. */
const PAUSE = 300;

/** The tab. */
export class TimelineTab {
  #tip = new Tip();
  #said = h('p', {class: 'only-read-out', 'aria-live': 'polite', 'data-test': 'timeline-said'});
  /** @type {Rows} */
  #rows;
  #canvas;
  #find;
  /** @type {TimelineReport | undefined} */
  #report;
  /** The rows that were asked for before there was anything to show them in. @type {{rank: number, held: number[], report: Promise<TimelineReport | undefined>} | undefined} */
  #early;
  /** The traces that were in memory when that was told. @type {number[]} */
  #held = [];
  #dropped = h('p', {class: 'hint', hidden: true, 'data-test': 'timeline-dropped'});
  #window = {start: 0, end: 1};
  /** @type {Found | null} */
  #selected = null;
  /** @type {[number, number] | null} */
  #range = null;
  /** Of which rows a range is told. @type {Among | null} */
  #among = null;
  /** @type {{from: Found, to: Found}[]} */
  #arrows = [];
  /** Where hits are, thinned. @type {number[]} */
  #hits = [];
  /** The view as it was last told or taken from the address. @type {TimelineView} */
  #told = {};
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #telling;
  #eventPane;
  #keys;
  #rangePane;
  /** What the pointer is at, in CSS pixels. */
  #pointer = {x: 0, y: 0};
  /** Which rank's numbers are shown. */
  #rank = -1;
  /** Settled when the state is taken in that was shown last. @type {Promise<void>} */
  #showing = Promise.resolve();

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    this.app = app;
    const {rank, held} = app.state;
    // The worker finds them while all else is made.
    this.#early = {rank, held, report: app.timeline({call: 'rows', rank})};
    this.#rows = new Rows(app, {
      changed: () => {
        this.#draw();
        if (typeof this.#among === 'string') this.#tellRange();
      },
      amongOf: (rows) => {
        const among = this.#amongRows;
        return this.#range && (among ? rows.length > 0 && rows.every((row) => among.includes(row)) : false);
      },
      among: (rows) => this.#tellAmong(withRows(this.#amongRows, rows)),
    });
    this.#canvas = new TimelineCanvas(app.client, {
      scene: () => (this.#report ? this.#scene(this.#report) : null),
      scrolled: () => this.#rows.scrolled,
      shown: (scrolled) => this.#rows.showHeads(scrolled),
      resized: (height) => {
        this.#rows.resize(height);
        this.#draw();
      },
    });
    this.#find = new FindBar(app, {
      from: () => this.#findFrom(),
      goTo: (event) => this.goTo(event),
      goToInstant: (instant) => this.#goToInstant(instant),
      end: () => this.#whole,
      mark: (at) => this.#markHits(at),
    });
    this.#keys = new Keys({
      zoom: (factor) => this.#zoomAt(this.#pointer.x, factor),
      shift: (share) => this.#show(shifted(this.#window, share, this.#whole)),
      fit: () => this.fit(),
      mark: () => this.#selected && this.#setRange([this.#selected.start, this.#selected.end]),
      neighbour: (direction) => this.#neighbour(direction),
      follow: (back) => this.#follow(back),
      clear: () => this.#clear(),
    });
    this.#rangePane = new RangePane(app, {
      event: (event) => this.goTo(event),
      span: ([from, to]) => this.#show(around(from, to, this.#whole)),
      kept: () => this.#draw(),
      among: (among) => this.#tellAmong(among),
    });
    const tool = (/** @type {string} */ key, /** @type {string} */ sign, /** @type {() => void} */ onclick) =>
      h('button', {class: 'button', title: t(`timeline.${key}`), 'aria-label': t(`timeline.${key}`), 'data-test': `timeline-${key}`, onclick}, sign);
    const middle = () => this.#canvas.width / 2;
    this.#eventPane = new EventPane(app, {
      event: (event, rank) => this.goTo(event, rank),
      span: (from, to, rank) => this.#show(around(from + this.#shift(rank), to + this.#shift(rank), this.#whole)),
      arrows: (arrows, rank) => this.#showArrows(arrows, rank),
    });
    this.#eventPane.element.hidden = true;
    this.element = h(
      'div',
      {class: 'timeline', 'data-test': 'timeline'},
      h(
        'div',
        {class: 'timeline-bar'},
        this.#find.element,
        h('span', {class: 'space'}),
        legend(),
        this.#rows.filter,
        this.#rows.showHidden,
        tool('zoomin', '+', () => this.#zoomAt(middle(), 0.5)),
        tool('zoomout', '−', () => this.#zoomAt(middle(), 2)),
        tool('fit', '⤢', () => this.fit()),
      ),
      this.#dropped,
      h(
        'div',
        {class: 'timeline-with-event'},
        h('div', {class: 'timeline-body'}, this.#rows.left, this.#canvas.element, this.#rows.scroller),
        this.#eventPane.element,
      ),
      this.#rangePane.element,
      this.#tip.element,
      this.#said,
    );
    this.#rows.scroller.addEventListener('scroll', () => this.#draw());
    followPointers(this.#canvas.element, {
      zoom: (x, factor) => this.#zoomAt(x, factor),
      pan: (dx, dy) => {
        this.#show(shifted(this.#window, -dx / this.#canvas.width, this.#whole));
        this.#rows.scroll(-dy, this.#rows.isPinned(this.#pointer.y));
      },
      range: (from, to, done) => {
        // What was chosen of the rows was chosen with the range before.
        if (typeof this.#among === 'object') this.#among = null;
        this.#setRange(this.#times(from, to), done);
      },
      part: (from, to, done) => {
        const among = this.#rows.between(from.y, to.y);
        this.#among = among;
        if (done) this.#goToRankOf(among);
        this.#setRange(this.#times(from.x, to.x), done);
      },
      pick: (x, y) => this.#pick(x, y),
      jump: (x) => {
        const length = this.#window.end - this.#window.start;
        const at = (x / this.#canvas.width) * this.#whole;
        this.#show(limited({start: at - length / 2, end: at + length / 2}, this.#whole));
      },
      point: (x, y, event) => {
        this.#pointer = {x, y};
        this.#tip.show(this.#linesAt(x, y), this.element, event);
      },
      leave: () => this.#tip.leave(),
      area: (y) => (y < OVERVIEW ? 'overview' : y < TOP ? 'axis' : 'rows'),
    });
    app.client.onDrawn = (drawn) => this.#drawn(drawn);
  }

  get #whole() {
    return this.#report?.end_ns ?? 1;
  }

  /** Takes in the state as it is then, once an earlier one is taken in: both ask the worker. */
  show() {
    const shown = this.#showing.then(() => this.#takeIn());
    this.#showing = shown.catch(reportError);
  }

  async #takeIn() {
    const {summary} = this.app.state;
    if (!summary || !(await this.#takeRows(this.app.state.rank))) return;
    const {timeline, rank} = this.app.state;
    if (timeline !== this.#told) await this.#take(timeline);
    if (rank !== this.#rank) {
      this.#rank = rank;
      const among = this.#among;
      // Rows of another rank tell nothing of this one.
      if (typeof among === 'object' && !among?.some((row) => this.#report?.rows[row]?.rank === rank)) this.#among = null;
      this.#tellRange();
      this.#find.renew();
    }
    const {jump} = this.app.state;
    if (jump) {
      // It is followed once, whoever shows the timeline.
      this.app.store.set({jump: null});
      if (jump.event !== undefined) await this.goTo(jump.event);
      else if (jump.span) this.goToSpan(...jump.span);
      if (jump.find !== undefined) this.#find.show(jump.find);
      if (jump.event === undefined && !jump.span) await this.#find.go(false);
    }
    this.#draw();
  }

  /** Takes in the rows, with those of a rank, whose trace may have to be read for that; whether they are there. @param {number} rank */
  async #takeRows(rank) {
    const {held} = this.app.state;
    if (this.#report && this.#held === held && held.includes(rank)) return true;
    const early = this.#early?.rank === rank && this.#early.held === held ? this.#early.report : undefined;
    this.#early = undefined;
    const report = await (early ?? this.app.timeline({call: 'rows', rank}));
    const {summary} = this.app.state;
    if (!report || !summary) return false;
    const before = this.#report;
    this.#held = this.app.state.held;
    if (report.version === before?.version) return true;
    this.#report = report;
    this.#rows.take(report, !before);
    const [here, all] = [this.#held.length, summary.ranks.length];
    this.#dropped.hidden = here === all;
    fill(this.#dropped, t('timeline.dropped', {here, all}));
    if (!before) return true;
    this.#selected = null;
    this.#arrows = [];
    this.#lookInto(null);
    if (typeof this.#among === 'object') this.#among = null;
    this.#window = limited(this.#window, this.#whole);
    this.#find.renew();
    return true;
  }

  /** Shows what the address says. @param {TimelineView} view */
  async #take(view) {
    const before = this.#told;
    this.#told = view;
    const {rank} = this.app.state;
    if (view.event !== undefined) await this.#takeRows(view.of ?? rank);
    const rows = this.#report?.rows.length ?? 0;
    this.#rows.takeView(view, rows);
    this.#clear();
    this.#among = typeof view.among === 'object' ? view.among.filter((row) => row < rows) : (view.among ?? null);
    this.#range = view.range ?? null;
    this.#rangePane.kept = view.kept ?? null;
    this.#tellRange();
    const [start, end] = view.at ?? [0, this.#whole];
    this.#window = limited({start, end}, this.#whole);
    const found = view.event === undefined ? null : await this.app.timeline({call: 'place', rank: view.of ?? rank, event: view.event});
    if (found) {
      this.#select(found);
      this.#reveal(found);
    }
    // Else what is typed meanwhile stays.
    if (view.find !== before.find || view.args !== before.args) this.#find.show(view.find ?? '', view.args ?? false);
    this.#draw();
  }

  /** The view for the address. @returns {TimelineView} */
  get #view() {
    const {start, end} = this.#window;
    const {rank} = this.app.state;
    const whole = limited({start: 0, end: this.#whole}, this.#whole);
    const {query: find, args} = this.#find;
    const {kept} = this.#rangePane;
    const chosen = this.#selected;
    return {
      ...((start !== whole.start || end !== whole.end) && {at: [start, end]}),
      ...(chosen && chosen.rank !== null && {event: chosen.number, ...(chosen.rank !== rank && {of: chosen.rank})}),
      ...(this.#range && {range: this.#range}),
      ...(kept && {kept}),
      ...(this.#among && {among: this.#among}),
      ...this.#rows.view,
      ...(find && {find, ...(args && {args})}),
    };
  }

  /** Puts the view into the address once it stays. */
  #tell() {
    clearTimeout(this.#telling);
    this.#telling = setTimeout(() => {
      if (!this.#report || this.app.state.tab !== 'timeline') return;
      const view = this.#view;
      if (JSON.stringify(view) === JSON.stringify(this.#told)) return;
      this.#told = view;
      this.app.store.set({timeline: view});
    }, PAUSE);
  }

  /** @param {number[]} at where hits are in the shown rank's time */
  #markHits(at) {
    const shift = this.#shift(this.app.state.rank);
    this.#hits = at.map((time) => time + shift);
    this.#draw();
  }

  /** Draws again: the theme changed. */
  redraw() {
    this.#draw();
    this.#rangePane.redraw();
  }

  /** @param {KeyboardEvent} event @returns {boolean} whether it meant something */
  key(event) {
    const table = /** @type {HTMLElement} */ (event.target).closest?.('.scroll');
    // There they scroll.
    return !(table && event.key.startsWith('Arrow')) && this.#keys.down(event);
  }

  search() {
    this.#find.focus();
  }

  /** Where a search goes on: at what is chosen of the shown rank, else at what is seen first. @returns {import('./find-bar.js').From} */
  #findFrom() {
    const {rank} = this.app.state;
    const chosen = this.#selected?.rank === rank ? this.#selected : null;
    return {
      at: (chosen?.start ?? this.#window.start) - (this.#report?.shifts_ns[rank] ?? 0),
      event: chosen?.number ?? null,
      moment: this.#range?.[0] === this.#range?.[1] ? this.#range : null,
    };
  }

  /** Shows the selection, else all. */
  fit() {
    const of = this.#selected ? [this.#selected.start, this.#selected.end] : this.#range;
    this.#show(of ? around(of[0], of[1], this.#whole) : limited({start: 0, end: this.#whole}, this.#whole));
  }

  /** Chooses a slice of a rank, and shows it. @param {number} event @param {number} [rank] */
  async goTo(event, rank = this.app.state.rank) {
    if (!(await this.#takeRows(rank))) return;
    const found = await this.app.timeline({call: 'place', rank, event});
    if (!found) return;
    this.#select(found);
    this.#reveal(found);
    const length = this.#window.end - this.#window.start;
    const own = Math.max(found.end - found.start, 1);
    // As near as the slice can be read, and no nearer than the person is already.
    if (own > length || own < length / 40) this.#show(around(found.start - own, found.end + own, this.#whole));
    else this.#show(limited({start: (found.start + found.end - length) / 2, end: (found.start + found.end + length) / 2}, this.#whole));
  }

  /** Chooses a span of the shown rank's time, and shows it. @param {number} from @param {number} to */
  goToSpan(from, to) {
    const shift = this.#shift(this.app.state.rank);
    this.#setRange([from + shift, to + shift]);
    this.#show(around(from + shift, to + shift, this.#whole));
  }

  /** Chooses the moment of an instant event of the shown rank, and shows it. @param {import('../../../protocol/protocol.js').Instant} instant */
  #goToInstant({at_ns: at}) {
    const [time, half] = [at + this.#shift(this.app.state.rank), (this.#window.end - this.#window.start) / 2];
    this.#clear();
    this.#setRange([time, time]);
    this.#show(limited({start: time - half, end: time + half}, this.#whole));
  }

  /** Where a rank's time zero lies. @param {number} rank */
  #shift(rank) {
    return this.#report?.shifts_ns[rank] ?? 0;
  }

  /** @param {Found | null} found */
  #lookInto(found) {
    const of = found?.rank ?? null;
    this.#eventPane.element.hidden = of === null;
    this.#eventPane.show(of === null || !found ? null : found.number, of ?? undefined);
  }

  /** @param {{from: number, to: number}[]} arrows of the event that is chosen @param {number} rank */
  async #showArrows(arrows, rank) {
    const of = this.#selected;
    const events = [...new Set(arrows.flatMap(({from, to}) => [from, to]))];
    const places = new Map(
      await Promise.all(events.map(async (event) => /** @type {const} */ ([event, await this.app.timeline({call: 'place', rank, event})]))),
    );
    if (of !== this.#selected) return;
    this.#arrows = arrows.flatMap(({from, to}) => {
      const [a, b] = [places.get(from), places.get(to)];
      return a && b ? [{from: a, to: b}] : [];
    });
    this.#draw();
  }

  /** Unfolds and scrolls so that a slice is seen. @param {Found} found */
  #reveal(found) {
    this.#rows.reveal(found, this.#report?.rows[found.row].rank ?? 0);
  }

  /** @param {{start: number, end: number}} window */
  #show(window) {
    this.#window = window;
    this.#tip.hide();
    this.#draw();
  }

  /** @param {number} x @param {number} factor */
  #zoomAt(x, factor) {
    this.#show(zoomed(this.#window, factor, this.#timeAt(x), this.#whole));
  }

  /** @param {number} x */
  #timeAt(x) {
    const {start, end} = this.#window;
    return start + (x / Math.max(1, this.#canvas.width)) * (end - start);
  }

  /** @param {import('../../../protocol/protocol.js').Drawn} drawn */
  #drawn(drawn) {
    const {frame, cpu, labels, missing} = drawn;
    this.#canvas.drawn(drawn);
    this.element.dispatchEvent(new CustomEvent('drawn', {detail: {frame, cpu, labels, missing}}));
    // The rest comes with the next ones.
    if (missing) this.element.dataset.begun = String(frame);
    else this.element.dataset.frame = String(frame);
  }

  /** Has what is to be shown drawn, and said by the address. */
  #draw() {
    this.#tell();
    this.#canvas.draw();
  }

  /** What is to be drawn. @param {TimelineReport} report */
  #scene(report) {
    const overviewRow = overviewRowOf(report.rows, this.app.state.rank);
    return {
      version: report.version,
      ...this.#window,
      whole: this.#whole,
      ...this.#rows.scene({selected: this.#selected, arrows: this.#arrows, among: this.#isAmong()}),
      overview: {
        lines: overviewRow === undefined ? [] : [{row: overviewRow, first: 0, count: 1, y: 3, laneHeight: OVERVIEW - 6, curve: false}],
        top: 0,
        height: OVERVIEW,
      },
      range: this.#range,
      hits: this.#hits,
    };
  }

  /** @param {number} x @param {number} y */
  async #at(x, y) {
    const at = this.#rows.laneAt(y);
    if (!at) return undefined;
    const pixel = (this.#window.end - this.#window.start) / this.#canvas.width;
    const time = this.#timeAt(x);
    const version = this.#report?.version ?? 0;
    if (at.curve) return {...at, value: await this.app.timeline({call: 'value', version, row: at.row, at: time})};
    return {...at, found: await this.app.timeline({call: 'hit', version, row: at.row, lane: at.lane, at: time, near: pixel * 3})};
  }

  /** @param {number} x @param {number} y */
  async #pick(x, y) {
    const at = await this.#at(x, y);
    if (at && 'found' in at && at.found) this.#select(at.found);
    else this.#clear();
  }

  /** What is told of a place. @param {number} x @param {number} y */
  async #linesAt(x, y) {
    const at = await this.#at(x, y);
    return at ? describe(this.app.wasm, this.#report?.rows[at.row], {...at, title: this.#rows.titleOf(at.row)}) : null;
  }

  /** @param {Found} found */
  #select(found) {
    this.#selected = found;
    this.#arrows = [];
    this.#lookInto(found);
    fill(this.#said, saidOf(this.app.wasm, this.#report?.rows[found.row], this.#rows.titleOf(found.row), found));
    this.#draw();
  }

  /** @param {[number, number]} range @param {boolean} [done] */
  #setRange(range, done = true) {
    // A drag may leave the rows.
    const within = (/** @type {number} */ time) => Math.min(this.#whole, Math.max(0, time));
    this.#range = [within(range[0]), within(range[1])];
    if (done) this.#tellRange();
    if (done) fill(this.#said, t('timeline.range.said', {length: this.app.wasm.duration(range[1] - range[0]), start: this.app.wasm.duration(range[0])}));
    this.#draw();
  }

  /** The times at two places, the earlier one first. @param {number} a @param {number} b @returns {[number, number]} */
  #times(a, b) {
    return [this.#timeAt(Math.min(a, b)), this.#timeAt(Math.max(a, b))];
  }

  /** The rows that a range is told of; null: all. */
  get #amongRows() {
    return rowsAmong(this.#among, this.#rows);
  }

  /** Says of a row whether the range is told of it; of none, null where it is told of all. @returns {(row: number) => boolean | null} */
  #isAmong() {
    const rows = this.#range && this.#amongRows;
    const set = new Set(rows);
    return (row) => (rows ? set.has(row) : null);
  }

  /** Shows another rank's numbers where only rows of such are chosen. @param {number[]} among rows */
  #goToRankOf(among) {
    const ranks = among.flatMap((row) => this.#report?.rows[row]?.rank ?? []);
    if (ranks.length && !ranks.includes(this.app.state.rank)) this.app.choose({rank: ranks[0], step: null, selection: null});
  }

  /** Tells of a range in other rows. @param {Among | null} among */
  #tellAmong(among) {
    this.#among = among;
    if (typeof among === 'object' && among) this.#goToRankOf(among);
    this.#tellRange();
    this.#draw();
  }

  /** Tells of what lies in the chosen range of the shown rank. */
  #tellRange() {
    const {rank} = this.app.state;
    const rows = this.#report?.rows ?? [];
    const among = this.#range && this.#amongRows;
    const tracks = tracksOf(rows, among, rank);
    const titles = (among ?? []).flatMap((row) => (rows[row]?.rank === rank ? this.#rows.titleOf(row) : []));
    this.#rangePane.show(this.#range, this.#shift(rank), {among: this.#among, tracks, titles});
  }

  #clear() {
    const any = this.#selected !== null || this.#range !== null;
    this.#selected = this.#range = null;
    if (typeof this.#among === 'object') this.#among = null;
    this.#tellRange();
    this.#arrows = [];
    this.#lookInto(null);
    fill(this.#said);
    this.#draw();
    return any;
  }

  /** Goes along an arrow of what is chosen: to where it leads, or back to where it comes from. @param {boolean} back */
  #follow(back) {
    const from = this.#selected;
    if (!from) return;
    const found = alongArrow(this.#arrows, from, back);
    if (from.rank !== null && found) this.goTo(found.number, from.rank);
  }

  /** Goes to the next slice in a direction; gives whether there is one to go from. @param {'before' | 'after' | 'out' | 'in'} direction */
  #neighbour(direction) {
    const from = this.#selected;
    if (!from) return false;
    this.#goFrom(from, direction);
    return true;
  }

  /** @param {Found} from @param {'before' | 'after' | 'out' | 'in'} direction */
  async #goFrom(from, direction) {
    const found = await this.app.timeline({
      call: 'neighbour',
      version: this.#report?.version ?? 0,
      row: from.row,
      lane: from.lane,
      place: from.place,
      number: from.number,
      direction,
    });
    if (!found || from !== this.#selected) return;
    this.#select(found);
    this.#reveal(found);
    this.#show(reaching(this.#window, found, this.#whole));
  }
}
