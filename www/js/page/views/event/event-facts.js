// The facts about an event, as lines of a name and a value.

import {t} from '../../environment/i18n.js';
import {startText} from '../../timeline/start-text.js';
import {unitNames} from '../parts/units.js';
import {lengthText} from '../timeline/names.js';
import {oneLine} from './one-line.js';

/** @typedef {import('../../../../types/reports.js').EventReport} EventReport */
/** @typedef {[key: string, value: string]} Fact the key of its name among the messages of events */

/** @param {[string, string | undefined | null][]} facts @returns {Fact[]} */
function known(facts) {
  return facts.flatMap(([key, value]) => (value === undefined || value === null || value === '' ? [] : [/** @type {Fact} */ ([key, value])]));
}

/** The facts that come first: how long, of which step, and when. @param {import('../../app.js').App} app @param {EventReport} event @returns {Fact[]} */
export function firstFacts(app, event) {
  const {share_of_step: share} = event;
  return known([
    ['length', lengthText(app.wasm, event.length_ns)],
    ['step', event.step],
    ['start', startText(event.start_ns, event.length_ns, app.wasm)],
    ['share_of_step', share === undefined ? undefined : app.wasm.percent(share)],
  ]);
}

/** The other facts that an event may have wherever it is. @param {import('../../app.js').App} app @param {EventReport} event @returns {Fact[]} */
export function furtherFacts(app, event) {
  const {duration, count} = app.wasm;
  const {device, stream, process, thread} = event;
  const where = device === undefined || stream === undefined ? `${process} / ${thread}` : t('row.stream', {device, stream});
  return known([
    ['self', event.children > 0 ? duration(event.self_ns) : undefined],
    ['delay', event.delay_ns === undefined ? undefined : duration(event.delay_ns)],
    ['ahead', event.ahead === undefined ? undefined : count(event.ahead)],
    ['where', where],
    ['depth', event.depth > 0 ? count(event.depth) : undefined],
  ]);
}

/** Facts from the trace's tables. @param {import('../../app.js').App} app @param {EventReport} event @returns {Fact[]} */
export function factsOf(app, {facts}) {
  const {bytes, count, percent, number, gigabytes_per_second: rate} = app.wasm;
  /** @template Value @param {Value | undefined} value @param {(value: Value) => string} text */
  const of = (value, text) => (value === undefined ? undefined : text(value));
  const size = (/** @type {number[] | undefined} */ sizes) => sizes?.join(' × ');
  const {collective, occupancy, waves} = facts;
  return known([
    ['shapes', of(facts.shapes, oneLine)],
    ['types', of(facts.types, oneLine)],
    ['concrete_inputs', of(facts.concrete_inputs, oneLine)],
    ['correlation', of(facts.correlation, String)],
    ['external', of(facts.external, String)],
    ['sequence', of(facts.sequence, String)],
    ['forward_thread', of(facts.forward_thread, String)],
    ['stream_argument', of(facts.stream_argument, String)],
    ['awaited_stream', of(facts.awaited_stream, String)],
    ['bytes', of(facts.bytes, bytes)],
    ['rate', of(facts.gigabytes_per_second, rate)],
    ['graph', of(facts.graph, String)],
    ['grid', size(facts.grid)],
    ['block', size(facts.block)],
    ['registers', of(facts.registers, count)],
    ['shared_memory', of(facts.shared_memory, bytes)],
    ['blocks_per_sm', of(facts.blocks_per_sm, number)],
    ['warps_per_sm', of(facts.warps_per_sm, number)],
    ['recorded_occupancy', of(facts.occupancy_percent, (value) => percent(value / 100))],
    [
      'occupancy',
      occupancy &&
        t('event.occupancy.by', {
          share: percent(occupancy.share),
          limiter: t(`limiter.${occupancy.limiter}`, unitNames(app.state.summary?.ranks[app.state.rank]?.vendor)),
        }),
    ],
    ['waves', waves && number(waves.waves)],
    ['collective', collective?.name],
    ['group', [collective?.group, collective?.group_description].filter(Boolean).join(' · ')],
    ['group_size', of(collective?.group_size, count)],
    ['group_ranks', collective?.ranks],
    ['dtype', collective?.dtype],
    ['input_elements', of(collective?.input_elements, count)],
    ['output_elements', of(collective?.output_elements, count)],
    ['input_bytes', of(collective?.bytes, bytes)],
    ['collective_sequence', of(collective?.sequence, String)],
    ['source', of(collective?.source, String)],
    ['destination', of(collective?.destination, String)],
  ]);
}

/** Time of the events of its name. @param {import('../../app.js').App} app @param {EventReport} event @returns {Fact[]} */
export function sameFacts(app, {same}) {
  const {duration, count, percent} = app.wasm;
  const time = (/** @type {number | undefined} */ value) => (value === undefined ? undefined : duration(value));
  return known([
    ['place', t('event.place.of', {place: count(same.place), count: count(same.calls)})],
    ['total', duration(same.total_ns)],
    ['share', same.share_of_kernel_time === undefined ? undefined : percent(same.share_of_kernel_time)],
    ['mean', duration(same.mean_ns)],
    ['median', duration(same.median_ns)],
    ['min', duration(same.min_ns)],
    ['max', duration(same.max_ns)],
    ['std', duration(same.std_ns)],
    ['host_self', time(same.host_self_ns)],
    ['device_total', time(same.device_total_ns)],
    ['device_self', time(same.device_self_ns)],
  ]);
}
