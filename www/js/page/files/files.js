// Where files come from: dropped ones and folders, the demo, a link to a file of the same origin.

import {Failure} from '../failure.js';
import {DEMO, DEMO_JOB} from '../environment/parts.js';
import {environment} from '../environment/environment.js';
import {apart} from './adding.js';
import {fileHandles, handlesIn, mayRead} from './handles.js';
import {withoutUser} from './links.js';

/** @typedef {import('../../protocol/requests.js').Dropped} Dropped */
/** @typedef {{names: string[], folder: boolean, handles: Promise<FileSystemHandle[]>}} Given files from a person: `folder`: whether one is among them; without handles they cannot be reopened automatically */

/** The origin of files from a person, by the files. @type {WeakMap<Dropped[], Given>} */
const given = new WeakMap();

/** The origin of files from a person; undefined for fetched ones. @param {Dropped[]} files */
export const givenAs = (files) => given.get(files);

/** Files with others added to them; they came from a person if both did. @param {Dropped[]} open @param {Dropped[]} added @returns {Dropped[]} */
export function together(open, added) {
  const files = [...open, ...apart(open, added)];
  const [one, other] = [given.get(open), given.get(added)];
  if (one && other) {
    // Without a handle of each they cannot be opened again by themselves.
    const handles = Promise.all([one.handles, other.handles]).then((both) => (both.every((some) => some.length) ? both.flat() : []));
    given.set(files, {names: [...one.names, ...other.names], folder: one.folder || other.folder, handles});
  }
  return files;
}

/**
 * The files of a drop, with those in folders. Must be called while the drop is handled: the
 * browser empties the list afterwards.
 * @param {DataTransfer} transfer @returns {Promise<Dropped[]>}
 */
export async function filesOf(transfer) {
  const items = [...transfer.items].filter((item) => item.kind === 'file');
  const handles = environment().alone ? handlesIn(items) : Promise.resolve([]);
  const entries = items.map((item) => item.webkitGetAsEntry?.() ?? item.getAsFile());
  const files = await Promise.all(entries.map((entry) => (entry instanceof File ? [dropped(entry)] : entry ? filesIn(entry) : [])));
  const found = files.flat();
  if (!found.length) throw failure('no_files', entries.map((entry) => entry?.name).join(', '));
  const folder = entries.some((entry) => entry && 'isDirectory' in entry && entry.isDirectory);
  given.set(found, {names: entries.flatMap((entry) => entry?.name ?? []), folder, handles});
  return found;
}

/** The files of handles that the browser kept: a drop's of which a person allows to read again. @param {FileSystemHandle[]} handles @returns {Promise<Dropped[]>} */
export async function filesOfHandles(handles) {
  const found = (await Promise.all(handles.map((handle) => filesInHandle(handle)))).flat();
  if (!found.length) throw failure('no_files', handles.map(({name}) => name).join(', '));
  given.set(found, {names: handles.map(({name}) => name), folder: handles.some(({kind}) => kind === 'directory'), handles: Promise.resolve(handles)});
  return found;
}

/** The files of handles, once they may be read: that takes a click. @param {FileSystemHandle[]} handles @returns {Promise<Dropped[]>} */
export async function allowedFiles(handles) {
  const named = (/** @type {string} */ code, message = '') =>
    new Failure({code, file: handles.map(({name}) => name).join(', '), position: null, message, tried: [], expected: ''});
  if (!(await mayRead(handles))) throw named('not_allowed');
  try {
    return await filesOfHandles(handles);
  } catch (error) {
    throw error instanceof DOMException ? named('gone', error.message) : error;
  }
}

/** @param {FileSystemHandle} handle @param {string} [above] the path of the folder that it lies in @returns {Promise<Dropped[]>} */
async function filesInHandle(handle, above = '') {
  const path = above + handle.name;
  if (handle.kind === 'file') return [{path, file: await /** @type {FileSystemFileHandle} */ (handle).getFile()}];
  /** @type {FileSystemHandle[]} */
  const inside = [];
  for await (const inner of /** @type {{values: () => AsyncIterable<FileSystemHandle>}} */ (/** @type {unknown} */ (handle)).values())
    if (!isHidden(inner.name)) inside.push(inner);
  inside.sort((a, b) => inOrder(a.name, b.name));
  /** @type {Dropped[]} */
  const found = [];
  for (const inner of inside) found.push(...(await filesInHandle(inner, `${path}/`)));
  return found;
}

/** @param {string} code @param {string} file @param {string} [message] */
function failure(code, file, message = '') {
  return new Failure({code, file, position: null, message, tried: [], expected: ''});
}

/** A file by its name, or by its path in the folder that was chosen. @param {File} file @returns {Dropped} */
function dropped(file) {
  return {path: file.webkitRelativePath || file.name, file};
}

/** @param {FileSystemEntry} entry @returns {Promise<Dropped[]>} */
async function filesIn(entry) {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject));
    return [{path: entry.fullPath.replace(/^\/+/, ''), file: /** @type {File} */ (file)}];
  }
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  /** @type {FileSystemEntry[]} */
  const entries = [];
  for (;;) {
    /** @type {FileSystemEntry[]} */
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) break;
    entries.push(...some.filter(({name}) => !isHidden(name)));
  }
  entries.sort((a, b) => inOrder(a.name, b.name));
  /** @type {Dropped[]} */
  const found = [];
  for (const inner of entries) found.push(...(await filesIn(inner)));
  return found;
}

