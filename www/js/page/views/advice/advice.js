// The advice tab: savings per step, the measurement of each rule, and where to look.

import {h} from '../../dom.js';
import {has, t} from '../../environment/i18n.js';
import {focused} from '../../environment/environment.js';
import {openRank} from '../overview/rank-part.js';
import {isUnmarked, ofSteps} from '../parts/all-steps.js';
import {Choice} from '../parts/choice.js';
import {jumpButton} from '../parts/jump.js';
import {rankTitle} from '../parts/rank-name.js';
import {ReportTab} from '../parts/report-tab.js';
import {shortName} from '../parts/kernel-names.js';
import {RULE_SETS, adviceAsk, chooseRules, chosenRules, resetThresholds, setThreshold, showScope, valueText} from './advice-choice.js';

/** @typedef {import('../../../../types/reports.js').AdviceReport} AdviceReport */
/** @typedef {import('../../../../types/reports.js').AdviceRuleReport} AdviceRule */
/** @typedef {import('../../../../types/reports.js').AdviceThresholdReport} AdviceThreshold */
/** @typedef {import('../../../../types/reports.js').AdviceEvidenceReport} Evidence */
/** @typedef {import('../../../../types/reports.js').RankRuleReport} RankRule */
/** @typedef {import('../../../protocol/wasm.js').Wasm} Wasm */

/** Input unit of a threshold, and its size in the report's unit. @type {Record<string, [unit: string, size: number]>} */
const TYPED = {share: ['%', 0.01], ns: ['µs', 1000], bytes: ['MiB', 1024 ** 2], count: ['', 1]};

/** The id of the texts that say a rule. @param {AdviceRule} rule */
export function wording(rule) {
  return rule.wording ?? rule.rule;
}

/** The advice on a finding. @param {AdviceRule} rule */
export function fixOf(rule) {
  return t(`advice.${wording(rule)}`, {ask: t('budget.ask.host_of_mindspore')});
}

/** When and within what a piece of evidence is. @param {import('../../../protocol/wasm.js').Wasm} wasm @param {Evidence} evidence @param {[number, number]} span */
function whenText(wasm, {within, on_critical_path_ns: onPath}, [start, length]) {
  const when = {part: within ?? '', start: wasm.duration(start), duration: wasm.duration(length)};
  const parts = [
    onPath !== undefined && t('advice.evidence.on_path', {duration: wasm.duration(onPath)}),
    t(within ? 'advice.evidence.within' : 'advice.evidence.when', when),
  ];
  return parts.filter(Boolean).join(' ');
}

