// The step budget as it is drawn, of a rank or of a job: a sentence, a bar that opens branch by branch, causes, and where these are.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {leafColors} from '../idle/parts.js';
import {heading} from '../parts/heading.js';
import {jumpButton} from '../parts/jump.js';
import {shortName} from '../parts/kernel-names.js';
import {titleInJob} from '../parts/rank-name.js';
import {unbroken} from '../parts/units.js';
import {describedSmallTable} from '../table/described/described-small.js';

/** @typedef {import('../../../../types/reports.js').BudgetBranchReport} BudgetBranch */
/** @typedef {import('../../../../types/reports.js').BudgetBranchesLeavesRow} BudgetLeaf */
/** @typedef {import('../../../../types/reports.js').BudgetReport} BudgetReport */
/** @typedef {{start_ns: number | null, length_ns: number | null, name: string | null, host: string | null, rank?: number | null}} LongestSpan `rank`: of which it is, in a job */

/** @typedef {import('../../../../types/reports.js').BudgetCauseReport} BudgetCause */

/** Number of shades of a leaf color. */
const SHADES = 5;

/** Number of listed causes. */
const CAUSES = 5;

/** A budget. */
export class BudgetView {
  element = h('div', {class: 'budget-body'});
  /** The branch that is open, by its name. @type {string | null} */
  #open = null;

  #name;
  /** Opens the page's place for a late cause's fix. @type {(cause: BudgetCause) => unknown} */
  #openFix;
  #indexOf;

  /**
   * @param {import('../../app.js').App} app @param {string} [name] prefix of the names for tests
   * @param {(cause: BudgetCause) => unknown} [openFix] opens the page's place for a late cause's fix: only jobs have such causes
   * @param {(rank: number) => number | undefined} [indexOf] the place of a job's rank among those that are open
   */
  constructor(app, name = 'budget', openFix = () => {}, indexOf = () => undefined) {
    this.app = app;
    this.#openFix = openFix;
    this.#indexOf = indexOf;
    this.#name = name;
  }

  /** @param {BudgetReport} report @param {string} whole description of the whole that the times are parts of */
  show(report, whole) {
    const {sentences, branches} = report.budget;
    const [first, ...more] = sentences;
    if (!branches.some(({branch}) => branch === this.#open)) this.#open = null;
    const below = h('div', {class: 'budget-below'});
    const segments = branches.map((branch) => this.#segment(branch, below, branches));
    fill(
      this.element,
      h('p', {class: 'budget-first', 'data-test': `${this.#name}-first`}, unbroken(first)),
      more.length > 0 && h('p', {class: 'budget-fix', 'data-test': `${this.#name}-fix`}, this.#withLink(more.join(' '), report.causes)),
      h('p', {class: 'hint', 'data-test': `${this.#name}-whole`}, whole),
      h('div', {class: 'budget-bar is-first', 'aria-hidden': 'true', 'data-test': `${this.#name}-bar`}, segments),
      h('div', {class: 'budget-columns'}, below, this.#causes(report, more.join(' '))),
      this.#functions(report),
    );
    this.#legend(below, branches);
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
      'data-test': `${this.#name}-segment-${branch}`,
      ...(opens && {onclick: () => this.#choose(branch, below, branches)}),
    });
    segment.style.flexGrow = String(time);
    return colored(segment, `--class-${part}`);
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
                'data-test': `${this.#name}-branch-${name}`,
                onclick: () => this.#reopen(name, below, branches),
              },
              word,
            )
          : h('span', {}, word);
      return h(
        'li',
        {},
        this.#row(colored(h('span', {class: 'budget-swatch'}), `--class-${part}`), title, share, time, null),
        isOpen && leaves.length > 0 && this.#leaves(branch),
      );
    });
    fill(below, h('ul', {class: 'budget-branches', 'data-test': `${this.#name}-branches`}, rows));
  }

  /** @param {string} name @param {HTMLElement} below @param {BudgetBranch[]} branches */
  #reopen(name, below, branches) {
    this.#choose(name, below, branches);
    /** @type {HTMLElement | null} */ (below.querySelector(`[data-test="${this.#name}-branch-${name}"]`))?.focus();
  }

