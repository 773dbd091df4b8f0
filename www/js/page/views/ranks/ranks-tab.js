// The ranks tab: the report on all ranks together, as `stepscope summary` prints it for several.

import {fill, h} from '../../dom.js';
import {clusterOf, tabsOf} from '../../state.js';
import {t} from '../../environment/i18n.js';
import {BarChart} from '../charts/chart.js';
import {partLines} from '../charts/part-lines.js';
import {Choice} from '../parts/choice.js';
import {heading} from '../parts/heading.js';
import {titleInJob} from '../parts/rank-name.js';
import {openRank} from '../overview/rank-part.js';
import {HeatMap} from './heat-map.js';
import {collectivesTable, groupsTable, linksCard, linksTable, stagesCard} from './job-tables.js';
import {PARTS, REST, headingOf, judgedRanks, metricsOf, partsOf, peerOf, ranksNamed} from './metrics.js';
import {compareRanks, indexIn} from './opening.js';
import {ownLines, ranksBySteps} from './own-steps.js';
import {link, rankTable} from './rank-table.js';
import {RecordedCluster} from './recorded-cluster.js';
import {LayoutForm, layoutText, strategyText} from './layout-form.js';
import {StepMap} from './step-map.js';
import {StrategyCard} from '../strategy/strategy-card.js';
import {stragglersCard} from './stragglers.js';
import {drillDownCard, drillDownLink} from './drill-down.js';

/** @typedef {import('../../../../types/reports.js').JobRankReport} JobRank */
/** @typedef {import('../../../../types/reports.js').JobTables} JobTables */
/** @typedef {import('../../../../types/reports.js').DrillDownStepReport} DrillDownStep */
/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../state.js').Tab} Tab */

/** Ranks from which on a map shows more than bars do. */
const MANY = 16;

/** Ranks that the map of ranks by steps shows. */
const MOST_RANKS = 64;

/** So many steps are named in a warning. */
const MOST_STEPS = 8;

/** Times of a rank in a profiler's own table. @type {('computation_ns' | 'communication_alone_ns' | 'iteration_interval_ns' | 'receive_alone_ns' | 'collective_alone_ns' | 'stage_ns')[]} */
const CLUSTER_TIMES = ['computation_ns', 'communication_alone_ns', 'iteration_interval_ns', 'receive_alone_ns', 'collective_alone_ns', 'stage_ns'];

/** Whether a profiler wrote times of ranks or links. @param {import('../../../../types/reports.js').ClusterReport} cluster */
const hasNumbers = ({rows, links}) => rows.length > 0 || links.length > 0;

/** The rank's tab that has a table of the walk. @type {Partial<Record<DrillDownStep['look'], Tab>>} */
const LOOKS = {kernels: 'kernels', pipeline: 'data', idle: 'idle'};

