// Links to traces: their visible part, the opened links, and their names.

import assert from 'node:assert/strict';
import {afterEach, beforeEach, test} from 'node:test';

import {linkedFiles} from '../../../www/js/page/files/files.js';
import {askedLinks, withoutUser} from '../../../www/js/page/files/links.js';

const HERE = 'https://host.example/some/where/';
const before = globalThis.fetch;
/** The requested URLs. @type {string[]} */
let asked = [];

beforeEach(() => {
  asked = [];
  Object.assign(globalThis, {document: {baseURI: HERE}, location: new URL(HERE)});
  globalThis.fetch = async (/** @type {unknown} */ address) => {
    asked.push(String(address));
    return String(address).includes('missing') ? new Response('', {status: 404, statusText: 'Not Found'}) : new Response('{}');
  };
});
afterEach(() => {
  globalThis.fetch = before;
  Reflect.deleteProperty(globalThis, 'document');
  Reflect.deleteProperty(globalThis, 'location');
});

/** @param {...string} links */
const paths = async (...links) => (await linkedFiles(links)).map(({path}) => path);

test('user and password of a link are neither shown nor kept', () => {
  assert.equal(withoutUser('https://me:secret@host/a.json'), 'https://***@host/a.json');
  assert.equal(withoutUser('//me@host/a'), '//***@host/a');
  assert.equal(withoutUser('https:\\\\me:secret@host/a'), 'https:\\\\***@host/a');
  assert.equal(withoutUser('https://host/?next=https://me:secret@other/'), 'https://host/?next=https://***@other/');
  assert.equal(withoutUser('files/me@home.json'), 'files/me@home.json', 'a name may have the sign');
  assert.deepEqual(askedLinks('?trace=a.json&trace=https://me:secret@host/b.json&lang=zh'), {
    links: ['a.json', 'https://host/b.json'],
    clean: `?${new URLSearchParams([
      ['trace', 'a.json'],
      ['trace', 'https://host/b.json'],
      ['lang', 'zh'],
    ])}`,
  });
  assert.deepEqual(askedLinks('?trace=a.json&trace='), {links: ['a.json'], clean: undefined});
  assert.deepEqual(askedLinks(''), {links: [], clean: undefined});
});

test('a link opens under its name as a person reads it, or as it stands', async () => {
  assert.deepEqual(await paths('files/a.json', '/b.json.gz', `${HERE}c%20d.json`), ['a.json', 'b.json.gz', 'c d.json']);
  assert.deepEqual(await paths('files/100%.json', 'files/%zz.json', 'files/%FF.json'), ['100%.json', '%zz.json', '%FF.json']);
  assert.deepEqual(asked.slice(0, 2), [`${HERE}files/a.json`, 'https://host.example/b.json.gz']);
});

test('what `stepscope serve` offers keeps its path in the folder that was named', async () => {
  assert.deepEqual(await paths('trace/0/rank1/a.json', 'https://host.example/token/trace/12/b.json', 'trace/x/c.json'), ['rank1/a.json', 'b.json', 'c.json']);
});

test('a link to another origin is refused, and nothing is asked there', async () => {
  const links = [
    'https://other.example/a.json',
    '//other.example/a.json',
    'http://host.example/a.json',
    'https://host.example:8443/a.json',
    'data:application/json,{}',
    'blob:https://host.example/x',
    'javascript:alert(1)',
  ];
  for (const link of links) await assert.rejects(linkedFiles([link]), ({problem}) => problem.code === 'foreign_link' && problem.file === link, link);
  assert.deepEqual(asked, []);
  await assert.rejects(linkedFiles(['https://me:secret@other.example/a.json']), ({problem}) => problem.file === 'https://***@other.example/a.json');
});

test('what is no address, or is not there, is named', async () => {
  await assert.rejects(linkedFiles(['http://[']), ({problem}) => problem.code === 'bad_link' && problem.file === 'http://[');
  await assert.rejects(
    linkedFiles(['files/missing.json']),
    ({problem}) => problem.code === 'unreachable' && problem.file === '/some/where/files/missing.json' && problem.message === '404 Not Found',
  );
  await assert.rejects(
    linkedFiles(['/secret-token/trace/0/missing.json']),
    ({problem}) => problem.file === 'missing.json',
    "the server's token is nobody else's business",
  );
});

test('the browser is not given a password, whose message would tell it', async () => {
  await paths('https://me:secret@host.example/a.json');
  assert.deepEqual(asked, ['https://host.example/a.json']);
});
