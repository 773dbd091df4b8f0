// The timeline tab: events over time, in rows that can be folded, moved and pinned.
//
// The session's worker draws it; this decides on the part of time, the rows and the selection.

import {fill, h} from '../../dom.js';
import {focused} from '../../environment/environment.js';
import {t} from '../../environment/i18n.js';
import {withRows} from '../../timeline/among.js';
import {overviewRowOf} from '../../timeline/groups.js';
import {isSame, measured} from '../../timeline/measure.js';
import {alongArrow, around, centered, isElsewhere, limited, reaching, shifted, zoomed} from '../../timeline/navigation.js';
import {OVERVIEW, TOP} from '../../timeline/scene.js';
import {startText} from '../../timeline/start-text.js';
import {EventPane} from '../event/event-pane.js';
import {NoteFlags, goToNote} from '../notes/note-flags.js';
import {NotesMenu} from '../notes/notes-menu.js';
import {RangePane} from '../range/range-pane.js';
import {timelineBar} from './bar.js';
import {TimelineCanvas} from './canvas.js';
import {ChosenRange} from './chosen-range.js';
import {Drawer} from './drawer.js';
import {extentOf, firstInView} from './extent.js';
import {FindBar} from './find/find-bar.js';
import {KeptEvent} from './kept-event.js';
import {Keys} from './keys.js';
import {describe, lengthText, nameOfFound, saidOf, shortNameOfFound} from './names.js';
import {adjustNames} from './heads/names-width.js';
import {followPointers} from './pointer.js';
import {Rows} from './rows.js';
import {Tip} from './tip.js';

/** @typedef {import('../../../../types/reports.js').TimelineFoundReport} Found */
/** @typedef {import('../../../protocol/timeline.js').TimelineReport} TimelineReport */
/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../timeline/view.js').TimelineView} TimelineView */

/** How long the view must stay before it is put into the address, in ms: browsers allow that only so often. */
const PAUSE = 300;

/** The id of the element that describes the view, and the number of rows that it names. */
const SEEN = 'timeline-seen';
const NAMED = 12;

/** Whether a height of the canvas is on the axis. @param {number} y */
const isAxis = (y) => y >= OVERVIEW && y < TOP;

/** Whether a part of time is within another one. @param {[number, number]} part @param {[number, number]} whole */
const isWithin = ([from, to], [start, end]) => from >= start && to <= end;

