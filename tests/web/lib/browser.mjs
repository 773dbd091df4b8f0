// Chromium, as tests and benchmarks start it.

import fs from 'node:fs';

import {chromium} from 'playwright-core';

/** Tests may collect garbage when it hurts most. */
const JS_FLAGS = '--expose-gc';

/**
 * Features that are off. Chromium takes the last list that it is given, so it names those that playwright-core turns off, too.
 * The first three are the address bar's own page, which each new window loads and which takes a third of a visit's time.
 */
const OFF = [
  'PreloadTopChromeWebUI',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintTraceCache',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${OFF}`,
  // Heap sizes are exact to the byte.
  '--enable-precise-memory-info',
  `--js-flags=${JS_FLAGS}`,
];

/** The browser that the environment names. */
export const CHROMIUM = process.env.CHROMIUM || '/usr/bin/chromium';

/** Starts it. @param {string[]} [more] flags */
export function launch(more = []) {
  return chromium.launch({executablePath: CHROMIUM, args: [...FLAGS, ...more]});
}

/**
 * Starts it for a test. Functions of wasm are not compiled anew with optimizations, which takes more time than it saves where a test loads a
 * small trace; `cargo xtask test --all` tests the optimized code.
 */
export function launchForTest() {
  return launch(process.env.STEPSCOPE_ALL ? [] : [`--js-flags=${JS_FLAGS} --no-wasm-tier-up --no-wasm-dynamic-tiering`]);
}

/** The processes of some kinds: tabs are renderers. @param {import('playwright-core').Browser} browser @param {string[]} kinds */
async function processes(browser, kinds) {
  const session = await browser.newBrowserCDPSession();
  const {processInfo} = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.filter(({type}) => kinds.includes(type));
}

/**
 * Peak memory of any process of a kind, in bytes; for several kinds their sum. Linux only.
 * @param {import('playwright-core').Browser} browser @param {('renderer' | 'browser')[]} [kinds]
 */
export async function peak(browser, kinds = ['renderer']) {
  let sum = 0;
  for (const kind of kinds) sum += await largest(browser, kind);
  return sum;
}

/** @param {import('playwright-core').Browser} browser @param {string} kind */
async function largest(browser, kind) {
  return Math.max(...(await processes(browser, [kind])).map(({id}) => told(id, 'VmHWM')));
}

/** A process's memory of a kind, in bytes. @param {number} id @param {'VmHWM' | 'VmRSS'} what */
function told(id, what) {
  const status = fs.readFileSync(`/proc/${id}/status`, 'utf8');
  return Number(new RegExp(`${what}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1024;
}

/** The memory that all renderers have now, in bytes. @param {import('playwright-core').Browser} browser */
export async function resident(browser) {
  return (await processes(browser, ['renderer'])).reduce((sum, {id}) => sum + told(id, 'VmRSS'), 0);
}

/** Seconds for which processors worked for renderers. @param {import('playwright-core').Browser} browser */
export async function cpu(browser) {
  return (await processes(browser, ['renderer'])).reduce((sum, {cpuTime}) => sum + cpuTime, 0);
}