/** @extends {ReportTab<'advice'>} */
export class AdviceTab extends ReportTab {
  #rules;
  /** Which lists of the others are open. @type {Record<string, boolean>} */
  #open = {};
  /** Number of open ranks. */
  #all = 1;
  #scope = h('p', {hidden: true, 'data-test': 'advice-scope'});

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    super(app, 'advice', adviceAsk);
    this.#rules = new Choice(t('advice.rules'), 'advice-rules', (set) => this.#change(() => chooseRules(set)));
    this.#rules.offer(RULE_SETS.map((set) => [set, t(`advice.rules.${set}`)]));
    this.#rules.value = chosenRules();
    const reset = h('button', {class: 'button', 'data-test': 'advice-reset', onclick: () => this.#change(resetThresholds)}, t('advice.reset'));
    this.element.prepend(
      this.#scope,
      h('p', {class: 'hint', title: t('advice.hint.more')}, t('advice.hint')),
      h('div', {class: 'advice-tools'}, this.#rules.element, reset),
    );
  }

  /** @override @param {import('../../state.js').State} now */
  show(now) {
    showScope(this.#scope, now);
    return super.show(now);
  }

  /** @param {() => void} act */
  async #change(act) {
    act();
    const name = focused()?.getAttribute('data-threshold');
    await this.show(this.app.state);
    // The card may have moved; the focus follows the threshold to its new place.
    if (name) /** @type {HTMLElement | null} */ (this.element.querySelector(`[data-threshold="${name}"]`))?.focus();
  }

  /** @override @param {AdviceReport} report */
  draw({rules, ranks, ranks_judged: judged, conclusion}) {
    const of = (/** @type {string} */ verdict) => rules.filter((rule) => rule.verdict === verdict);
    const holding = of('holds');
    this.#all = ranks ?? 1;
    const {count} = this.app.wasm;
    return [
      ranks !== undefined && judged !== undefined && judged < ranks
        ? h('p', {class: 'hint', 'data-test': 'advice-judged'}, t('advice.judged', {judged: count(judged), all: count(ranks)}))
        : '',
      holding.length === 0
        ? h('div', {class: 'card', 'data-test': 'advice-none'}, nothingToDo(this.app.wasm, conclusion))
        : h('div', {'data-test': 'advice'}, this.#groups(holding, conclusion.cause)),
      this.#others(
        'covered_rules',
        of('passed').filter((rule) => rule.covered_by),
      ),
      this.#others(
        'passed',
        of('passed').filter((rule) => !rule.covered_by),
      ),
      this.#others('not_applicable', of('not_judged')),
    ];
  }

  /** The rules below the causes that they are details of, in their order; before them the largest cause, if none of them is a detail of it. @param {AdviceRule[]} rules @param {import('../../../../types/reports.js').NamedCauseReport} [first] */
  #groups(rules, first) {
    /** The heading of a rule: its cause, all ranks together, or the others. @param {AdviceRule} rule */
    const headingOf = ({detail_of: of, input}) => of?.cause ?? (this.#all > 1 && input === undefined ? 'job' : 'others');
    const list = (/** @type {AdviceRule[]} */ of, /** @type {'h2' | 'h3'} */ head) =>
      h(
        'ol',
        {class: 'advice'},
        of.map((rule) => this.#card(rule, head)),
      );
    // They come in the order of these.
    const places = [...new Set(rules.map(headingOf))];
    if (!first && places.length === 1 && places[0] === 'others') return list(rules, 'h2');
    const {wasm} = this.app;
    const alone =
      first &&
      h(
        'section',
        {class: 'advice-group', 'data-test': 'advice-cause'},
        h('h2', {title: t('advice.cause.lost.why')}, lossText(wasm, first)),
        h('p', {class: 'hint'}, t(`budget.fix.${first.wording}`)),
      );
    const groups = places.map((place) => {
      const of = rules.filter((rule) => headingOf(rule) === place);
      const named = of[0].detail_of;
      const kind = named ? 'lost' : place;
      // The loss differs by rank.
      const ofCause = named && (named.input === undefined ? lossText(wasm, named) : t('advice.cause.lost', {cause: t(`budget.cause.${named.wording}`)}));
      return h(
        'section',
        {class: 'advice-group', 'data-test': `advice-of-${place}`},
        h('h2', {title: t(`advice.cause.${kind}.why`)}, ofCause ?? t(`advice.cause.${kind}`)),
        // With several ranks, what to do about a cause may be another rank's matter: the rules say it.
        named && named.input === undefined && h('p', {class: 'hint'}, t(`budget.fix.${named.wording}`)),
        list(of, 'h3'),
      );
    });
    return [alone, ...groups];
  }

  /** @param {AdviceRule} rule @param {'h2' | 'h3'} head */
  #card(rule, head) {
    const id = `advice-${rule.rule}`;
    const evidence = this.#evidenceOf(rule);
    return h(
      'li',
      {class: 'card', 'aria-labelledby': id, 'data-test': id},
      h(
        'div',
        {class: 'card-head'},
        h(head, {id, title: this.#why(rule)}, t(`advice.${wording(rule)}.title`)),
        h('span', {class: 'advice-gain'}, gainText(this.app, rule)),
      ),
      rule.ranks
        ? this.#ranks(rule, rule.ranks)
        : rule.input === undefined &&
            h(
              'p',
              {class: 'hint'},
              `${t('advice.of_job')} · `,
              h('button', {type: 'button', class: 'link', 'data-test': 'advice-ranks', onclick: () => this.app.store.set({tab: 'ranks'})}, t('tab.ranks')),
            ),
      rule.outside && h('p', {class: 'hint', 'data-test': 'advice-outside'}, t(`advice.outside.${rule.outside}`)),
      this.#measured(rule),
      h('p', {class: 'advice-text'}, fixOf(rule)),
      evidence.length > 0 &&
        h(
          'div',
          {},
          h(head === 'h2' ? 'h3' : 'h4', {class: 'evidence-head', title: t('advice.evidence.why')}, t('advice.evidence')),
          h(
            'ul',
            {class: 'evidence'},
            evidence.map((one) => this.#evidence(rule, one)),
          ),
        ),
      h('p', {class: 'hint'}, this.#why(rule)),
    );
  }

  /** How a rule is judged: where no trace marks steps, its words for steps are of the recorded time. @param {AdviceRule} rule */
  #why(rule) {
    const own = wording(rule);
    // A profiler's own wording is judged as the one that it is a wording of.
    const of = [own, own.replace(/\.mindspore$/, '')].find((one) => has(`advice.${one}.why`)) ?? rule.rule;
    return ofSteps(t(`advice.${of}.why`), this.app.state.summary?.ranks.every(isUnmarked) ?? false);
  }

  /** Where a rule shows on the rank that is shown, since its events are that rank's. @param {AdviceRule} rule */
  #evidenceOf({ranks, evidence}) {
    if (!ranks) return evidence ?? [];
    return ranks.find(({place}) => place === this.app.state.rank)?.evidence ?? [];
  }

  /** The ranks that a rule is about: each leads to its own evidence. @param {AdviceRule} rule @param {RankRule[]} ranks */
  #ranks(rule, ranks) {
    const {wasm, state} = this.app;
    const one = (/** @type {RankRule} */ row) => {
      const open = () => this.app.choose({rank: row.place, step: null, selection: null});
      const facts = [row.value === null ? '' : valueText(wasm, rule.unit, row.value), rule.verdict === 'holds' && gainOf(wasm, row)]
        .filter(Boolean)
        .join(' · ');
      return h(
        'li',
        {'data-test': `advice-rank-${row.place}`},
        row.place === state.rank ? h('strong', {}, nameOf(state, row)) : h('button', {type: 'button', class: 'link', onclick: open}, nameOf(state, row)),
        ' ',
        h('span', {class: 'hint'}, facts),
      );
    };
    // Traces that are no ranks of one job have their files' names.
    if (ranks.length === 1 && ranks[0].input !== undefined) return h('ul', {class: 'hint', 'data-test': `ranks-${rule.rule}`}, one(ranks[0]));
    const isHere = ranks.some(({place}) => place === state.rank);
    const key = `ranks-${rule.rule}-${rule.verdict}`;
    const details = h(
      'details',
      {class: 'advice-ranks', open: this.#open[key] ?? false, 'data-test': `ranks-${rule.rule}`},
      h('summary', {title: t('advice.on.why')}, t('advice.on', {some: wasm.count(ranks.length), all: wasm.count(this.#all)})),
      h('p', {class: 'hint'}, t('advice.on.why')),
      h('ul', {}, ranks.map(one)),
    );
    details.addEventListener('toggle', () => (this.#open[key] = details.open));
    const shown = state.summary?.ranks[state.rank];
    return [details, rule.verdict === 'holds' && shown && !isHere ? h('p', {class: 'hint'}, t('advice.not_here', {rank: rankTitle(shown)})) : ''];
  }

  /** The value beside its thresholds. @param {AdviceRule} rule */
  #measured(rule) {
    const {wasm} = this.app;
    const value = rule.value === null ? '–' : valueText(wasm, rule.unit, rule.value);
    const {thresholds = []} = rule;
    const whole = [wording(rule), rule.rule].map((id) => `advice.${id}.whole`).find(has);
    const [before, after] = whole ? t(whole, {window: t(`advice.window.${rule.of_recorded_time ? 'recorded' : 'steps'}`)}).split('{share}') : ['', ''];
    // Rules on stragglers find these by their thresholds first, and then report all of them: they are compared with zero.
    const moved = thresholds.length > 0 && rule.threshold !== 0 && thresholds[0].value !== rule.threshold;
    return h(
      'div',
      {class: 'advice-value'},
      h('span', {}, `${t('advice.value')} ${before}`, h('strong', {'data-test': `value-${rule.rule}`}, value), after),
      thresholds.map((one, index) => this.#threshold(one, index === 0 ? t(`advice.threshold.${rule.condition}`) : t(`advice.limit.${one.name}`))),
      moved && h('span', {class: 'hint'}, t('advice.threshold.dynamic', {value: valueText(wasm, rule.unit, rule.threshold)})),
    );
  }

  /** @param {AdviceThreshold} threshold @param {string} label */
  #threshold({name, unit, value, standard}, label) {
    const [typed, size] = TYPED[unit];
    // Without rounding errors of doubles: 5 % is not 5.000000000000001 %.
    const shown = (/** @type {number} */ number) => String(Number((number / size).toPrecision(12)));
    const onchange = (/** @type {any} */ event) => {
      const number = event.target.valueAsNumber;
      if (Number.isFinite(number)) this.#change(() => setThreshold(name, Number((number * size).toPrecision(12))));
      else event.target.value = shown(value);
    };
    const input = h('input', {
      type: 'number',
      step: 'any',
      value: shown(value),
      class: value === standard ? 'search' : 'search changed',
      'data-threshold': name,
      'data-test': `threshold-${name}`,
      onchange,
    });
    return h('label', {class: 'threshold'}, h('span', {}, label), input, typed);
  }

  /** @param {AdviceRule} rule @param {Evidence} evidence */
  #evidence(rule, evidence) {
    const {wasm} = this.app;
    const {value, unit, slice, start_ns: start, duration_ns: length, table, search, gap_of_device: device, host, cause} = evidence;
    const why = cause
      ? t('advice.evidence.gap.cause', {device: device ?? '', cause: t(`budget.leaf.${cause}`)})
      : t('advice.evidence.gap', {device: device ?? ''});
    const idle = device !== undefined && (host ? t('advice.evidence.gap.host', {device, host}) : why);
    const number = evidence.rank;
    const ranks = this.app.state.summary?.ranks ?? [];
    const index = number === undefined ? -1 : ranks.findIndex(({rank}) => rank === number);
    const ofRank = number !== undefined && t('rank', {rank: number});
    const name = idle || ofRank || (evidence.class === 'kernel' ? shortName(wasm, evidence.name) : evidence.name);
    if (start === undefined || length === undefined)
      return h(
        'li',
        {},
        index < 0
          ? h('span', {class: 'evidence-name', title: idle ? null : evidence.name}, name)
          : h('button', {type: 'button', class: 'link evidence-name', 'data-test': `evidence-${rule.rule}`, onclick: () => openRank(this.app, index)}, name),
        ` ${value === undefined ? '' : valueText(wasm, unit ?? 'count', value)}`,
      );
    const shown =
      table &&
      search !== undefined &&
      h(
        'button',
        {
          class: 'link evidence-name',
          title: t('advice.evidence.open', {name: search}),
          'data-test': `evidence-${rule.rule}`,
          onclick: () => this.app.find(/** @type {import('../../state.js').Tab} */ (table), search),
        },
        name,
      );
    return h(
      'li',
      {},
      shown || h('span', {class: 'evidence-name', title: idle ? null : evidence.name}, name),
      ' ',
      h('span', {class: 'hint'}, whenText(wasm, evidence, [start, length])),
      ' ',
      jumpButton(this.app, slice === undefined ? {span: [start, start + length]} : {event: slice}, name),
    );
  }

  /** The rules that do not hold. @param {'covered_rules' | 'passed' | 'not_applicable'} which @param {AdviceRule[]} rules */
  #others(which, rules) {
    if (rules.length === 0) return '';
    const {wasm} = this.app;
    const said = (/** @type {AdviceRule} */ rule) =>
      rule.reason
        ? h('p', {class: 'hint'}, t(`advice.not_applicable.${rule.reason.code}`))
        : [
            this.#measured(rule),
            rule.exemption
              ? h(
                  'p',
                  {class: 'hint'},
                  t(`advice.exemption.${rule.exemption.code}`),
                  rule.covered_by ? ` ${t('advice.covered', {title: t(`advice.${rule.covered_by}.title`)})}` : '',
                )
              : null,
          ];
    const details = h(
      'details',
      {class: 'card', open: this.#open[which] ?? false, 'data-test': `advice-${which}`},
      h('summary', {}, t(`advice.${which}`, {count: wasm.count(rules.length)})),
      h(
        'ul',
        {class: 'advice-others'},
        rules.map((rule) =>
          h(
            'li',
            {'data-test': `advice-${rule.rule}`},
            h('span', {title: this.#why(rule)}, t(`advice.${wording(rule)}.title`)),
            rule.ranks && rule.ranks.length < this.#all ? this.#ranks(rule, rule.ranks) : '',
            said(rule),
          ),
        ),
      ),
    );
    details.addEventListener('toggle', () => (this.#open[which] = details.open));
    return details;
  }
}

/** The conclusion where no rule found a problem: all is well only if the trace shows enough and the step budget names no cause. @param {Wasm} wasm @param {import('../../../../types/reports.js').AdviceConclusionReport} conclusion */
export function nothingToDo(wasm, {verdict, missing, cause}) {
  if (verdict === 'nothing') return h('p', {class: 'good'}, t('advice.none'));
  const named = cause && h('p', {'data-test': 'advice-cause'}, causeText(wasm, cause));
  if (verdict === 'cause') return h('div', {}, h('p', {}, t('advice.cause')), named);
  return h(
    'div',
    {'data-test': 'advice-incomplete'},
    h('p', {}, t('advice.incomplete')),
    h(
      'ul',
      {},
      missing.map(({code}) => h('li', {}, t(`advice.missing.${code}`))),
    ),
    named,
  );
}

/** Cost of a cause. @param {Wasm} wasm @param {import('../../../../types/reports.js').NamedCauseReport} cause */
function lossText(wasm, {wording, score_ns: score, share, windows, partial_ground: of, known_share: known}) {
  const said = {cause: t(`budget.cause.${wording}`), cause_share: wasm.percent(share), cause_time: wasm.duration(score), window: t(`budget.window.${windows}`)};
  const partial = known !== undefined && t(`budget.partial.${of}`, {share: wasm.percent(known)});
  return [t('budget.first.one_cause', said), partial].filter(Boolean).join(' ');
}

/** Cost of the largest cause, and its fix. @param {Wasm} wasm @param {import('../../../../types/reports.js').NamedCauseReport} cause */
function causeText(wasm, cause) {
  return `${cause.input === undefined ? '' : `${cause.input}: `}${lossText(wasm, cause)} ${t(`budget.fix.${cause.wording}`)}`;
}

/** The name of a rank that a rule is about: of its file, where the traces are no ranks of one job. @param {import('../../state.js').State} state @param {RankRule} row */
const nameOf = ({summary}, {rank, place, input}) => input ?? rankTitle({rank, input: summary?.ranks[place].input ?? ''});

/** Possible saving; with several ranks, the largest and the median one. @param {import('../../app.js').App} app @param {AdviceRule} rule */
export function gainText({wasm, state}, {ranks, median_gain_ns_per_step: median, ...rule}) {
  const gain = gainOf(wasm, rule);
  const [worst] = ranks ?? [];
  if (!worst || worst.input !== undefined) return gain;
  const rank = nameOf(state, worst);
  return median === undefined ? t('advice.gain.rank', {gain, rank}) : t('advice.gain.ranks', {gain, rank, median: wasm.duration(median)});
}

/** The rules that found a problem on one rank, by its gain from each, without the rules on the job. @param {AdviceRule[]} rules @param {number} place of the rank @returns {AdviceRule[]} */
export function rulesOfRank(rules, place) {
  const found = rules.flatMap((rule) => {
    const row = rule.ranks?.find((one) => one.place === place);
    if (!row) return [];
    const {gain_ns_per_step, gain_share_of_step, cause} = row;
    return [{...rule, ranks: undefined, median_gain_ns_per_step: undefined, gain_ns_per_step, gain_share_of_step, gain_share_of_ns: undefined, cause}];
  });
  return found.sort((a, b) => (b.gain_ns_per_step ?? -1) - (a.gain_ns_per_step ?? -1));
}

/** Cost or saving range of a cause in the step budget. @param {Wasm} wasm @param {import('../../../../types/reports.js').CauseCostReport} cause @param {string} of the end of the messages' keys */
function costText(wasm, {score_ns: score, share, saving_low_ns: low, saving_high_ns: high, saving_low_share: lowShare, saving_high_share: highShare}, of) {
  if (low === undefined || high === undefined) return t(`advice.gain.cause${of}`, {time: wasm.duration(score), share: wasm.percent(share)});
  const said = {low: wasm.duration(low), high: wasm.duration(high), low_share: wasm.percent(lowShare ?? 0), high_share: wasm.percent(highShare ?? 0)};
  return t(`advice.gain.cause.${low < high / 100 ? 'at_most' : 'between'}${of}`, said);
}

/** The same of one: as the step budget says of its cause. @param {Wasm} wasm @param {Pick<AdviceRule, 'gain_ns_per_step' | 'gain_share_of_step' | 'gain_share_of_ns' | 'of_recorded_time' | 'cause'>} rule */
function gainOf(wasm, {gain_ns_per_step: gain, gain_share_of_step: share, gain_share_of_ns: whole, of_recorded_time: isRecorded, cause}) {
  const of = isRecorded ? '.recorded' : '';
  if (cause !== undefined) return costText(wasm, cause, of);
  if (gain === null) return t('advice.gain.unknown');
  const time = wasm.duration(gain);
  if (share === null) return t(`advice.gain.absolute${of}`, {time});
  return whole === undefined
    ? t(`advice.gain${of}`, {time, share: wasm.percent(share)})
    : t(`advice.gain.of${of}`, {time, share: wasm.percent(share), whole: wasm.duration(whole)});
}
