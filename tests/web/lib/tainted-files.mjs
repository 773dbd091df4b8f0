// Files of every producer in which each text that may be shown has markup; the texts that identify the format stay.

import {execFileSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import {environment, scratch} from './program.mjs';
import {MARKUP, isNumber, marked, tainted} from './tainted.mjs';

/** Every text of a database but versions and the words of the format. */
const OF_DATABASE = `
import shutil, sqlite3, sys
source, target, markup = sys.argv[1:]
shutil.copyfile(source, target)
database = sqlite3.connect(target)
changed = 0
for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'").fetchall():
    if table.startswith(("META_DATA", "ENUM_")):
        continue
    for column in [row[1] for row in database.execute(f'PRAGMA table_info("{table}")')]:
        # Texts of digits are numbers to readers, and these say where steps are.
        texts = f'typeof("{column}") = ? AND "{column}" GLOB ? AND "{column}" NOT GLOB ?'
        changed += database.execute(f'UPDATE "{table}" SET "{column}" = "{column}" || ? WHERE {texts}', (markup, "text", "*[^0-9.]*", "step [0-9]*")).rowcount
database.commit()
assert changed > 3, changed
`;

/** A recording by the package for Python, of all that has a name. */
const OF_PYTHON = `
import pathlib, sys, tempfile, threading, time
import stepscope
target, markup = sys.argv[1:]
of = lambda name: name + markup
with tempfile.TemporaryDirectory() as folder:
    stepscope.start(folder, facts={of("experiment"): of("17")})
    stepscope.name_thread(of("main"))
    for step in range(6):
        stepscope.step(samples=4)
        for batch in stepscope.batches([1], of("load")):
            time.sleep(0.001)
        for phase in ("forward", "backward", "optimizer"):
            with stepscope.record(of(phase), phase):
                with stepscope.annotate(of("layer"), value=step, **{of("rate"): 0.5, of("model"): of("large")}) as span:
                    span.argument(of("said"), of("late"))
                    time.sleep(0.002)
        stepscope.counter(of("loss"), 1.0 / (step + 1))
        stepscope.mark(of("mark"), step)
        stepscope.flow_start(of("flow"), step)
        stepscope.flow_end(of("flow"), step)
    stepscope.end_step()
    def other():
        stepscope.name_thread(of("other"))
        with stepscope.record(of("beside")):
            time.sleep(0.01)
    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    stepscope.stop()
    stepscope.export(folder, target)
`;

/** @param {string} script @param {...string} args */
function python(script, ...args) {
  const variables = {
    PYTHONPATH: path.join(import.meta.dirname, '../../../collector/python'),
    STEPSCOPE_LIBRARY: path.join(path.dirname(environment('STEPSCOPE_PROGRAM')), 'libstepscope_inject.so'),
    STEPSCOPE_PROGRAM: environment('STEPSCOPE_PROGRAM'),
  };
  execFileSync('python3', ['-c', script, ...args], {env: {...process.env, ...variables}});
}

/** A recording of our own. @param {string} name @returns {string} its path */
export function taintedRecording(name) {
  const target = scratch(name);
  fs.rmSync(target, {force: true});
  python(OF_PYTHON, target, MARKUP);
  return target;
}

/** A cell of a table, as it is written there. @param {string} cell */
function taintedCell(cell) {
  const text = cell.replace(/^"|"$/g, '').replaceAll('""', '"');
  if (text.trim() === '' || isNumber(text)) return cell;
  return `"${marked(text).replaceAll('"', '""')}"`;
}

/** A table with all but the head and the text before it tainted. @param {string} text */
function taintedTable(text) {
  let heads = 1;
  const row = (/** @type {string} */ line) => {
    if (line.startsWith('==')) return line.includes('command: ') ? line + MARKUP : line;
    if (heads > 0) {
      heads--;
      // nvprof's next line has the units.
      if (line.startsWith('"Start"')) heads++;
      return line;
    }
    return (line.match(/(^|,)("([^"]|"")*"|[^,]*)/g) ?? [])
      .map((cell) => (cell.startsWith(',') ? `,${taintedCell(cell.slice(1))}` : taintedCell(cell)))
      .join('');
  };
  return text.split('\n').map(row).join('\n');
}

/** Lines of words, of which the last one is a name. @param {string} text */
const taintedLines = (text) =>
  text
    .split('\n')
    .map((line) => (/[A-Za-z]\S*( \[\d+\])?$/.test(line) && !/Start|^==.*result/.test(line) ? marked(line) : line))
    .join('\n');

/** Times as MindSpore writes them at run time: after a name a kind and times, or a stream and one time; or a table. @param {string} text */
function taintedTimes(text) {
  if (text.startsWith('op_name,')) return taintedTable(text);
  return text.replace(/^(.+?)(;\d+;\d+;[\d.]+|;\w+;[^;]*)$/gm, (_, name, times) => marked(name) + times);
}

/** Texts of a message and of those in it. @param {Buffer} message @returns {Buffer} */
function taintedMessage(message) {
  /** @type {Buffer[]} */
  const parts = [];
  let at = 0;
  const number = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      if (at >= message.length || shift > 63n) throw new RangeError('no message');
      const byte = message[at++];
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const written = (/** @type {number} */ value) => {
    const bytes = [];
    for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
    return Buffer.from([...bytes, value]);
  };
  while (at < message.length) {
    const from = at;
    const kind = Number(number() & 7n);
    if (kind === 0) number();
    else if (kind === 1) at += 8;
    else if (kind === 5) at += 4;
    else if (kind !== 2) throw new RangeError('no message');
    if (kind !== 2) {
      if (at > message.length) throw new RangeError('no message');
      parts.push(message.subarray(from, at));
      continue;
    }
    const tag = message.subarray(from, at);
    const length = Number(number());
    if (at + length > message.length) throw new RangeError('no message');
    const inner = taintedField(message.subarray(at, at + length));
    at += length;
    parts.push(tag, written(inner.length), inner);
  }
  return Buffer.concat(parts);
}

/** A text, a message or packed numbers. @param {Buffer} field @returns {Buffer} */
function taintedField(field) {
  const text = field.toString();
  // A message begins with a byte that is no letter.
  if (/^[\x20-\x7e]+$/.test(text)) return isNumber(text) ? field : Buffer.from(marked(text));
  try {
    return taintedMessage(field);
  } catch {
    return field;
  }
}

/** Keys of JSON, besides PyTorch's, whose texts readers interpret. */
const TELLING = ['tid', 'pid', 'labels', 'ts', 'dur', 'schemaVersion', 'Task Type'];

/** @param {string} source @param {string} target */
function taintedFile(source, target) {
  const bytes = fs.readFileSync(source);
  const text = bytes.toString();
  const end = path.extname(source);
  if (bytes.subarray(0, 6).toString() === 'SQLite') {
    fs.rmSync(target, {force: true});
    python(OF_DATABASE, source, target, MARKUP);
  } else if (end === '.pb') fs.writeFileSync(target, taintedMessage(bytes));
  else if (['.json', '.cpuprofile'].includes(end)) fs.writeFileSync(target, JSON.stringify(tainted(JSON.parse(text), '', TELLING)));
  else if (end === '.csv' || text.includes('\n"Start"')) fs.writeFileSync(target, taintedTable(text));
  else if (end === '.txt' && source.includes('mindspore')) fs.writeFileSync(target, taintedTimes(text));
  else fs.writeFileSync(target, source.includes('nvprof') ? taintedLines(text) : text);
}

/** A file or folder of a producer, tainted. @param {string} source @param {string} name @returns {string} its path */
export function taintedCopy(source, name) {
  const target = scratch(name);
  if (!fs.statSync(source).isDirectory()) {
    taintedFile(source, target);
    return target;
  }
  fs.rmSync(target, {recursive: true, force: true});
  for (const entry of fs.readdirSync(source, {recursive: true, withFileTypes: true})) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const inner = path.join(target, path.relative(source, file));
    fs.mkdirSync(path.dirname(inner), {recursive: true});
    taintedFile(file, inner);
  }
  return target;
}
