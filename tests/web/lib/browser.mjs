// Chromium, as tests and benchmarks start it.

import fs from 'node:fs';

import {chromium} from 'playwright-core';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Tests may collect garbage when it hurts most.
  '--js-flags=--expose-gc',
];

/** Starts the browser that the environment's CHROMIUM names. */
export function launch() {
  return chromium.launch({executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: FLAGS});
}

/** The processes of a browser's tabs. @param {import('playwright-core').Browser} browser */
async function renderers(browser) {
  const session = await browser.newBrowserCDPSession();
  const {processInfo} = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.filter(({type}) => type === 'renderer');
}

/** The largest memory of any renderer so far, in bytes; Linux tells it. @param {import('playwright-core').Browser} browser */
export async function peak(browser) {
  const peaks = (await renderers(browser)).map(({id}) => {
    const status = fs.readFileSync(`/proc/${id}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
  });
  return Math.max(...peaks);
}

/** Seconds for which processors worked for renderers. @param {import('playwright-core').Browser} browser */
export async function cpu(browser) {
  return (await renderers(browser)).reduce((sum, {cpuTime}) => sum + cpuTime, 0);
}