/** The tab. */
export class TimelineTab {
  #tip = new Tip();
  #said = h('p', {class: 'only-read-out', 'aria-live': 'polite', 'data-test': 'timeline-said'});
  /** The visible part, in words. */
  #seen = h('p', {class: 'only-read-out', id: SEEN, 'data-test': 'timeline-seen'});
  /** @type {Rows} */
  #rows;
  #canvas;
  #find;
  /** @type {TimelineReport | undefined} */
  #report;
  /** The rows that were asked for before there was anything to show them in. @type {{rank: number, held: number[], report: Promise<TimelineReport | undefined>} | undefined} */
  #early;
  /** The traces that were in memory at the last report. @type {number[]} */
  #held = [];
  #dropped = h('p', {class: 'hint', hidden: true, 'data-test': 'timeline-dropped'});
  #window = {start: 0, end: 1};
  /** The whole visible time: the part that has slices, once it is known. */
  #all = {start: 0, end: 1};
  #isFitted = false;
  /** The ranks that were shown with all of their rows when that was found, as text. */
  #fittedTo = '';
  /** The highlighted step, and the window that was shown for it. @type {{step: number | null, window: unknown}} */
  #shownStep = {step: null, window: null};
  /** @type {Found | null} */
  #selected = null;
  /** Number of picks and clearings: only the last one counts. */
  #picks = 0;
  /** The event to measure from. @type {Found | null} */
  #from = null;
  #range;
  /** @type {{from: Found, to: Found}[]} */
  #arrows = [];
  /** Where hits are, thinned. @type {number[]} */
  #hits = [];
  /** The view as it was last put into the address or taken from it. @type {TimelineView} */
  #told = {};
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #telling;
  /** Whether it is being taken from the address, or drawn by the pointer: an incomplete view is not put into the address. */
  #busy = false;
  /** The place of the current entry of the browser's history. @type {import('../../timeline/navigation.js').Place} */
  #entry = {window: this.#window, view: {}};
  #eventPane;
  #kept;
  #keys;
  #rangePane;
  #drawer;
  #notes;
  #flags;
  /** Position of the pointer, in CSS pixels. */
  #pointer = {x: 0, y: 0};
  /** The index of the rank whose numbers are shown. */
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
        if (typeof this.#range.among === 'string') this.#range.tell();
      },
      amongOf: (rows) => this.#range.covers(rows),
      among: (rows) => this.#tellAmong(withRows(this.#range.rows, rows)),
    });
    this.#canvas = new TimelineCanvas(
      app.client,
      {
        scene: () => (this.#report ? this.#scene(this.#report) : null),
        scrolled: () => this.#rows.scrolled,
        shown: (scrolled) => this.#rows.showHeads(scrolled),
        resized: (height) => this.#rows.resize(height),
      },
      'timeline',
      t('timeline.label'),
      SEEN,
    );
    this.#find = new FindBar(app, {
      from: () => this.#findFrom(),
      goTo: (event) => this.goTo(event),
      goToInstant: (instant) => this.#goToInstant(instant),
      end: () => this.#whole,
      titleOf: (row) => this.#rows.titleOf(row),
      isActivity: (row) => this.#report?.rows[row]?.kind === 'stream',
      shift: () => this.#shift(this.app.state.rank),
      resized: () => this.#canvas.resize(),
      mark: (at) => this.#markHits(at),
    });
    this.#keys = new Keys({
      zoom: (factor) => this.#zoomAt(this.#pointer.x, factor),
      shift: (share) => this.#show(shifted(this.#window, share, this.#whole)),
      fit: () => this.fit(),
      mark: () => this.#selected && this.#setRange([this.#selected.start, this.#selected.end]),
      measure: () => this.#measureByKey(),
      neighbour: (direction) => this.#neighbour(direction),
      follow: (back) => this.#follow(back),
      keep: () => this.#toggleKept(),
      clear: () => this.#clear() || this.#forgetKept(),
    });
    this.#rangePane = new RangePane(app, {
      event: (event) => this.goTo(event),
      span: ([from, to]) => this.#show(around(from, to, this.#whole)),
      kept: () => this.#draw(),
      among: (among) => this.#tellAmong(among),
      cause: (event) => this.#range.revealCause(event),
    });
    this.#range = new ChosenRange(app, this.#rows, this.#rangePane, () => this.#report);
    this.#eventPane = new EventPane(app, {
      event: (event, rank) => this.goTo(event, rank),
      span: (from, to, rank) => this.#show(around(from + this.#shift(rank), to + this.#shift(rank), this.#whole)),
      arrows: (arrows, rank) => this.#showArrows(arrows, rank),
      keep: () => this.#keep(),
    });
    this.#eventPane.element.hidden = true;
    this.#kept = new KeptEvent(app, {event: (found) => this.#goToFound(found), forget: () => this.#forgetKept() && this.#canvas.element.focus()});
    this.#notes = new NotesMenu(app, () => this.#noted);
    this.#flags = new NoteFlags(app, () => this.#draw());
    const body = h('div', {class: 'timeline-body'}, this.#rows.left, this.#canvas.element, this.#rows.scroller);
    adjustNames(body, this.#rows.left);
    this.#drawer = new Drawer(this.#kept.element, [this.#find.list.element, this.#eventPane.element, this.#rangePane.element], body);
    this.element = h(
      'div',
      {class: 'timeline', 'data-test': 'timeline'},
      timelineBar(this.#find.element, this.#notes.element, this.#rows, {zoom: (factor) => this.#zoomAt(this.#canvas.width / 2, factor), fit: () => this.fit()}),
      this.#dropped,
      body,
      this.#drawer.element,
      this.#tip.element,
      this.#said,
      this.#seen,
    );
    this.#rows.scroller.addEventListener('scroll', () => this.#draw());
    followPointers(this.#canvas.element, {
      zoom: (x, factor) => this.#zoomAt(x, factor),
      pan: (dx, dy) => {
        this.#show(shifted(this.#window, -dx / this.#canvas.width, this.#whole));
        this.#rows.scroll(-dy, this.#rows.isPinned(this.#pointer.y));
      },
      range: (from, to, done) => {
        // The choice of rows belongs to the previous range.
        this.#range.forgetRows();
        this.#setRange(this.#times(from, to), done);
      },
      part: (from, to, done) => {
        this.#range.choose(this.#rows.between(from.y, to.y), done);
        this.#setRange(this.#times(from.x, to.x), done);
      },
      pick: (x, y, measure) => this.#pick(x, y, measure),
      jump: (x) => this.#show(centered(this.#window, (x / this.#canvas.width) * this.#whole, this.#whole)),
      point: (x, y, event) => {
        this.#pointer = {x, y};
        this.#canvas.element.classList.toggle('on-flag', this.#flagAt(x, y) !== undefined);
        this.#tip.show(this.#linesAt(x, y), this.element, event);
      },
      leave: () => this.#tip.leave(),
      area: (y) => (y < OVERVIEW ? 'overview' : isAxis(y) ? 'axis' : 'rows'),
    });
    app.client.onDrawn.timeline = (drawn) => this.#drawn(drawn);
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
    this.#notes.show();
    const {summary} = this.app.state;
    if (!summary || !(await this.#takeRows(this.app.state.rank))) return;
    if (this.#report) this.#flags.take(this.#report);
    const {timeline, rank} = this.app.state;
    const {at, range, event} = timeline === this.#told ? {} : timeline;
    if (timeline !== this.#told) await this.#take(timeline);
    this.#goToStep((at ?? range ?? event) !== undefined);
    if (rank !== this.#rank) {
      this.#rank = rank;
      const {among} = this.#range;
      // A choice of other ranks' rows does not apply to this one.
      if (typeof among === 'object' && !among?.some((row) => this.#report?.rows[row]?.rank === rank)) this.#range.among = null;
      this.#range.tell();
      this.#find.renew();
    }
    const {jump} = this.app.state;
    if (jump) {
      // It is followed once, whoever shows the timeline.
      this.app.store.set({jump: null});
      if (jump.event !== undefined) await this.goTo(jump.event);
      else if (jump.span) this.goToSpan(jump.span, jump.why);
      if (jump.find !== undefined) {
        this.#find.show(jump.find);
        this.#find.focus();
      } else this.#canvas.element.focus({preventScroll: true});
      if (jump.event === undefined && !jump.span) await this.#find.go(false);
      // It was entered when it was asked for.
      this.#enter();
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
    this.#all = limited({start: 0, end: this.#whole}, this.#whole);
    // With other traces, everything stays as it was.
    this.#isFitted = before !== undefined;
    this.#rows.take(report, !before);
    const [here, all] = [this.#held.length, summary.ranks.length];
    this.#dropped.hidden = here === all;
    fill(this.#dropped, t('timeline.dropped', {here, all}));
    if (!before) return true;
    this.#selected = null;
    this.#kept.compare(null);
    this.#arrows = [];
    this.#lookInto(null);
    this.#range.forgetRows();
    this.#window = limited(this.#window, this.#whole);
    this.#find.renew();
    return true;
  }

  /** Shows the view in the address. @param {TimelineView} view */
  async #take(view) {
    const before = this.#told;
    this.#busy = true;
    this.#told = view;
    const {rank} = this.app.state;
    if (view.event !== undefined) await this.#takeRows(view.of ?? rank);
    const rows = this.#report?.rows.length ?? 0;
    this.#rows.takeView(view, rows);
    this.#clear();
    this.#range.among = typeof view.among === 'object' ? view.among.filter((row) => row < rows) : (view.among ?? null);
    this.#range.span = view.range ?? null;
    this.#rangePane.kept = view.kept ?? null;
    this.#range.tell();
    this.#window = view.at ? limited({start: view.at[0], end: view.at[1]}, this.#whole) : this.#all;
    const found = view.event === undefined ? null : await this.app.timeline({call: 'place', rank: view.of ?? rank, event: view.event});
    if (found) {
      this.#select(found);
      this.#reveal(found);
    }
    // Otherwise text that is typed in between stays.
    if (view.find !== before.find || view.args !== before.args) this.#find.show(view.find ?? '', view.args ?? false);
    this.#busy = false;
    this.#enter();
    this.#draw();
  }

  /** The view for the address. @returns {TimelineView} */
  get #view() {
    const {start, end} = this.#window;
    const {query: find, args} = this.#find;
    const {kept} = this.#rangePane;
    const {span: range, among} = this.#range;
    const chosen = this.#selected;
    return {
      ...((start !== this.#all.start || end !== this.#all.end) && {at: [start, end]}),
      ...(chosen && chosen.rank !== null && {event: chosen.number, ...(chosen.rank !== this.app.state.rank && {of: chosen.rank})}),
      ...(range && {range}),
      ...(kept && {kept}),
      ...(among && {among}),
      ...this.#rows.view,
      ...(find && {find, ...(args && {args})}),
    };
  }

  /** Puts the view into the address once it stays. */
  #tell() {
    clearTimeout(this.#telling);
    this.#telling = setTimeout(() => {
      // The view of a replaced trace is not put into the address.
      if (!this.#report || this.#busy || !this.element.isConnected) return;
      this.#describe();
      const view = this.#view;
      if (JSON.stringify(view) === JSON.stringify(this.#told)) return;
      this.#told = view;
      const went = isElsewhere(this.#entry, {window: this.#window, view});
      if (went) this.#enter();
      this.app.store.set({timeline: view, visit: this.app.state.visit + Number(went)});
    }, PAUSE);
  }

  /** Describes the view: its part of time and its rows. */
  #describe() {
    const {duration, count} = this.app.wasm;
    const {start, end} = this.#window;
    const {from, to, whole} = {from: duration(start), to: duration(end), whole: duration(this.#whole)};
    fill(
      this.#seen,
      t('timeline.seen', {from, to, whole, rows: count(this.#rows.titles.length), names: this.#rows.titles.slice(0, NAMED).join(t('timeline.seen.comma'))}),
    );
  }

  /** Makes the current view the place of the current history entry. */
  #enter() {
    this.#entry = {window: this.#window, view: this.#view};
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

  /** Where a search continues: at the selection of the shown rank, else at the begin of the view. @returns {import('./find/find-bar.js').From} */
  #findFrom() {
    const {rank} = this.app.state;
    const chosen = this.#selected?.rank === rank ? this.#selected : null;
    return {
      at: (chosen?.start ?? this.#window.start) - (this.#report?.shifts_ns[rank] ?? 0),
      event: chosen?.number ?? null,
      moment: this.#range.span?.[0] === this.#range.span?.[1] ? this.#range.span : null,
    };
  }

  /** Shows the selection, else all. */
  fit() {
    const of = this.#selected ? [this.#selected.start, this.#selected.end] : this.#range.span;
    this.#show(of ? around(of[0], of[1], this.#whole) : this.#all);
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
    else this.#show(centered(this.#window, (found.start + found.end) / 2, this.#whole));
  }

  /** Chooses a span of the shown rank's time, and shows it with the thread that causes it. @param {[number, number]} span @param {string} [why] what it is shown for */
  goToSpan([from, to], why = '') {
    const shift = this.#shift(this.app.state.rank);
    this.#setRange([from + shift, to + shift]);
    this.#range.lead(why);
    this.#show(around(from + shift, to + shift, this.#whole));
  }

  /** The part of time of the step that is chosen, as the timeline has it. */
  get #stepSpan() {
    const {summary, rank, step} = this.app.state;
    const found = step === null ? undefined : summary?.ranks[rank].steps[step];
    return found ? /** @type {[number, number]} */ ([found.start_ns + this.#shift(rank), found.end_ns + this.#shift(rank)]) : null;
  }

  /** Shows the chosen step when it changed; without one, the whole time if the view is still that of the last step. @param {boolean} stay whether something else is to be shown */
  #goToStep(stay) {
    const {step} = this.app.state;
    if (step === this.#shownStep.step) return;
    const [span, before] = [this.#stepSpan, this.#shownStep.window];
    const window = span && around(...span, this.#whole);
    this.#shownStep = {step, window};
    if (stay) return;
    // A range of another step was chosen before.
    if (span && this.#range.span && !isWithin(this.#range.span, span)) this.#range.forget();
    if (window) this.#show(window);
    else if (this.#window === before) this.#show(this.#all);
    this.#enter();
  }

  /** Chooses the moment of an instant event of the shown rank, and shows it. @param {import('../../../../types/reports.js').FoundInstantReport} instant */
  #goToInstant({at_ns: at}) {
    const time = at + this.#shift(this.app.state.rank);
    this.#clear();
    this.#setRange([time, time]);
    this.#show(centered(this.#window, time, this.#whole));
  }

  /** Where a rank's time zero lies. @param {number} rank */
  #shift(rank) {
    return this.#report?.shifts_ns[rank] ?? 0;
  }

  /**
   * Shows the details of an event, or nothing. Returns whether the canvas became higher or lower by that.
   * @param {Found | null} found
   */
  #lookInto(found) {
    const of = found?.rank ?? null;
    this.#eventPane.element.hidden = of === null;
    this.#eventPane.show(of === null || !found ? null : found.number, of ?? undefined);
    // The drawer opens and closes with it: no observer sees changes within a frame.
    return this.#canvas.resize();
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

  /** Where a time is, in CSS pixels of the canvas. @param {number} time */
  #placeOf(time) {
    const {start, end} = this.#window;
    return ((time - start) / (end - start)) * this.#canvas.width;
  }

  /** The flag of a note at a place. @param {number} x @param {number} y */
  #flagAt(x, y) {
    return isAxis(y) ? this.#flags.at(x, (time) => this.#placeOf(time)) : undefined;
  }

  /** @param {import('../../../protocol/timeline.js').Drawn} drawn */
  #drawn(drawn) {
    const {frame, cpu, labels, missing} = drawn;
    this.#canvas.drawn(drawn);
    this.element.dispatchEvent(new CustomEvent('drawn', {detail: {frame, cpu, labels, missing}}));
    // The rest comes with the next ones.
    if (missing) this.element.dataset.begun = String(frame);
    else this.element.dataset.frame = String(frame);
    // The first view does not wait for it.
    if (!missing && (!this.#isFitted || this.#fittedTo !== this.#rows.detailed)) this.#fitSlices();
  }

  /** Finds the time that has slices in the rows that are shown. The first view leaves out the rest; later, only the command that fits everything does. */
  async #fitSlices() {
    const report = this.#report;
    if (!report) return;
    const isFirst = !this.#isFitted;
    this.#isFitted = true;
    this.#fittedTo = this.#rows.detailed;
    const extent = limited(await extentOf(this.app, report, this.#held, (rank) => this.#rows.summaryOf(rank)), report.end_ns);
    if (report !== this.#report) return;
    const isAll = this.#window === this.#all;
    this.#all = extent;
    if (!isAll || !isFirst) {
      this.#tell();
      return;
    }
    this.#show(extent);
    this.#enter();
  }

  /** Draws the view, and puts it into the address. */
  #draw() {
    this.#tell();
    this.#canvas.draw();
  }

  /** The scene to draw. @param {TimelineReport} report */
  #scene(report) {
    const overviewRow = overviewRowOf(report.rows, this.app.state.rank);
    return {
      version: report.version,
      ...this.#window,
      whole: this.#whole,
      ...this.#rows.scene({selected: this.#selected, arrows: this.#arrows, among: this.#range.isAmong()}),
      overview: {
        lines: overviewRow === undefined ? [] : [{row: overviewRow, first: 0, count: 1, y: 3, laneHeight: OVERVIEW - 6, curve: false}],
        top: 0,
        height: OVERVIEW,
      },
      range: this.#range.span,
      // Two shadings that overlap say nothing: the range is chosen last.
      step: this.#stepSpan && this.#range.span && !isWithin(this.#range.span, this.#stepSpan) ? null : this.#stepSpan,
      hits: this.#hits,
      notes: this.#flags.flags.map(({start, end}) => ({start, end})),
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

  /** @param {number} x @param {number} y @param {boolean} measure from the selection */
  async #pick(x, y, measure) {
    const flag = this.#flagAt(x, y);
    if (flag) {
      goToNote(this.app, flag.note);
      return;
    }
    const from = this.#selected;
    const pick = ++this.#picks;
    const at = await this.#at(x, y);
    // Something else was picked meanwhile, or all was cleared.
    if (pick !== this.#picks) return;
    const found = (at && 'found' in at && at.found) || null;
    if (measure && from) this.#measure(from, found);
    else if (found && from && isSame(found, from)) this.#toggleKept();
    else if (found) this.#select(found);
    else this.#clear();
  }

  /** Shows how far two events are apart, as a range with both. @param {Found} from @param {Found | null} to */
  #measure(from, to) {
    if (!to) return;
    const {span, first, gap, starts} = measured(from, to);
    const {duration} = this.app.wasm;
    const names = [from, to].map((found) => shortNameOfFound(this.app.wasm, this.#report?.rows[found.row].kind, found));
    const [a, b] = first ? [names[1], names[0]] : names;
    const said = t(gap < 0 ? 'timeline.measured.overlap' : 'timeline.measured', {a, b, gap: duration(Math.abs(gap)), starts: duration(starts)});
    this.#range.forgetRows();
    this.#setRange(span);
    this.#rangePane.note(said);
    this.#say(said);
  }

  /** Measures from the selection of the previous key press. */
  #measureByKey() {
    const [from, to] = [this.#from, this.#selected];
    this.#from = from ? null : to;
    if (from && to && from !== to) this.#measure(from, to);
    else if (this.#from) this.#say(t('timeline.measure.from', {name: nameOfFound(this.#report?.rows[this.#from.row].kind, this.#from)}));
  }

  /** Text lines on a point. @param {number} x @param {number} y */
  async #linesAt(x, y) {
    if (isAxis(y)) return this.#flags.linesAt(x, (time) => this.#placeOf(time));
    const at = await this.#at(x, y);
    return at ? describe(this.app.wasm, this.#report?.rows[at.row], {...at, title: this.#rows.titleOf(at.row)}) : null;
  }

  /** The selection as the subject of a note: a slice of a rank, else a range of the shown rank's time. @returns {import('../notes/notes-menu.js').Noted | null} */
  get #noted() {
    const [found, span] = [this.#selected, this.#range.span];
    if (found && found.rank !== null) {
      const row = this.#report?.rows[found.row];
      return {rank: found.rank, event: found.number, name: nameOfFound(row?.kind, found) || this.#rows.titleOf(found.row)};
    }
    if (!span) return null;
    const {rank} = this.app.state;
    const shift = this.#shift(rank);
    const {duration} = this.app.wasm;
    const length = span[1] - span[0];
    const name = t('notes.range', {length: duration(length), start: startText(span[0], length, this.app.wasm)});
    return {rank, span: [Math.floor(span[0] - shift), Math.ceil(span[1] - shift)], name};
  }

  /** @param {Found} found */
  #select(found) {
    const wasSeen = this.#rows.sees(found);
    this.#selected = found;
    this.#arrows = [];
    if (found.rank === null) this.#showComputed(found);
    else if (this.#range.isComputed) this.#range.forget();
    // The drawer may have opened over it: the clicked event stays as near to the pointer as it can.
    if (this.#lookInto(found) && wasSeen) this.#rows.scrollTo(found, true);
    this.#kept.compare(this.#named(found));
    const said = saidOf(this.app.wasm, this.#report?.rows[found.row], this.#rows.titleOf(found.row), found);
    this.#say([said, this.#kept.said].filter(Boolean).join('. '));
    this.#draw();
  }

  /** A computed slice is no event: its part of time is chosen. @param {Found} found */
  #showComputed({row, start, end}) {
    const rank = this.#report?.rows[row]?.rank ?? this.app.state.rank;
    if (rank !== this.app.state.rank) this.app.choose({rank, step: null, selection: null});
    this.#range.forgetRows();
    this.#setRange([start, end]);
    this.#range.isComputed = true;
  }

  /** An event with its name. @param {Found} found */
  #named(found) {
    const kind = this.#report?.rows[found.row]?.kind;
    return {found, name: nameOfFound(kind, found) || this.#rows.titleOf(found.row), isActivity: kind === 'stream'};
  }

  /** Keeps the selected event, to compare others with it. */
  #keep() {
    const found = this.#selected;
    if (!found) return;
    const kept = this.#named(found);
    this.#kept.keep(kept);
    this.#canvas.resize();
    this.#say(t('timeline.kept.now', {name: kept.name, length: lengthText(this.app.wasm, found.end - found.start)}));
    this.#draw();
  }

  /** Keeps the selected event; if that is kept or nothing is selected, keeps nothing. */
  #toggleKept() {
    if (this.#selected && !this.#kept.is(this.#selected)) this.#keep();
    else this.#forgetKept();
  }

  /** Keeps nothing any more; gives whether anything was kept. */
  #forgetKept() {
    if (!this.#kept.any) return false;
    this.#kept.keep(null);
    this.#canvas.resize();
    this.#say(t('timeline.kept.no'));
    this.#draw();
    return true;
  }

  /** Goes back to the kept event. @param {Found} found */
  #goToFound(found) {
    if (found.rank !== null) this.goTo(found.number, found.rank);
    else this.#show(around(found.start, found.end, this.#whole));
  }

  /** Announces the selection. @param {string} text */
  #say(text) {
    fill(this.#said, text);
    this.#drawer.say(text);
  }

  /** @param {[number, number]} range @param {boolean} [done] */
  #setRange(range, done = true) {
    // A drag may leave the rows.
    const within = (/** @type {number} */ time) => Math.min(this.#whole, Math.max(0, time));
    this.#range.set([within(range[0]), within(range[1])]);
    this.#busy = !done;
    const {duration} = this.app.wasm;
    if (done) this.#range.tell();
    if (done) this.#say(t('timeline.range.said', {length: duration(range[1] - range[0]), start: duration(range[0])}));
    this.#draw();
  }

  /** The times at two places, the earlier one first. @param {number} a @param {number} b @returns {[number, number]} */
  #times(a, b) {
    return [this.#timeAt(Math.min(a, b)), this.#timeAt(Math.max(a, b))];
  }

  /** Shows the report on the range for other rows. @param {import('../../timeline/view.js').Among | null} among */
  #tellAmong(among) {
    this.#range.choose(among);
    this.#range.tell();
    this.#draw();
  }

  #clear() {
    this.#picks++;
    const any = this.#selected !== null || this.#range.span !== null;
    this.#selected = this.#from = null;
    this.#kept.compare(null);
    this.#range.forget();
    this.#arrows = [];
    this.#lookInto(null);
    this.#say('');
    this.#draw();
    return any;
  }

  /** Follows a flow of the selection: to its target, or back to its source. @param {boolean} back */
  #follow(back) {
    const from = this.#selected;
    if (!from) return;
    const found = alongArrow(this.#arrows, from, back);
    if (from.rank !== null && found) this.goTo(found.number, from.rank);
  }

  /** Goes to the next slice in a direction; without a selection down or right to the first one in view, where the timeline has the focus: elsewhere these keys mean something else. @param {'before' | 'after' | 'out' | 'in'} direction */
  #neighbour(direction) {
    const from = this.#selected;
    if (from) this.#goFrom(from, direction);
    else if ((direction === 'in' || direction === 'after') && focused() === this.#canvas.element)
      firstInView(this.app, this.#report?.version ?? 0, this.#rows, this.#window).then((found) => found && !this.#selected && this.#goToFound(found));
    else return false;
    return true;
  }

  /** @param {Found} from @param {'before' | 'after' | 'out' | 'in'} direction */
  async #goFrom(from, direction) {
    const {row, lane, place, number} = from;
    const found = await this.app.timeline({call: 'neighbour', version: this.#report?.version ?? 0, row, lane, place, number, direction});
    if (!found || from !== this.#selected) return;
    this.#select(found);
    this.#reveal(found);
    this.#show(reaching(this.#window, found, this.#whole));
  }
}