/** A hidden file is not meant when its folder is opened. @param {string} name */
const isHidden = (name) => name.startsWith('.');

/** The numbers in names as numbers. @param {string} a @param {string} b */
const inOrder = (a, b) => a.localeCompare(b, 'en', {numeric: true});

/** A demo that comes with the page: the trace, or the job of several ranks. @param {URL | undefined} [demo] */
export async function demoFile(demo = DEMO) {
  return demo ? fetched(demo) : [];
}

/** The demos whose files were opened by a person, by these. @type {WeakMap<Dropped, string>} */
const opened = new WeakMap();

/** A demo, by its name, for a person who opens it: the page can offer it again. @param {string} name */
export async function openedDemo(name) {
  const files = await DEMOS[name]();
  for (const file of files) opened.set(file, name);
  return files;
}

/** The demo that files are; nothing if they are none. @param {Dropped[]} files */
export function demoOf(files) {
  const [name, ...others] = new Set(files.map((file) => opened.get(file)));
  return others.length ? undefined : name;
}

/** Whether there is a demo of that name. @param {string} name */
export const isDemo = (name) => Object.hasOwn(DEMOS, name);

/** Files that an address names by a word. @type {Record<string, () => Promise<Dropped[]>>} */
const DEMOS = {demo: () => demoFile(), 'demo-job': () => demoFile(DEMO_JOB)};

/**
 * The files that the page's address names, in its order; `demo` is the demo trace, `demo-job` the demo of several ranks.
 * @param {string[]} links @returns {Promise<Dropped[]>}
 */
export async function linkedFiles(links) {
  return (await Promise.all(links.map((link) => (Object.hasOwn(DEMOS, link) ? DEMOS[link]() : linkedFile(link))))).flat();
}

/** A file that a link names. Only of the page's own origin: nothing is fetched from elsewhere. @param {string} link */
async function linkedFile(link) {
  const url = URL.canParse(link, document.baseURI) ? new URL(link, document.baseURI) : undefined;
  if (!url) throw failure('bad_link', withoutUser(link));
  // A blob: address has an origin too, but names nothing that outlives a page.
  if (url.origin !== location.origin || url.protocol !== location.protocol) throw failure('foreign_link', withoutUser(link));
  // The browser does not fetch an address with a password in it, and its message would show the password.
  url.username = url.password = '';
  return fetched(url);
}

/** A name in an address as a person reads it; as it stands where it is no UTF-8 or no percent-encoding. @param {string} name */
function decoded(name) {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** @param {URL} url @returns {Promise<Dropped[]>} */
async function fetched(url) {
  const names = url.pathname.split('/').map(decoded);
  // Files from `stepscope serve` keep their path in the named folder; elsewhere folders have no meaning.
  const served = names.findIndex((name, index) => name === 'trace' && /^\d+$/.test(names[index + 1] ?? ''));
  const path = served < 0 ? names[names.length - 1] : names.slice(served + 2).join('/');
  try {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
    return [{path, file: new File([await answer.blob()], path)}];
  } catch (error) {
    // The server's token stands before the served path: it must stay secret.
    throw failure('unreachable', served < 0 ? url.pathname : path, error instanceof Error ? error.message : String(error));
  }
}

/** The current file input, kept here so that it is not garbage-collected before the files come. @type {HTMLInputElement | undefined} */
let chooser;

/** Lets the person choose files, or a folder. @param {boolean} [folder] @returns {Promise<Dropped[]>} none if they choose nothing */
export async function chooseFiles(folder = false) {
  // A folder is chosen the other way: browsers give no handle of such as Downloads.
  const handles = folder || !environment().alone ? undefined : await fileHandles();
  if (handles) return handles.length ? filesOfHandles(handles) : [];
  const files = await chooseByInput(folder);
  const names = folder ? files.slice(0, 1).map(({path}) => path.split('/')[0]) : files.map(({path}) => path);
  given.set(files, {names, folder, handles: Promise.resolve([])});
  return files;
}

/** @param {boolean} folder @returns {Promise<Dropped[]>} */
function chooseByInput(folder) {
  const input = (chooser = document.createElement('input'));
  input.type = 'file';
  input.multiple = true;
  input.webkitdirectory = folder;
  return new Promise((resolve, reject) => {
    input.addEventListener('change', () => {
      const files = [...(input.files ?? [])].map(dropped).filter(({path}) => !path.split('/').some(isHidden));
      if (folder && !files.length) reject(failure('no_files', ''));
      resolve(files.sort((a, b) => (folder ? inOrder(a.path, b.path) : 0)));
    });
    input.addEventListener('cancel', () => resolve([]));
    input.click();
  }).finally(() => {
    if (chooser === input) chooser = undefined;
  });
}

/** Saves bytes as a file. @param {Blob} blob @param {string} name */
export function save(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser needs the address until it has begun to read.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
