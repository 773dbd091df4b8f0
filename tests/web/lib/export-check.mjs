// Whether Perfetto shows everything an export wrote: the same slices to the nanosecond, arrows, counters.

import fs from 'node:fs';
import zlib from 'node:zlib';

/** @typedef {{name: string, ph: string, ts: number, dur?: number, cat?: string, id?: number, args?: Record<string, any>}} TraceEvent */

/** Microseconds with three decimals, far below 2^53 ns: exact. @param {number} micros */
function nanos(micros) {
  return BigInt(Math.round(micros * 1000));
}

/** Perfetto's own reading of decimals is off by one in the last place. @param {number} value */
function rounded(value) {
  return Number(value).toPrecision(14);
}

/** @param {Map<string, number>} counts @param {string} key @param {number} by */
function count(counts, key, by) {
  const now = (counts.get(key) ?? 0) + by;
  if (now === 0) counts.delete(key);
  else counts.set(key, now);
}

/** @param {Map<string, number>} difference @param {string} what */
function tell(difference, what) {
  const some = [...difference].slice(0, 5).map(([key, by]) => `${by > 0 ? 'only in the file' : 'only in Perfetto'}: ${key}`);
  return difference.size ? [`${difference.size} ${what} differ; ${some.join('; ')}`] : [];
}

/**
 * @param {import('./perfetto.mjs').Perfetto} perfetto
 * @param {string} file an export
 * @returns {Promise<{problems: string[], slices: number, flows: number, samples: number}>}
 */
export async function checkExport(perfetto, file) {
  let bytes = fs.readFileSync(file);
  await perfetto.load(bytes);
  if (file.endsWith('.gz')) bytes = zlib.gunzipSync(bytes);
  const events = /** @type {TraceEvent[]} */ (JSON.parse(bytes.toString()).traceEvents);
  const problems = [];
  for (const row of await perfetto.query("select name, value from stats where value > 0 and severity in ('error', 'data_loss')")) {
    problems.push(`${row.name}: ${row.value}`);
  }
  const slices = new Map();
  // This engine shows names as they are written, with the escapes of backslashes and control characters; and it names
  // what has an empty name.
  const escaped = new Map([['[No name]', '']]);
  const starts = new Map();
  let [sliceCount, flowCount, sampleCount] = [0, 0, 0];
  const samples = new Map();
  for (const event of events) {
    if (event.ph === 'X' || event.ph === 'i') {
      sliceCount++;
      escaped.set(JSON.stringify(event.name).slice(1, -1), event.name);
      count(slices, `${event.name} ${nanos(event.ts)} ${event.ph === 'X' ? nanos(event.dur ?? 0) : 0n}`, 1);
    } else if (event.ph === 's') {
      starts.set(`${event.cat} ${event.name} ${event.id}`, event);
    } else if (event.ph === 'f') {
      flowCount++;
      if (!starts.has(`${event.cat} ${event.name} ${event.id}`)) problems.push(`an arrow without a start: ${JSON.stringify(event)}`);
    } else if (event.ph === 'C') {
      for (const [series, value] of Object.entries(event.args ?? {})) {
        sampleCount++;
        count(samples, `${event.name} ${series} ${nanos(event.ts)} ${rounded(value)}`, 1);
      }
    }
  }
  for (const row of await perfetto.query('select name, ts, dur from slice')) count(slices, `${escaped.get(row.name) ?? row.name} ${row.ts} ${row.dur}`, -1);
  problems.push(...tell(slices, 'slices'));
  for (const row of await perfetto.query('select t.name name, c.ts ts, c.value value from counter c join counter_track t on c.track_id = t.id')) {
    count(samples, `${row.name} ${row.ts} ${rounded(row.value)}`, -1);
  }
  problems.push(...tell(samples, 'counter values'));
  const [{flows}] = await perfetto.query('select count(*) flows from flow');
  if (Number(flows) !== flowCount) problems.push(`${flowCount} arrows written, ${flows} arrived`);
  problems.push(...(await arrows(perfetto, events)));
  return {problems, slices: sliceCount, flows: flowCount, samples: sampleCount};
}

