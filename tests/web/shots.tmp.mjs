import {launch} from './lib/browser.mjs';
import {serve} from './lib/server.mjs';
const out='/tmp/tables-shots/';
const browser=await launch();
const server=await serve({'/p/': process.env.STEPSCOPE_PAGE});
const look=process.argv[2]||'en-GB', scheme=process.argv[3]||'light', width=Number(process.argv[4]||1280), which=process.argv[5]||'all';
const context=await browser.newContext({locale:look,colorScheme:scheme,viewport:{width,height:900}});
const page=await context.newPage();
page.on('console',m=>{if(['error','warning'].includes(m.type()))console.log('CONSOLE',m.text())});
page.on('pageerror',e=>console.log('PAGEERROR',String(e)));
await page.goto(server.origin+'/p/?trace=demo');
const part=(n)=>page.locator(`[data-test="${n}"]`);
await part('results').waitFor(); await part('tile-step').waitFor();
const shot=async(n,full=true)=>{await page.waitForTimeout(700);await page.screenshot({path:`${out}${n}-${look}-${scheme}-${width}.png`,fullPage:full});};
const want=(n)=>which==='all'||which===n;
if(want('operators')){await part('tab-operators').click();await page.locator('.rows .row').nth(2).click();await part('row-pane').waitFor();await page.waitForTimeout(600);await shot('operators');}
if(want('kernels')){await part('tab-kernels').click();await part('shares').selectOption('bars');await shot('kernels-bars');await part('shares').selectOption('pie');await shot('kernels-pie');await page.locator('.rows .row').nth(0).click();await page.waitForTimeout(600);await part('row-as').selectOption('lines');await shot('kernels-row');await part('shares').selectOption('none');}
if(want('idle')){await part('tab-idle').click();await part('section-queue').waitFor();await shot('idle');}
if(want('steps')){await part('tab-steps').click();await part('critical').locator('summary').click();await part('lane').waitFor();await page.waitForTimeout(800);await part('what-if-overlap').click();await page.waitForTimeout(500);await part('what-if-data').click();await page.waitForTimeout(500);await shot('steps');}
await browser.close();server.close();