/** The tab. */
export class RanksTab {
  #body = h('div', {class: 'report'});
  #memory = h('p', {class: 'hint', 'data-test': 'ranks-memory'});
  #hint = h('p', {class: 'hint'});
  #chart = h('div', {});
  #bars;
  #heat;
  #steps;
  #as;
  /** The choice of a pipeline stage, which filters the ranks. */
  #stage;
  #sort;
  #table;
  /** The ranks that the verdict names. @type {Set<number>} */
  #judged = new Set();
  /** The own time of each rank in each step. @type {import('./own-steps.js').OwnLines | undefined} */
  #own;
  #collectives;
  #groups;
  #linkTable;
  #recorded;
  #strategy;
  /** The ranks as the chart shows them. @type {JobRank[]} */
  #shown = [];
  /** @type {JobTables | undefined} */
  #found;
  /** The parallel layout of the last request. @type {string | undefined} */
  #asked;
  #layout;

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    this.app = app;
    const {duration} = app.wasm;
    this.#bars = new BarChart(app, {
      label: t('ranks.chart'),
      partName: partNamed,
      describe: (region, part, whole) => {
        const rows = this.#shown.slice(region.first, region.end);
        return [ranksNamed(rows.map(({rank}) => rank)), ...partLines(app.wasm, duration, partNamed(part), region, whole)];
      },
      onPick: (region) => this.#table.open(this.#shown[region.first]),
    });
    this.#heat = new HeatMap(app, (row) => this.#table.open(row));
    this.#steps = new StepMap(
      app,
      MOST_RANKS,
      (row) => this.#indexOf(row),
      (row) => this.#openRow(row),
    );
    this.#as = new Choice(t('row.as'), 'ranks-as', () => this.#draw());
    this.#as.offer([
      ['bars', t('row.as.bars')],
      ['heat', t('ranks.heat')],
    ]);
    this.#stage = new Choice(t('ranks.stage'), 'ranks-stage', () => this.#showStage());
    this.#sort = new Choice(t('ranks.sort'), 'ranks-sort', () => this.#draw());
    this.#table = rankTable(
      app,
      (row) => this.#links(row),
      (index) => this.#more(index),
      ({rank}) => this.#judged.has(rank),
      () => this.#own,
    );
    this.#collectives = collectivesTable(app);
    this.#groups = groupsTable(app);
    this.#linkTable = linksTable(app);
    this.#recorded = new RecordedCluster(app);
    this.#strategy = new StrategyCard(app, (rank) => this.#pick(rank));
    this.#layout = new LayoutForm(app);
    this.element = h('div', {class: 'report-tab ranks-tab', 'data-test': 'ranks-report'}, this.#memory, this.#body);
  }

  /** @param {State} now */
  async show(now) {
    const {summary, held, parallel} = now;
    if (!summary) return;
    const [here, all] = [held.length, summary.ranks.length];
    fill(this.#memory, t(here === all ? 'ranks.memory.all' : 'ranks.memory', {here, all}));
    // The report stays until other ranks are opened or another layout is given.
    if (this.#asked === parallel) {
      if (this.#found) this.#layout.show(now, this.#found.job);
      this.#strategy.follow();
      return;
    }
    this.#asked = parallel;
    this.element.setAttribute('aria-busy', 'true');
    const found = await this.app.job();
    if (this.#asked !== parallel) return;
    this.element.removeAttribute('aria-busy');
    if (found && 'not_a_job' in found) {
      this.#found = undefined;
      this.#showApart(found.not_a_job, summary.ranks.length);
      return;
    }
    this.#found = found;
    if (!this.#found) {
      this.#asked = undefined;
      const cluster = clusterOf(summary);
      const told = strategyText(cluster?.strategy);
      fill(
        this.#body,
        cluster
          ? [told && h('p', {class: 'hint', 'data-test': 'ranks-strategy'}, told), this.#strategy.element, hasNumbers(cluster) && this.#recorded.element]
          : h('p', {class: 'nothing'}, t('ranks.none')),
      );
      if (!cluster) return;
      this.#recorded.show(cluster);
      this.#strategy.show(this.#spreadOfCluster(cluster));
      return;
    }
    this.#show(this.#found);
  }

  /** Why the traces are no ranks of one job. @param {import('../../../../types/reports.js').NotAJobReport} apart @param {number} count */
  #showApart({recordings, traces}, count) {
    const {summary} = this.app.state;
    const cluster = summary && clusterOf(summary);
    const line = (/** @type {import('../../../../types/reports.js').ApartReport} */ {input, reason, other = ''}) =>
      h('li', {}, t(`ranks.apart.${reason}`, {input, other}));
    fill(
      this.#body,
      h(
        'section',
        {class: 'card wide', 'data-test': 'ranks-apart'},
        h('p', {}, t(recordings === 1 ? 'ranks.one_recording' : 'ranks.not_a_job', {count: this.app.wasm.count(count)})),
        h('ul', {class: 'apart'}, traces.map(line)),
      ),
      cluster && this.#recorded.element,
    );
    if (cluster) this.#recorded.show(cluster);
  }

  /** @param {JobTables} found */
  #show(found) {
    const {ranks, groups, links} = found.job;
    const {summary} = this.app.state;
    const cluster = summary && clusterOf(summary);
    const again = this.#body.hasChildNodes();
    const sorted = this.#sort.value;
    if (!again) this.#as.value = ranks.length > MANY ? 'heat' : 'bars';
    this.#offerSorts();
    this.#offerStages();
    fill(
      this.#body,
      this.#facts(found),
      drillDownCard(this.app.wasm, found.job, found.stragglers, (step) => this.#drillDownLinks(step)),
      stragglersCard(this.app, found, (rank) => {
        const row = ranks.find((one) => one.rank === rank);
        if (row) this.#open(row);
      }),
      this.#steps.card,
      h(
        'section',
        {class: 'card wide', 'aria-labelledby': 'ranks-title'},
        h(
          'div',
          {class: 'card-head'},
          heading('h2', 'ranks.chart', 'ranks_numbers', {id: 'ranks-title'}),
          h('span', {class: 'space'}),
          this.#stage.element,
          this.#sort.element,
          this.#as.element,
        ),
        this.#hint,
        this.#chart,
      ),
      this.#table.element,
      this.#strategy.element,
      stagesCard(this.app, found),
      cluster && this.#recorded.element,
      groups.length > 0 &&
        h(
          'section',
          {class: 'ranks-collectives', 'aria-labelledby': 'groups-title'},
          heading('h2', 'ranks.groups', 'ranks_numbers', {id: 'groups-title'}),
          this.#groups.element,
        ),
      h(
        'section',
        {class: 'ranks-collectives', 'aria-labelledby': 'collectives-title'},
        heading('h2', 'ranks.collectives', 'ranks_numbers', {id: 'collectives-title'}),
        found.collectives.length > 0
          ? this.#collectives.element
          : h('p', {class: 'hint', 'data-test': 'collectives-none'}, t(cluster ? 'ranks.collectives.tables' : 'ranks.collectives.none')),
      ),
      linksCard(this.app, found, this.#linkTable.element),
    );
    if (again) this.#sort.value = sorted;
    this.#layout.show(this.app.state, found.job);
    this.#draw();
    this.#steps.show(found.job, found.stragglers);
    this.#judged = judgedRanks(found.job, found.stragglers);
    this.#own = ownLines(ranksBySteps(ranks, (row) => this.#indexOf(row), summary?.ranks ?? []));
    this.#table.show(this.#ofStage);
    this.#collectives.show(found.collectives);
    this.#groups.show(groups);
    this.#linkTable.show(links);
    if (cluster) this.#recorded.show(cluster);
    this.#strategy.show(this.#spreadOfJob(found));
  }

  /** The parallel layout of the job, and the values of its ranks. @param {JobTables} found @returns {import('../strategy/strategy-card.js').Spread} */
  #spreadOfJob({job}) {
    const rows = new Map(job.ranks.filter(({repeated, apart}) => !repeated && !apart).map((row) => [row.rank, row]));
    const stages = job.strategy?.stages ?? job.stages.map(({ranks}) => ranks ?? []);
    const of = (/** @type {number} */ rank) => rows.get(rank);
    const values = this.#metrics.map((metric) => ({
      key: metric.key,
      name: headingOf(metric),
      value: (/** @type {number} */ rank) => {
        const row = of(rank);
        return row ? metric.value(row) : null;
      },
      say: (/** @type {number} */ value) => metric.text(this.app.wasm, value),
    }));
    return {ranks: [...rows.keys()], stages, groups: job.groups, values, open: new Set(job.ranks.map(({rank}) => rank))};
  }

  /** The same of ranks of which a profiler wrote only tables. @param {import('../../../../types/reports.js').ClusterReport} cluster @returns {import('../strategy/strategy-card.js').Spread} */
  #spreadOfCluster({rows: all, strategy, world_size: world}) {
    const {duration} = this.app.wasm;
    const rows = new Map(all.map((row) => [row.rank, row]));
    const stages = strategy?.stages ?? [];
    const ranks = stages.length ? stages.flat() : rows.size ? [...rows.keys()] : Array.from({length: world}, (_, rank) => rank);
    const values = CLUSTER_TIMES.filter((key) => all.some((row) => row[key] !== null)).map((key) => ({
      key,
      name: t(`column.cluster.rows.${key}`),
      value: (/** @type {number} */ rank) => rows.get(rank)?.[key] ?? null,
      say: duration,
    }));
    const open = new Set(this.app.state.summary?.ranks.flatMap(({rank}) => rank ?? []));
    return {ranks, stages, groups: [], values, open};
  }

  /** Opens a rank's row, else the rank alone. @param {number} rank */
  #pick(rank) {
    const row = this.#found?.job.ranks.find((one) => one.rank === rank);
    if (row) return void this.#openRow(row);
    const index = this.app.state.summary?.ranks.findIndex((one) => one.rank === rank) ?? -1;
    if (index >= 0) this.app.choose({rank: index, step: null, selection: null});
  }

  /** The values that are compared. */
  get #metrics() {
    return metricsOf(this.#found?.job.ranks ?? []);
  }

  #offerSorts() {
    this.#sort.offer([
      ['rank', t('column.job.ranks.rank')],
      ...this.#metrics.map((metric) => /** @type {[string, string]} */ ([metric.key, headingOf(metric)])),
    ]);
  }

  /** Offers the stages of a pipeline; a chosen stage that is still there stays chosen. */
  #offerStages() {
    const stages = this.#found?.job.stages.map(({stage}) => String(stage)) ?? [];
    const chosen = this.#stage.value;
    this.#stage.element.hidden = stages.length < 2;
    this.#stage.offer([['', t('ranks.stage.all')], ...stages.map((stage) => /** @type {[string, string]} */ ([stage, t('ranks.place.stage', {stage})]))]);
    this.#stage.value = stages.includes(chosen) ? chosen : '';
  }

  /** The ranks of the chosen stage; all where none is chosen. */
  get #ofStage() {
    const ranks = this.#found?.job.ranks ?? [];
    return this.#stage.value === '' ? ranks : ranks.filter(({stage}) => String(stage) === this.#stage.value);
  }

  /** Opens a rank's row, of whichever stage. @param {JobRank} row */
  #openRow(row) {
    if (!this.#ofStage.includes(row)) {
      this.#stage.value = '';
      this.#showStage();
    }
    this.#table.open(row);
  }

  #showStage() {
    this.#draw();
    this.#table.show(this.#ofStage);
  }

  /** Facts on the parallel layout, the clocks, and oddities. @param {JobTables} found */
  #facts({job}) {
    const {duration, count} = this.app.wasm;
    const here = job.ranks.filter(({repeated, apart}) => !repeated && !apart).length;
    const facts = [t('ranks.count', {here: count(here), world: count(job.world_size)})];
    facts.push(...job.parallel.map(layoutText));
    const strategy = strategyText(job.strategy);
    for (const source of ['shared', 'solved', 'unknown']) {
      const of = job.ranks.filter(({clock}) => clock.source === source);
      const residuals = of.flatMap(({clock}) => clock.residual_ns ?? []);
      if (!of.length) continue;
      const clock = t(`ranks.clock.${source}.why`);
      const clocks = of.length < job.ranks.length ? t('ranks.clocks.some', {clock, count: of.length}) : clock;
      facts.push(residuals.length ? t('ranks.clocks', {clocks, time: duration(Math.max(...residuals))}) : clocks);
    }
    const warning = (/** @type {import('../../../../types/reports.js').JobWarningReport} */ {code, count: times, ranks = [], steps = []}) => {
      const shown = steps.slice(0, MOST_STEPS).map((of) => t('ranks.step', {...of}));
      if (steps.length > shown.length) shown.push('…');
      const of = ` ${ranks.length ? ranksNamed(ranks) : shown.join(', ')}`.trimEnd();
      return h('li', {'data-test': `ranks-warning-${code}`}, t(`ranks.warning.${code}`), ` (${count(times)})`, of);
    };
    return h(
      'div',
      {class: 'ranks-facts'},
      h('p', {'data-test': 'ranks-facts'}, facts.join(' · ')),
      strategy && h('p', {class: 'hint', 'data-test': 'ranks-strategy'}, strategy),
      job.warnings.length > 0 && h('ul', {class: 'ranks-warnings', 'data-test': 'ranks-warnings'}, job.warnings.map(warning)),
      this.#layout.element,
    );
  }

  /** Links of a drill-down step: its table, the rank's overview, its tab, its step on the timeline. @param {DrillDownStep} step */
  #drillDownLinks({step, name, off, look, ranks: of = []}) {
    const first = this.#found?.job.ranks.find(({rank}) => rank === of[0]);
    const index = first && this.#indexOf(first);
    const {summary} = this.app.state;
    const tab = LOOKS[look];
    const links = [];
    if (!tab)
      links.push(
        look === 'ranks' && first && of.length === 1 ? drillDownLink('row', () => this.#openRow(first)) : drillDownLink(look, () => this.#look(look, of)),
      );
    else if (first && index !== undefined && summary && tabsOf(summary, index).includes(tab)) {
      links.push(drillDownLink(look, () => this.app.choose({rank: index, step: null, selection: null, tab}), {rank: titleInJob(summary, first.rank)}));
    }
    if (step === 'place' && first && of.length === 1)
      links.push(link(t('ranks.open', {rank: titleInJob(summary, first.rank)}), 'drill-down-rank', () => this.#open(first)));
    // A metric that is off without a cause of its own is shown on the rank that has most of it.
    const shows = step === 'cause' || (off && name === 'exposed_without_receiving');
    return shows && first ? [...links, ...this.#links(first, 'drill-down-step')] : links;
  }

  /** Shows one of the tab's tables. @param {DrillDownStep['look']} look @param {number[]} of */
  #look(look, of) {
    const same = (/** @type {number[] | null} */ ranks) => ranks?.join() === of.join();
    const collective = look === 'collectives' ? (this.#found?.collectives.findIndex((row) => same(row.group_ranks)) ?? -1) : -1;
    if (collective >= 0) {
      this.#collectives.table.open(collective);
      return;
    }
    const places = {ranks: this.#table.element, collectives: this.#collectives.element};
    const place =
      look in places ? places[/** @type {'ranks'} */ (look)] : /** @type {HTMLElement | null} */ (this.#body.querySelector(`[data-look="${look}"]`));
    place?.scrollIntoView({block: 'start'});
    place?.focus({preventScroll: true});
  }

  #draw() {
    if (!this.#found) return;
    const {ranks} = this.#found.job;
    const metrics = this.#metrics;
    const sort = metrics.find(({key}) => key === this.#sort.value);
    const wanted = this.#ofStage;
    this.#shown = sort ? [...wanted].sort((a, b) => (sort.value(b) ?? -1) - (sort.value(a) ?? -1)) : wanted;
    // For some ranks a profiler's tables have only some parts of a bar, or none.
    const parts = PARTS.filter(({key}) => ranks.some((row) => row[key] !== null));
    const isMap = this.#as.value === 'heat' || parts.length === 0;
    fill(this.#hint, t(isMap ? 'ranks.heat.why' : 'ranks.chart.why'));
    if (isMap) {
      fill(this.#chart, this.#heat.element);
      this.#heat.show(this.#shown, metrics, this.#judged);
      return;
    }
    fill(this.#chart, this.#bars.element);
    this.#bars.show({
      parts: [...parts.map(({part}) => part), REST],
      bars: this.#shown.map((row) => ({label: String(row.rank), values: partsOf(row, parts), pale: false})),
      lying: false,
      selected: null,
    });
  }

  /** The place of a rank among those that are open. @param {JobRank} row */
  #indexOf(row) {
    return indexIn(this.app, this.#found?.job.ranks ?? [], row);
  }

  /** @param {JobRank} row @param {string} [test] */
  #links(row, test = 'rank-step') {
    const index = this.#indexOf(row);
    if (index === undefined) return [];
    const step = this.app.state.summary?.ranks[index].steps.find(({counted}) => counted);
    const toStep = () => {
      if (step) this.app.jump({span: [step.start_ns, step.end_ns]}, index);
    };
    return [step ? link(t('step', {name: step.name}), test, toStep) : null];
  }

  /** Links from a row of the table to views of its rank. @param {number} index */
  #more(index) {
    const rows = this.#found?.job.ranks ?? [];
    const row = this.#ofStage[index];
    if (!row) return h('p', {class: 'jumps'});
    const peer = peerOf(rows, row);
    const title = (/** @type {JobRank} */ {rank}) => titleInJob(this.app.state.summary, rank);
    return h(
      'p',
      {class: 'jumps'},
      link(t('ranks.open', {rank: title(row)}), 'rank-open', () => this.#open(row)),
      peer && [' · ', link(t('ranks.compare', {rank: title(row), peer: title(peer)}), 'rank-compare', () => this.#compare(row, peer))],
    );
  }

  /** Opens the overview of a rank. @param {JobRank} row */
  #open(row) {
    const index = this.#indexOf(row);
    if (index !== undefined) openRank(this.app, index);
  }

  /** Compares a rank with another one that does the same. @param {JobRank} row @param {JobRank} peer */
  #compare(row, peer) {
    const [index, other] = [this.#indexOf(row), this.#indexOf(peer)];
    if (index !== undefined && other !== undefined) compareRanks(this.app, index, other);
  }

  /** Draws the charts again: the theme changed. */
  redraw() {
    this.#bars.draw();
    this.#table.redraw();
    this.#collectives.table.redraw();
    this.#groups.table.redraw();
    this.#linkTable.table.redraw();
    this.#recorded.redraw();
    this.#strategy.redraw();
  }

  search() {
    this.#table.search();
  }
}

/** The name of a part of a rank's bar. @param {string} part */
function partNamed(part) {
  return t(part === REST ? 'ranks.chart.rest' : `overlap.${part}`);
}