/**
 * Launch arrows must join a call and an activity with the same correlation.
 * @param {import('./perfetto.mjs').Perfetto} perfetto
 * @param {TraceEvent[]} events
 */
async function arrows(perfetto, events) {
  if (!events.some((event) => event.ph === 'f' && event.name === 'ac2g')) return [];
  const rows = await perfetto.query(`
    select count(*) joined, sum(extract_arg(o.arg_set_id, 'args.correlation') is not extract_arg(i.arg_set_id, 'args.correlation')) wrong
    from flow f join slice o on f.slice_out = o.id join slice i on f.slice_in = i.id
    where i.category in ('kernel', 'gpu_memcpy', 'gpu_memset')`);
  return Number(rows[0].wrong) ? [`${rows[0].wrong} of ${rows[0].joined} launch arrows touch the wrong slice`] : [];
}

/** A trace's content in Perfetto, sorted, so that two can be compared. @param {import('./perfetto.mjs').Perfetto} perfetto @param {string} file */
async function shown(perfetto, file) {
  await perfetto.load(fs.readFileSync(file));
  const problems = await perfetto.query("select name, value from stats where value > 0 and severity in ('error', 'data_loss')");
  // An empty name has another one in each format; JSON's counters have a blank before a series without a name.
  const named = (/** @type {any} */ name) =>
    name === null || name === '[No name]' ? '' : JSON.stringify(name).replaceAll('\\\\', '\\').slice(1, -1).trimEnd();
  const lines = async (/** @type {string} */ sql) => {
    const rows = await perfetto.query(sql);
    return rows
      .map((row) =>
        Object.values(row)
          .map((cell) => (typeof cell === 'string' || cell === null ? named(cell) : String(cell)))
          .join(' | '),
      )
      .sort();
  };
  const place =
    'thread.name thread, process.name process from slice s join thread_track t on s.track_id = t.id join thread using (utid) join process using (upid)';
  return {
    problems: problems.map((row) => `${row.name}: ${row.value}`),
    slices: await lines(`select s.name name, s.category category, s.ts, s.dur, s.depth, ${place}`),
    arrows: await lines(
      `select o.name one, o.ts, o.dur, i.name other, i.ts ts2, i.dur dur2 from flow f join slice o on f.slice_out = o.id join slice i on f.slice_in = i.id`,
    ),
    counters: await lines(
      `select t.name name, c.ts, printf('%.10g', c.value) value, p.name process from counter c join process_counter_track t on c.track_id = t.id join process p using (upid)`,
    ),
    // Points in names are underscores where Perfetto reads its own format.
    arguments:
      await lines(`select s.name name, s.ts, replace(replace(replace(key, 'debug.', ''), 'args.', ''), '.', '_') key, coalesce(string_value, printf('%.10g', coalesce(int_value, real_value))) value
      from slice s join args using (arg_set_id) where key glob 'debug.*' or key glob 'args.*'`),
  };
}

/**
 * Whether a trace in Perfetto's own format shows the same as its JSON.
 * @param {import('./perfetto.mjs').Perfetto} perfetto
 * @param {string} json
 * @param {string} packets
 */
export async function comparePackets(perfetto, json, packets) {
  const [one, other] = [await shown(perfetto, json), await shown(perfetto, packets)];
  const problems = [...other.problems];
  const counts = {slices: 0, arrows: 0, counters: 0, arguments: 0};
  for (const what of /** @type {const} */ (['slices', 'arrows', 'counters', 'arguments'])) {
    const difference = new Map();
    for (const line of one[what]) count(difference, line, 1);
    for (const line of other[what]) count(difference, line, -1);
    counts[what] = other[what].length;
    if (difference.size) {
      const some = [...difference].slice(0, 6).map(([line, by]) => `${by > 0 ? 'only of JSON' : 'only of packets'}: ${line}`);
      problems.push(`${difference.size} ${what} differ; ${some.join('; ')}`);
    }
  }
  return {problems, ...counts};
}
