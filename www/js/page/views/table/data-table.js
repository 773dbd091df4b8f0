// A table of any number of rows: only those in view are elements. Sorting, search, filters, groups, columns, share bars, picked rows and their sums, copies.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {environment} from '../../environment/environment.js';
import {codeText} from '../parts/code-text.js';
import {canOpen, keyOf, rowOf} from '../parts/opened.js';
import {arranged, columnsOf, csvRowsOf, rowByKey} from './arrange.js';
import {changeOf} from './arrangement.js';
import {ChosenColumns} from './columns/chosen-columns.js';
import {Heads} from './columns/heads.js';
import {copyMenu} from './copy-menu.js';
import {areLonger, differences} from './cut.js';
import {GroupChoice} from './group-choice.js';
import {RowGroup, copiedColumns, copiedOf, endOfSpan, groupsOf, headOf, linesOf} from './groups.js';
import {Detail} from './detail.js';
import {cutText, footLines, groupLine, rowLine} from './lines.js';
import {Picked} from './picked.js';
import {SharePanel} from './share-panel.js';
import {sumText, sumsOf} from './sums.js';
import {markdownOf, tsvOf} from './text-of-rows.js';
import {columnWidth, layTracks, lettersIn, nameWidth} from './widths.js';

const ROW_HEIGHT = 30;

/** The same where names take two lines, and the greatest width of tables in which they do, in pixels. */
const TALL_ROW_HEIGHT = 46;
const NARROW = 560;

/** Share of a narrow screen that a column of names may take at least. */
const NAME_SHARE = 0.45;

/** Indentation of the rows of groups, in pixels. */
const INDENT = 16;

/** Rows drawn beyond each edge, so that scrolling shows no gaps. */
const MARGIN = 8;

/** @typedef {import('./arrangement.js').Arrangement} Arrangement */