  /** @param {BudgetBranch} branch */
  #leaves({class: part, leaves = []}) {
    const {duration, percent} = this.app.wasm;
    const colors = leafColors(part, leaves);
    const shaded = (/** @type {string} */ look, /** @type {number} */ place) => {
      const {token, shade} = colors[place];
      return colored(h('span', {class: `${look} shade-${Math.min(shade, SHADES - 1)}`}), token);
    };
    const bar = leaves.map(({leaf, mean_ns: time, share}, place) => {
      const segment = shaded('budget-segment', place);
      segment.title = `${t(`budget.leaf.${leaf}`)}: ${percent(share)} · ${duration(time)}`;
      segment.style.flexGrow = String(time);
      return segment;
    });
    const row = (/** @type {BudgetLeaf} */ {leaf, mean_ns: time, share, longest}, /** @type {number} */ place) =>
      h(
        'li',
        {'data-test': `${this.#name}-leaf-${leaf}`},
        this.#row(shaded('budget-swatch', place), h('span', {}, t(`budget.leaf.${leaf}`)), share, time, longest ?? null, t(`budget.leaf.${leaf}`)),
      );
    return h(
      'div',
      {class: 'budget-open'},
      leaves.length > 1 && h('div', {class: 'budget-bar is-thin', 'aria-hidden': 'true'}, bar),
      h('ul', {class: 'budget-leaves'}, leaves.map(row)),
    );
  }

  /** @param {HTMLElement} swatch @param {HTMLElement} name @param {number} share @param {number} time @param {LongestSpan | null} longest @param {string} [why] what that is shown for */
  #row(swatch, name, share, time, longest, why = '') {
    const {duration, percent} = this.app.wasm;
    return h(
      'div',
      {class: 'budget-row'},
      swatch,
      h('span', {class: 'budget-name'}, name),
      h('span', {class: 'budget-share'}, percent(share)),
      h('span', {class: 'budget-time'}, duration(time)),
      h('span', {class: 'budget-longest'}, longest && this.#longest(longest, why)),
    );
  }

  /** The longest span of a leaf or cause, which leads to the timeline. @param {LongestSpan} longest @param {string} why the leaf's or cause's name */
  #longest({start_ns: start, length_ns: length, host, name, rank = null}, why) {
    if (start === null || length === null) return null;
    const time = this.app.wasm.duration(length);
    if (rank !== null) {
      const index = this.#indexOf(rank);
      const text = t('budget.longest.rank', {time, rank: titleInJob(this.app.state.summary, rank)});
      return index === undefined ? null : jumpButton(this.app, {span: [start, start + length], why}, text, text, text, index);
    }
    const what = t('budget.longest', {time});
    const about = (/** @type {string | null | undefined} */ name) => [what, host ? t('budget.mostly', {name: host}) : name].filter(Boolean).join(' · ');
    const short = name && shortName(this.app.wasm, name);
    return jumpButton(this.app, {span: [start, start + length], why: [why, about(short)].join(' · ')}, about(name), what, about(short));
  }

  /** The functions and activities that the causes are in. @param {BudgetReport} report */
  #functions({cause_functions: functions}) {
    if (functions.length === 0) return '';
    return h(
      'details',
      {class: 'budget-functions', 'data-test': `${this.#name}-functions`},
      h('summary', {title: t('budget.functions.why')}, t('budget.functions')),
      describedSmallTable(this.app, 'cause_functions', t('budget.functions'), functions, undefined, undefined, ['wording', 'mean_ns', 'share']),
    );
  }

  /** A text in which the lead of the first late cause's fix is a link. @param {string} text @param {BudgetCause[]} causes @returns {(string | Node)[]} */
  #withLink(text, causes) {
    for (const cause of causes) {
      const lead = leadOf(cause);
      const at = text.indexOf(lead);
      if (!lead || at < 0) continue;
      const onclick = () => this.#openFix(cause);
      const link = h('button', {type: 'button', class: 'link', 'data-test': `${this.#name}-fix-${cause.wording}`, onclick}, lead);
      return [...unbroken(text.slice(0, at)), link, ...unbroken(text.slice(at + lead.length))];
    }
    return unbroken(text);
  }

  /** @param {BudgetReport} report @param {string} said the fix in the headline */
  #causes({causes}, said) {
    if (causes.length === 0) return '';
    const {duration, percent} = this.app.wasm;
    const row = (/** @type {BudgetCause} */ cause) => {
      const {wording, late, share, score_ns: score, few_steps: few, saves, hides, partial, split, rank_cause: rankCause, longest} = cause;
      const name = t(`budget.cause.${wording}`, {late: late ?? ''});
      // The headline has the fix of the cause that it names.
      const advice = [few?.text, saves, hides, partial, split, rankCause, fixOf(cause)].filter((text) => text && !said.includes(text)).join(' ');
      return h(
        'li',
        {'data-test': `${this.#name}-cause-${wording}`},
        h(
          'span',
          {class: 'budget-share', title: confidenceOf(cause, percent)},
          percent(share),
          h('span', {class: 'only-read-out'}, ` ${confidenceOf(cause, percent)}`),
        ),
        h('span', {class: 'budget-time'}, duration(score)),
        h(
          'div',
          {class: 'budget-cause'},
          h('strong', {}, name),
          ' ',
          longest[0] && this.#longest(longest[0], name),
          advice && h('p', {class: 'hint'}, this.#withLink(advice, [cause])),
        ),
      );
    };
    return h(
      'div',
      {},
      heading('h3', 'budget.causes', 'budget'),
      // Without this line such a list looks unsorted.
      causes.slice(0, CAUSES).some(({share}, place) => place > 0 && share > causes[place - 1].share) && h('p', {class: 'hint'}, t('budget.causes.order')),
      h('ol', {class: 'budget-causes', 'data-test': `${this.#name}-causes`}, causes.slice(0, CAUSES).map(row)),
    );
  }
}

/** How sure a cause's time is. @param {BudgetCause} cause @param {(share: number) => string} percent */
function confidenceOf({confidence, known_share: known}, percent) {
  const said = [t(`budget.confidence.${confidence}`), known !== undefined && t('budget.confidence.known', {share: percent(known)})].filter(Boolean);
  return t('budget.confidence', {confidence: said.join(', ')});
}

/** The part of a late cause's fix that leads to the late rank; empty for other causes. @param {BudgetCause} cause */
function leadOf({wording, late}) {
  return late === undefined ? '' : t(`budget.lead.${wording}`, {late});
}

/** The fix of a cause. @param {BudgetCause} cause */
function fixOf(cause) {
  return t(`budget.fix.${cause.wording}`, {lead: leadOf(cause)});
}

/** Gives an element a color. @template {HTMLElement} T @param {T} element @param {string} token @returns {T} */
function colored(element, token) {
  element.style.setProperty('--part', `var(${token})`);
  return element;
}
