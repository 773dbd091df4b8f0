// What the page says first: where the step's time goes, as a sentence, a bar that opens branch by branch, and causes.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {environment} from '../../environment/environment.js';
import {heading} from '../parts/heading.js';
import {jumpButton} from '../parts/jump.js';
import {isCopy} from '../parts/kernel-names.js';
import {describedSmallTable} from '../table/described/described-small.js';

/** @typedef {import('../../../../types/reports.js').BudgetBranchReport} BudgetBranch */
/** @typedef {import('../../../../types/reports.js').BudgetLeafReport} BudgetLeaf */
/** @typedef {import('../../../../types/reports.js').BudgetReport} BudgetReport */
/** @typedef {import('../../../../types/reports.js').LongestSpanReport} LongestSpan */
/** @typedef {import('../../state.js').State} State */

/** How many shades of a branch's colour its leaves have. */
const SHADES = 5;

/** How many causes are listed. */
const CAUSES = 5;

/** The first card of the overview. */
export class BudgetCard {
  #body = h('div', {class: 'budget-body'});
  /** Counts requests: only the last one's answer is shown. */
  #asked = 0;
  /** The branch that is open, by its name. @type {string | null} */
  #open = null;

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    this.app = app;
    this.element = h(
      'section',
      {class: 'card wide budget', 'aria-labelledby': 'budget-title', 'data-test': 'budget-card', hidden: true},
      heading('h2', 'budget.title', 'budget', {id: 'budget-title'}),
      this.#body,
    );
  }

  /** @param {State} state */
  async show({summary, rank, step}) {
    const asked = ++this.#asked;
    const has = summary?.ranks[rank].topics?.includes('budget');
    const language = environment().holder.lang.startsWith('zh') ? 'zh' : 'en';
    const report = has ? await this.app.report('budget', {step, language}) : undefined;
    if (asked !== this.#asked) return;
    this.element.hidden = !report;
    if (report) this.#draw(report, step);
  }

  /** @param {BudgetReport} report @param {number | null} step */
  #draw(report, step) {
    const {sentences, branches} = report.budget;
    const [first, ...more] = sentences;
    if (!branches.some(({branch}) => branch === this.#open)) this.#open = null;
    const below = h('div', {class: 'budget-below'});
    const segments = branches.map((branch) => this.#segment(branch, below, branches));
    fill(
      this.#body,
      h('p', {class: 'budget-first', 'data-test': 'budget-first'}, first),
      more.length > 0 && h('p', {class: 'budget-fix', 'data-test': 'budget-fix'}, more.join(' ')),
      h('p', {class: 'hint', 'data-test': 'budget-whole'}, this.#whole(report, step)),
      h('div', {class: 'budget-bar is-first', 'aria-hidden': 'true', 'data-test': 'budget-bar'}, segments),
      h('div', {class: 'budget-columns'}, below, this.#causes(report)),
      this.#functions(report),
    );
    this.#legend(below, branches);
  }

  /** Of what the times are. @param {BudgetReport} report @param {number | null} step */
  #whole({budget}, step) {
    const {count, duration} = this.app.wasm;
    const {windows, counted, length_ns: length, device_count: devices, shares_of: whole} = budget;
    const {steps = [], whole_step: unmarked} = this.app.state.summary?.ranks[this.app.state.rank] ?? {};
    const name = step === null ? '' : t('step', {name: steps[step]?.name ?? ''});
    const values = {time: duration(length), steps: count(counted), step: name, span: unmarked ? t(`tile.step.whole.${unmarked.span}`) : ''};
    const ofSteps = whole === 'periods' ? 'periods' : counted === 1 ? 'one' : 'mean';
    const marked = step === null ? ofSteps : 'step';
    const scope = windows === 'trace' ? 'trace' : unmarked ? 'unmarked' : marked;
    return [t(`budget.whole.${scope}`, values), devices > 1 && t('budget.whole.devices', {devices: count(devices)})].filter(Boolean).join(' ');
  }

  /**
   * A branch's part of the bar: it opens the branch, if that has several parts.
   * @param {BudgetBranch} branch @param {HTMLElement} below @param {BudgetBranch[]} branches
   */
  #segment({branch, class: part, mean_ns: time, share, leaves = []}, below, branches) {
    const {duration, percent} = this.app.wasm;
    const label = `${t(`budget.branch.${branch}`)}: ${percent(share)} · ${duration(time)}`;
    const opens = leaves.length > 0;
    // Keys and screen readers have the list below: a part may be too narrow to be hit.
    const segment = h('span', {
      class: opens ? 'budget-segment opens' : 'budget-segment',
      title: label,
      'data-test': `budget-segment-${branch}`,
      ...(opens && {onclick: () => this.#choose(branch, below, branches)}),
    });
    segment.style.flexGrow = String(time);
    return colored(segment, part);
  }

  /** Opens a branch, or closes it if it is open. @param {string} branch @param {HTMLElement} below @param {BudgetBranch[]} branches */
  #choose(branch, below, branches) {
    this.#open = this.#open === branch ? null : branch;
    this.#legend(below, branches);
  }

  /** The branches by name, and the leaves of the open one. @param {HTMLElement} below @param {BudgetBranch[]} branches */
  #legend(below, branches) {
    const rows = branches.map((branch) => {
      const {branch: name, class: part, mean_ns: time, share, leaves = []} = branch;
      const isOpen = this.#open === name;
      const word = t(`budget.branch.${name}`);
      const title =
        leaves.length > 0
          ? h(
              'button',
              {
                type: 'button',
                class: 'link',
                'aria-expanded': String(isOpen),
                'data-test': `budget-branch-${name}`,
                onclick: () => this.#reopen(name, below, branches),
              },
              word,
            )
          : h('span', {}, word);
      return h(
        'li',
        {},
        this.#row(colored(h('span', {class: 'budget-swatch'}), part), title, share, time, null),
        isOpen && leaves.length > 0 && this.#leaves(branch),
      );
    });
    fill(below, h('ul', {class: 'budget-branches', 'data-test': 'budget-branches'}, rows));
  }

  /** @param {string} name @param {HTMLElement} below @param {BudgetBranch[]} branches */
  #reopen(name, below, branches) {
    this.#choose(name, below, branches);
    /** @type {HTMLElement | null} */ (below.querySelector(`[data-test="budget-branch-${name}"]`))?.focus();
  }

  /** @param {BudgetBranch} branch */
  #leaves({class: part, leaves = []}) {
    const {duration, percent} = this.app.wasm;
    const shaded = (/** @type {string} */ look, /** @type {number} */ place) =>
      colored(h('span', {class: `${look} shade-${Math.min(place, SHADES - 1)}`}), part);
    const bar = leaves.map(({leaf, mean_ns: time, share}, place) => {
      const segment = shaded('budget-segment', place);
      segment.title = `${t(`budget.leaf.${leaf}`)}: ${percent(share)} · ${duration(time)}`;
      segment.style.flexGrow = String(time);
      return segment;
    });
    const row = (/** @type {BudgetLeaf} */ {leaf, mean_ns: time, share, longest}, /** @type {number} */ place) =>
      h(
        'li',
        {'data-test': `budget-leaf-${leaf}`},
        this.#row(shaded('budget-swatch', place), h('span', {}, t(`budget.leaf.${leaf}`)), share, time, longest ?? null),
      );
    return h(
      'div',
      {class: 'budget-open'},
      leaves.length > 1 && h('div', {class: 'budget-bar is-thin', 'aria-hidden': 'true'}, bar),
      h('ul', {class: 'budget-leaves'}, leaves.map(row)),
    );
  }

  /** @param {HTMLElement} swatch @param {HTMLElement} name @param {number} share @param {number} time @param {LongestSpan | null} longest */
  #row(swatch, name, share, time, longest) {
    const {duration, percent} = this.app.wasm;
    return h(
      'div',
      {class: 'budget-row'},
      swatch,
      h('span', {class: 'budget-name'}, name),
      h('span', {class: 'budget-share'}, percent(share)),
      h('span', {class: 'budget-time'}, duration(time)),
      h('span', {class: 'budget-longest'}, longest && this.#longest(longest)),
    );
  }

  /** The longest span of a leaf, which leads to the timeline. @param {LongestSpan} longest */
  #longest({start_ns: start, length_ns: length, host, name}) {
    const what = t('budget.longest', {time: this.app.wasm.duration(length)});
    const about = (/** @type {string | null | undefined} */ name) => [what, host ? t('budget.mostly', {name: host}) : name].filter(Boolean).join(' · ');
    const short = name && !isCopy(name) ? this.app.wasm.kernel_names([name])[0] : name;
    return jumpButton(this.app, {span: [start, start + length]}, about(name), what, about(short));
  }

  /** The functions and activities that the causes are in. @param {BudgetReport} report */
  #functions({cause_functions: functions}) {
    if (functions.length === 0) return '';
    return h(
      'details',
      {class: 'budget-functions', 'data-test': 'budget-functions'},
      h('summary', {title: t('budget.functions.why')}, t('budget.functions')),
      describedSmallTable(this.app, 'cause_functions', t('budget.functions'), functions),
    );
  }

  /** @param {BudgetReport} report */
  #causes({causes}) {
    if (causes.length === 0) return '';
    const {duration, percent} = this.app.wasm;
    const row = (/** @type {import('../../../../types/reports.js').BudgetCauseReport} */ {wording, share, score_ns: score, saves, longest}) =>
      h(
        'li',
        {'data-test': `budget-cause-${wording}`},
        h('span', {class: 'budget-share'}, percent(share)),
        h('span', {class: 'budget-time'}, duration(score)),
        h(
          'div',
          {class: 'budget-cause'},
          h('strong', {}, t(`budget.cause.${wording}`)),
          ' ',
          longest[0] && this.#longest(longest[0]),
          h('p', {class: 'hint'}, [saves, t(`budget.fix.${wording}`)].filter(Boolean).join(' ')),
        ),
      );
    return h(
      'div',
      {},
      heading('h3', 'budget.causes', 'budget'),
      // The shares that are shown are those of the time: without this line the list looks unsorted.
      causes.length > 1 && h('p', {class: 'hint', 'data-test': 'budget-sorted'}, t('budget.causes.sorted')),
      h('ol', {class: 'budget-causes', 'data-test': 'budget-causes'}, causes.slice(0, CAUSES).map(row)),
    );
  }
}

/** Gives an element the colour of a class. @template {HTMLElement} T @param {T} element @param {string} part the class @returns {T} */
function colored(element, part) {
  element.style.setProperty('--part', `var(--class-${part})`);
  return element;
}