/** @template Row */
export class DataTable {
  #search = h('input', {type: 'search', class: 'search', placeholder: t('table.search'), 'aria-label': t('table.search'), 'data-test': 'search'});
  #count = h('span', {class: 'hint', role: 'status', 'data-test': 'count'});
  #sums = h('span', {class: 'table-sums', role: 'status', 'data-test': 'picked'});
  #tools = h('div', {class: 'table-tools'});
  /** @type {Heads<Row>} */
  #heads;
  #space = h('div', {class: 'rows', role: 'rowgroup'});
  #scroll = h('div', {class: 'table-scroll', role: 'table', tabindex: '0'});
  #detail = new Detail();
  /** Which row is open, and how rows are sorted: the focus is on the table, or on a heading. */
  #said = h('p', {class: 'only-read-out', role: 'status', 'data-test': 'table-said'});
  /** Below all other rows, neither sorted nor searched. */
  #foot = h('div', {class: 'rows-foot', role: 'rowgroup', hidden: true, 'data-test': 'left-out'});
  /** @type {{name: string, cells: Record<string, string>}[]} */
  #footRows = [];
  #frame = h('div', {class: 'data-table'}, this.#scroll);
  element = h(
    'div',
    {class: 'table-box'},
    this.#tools,
    h('div', {class: 'table-said'}, this.#count, this.#sums),
    this.#said,
    this.#frame,
    this.#detail.element,
  );
  /** @type {SharePanel<Row> | undefined} */
  #shares;

  /** @type {Row[]} */
  #rows = [];
  /** The rows that the search and the filters let through, in order, also those of folded groups. @type {Row[]} */
  #shown = [];
  /** The grouping of the rows, and the groups. @type {import('./groups.js').Grouping<Row> | undefined} */
  #grouping;
  /** @type {RowGroup<Row>[]} */
  #groups = [];
  /** The lines of the table, from the top. @type {(Row | RowGroup<Row>)[]} */
  #lines = [];
  /** The largest sum of a group, for each column that adds up. @type {Map<string, number>} */
  #largest = new Map();
  /** @type {GroupChoice<Row>} */
  #groupChoice;
  #sort;
  /** Whether the person chose the sorting. */
  #chosen = false;
  #active = -1;
  #rowHeight = ROW_HEIGHT;
  /** Height and width of the scrolled part at its last change. */
  #size = [0, 0];
  /** The text looked for from elsewhere: the first such row is opened as soon as there is one. @type {{text: string, isLed: boolean} | undefined} */
  #wanted;
  /** Those that have something to show. @type {import('./columns/column.js').Column<Row>[]} */
  #all;
  /** Those that are shown of them. @type {import('./columns/column.js').Column<Row>[]} */
  #columns;
  #chosenColumns;
  /** Widths of the shown columns, in pixels; `fixed`: as a person made it. @type {{least: number, fixed: boolean}[]} */
  #widths = [];
  /** The arrangement after the last change, as text. @type {string | undefined} */
  #arrangement;
  /** @type {Picked<Row>} */
  #picked = new Picked();
  /** The columns with texts that may be cut, each with the places where texts differ, and the number of letters that fit. @type {Map<import('./columns/column.js').Column<Row>, {differ: import('./cut.js').Differences, room: number}>} */
  #cuts = new Map();

  /**
   * @param {import('../../app.js').App} app
   * @param {object} how
   * @param {string} how.name of the table, for files and tests
   * @param {string} how.label
   * @param {import('./columns/column.js').Column<Row>[]} how.columns
   * @param {{key: string, down: boolean}} how.sort
   * @param {(row: Row) => string} how.searched the searched text
   * @param {(row: Row) => string} [how.identity] a text that identifies a row, if the searched text does not
   * @param {(row: Row) => [string, string][]} how.detail the details that a click shows
   * @param {() => string} how.empty text for no rows
   * @param {(row: Row) => (Node | null)[]} [how.links] to the timeline, in the details
   * @param {(row: Row | undefined) => void} [how.onRow] called on a click; without a row when the details are closed
   * @param {HTMLElement[]} [how.tools] further controls
   * @param {() => import('./groups.js').Grouping<Row>[]} [how.groupings] possible groupings of the shown rows
   * @param {() => void} [how.onGroup] called when the grouping changes
   * @param {boolean} [how.isPassing] whether the browser's history has nothing of its rows: others come and go
   * @param {boolean} [how.isOfStep] whether its rows are those of the chosen step
   * @param {import('./columns/column.js').Column<Row>[]} [how.saved] columns of the CSV, if not the same
   * @param {{show: (index: number) => HTMLElement, redraw: () => void}} [how.pane] shows more of a row, by its place among those that were given
   */
  constructor(app, how) {
    this.app = app;
    this.how = how;
    this.#all = this.#columns = how.columns;
    this.#sort = how.sort;
    this.#chosenColumns = new ChosenColumns(
      how.name,
      () => this.#showColumns(),
      () => {
        this.#widen();
        this.#measure();
        this.#noteChange();
      },
    );
    this.#heads = new Heads({
      sort: (column) => this.#sortBy(column),
      filter: () => this.#arrange(true),
      layout: () => this.#layOut(),
      resize: (key, width) => this.#resize(key, width),
      chosen: this.#chosenColumns,
    });
    this.#groupChoice = new GroupChoice(how.name, {grouped: () => this.#regroup(), folded: () => this.#layLines()});
    this.#scroll.setAttribute('aria-label', how.label);
    this.#scroll.dataset.test = `table-${how.name}`;
    if (!how.isPassing) canOpen(this.element, how.name, (key) => this.#openAgain(key));
    if (how.columns.some((column) => column.part)) {
      this.#shares = new SharePanel(app, how.columns, (index) => this.#reveal(this.#shown[index]));
      this.#shares.measure(how.sort.key);
      this.#frame.before(this.#shares.element);
    }
    fill(
      this.#tools,
      this.#search,
      ...(how.tools ?? []),
      this.#groupChoice.element,
      this.#shares?.kind.element,
      h('span', {class: 'space'}),
      this.#heads.toggle,
      this.#chosenColumns.element,
      copyMenu({
        csv: () => new TextDecoder().decode(app.wasm.csv(this.csvRows(this.#taken))),
        tsv: () => this.#copied(tsvOf),
        markdown: () => this.#copied(markdownOf),
      }),
      h('button', {class: 'button', onclick: () => app.exports.csv(how.name, this.csvRows(), how.isOfStep), 'data-test': 'save-csv'}, t('table.save')),
    );
    this.#scroll.append(h('div', {class: 'row-group', role: 'rowgroup'}, this.#heads.element), this.#space, this.#foot);
    this.#search.addEventListener('input', () => {
      this.#wanted = undefined;
      this.#arrange();
    });
    this.#search.addEventListener('keydown', (event) => this.#searchKey(event));
    this.#scroll.addEventListener('scroll', () => this.#draw(), {passive: true});
    this.#scroll.addEventListener('keydown', (event) => this.#key(event));
    this.#scroll.addEventListener('copy', (event) => this.#copy(event));
    // Shift with a click picks rows, not their text.
    this.#space.addEventListener('mousedown', (event) => event.shiftKey && event.preventDefault());
    new ResizeObserver(() => this.#refit()).observe(this.#scroll);
  }

  /** @param {Row[]} rows */
  show(rows) {
    this.#rows = rows;
    const {summary, rank} = this.app.state;
    const bare = summary?.ranks[rank].device_time.length === 0;
    this.#all = columnsOf(this.how.columns, rows, bare);
    this.#groupChoice.offer(this.how.groupings?.() ?? []);
    this.#active = -1;
    this.#detail.hide();
    this.#picked.clear();
    this.#showColumns();
    this.#openWanted();
    if (this.#active < 0) this.#stayOpen();
  }

  /** Shows those columns that the person wants. */
  #showColumns() {
    this.#cuts = new Map(
      this.#all.flatMap((column) => (column.left && column.width ? [[column, {differ: differences(this.#rows, column.text), room: Infinity}]] : [])),
    );
    this.#columns = this.#chosenColumns.of(this.#all);
    this.#arrange();
    this.#widen();
    this.#drawFoot();
    this.#measure();
  }

  /** Sees how many letters fit into columns. */
  #measure() {
    let isTall = false;
    const {clientWidth: width} = this.#frame;
    for (const [index, column] of this.#columns.entries()) {
      const found = this.#cuts.get(column);
      const head = this.#heads.element.children[index];
      // In groups, the first cell of a row begins further right.
      const indent = index === 0 && this.#grouping ? INDENT : 0;
      if (!found || !head) continue;
      found.room = lettersIn(head.clientWidth - indent, getComputedStyle(this.#frame));
      if (index === 0 && width > 0 && width <= NARROW && areLonger(this.#rows, column.text, found.room)) {
        isTall = true;
        found.room *= 2;
      }
    }
    this.#makeTall(isTall);
    this.#draw();
  }

  /** Gives names two lines, or one. @param {boolean} isTall */
  #makeTall(isTall) {
    const height = isTall ? TALL_ROW_HEIGHT : ROW_HEIGHT;
    if (height === this.#rowHeight) return;
    const top = (this.#scroll.scrollTop / this.#rowHeight) * height;
    this.#rowHeight = height;
    this.#frame.classList.toggle('tall', isTall);
    this.#frame.style.setProperty('--row-height', `${height}px`);
    this.#fitSpace();
    this.#scroll.scrollTop = top;
  }

  /** Makes room for all lines. */
  #fitSpace() {
    this.#space.style.height = `${Math.max(2, this.#lines.length) * this.#rowHeight}px`;
  }

  /** Shows rows below all others, by the keys of the columns. @param {{name: string, cells: Record<string, string>}[]} rows */
  foot(rows) {
    this.#footRows = rows;
    this.#drawFoot();
  }

  #drawFoot() {
    this.#foot.hidden = this.#footRows.length === 0;
    fill(this.#foot, footLines(this.#columns, this.#footRows));
  }

  /** Makes room for the rows' texts. */
  #widen() {
    // Tables have the font of the page's holder, and may not be in it yet.
    const {fontSize: size, fontFamily: family} = getComputedStyle(environment().holder);
    const rem = parseFloat(size);
    this.#widths = this.#columns.map(({key, title, text, whole, width, part}) => {
      const wanted = this.#chosenColumns.widthOf(key);
      if (wanted !== undefined) return {least: wanted, fixed: true};
      // Short names, such as numbers, leave the width to others; heads of groups are in the same column.
      const own = whole && !this.#grouping ? nameWidth(title, this.#rows, whole, {size, family}) : Infinity;
      if (width) return {least: Math.min(width * rem, own, NAME_SHARE * (this.#scroll.clientWidth || Infinity)), fixed: false};
      const sums = part ? this.#groups.map(({sums}) => sumText(this.app.wasm, part, sums.get(key) ?? 0)) : [];
      return {least: columnWidth(title, this.#rows, text, {size, family}, sums), fixed: false};
    });
    layTracks(this.#frame, this.#columns, this.#widths);
  }

  /** While a heading's edge is dragged nothing but the column's width changes. @param {string} key @param {number} width */
  #resize(key, width) {
    const index = this.#columns.findIndex((column) => column.key === key);
    if (index < 0) return;
    this.#widths[index] = {least: width, fixed: true};
    layTracks(this.#frame, this.#columns, this.#widths);
  }

  /** Shows the rows with a text in their searched text, and opens the one of that name, or the first. @param {string} text @param {boolean} isLed whether the way to the table led to it */
  find(text, isLed) {
    this.#search.value = text;
    this.#wanted = {text, isLed};
    this.#arrange();
    this.#openWanted();
  }

  #openWanted() {
    const wanted = this.#wanted;
    // Rows may still be on their way.
    if (!wanted || this.#shown.length === 0) return;
    this.#wanted = undefined;
    const [name] = this.#columns;
    this.#reveal(this.#shown.find((row) => name.value(row) === wanted.text) ?? this.#shown[0], wanted.isLed);
  }

  /** Opens the row that the browser's history names; without a key, closes the one that is open. @param {string | undefined} key */
  #openAgain(key) {
    const row = key === undefined ? undefined : rowOf(this.#rows, key, this.how.identity ?? this.how.searched);
    const {isOpen} = this.#detail;
    // One that is open stays as it is: a link in its details may have the focus.
    if (row !== undefined && isOpen && this.#lines[this.#active] === row) return;
    if (row !== undefined) this.open(row);
    else if (isOpen) this.#hide();
  }

  /** A row that was open stays so, where the table has it now. */
  #stayOpen() {
    const key = this.how.isPassing ? undefined : this.app.openedIn(this.how.name);
    const row = key === undefined ? undefined : rowOf(this.#rows, key, this.how.identity ?? this.how.searched);
    const index = row === undefined ? -1 : this.#lines.indexOf(row);
    if (index >= 0) this.#activate(index);
  }

  /** Hides the details, for whom somebody else closed them. */
  #hide() {
    this.#active = -1;
    this.#detail.hide();
    this.how.onRow?.(undefined);
    this.#draw();
  }

  /** Records the open row. @param {Row | undefined} row @param {boolean} isLed */
  #tellOpened(row, isLed) {
    if (this.how.isPassing) return;
    this.app.opened(this.how.name, row === undefined ? undefined : keyOf(this.#rows, row, this.how.identity ?? this.how.searched), isLed);
  }

  /** Opens a row, also if a search hides it. @param {Row} row */
  open(row) {
    if (!this.#shown.includes(row)) {
      this.#search.value = '';
      this.#heads.clear();
      this.#arrange();
    }
    this.#reveal(row);
    this.element.scrollIntoView({block: 'nearest'});
  }

  search() {
    this.#search.focus();
  }

  /** Shows the rows that a filter of one column lets through. @param {string} key of the column @param {string} filter as a person types it */
  filter(key, filter) {
    this.#restore({...this.#arranged(), search: '', filters: [[key, filter]]});
  }

  /** Sorts by a column, unless the person has chosen one. @param {string} key @param {boolean} down */
  order(key, down) {
    if (this.#chosen || (this.#sort.key === key && this.#sort.down === down)) return;
    this.#sort = {key, down};
    this.#arrange();
    this.#shares?.measure(key);
  }

  #regroup() {
    this.#showColumns();
    this.how.onGroup?.();
  }

  /** The key of the column that rows are grouped by, if they have it; empty if they are not. */
  get groupedBy() {
    return this.#groupChoice.by;
  }

  /** Groups the rows that are shown next, if they can be. @param {string} by the key of a column */
  group(by) {
    this.#groupChoice.restore(by);
  }

  /** Shows the filters below the headings, or none. */
  #layOut() {
    this.#frame.classList.toggle('filtering', this.#heads.filtering);
    this.#arrange();
  }

  /** Filters, sorts and draws. @param {boolean} [typing] whether the headings stay, since a filter in them is being typed */
  #arrange(typing = false) {
    const search = this.#search.value;
    const {key, down} = this.#sort;
    const column = this.#all.find((one) => one.key === key) ?? this.#all[0];
    const rows = this.#heads.filtered(this.#rows, this.#columns);
    this.#shown = arranged(rows, {search, searched: this.how.searched, column, down});
    const isPart = search.trim() !== '' || this.#heads.isFiltered;
    this.#group(isPart);
    const {count} = this.app.wasm;
    const said = isPart
      ? t('table.found', {shown: count(this.#shown.length), all: count(this.#rows.length)})
      : t('table.rows', {all: count(this.#rows.length)});
    fill(this.#count, this.#grouping ? `${said} · ${t('table.groups', {count: count(this.#groups.length)})}` : said);
    if (!typing) this.#heads.draw(this.#columns, this.#sort);
    this.#active = -1;
    this.#layLines();
    this.#tellPicked();
    this.#shares?.show(this.#shown);
    this.#noteChange();
  }

  /** The person's current arrangement. @returns {Arrangement} */
  #arranged() {
    return {
      search: this.#search.value,
      filters: this.#heads.typed,
      sort: {by: this.#sort, chosen: this.#chosen},
      columns: this.#chosenColumns.choice,
      group: this.#groupChoice.by,
    };
  }

  /** Records a change by the person, so that it can be undone. */
  #noteChange() {
    const [before, after] = [this.#arrangement, JSON.stringify(this.#arranged())];
    this.#arrangement = after;
    const kind = this.#rows.length ? changeOf(before, after) : undefined;
    if (before === undefined || kind === undefined) return;
    const restore = (/** @type {string} */ text) => () => this.#restore(JSON.parse(text));
    this.app.undos.add({element: this.element, what: this.how.label, kind, undo: restore(before), redo: restore(after)});
  }

  /** Arranges it as it was. @param {Arrangement} arrangement */
  #restore({search, filters, sort, columns, group}) {
    this.#search.value = search;
    this.#heads.restore(filters);
    this.#frame.classList.toggle('filtering', this.#heads.filtering);
    this.#sort = sort.by;
    this.#chosen = sort.chosen;
    this.#chosenColumns.restore(columns);
    this.#groupChoice.restore(group);
    this.#showColumns();
    this.#shares?.measure(this.#sort.key);
  }

  /** Groups the rows, if a person wants that. @param {boolean} looking whether some rows are looked for */
  #group(looking) {
    this.#grouping = this.#groupChoice.chosen;
    this.#groupChoice.look(looking);
    this.#groups = this.#grouping ? groupsOf(this.#shown, this.#grouping, this.#all, this.#sort) : [];
    if (this.#grouping) this.#shown = this.#groups.flatMap(({rows}) => rows);
    this.#frame.classList.toggle('grouped', this.#grouping !== undefined);
    this.#largest = new Map(this.#all.map(({key}) => [key, this.#groups.reduce((most, {sums}) => Math.max(most, sums.get(key) ?? 0), 0)]));
  }

  /** Puts groups and the rows of open ones below each other. */
  #layLines() {
    const isOpen = (/** @type {RowGroup<Row>} */ group) => this.#groupChoice.isOpen(group);
    const active = this.#lines[this.#active];
    this.#lines = this.#grouping ? linesOf(this.#groups, isOpen) : this.#shown;
    this.#active = active === undefined ? -1 : this.#lines.indexOf(active);
    this.#groupChoice.show(this.#groups);
    this.#fitSpace();
    this.#scroll.setAttribute('aria-rowcount', String(this.#lines.length + 1));
    this.#draw();
  }

  /** The line of a row: where it is, else its group's. @param {Row} row */
  #lineOf(row) {
    const found = this.#lines.indexOf(row);
    return found >= 0 || !this.#grouping ? found : this.#headOf(row);
  }

  /** The line of a row's group. @param {Row} row */
  #headOf(row) {
    const key = this.#grouping?.of(row);
    return this.#lines.findIndex((line) => line instanceof RowGroup && line.key === key);
  }

  /** Opens a group, or folds it. @param {RowGroup<Row>} group */
  #fold(group) {
    this.#groupChoice.toggle(group);
    this.#layLines();
  }

  /** Draws the charts again, and the rows in view: the theme changed, or a picture is known. */
  redraw() {
    this.#shares?.redraw();
    this.how.pane?.redraw();
    this.#draw();
  }

  /** Arranges the rows again, where values came later than they. The open row stays so. */
  rearrange() {
    const line = this.#lines[this.#active];
    this.#arrange(true);
    this.#active = line === undefined ? -1 : this.#lines.indexOf(line);
    this.#draw();
  }

  /** Scrolls to a row that is there and opens it, and its group. @param {Row} row @param {boolean} [isLed] */
  #reveal(row, isLed) {
    let index = this.#lineOf(row);
    const line = this.#lines[index];
    if (line instanceof RowGroup) {
      this.#fold(line);
      index = this.#lineOf(row);
    }
    this.#scroll.scrollTop = Math.max(0, (index - 2) * this.#rowHeight);
    this.#active = -1;
    this.#activate(index, isLed);
  }

  /** @param {import('./columns/column.js').Column<Row>} column */
  #sortBy(column) {
    this.#chosen = true;
    const same = this.#sort.key === column.key;
    this.#sort = {key: column.key, down: same ? !this.#sort.down : !column.left};
    fill(this.#said, t(this.#sort.down ? 'table.said.down' : 'table.said.up', {title: column.title}));
    this.#arrange();
    this.#shares?.measure(column.key);
  }

  /** Draws the rows in view. */
  #draw() {
    const top = Math.max(0, this.#scroll.scrollTop);
    const first = Math.max(0, Math.floor(top / this.#rowHeight) - MARGIN);
    const end = Math.min(this.#lines.length, Math.ceil((top + this.#scroll.clientHeight) / this.#rowHeight) + MARGIN);
    const rows = this.#lines.slice(first, end).map((line, at) => (line instanceof RowGroup ? this.#groupRow(line, first + at) : this.#row(line, first + at)));
    const [above, head] = this.#grouping && first < end ? headOf(this.#lines, first) : [first];
    if (head && above < first) rows.unshift(this.#groupRow(head, above));
    if (this.#shown.length === 0) {
      const why = this.#rows.length ? t(this.#heads.isFiltered ? 'table.nothing.filter' : 'table.nothing') : this.how.empty();
      rows.push(h('div', {role: 'row'}, h('div', {role: 'cell', class: 'nothing'}, ...codeText(why))));
    }
    fill(this.#space, rows);
  }

  /** @param {Row} row @param {number} index */
  #row(row, index) {
    const look = {index, top: index * this.#rowHeight, isActive: index === this.#active, isPicked: this.#picked.has(row)};
    return rowLine(row, this.#columns, look, {
      text: (column, text) => cutText(text, this.#cuts.get(column)),
      onclick: (event) => this.#click(event, index),
    });
  }

  /** @param {RowGroup<Row>} group @param {number} index */
  #groupRow(group, index) {
    const look = {index, top: index * this.#rowHeight, isActive: index === this.#active, isPicked: group.rows.every((row) => this.#picked.has(row))};
    const {wasm} = this.app;
    return groupLine(group, this.#columns, look, {
      isOpen: this.#groupChoice.isOpen(group),
      size: t('table.group.rows', {count: wasm.count(group.rows.length)}),
      sum: (part, sum) => sumText(wasm, part, sum),
      largest: this.#largest,
      // A title has one line, whatever names have.
      room: (this.#cuts.get(this.#columns[0])?.room ?? Infinity) / (this.#rowHeight === ROW_HEIGHT ? 1 : 2),
      onclick: (event) => this.#clickGroup(event, index),
      height: (group.rows.length + 1) * this.#rowHeight,
      under: this.#heads.element.offsetHeight,
    });
  }

  /** The rows that are copied: those that were picked and are shown, else all that are shown. */
  get #taken() {
    const picked = this.#picked.among(this.#shown);
    return picked.length > 0 ? picked : this.#shown;
  }

  /** Copies the picked rows, else the active one; a selected text as anywhere. @param {ClipboardEvent} event */
  #copy(event) {
    // After a click, the event is of the cell in which that left a caret.
    const root = /** @type {Document | ShadowRoot} */ (this.#scroll.getRootNode());
    if (root.activeElement !== this.#scroll || getSelection()?.toString()) return;
    const active = this.#lines[this.#active];
    const text =
      this.#picked.among(this.#shown).length > 0 ? this.#copied(tsvOf) : active && !(active instanceof RowGroup) ? tsvOf(this.#columns, [active]) : '';
    if (!text) return;
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
  }

  /** The copied text, as it is shown: picked rows, else folded groups by their sums and all other rows. @param {<Line>(columns: import('./columns/column.js').Column<Line>[], lines: Line[]) => string} textOf */
  #copied(textOf) {
    const grouping = this.#grouping;
    if (!grouping) return textOf(this.#columns, this.#taken);
    const {wasm} = this.app;
    const columns = copiedColumns(this.#columns, grouping, {
      rows: (rows) => t('table.group.rows', {count: wasm.count(rows)}),
      sum: (part, sum) => sumText(wasm, part, sum),
    });
    const picked = this.#picked.among(this.#shown);
    return textOf(columns, picked.length > 0 ? picked : copiedOf(this.#groups, (group) => this.#groupChoice.isOpen(group)));
  }

  /** The row at which a span of picked rows ends. @param {number} index of a line @param {number} from where the span comes from */
  #endAt(index, from) {
    return endOfSpan(this.#lines, index, index >= from, (group) => this.#groupChoice.isOpen(group));
  }

  /** Where a span of picked rows begins if there was none. */
  get #begin() {
    const line = this.#lines[this.#active];
    return line instanceof RowGroup ? line.rows[0] : line;
  }

  /** @param {MouseEvent} event @param {number} index of the group's line */
  #clickGroup(event, index) {
    const group = /** @type {RowGroup<Row>} */ (this.#lines[index]);
    // Its button is made anew: the table has the focus.
    this.#scroll.focus({preventScroll: true});
    if (event.ctrlKey || event.metaKey) this.#picked.toggleAll(group.rows);
    else if (event.shiftKey) this.#picked.extend(this.#shown, this.#endAt(index, this.#active), this.#begin);
    else {
      this.#picked.clear();
      this.#active = index;
      this.#detail.hide();
      this.how.onRow?.(undefined);
      this.#tellOpened(undefined, false);
      this.#fold(group);
    }
    this.#tellPicked();
    this.#draw();
  }

  /** @param {MouseEvent} event @param {number} index */
  #click(event, index) {
    const row = /** @type {Row} */ (this.#lines[index]);
    if (event.ctrlKey || event.metaKey) this.#picked.toggle(row);
    else if (event.shiftKey) this.#picked.extend(this.#shown, row, this.#begin);
    else {
      this.#picked.clear();
      this.#activate(index);
    }
    this.#tellPicked();
    this.#draw();
  }

  /** Shows the sums of the picked rows. */
  #tellPicked() {
    const rows = this.#picked.among(this.#shown);
    const {wasm} = this.app;
    const sums = sumsOf(this.#columns, rows).map(({title, part, sum}) => `${title} ${sumText(wasm, part, sum)}`);
    this.#sums.title = rows.length ? [t('table.picked', {count: wasm.count(rows.length)}), ...sums].join(' · ') : '';
    fill(this.#sums, this.#sums.title);
  }

  /** Picks rows by keys. @param {KeyboardEvent} event @returns {boolean} whether it was one of these */
  #pickByKey(event) {
    const at = this.#picked.last;
    const line = at === undefined ? -1 : this.#lineOf(at);
    const from = line < 0 ? this.#active : line;
    const active = this.#lines[this.#active];
    const to = event.shiftKey ? rowByKey(event.key, from, this.#page, this.#lines.length) : undefined;
    if (to !== undefined) {
      this.#picked.extend(this.#shown, this.#endAt(to, from), this.#begin);
      this.#scrollTo(to);
    } else if (event.key === ' ' && active instanceof RowGroup) this.#picked.toggleAll(active.rows);
    else if (event.key === ' ' && active !== undefined) this.#picked.toggle(/** @type {Row} */ (active));
    else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) this.#picked.all(this.#shown);
    else if (event.key === 'Escape' && !this.#detail.isOpen && this.#picked.count) this.#picked.clear();
    else return false;
    event.preventDefault();
    event.stopPropagation();
    this.#tellPicked();
    this.#draw();
    return true;
  }

  /** Uses the room that there is now. An open row that was in view stays there: more of its details came. */
  #refit() {
    const [before, wide] = this.#size;
    const [height, width] = (this.#size = [this.#scroll.clientHeight, this.#scroll.clientWidth]);
    const top = this.#active * this.#rowHeight - this.#scroll.scrollTop;
    if (this.#detail.isOpen && height < before && top >= 0 && top < before) this.#scrollTo(this.#active);
    if (width !== wide) this.#widen();
    this.#measure();
  }

  /** Number of rows in view, minus two, or three with the head of a group. */
  get #page() {
    return Math.max(1, Math.floor(this.#scroll.clientHeight / this.#rowHeight) - (this.#grouping ? 3 : 2));
  }

  /** Scrolls so that a row is in view, below the head of its group. @param {number} index */
  #scrollTo(index) {
    const first = this.#lines[index] instanceof RowGroup || !this.#grouping ? index : index - 1;
    this.#scroll.scrollTop = Math.min(first * this.#rowHeight, Math.max(this.#scroll.scrollTop, (index + 2) * this.#rowHeight - this.#scroll.clientHeight));
  }

  /** Shows a row's details. @param {number} index @param {boolean} [isLed] whether that belongs to an existing entry of the browser's history */
  #activate(index, isLed = false) {
    const same = index === this.#active && this.#detail.isOpen;
    this.#active = same ? -1 : index;
    const line = this.#lines[this.#active];
    const row = line instanceof RowGroup ? undefined : line;
    this.#detail.hide();
    this.how.onRow?.(row);
    this.#sayLine(line);
    if (row !== undefined) {
      this.#detail.show({
        name: this.#nameOf(row),
        facts: this.how.detail(row),
        links: this.how.links?.(row) ?? [],
        pane: this.how.pane?.show(this.#rows.indexOf(row)),
        close: () => this.#close(),
      });
      // They take a part of the rows' room.
      this.#scrollTo(index);
    }
    this.#draw();
    this.#tellOpened(row, isLed);
  }

  /** @param {Row} row */
  #nameOf(row) {
    return this.#columns[0].text(row);
  }

  /** Says the position of the keys, and the open line. @param {Row | RowGroup<Row> | undefined} line */
  #sayLine(line) {
    const {count} = this.app.wasm;
    const place = {row: count(this.#active + 1), all: count(this.#lines.length)};
    if (line === undefined) fill(this.#said);
    else if (line instanceof RowGroup) fill(this.#said, t('table.said.group', {name: line.title, ...place}));
    else fill(this.#said, t('table.said.row', {name: this.#nameOf(line), ...place}));
  }

  /** Hides the details. */
  #close() {
    this.#activate(this.#active);
    this.#scroll.focus();
  }

  /** The first Escape empties the search, the next one leaves it. @param {KeyboardEvent} event */
  #searchKey(event) {
    if (event.key !== 'Escape' || !this.#search.value) return;
    event.preventDefault();
    event.stopPropagation();
    this.#search.value = '';
    this.#arrange();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.target !== this.#scroll || this.#pickByKey(event)) return;
    const sideways = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
    // Where there is more to the sides, these keys scroll, as anywhere; else they choose steps.
    if (sideways && this.#scroll.scrollWidth > this.#scroll.clientWidth) event.stopPropagation();
    if (event.key === 'Escape' && this.#detail.isOpen) {
      event.stopPropagation();
      this.#close();
      return;
    }
    if (this.#foldByKey(event.key)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const index = rowByKey(event.key, this.#active, this.#page, this.#lines.length);
    if (index === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    // Near enough for the row to be an element; its details may then take part of the room.
    this.#scrollTo(index);
    this.#active = -1;
    // A walk from row to row stays in one entry of the history.
    this.#activate(index, this.#detail.isOpen);
    this.#space.querySelector('[aria-current]')?.scrollIntoView({block: 'nearest'});
  }

  /** Opens and folds the group at which the keys are; from a row, goes to its group's head. @param {string} key @returns {boolean} whether it was such a key */
  #foldByKey(key) {
    const line = this.#lines[this.#active];
    if (!this.#grouping || line === undefined) return false;
    const {scrollLeft, scrollWidth, clientWidth} = this.#scroll;
    const goTo = (/** @type {number} */ index) => {
      this.#scrollTo(index);
      this.#active = -1;
      this.#activate(index);
    };
    const group = line instanceof RowGroup ? line : null;
    const isOpen = group !== null && this.#groupChoice.isOpen(group);
    if (key === 'Enter' && group) this.#fold(group);
    else if (key === 'ArrowRight') {
      if (group && !isOpen) this.#fold(group);
      // At an open group or a row, the key scrolls sideways where there is more.
      else if (scrollWidth > clientWidth) return false;
      else if (group) goTo(this.#active + 1);
    } else if (key === 'ArrowLeft' && scrollLeft <= 0) {
      if (group && isOpen) this.#fold(group);
      else if (!group) goTo(this.#headOf(/** @type {Row} */ (line)));
    } else return false;
    return true;
  }

  /** Rows, those that are shown if no others are named, with their headings; numbers are in ns, as in the program's JSON. @param {Row[]} [rows] @returns {string[][]} */
  csvRows(rows = this.#shown) {
    return csvRowsOf(this.how.saved ?? this.how.columns, rows);
  }
}
