// The event pane: duration, flows, and the arguments of one event as they stand in the file.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {tabName} from '../frame/tab-name.js';
import {shortName} from '../parts/kernel-names.js';
import {rankTitle} from '../parts/rank-name.js';
import {unitNames} from '../parts/units.js';
import {copyLink, hasLink} from '../share/copy-link.js';
import {argumentsText, memberList} from './event-args.js';
import {factsOf, firstFacts, furtherFacts, sameFacts} from './event-facts.js';

/** @typedef {import('../../../../types/reports.js').EventPeersReport} EventPeers */
/** @typedef {import('../../../../types/reports.js').EventRefReport} EventRef */
/** @typedef {import('../../../../types/reports.js').EventReport} EventReport */
/** @typedef {import('../../../protocol/answers.js').EventText} EventText */

/**
 * @typedef {object} Go moves the timeline
 * @property {(event: number, rank: number) => void} event to an event of a rank
 * @property {(from: number, to: number, rank: number) => void} span to a part of its time, in ns
 * @property {(arrows: {from: number, to: number}[], rank: number) => void} [arrows] shows the arrows of the event
 * @property {() => void} keep keeps it, to compare others with it
 */

/** Delay before a request, in ms: a person who walks through events by keys does not look at each. */
const PAUSE = 60;

/** A name with more characters may have no room in the two lines of a heading. */
const LONG = 80;

/** The pane of an event. */
export class EventPane {
  #asked = 0;
  #body = h('div', {class: 'event-body', 'data-test': 'event-body'});
  #args = h('div', {'data-test': 'event-args'});
  #copy = h('button', {class: 'button quiet', type: 'button', 'data-test': 'event-copy', disabled: true, onclick: () => this.#copyText()}, t('event.copy'));
  #status = h('span', {class: 'hint', role: 'status'});
  #peers = h('div', {'data-test': 'event-peers'});
  /** The object's text, to be copied. */
  #text = '';
  /** The event's rank. */
  #rank = 0;

  /** @param {import('../../app.js').App} app @param {Go} go */
  constructor(app, go) {
    this.app = app;
    this.go = go;
    this.element = h('section', {class: 'event-pane', 'data-test': 'event-pane', 'aria-label': t('event')}, this.#body);
    this.#nothing();
  }

  /** Shows an event of a rank by its number, or none. @param {number | null} event @param {number} [rank] the one that is shown if no other is named */
  async show(event, rank = this.app.state.rank) {
    const asked = ++this.#asked;
    const is = () => asked === this.#asked;
    this.app.eventText(rank, null);
    this.#rank = rank;
    if (event === null) {
      this.#nothing();
      return;
    }
    this.element.setAttribute('aria-busy', 'true');
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    if (!is()) return;
    const found = await this.app.report('event', {event}, rank);
    if (!is()) return;
    if (found) this.#draw(found);
    else this.#nothing();
    this.element.removeAttribute('aria-busy');
    if (!found) return;
    this.go.arrows?.(found.flows, rank);
    const has = found.is_collective && this.#isJob();
    const [text, peers] = [this.app.eventText(rank, event), has ? this.app.peers(rank, event) : undefined];
    // Peers are known at once; a packed file may take a while to be unpacked up to the event.
    if (peers) peers.then((peers) => is() && peers && this.#drawPeers(peers));
    const read = await text;
    if (is()) this.#drawArguments(read, found.facts.arguments ?? []);
  }

  #nothing() {
    this.element.removeAttribute('aria-busy');
    this.element.removeAttribute('data-event');
    fill(this.#body, h('p', {class: 'nothing'}, t('event.none')));
  }

  /** Whether an event may have counterparts on other ranks. */
  #isJob() {
    return (this.app.state.summary?.ranks.length ?? 0) > 1;
  }

  /** @param {EventReport} event */
  #draw(event) {
    this.element.dataset.event = String(event.slice);
    this.#text = '';
    this.#copy.disabled = true;
    fill(this.#status);
    fill(this.#args, h('p', {class: 'hint', role: 'status'}, t('event.args.reading')));
    fill(this.#peers);
    const section = (
      /** @type {string} */ key,
      /** @type {(HTMLElement | string | false | null | undefined)[]} */ tools,
      /** @type {(HTMLElement | false | null)[]} */ ...body
    ) =>
      h(
        'section',
        {class: 'event-section', 'data-test': key.replace('event.', 'event-section-')},
        h('div', {class: 'card-head'}, h('h3', {title: t(`${key}.why`)}, t(key)), h('span', {class: 'space'}), ...tools),
        ...body,
      );
    const {app, go} = this;
    const {links, stack, same} = event;
    fill(
      this.#body,
      h('div', {class: 'event-head'}, ...this.#heading(event), h('p', {class: 'hint'}, kindText(event))),
      // As many lines for most events: the buttons stay where they are from one to the next.
      list(app, firstFacts(app, event), 'event-first'),
      h(
        'div',
        {class: 'event-tools'},
        this.#button('event-zoom', t('event.zoom'), () => go.span(event.start_ns, event.start_ns + event.length_ns, this.#rank)),
        this.#step('event-previous', t('event.previous'), same.previous),
        this.#step('event-next', t('event.next'), same.next),
        this.#step('event-parent', t('event.parent'), event.parent?.slice ?? null),
        this.#button('event-keep', t('range.keep'), () => go.keep()),
        hasLink() && this.#button('event-link-copy', t('link.copy'), () => copyLink(app)),
      ),
      list(app, furtherFacts(app, event), 'event-facts'),
      event.is_collective && this.#isJob() && section('event.peers', [], this.#peers),
      links.length > 0 &&
        section('event.links', [], ...links.map((link) => this.#group(linkName(link.kind, link.flow), link.count, link.first, `event-link-${link.kind}`))),
      this.#known(event, section),
      section(
        'event.same',
        [
          same.table &&
            this.#button('event-table', tabName(/** @type {import('../../state.js').Tab} */ (same.table), app.state), () =>
              this.#toTable(/** @type {import('../../state.js').Tab} */ (same.table), event.name),
            ),
        ],
        list(app, sameFacts(app, event), 'event-same-facts'),
      ),
      (stack.frames.length > 0 || stack.text !== '') && section('event.stack', [], this.#stack(event)),
      event.children > 0 && section('event.children', [], this.#group('', event.children, event.first_children, 'event-child')),
      section('event.args', [this.#status, this.#copy], this.#args),
    );
  }

  /** The short name of an event, and its whole one to be unfolded: some names of kernels are longer than the drawer is high. @param {EventReport} event */
  #heading({class: kind, name}) {
    const short = kind === 'kernel' ? shortName(this.app.wasm, name) : name;
    return [
      h('h2', {'data-test': 'event-name'}, short || t('event.unnamed')),
      (short !== name || name.length > LONG) &&
        h('details', {'data-test': 'event-whole'}, h('summary', {class: 'hint'}, t('event.whole')), h('p', {class: 'event-text'}, name)),
    ];
  }

  /** Facts from the trace's tables beyond those of every event. @param {EventReport} event @param {(key: string, tools: [], ...body: HTMLElement[]) => HTMLElement} section */
  #known(event, section) {
    const facts = factsOf(this.app, event);
    return facts.length > 0 && section('event.facts', [], list(this.app, facts, 'event-known'));
  }

  /** @param {string} test @param {string} text @param {() => void} act */
  #button(test, text, act) {
    return h('button', {class: 'button', type: 'button', 'data-test': test, onclick: act}, text);
  }

  /** @param {string} test @param {string} text @param {number | null} event */
  #step(test, text, event) {
    const button = this.#button(test, text, () => event !== null && this.go.event(event, this.#rank));
    button.disabled = event === null;
    return button;
  }

  /** @param {import('../../state.js').Tab} tab @param {string} name */
  async #toTable(tab, name) {
    // Tables show one rank.
    if (this.#rank !== this.app.state.rank) await this.app.choose({rank: this.#rank, step: null});
    this.app.find(tab, name);
  }

  /** Events that one is linked with. @param {string} name @param {number} count @param {EventRef[]} first @param {string} test */
  #group(name, count, first, test) {
    const {count: number} = this.app.wasm;
    return h(
      'div',
      {class: 'event-group', 'data-test': test},
      name !== '' && h('h4', {}, count > 1 ? t('event.many', {name, count: number(count)}) : name),
      h(
        'ul',
        {class: 'event-list'},
        first.map((one) => h('li', {}, this.#link(one))),
      ),
      count > first.length && h('p', {class: 'hint'}, t('event.more', {count: number(count - first.length)})),
    );
  }

  /** A button that leads to an event. @param {EventRef} event */
  #link({slice, name, start_ns: start, length_ns: length}) {
    const {duration} = this.app.wasm;
    return h(
      'button',
      {class: 'event-link', type: 'button', 'data-event': slice, title: name, onclick: () => this.go.event(slice, this.#rank)},
      h('span', {class: 'event-link-name'}, name || t('event.unnamed')),
      h('span', {class: 'event-link-time'}, t('event.at', {length: duration(length), start: duration(start)})),
    );
  }

  /** @param {EventReport} event */
  #stack({stack: {of, text, frames}}) {
    return h(
      'div',
      {class: 'event-group'},
      of && h('p', {class: 'hint'}, t('event.stack.of'), ' ', this.#link(of)),
      text !== '' && h('pre', {class: 'event-text'}, text),
      frames.length > 0 &&
        h(
          'ol',
          {class: 'event-list'},
          frames.map((frame) => h('li', {}, this.#link(frame))),
        ),
    );
  }

  /** @param {EventText | undefined} read @param {import('../../../../types/reports.js').EventMemberReport[]} said arguments that the analyzer itself reports */
  #drawArguments(read, said) {
    if (said.length > 0) return fill(this.#args, memberList(said, 'event-args-list'));
    const nothing = (/** @type {string} */ key) => fill(this.#args, h('p', {class: 'hint'}, t(key, {format: read?.format ?? ''})));
    if (!read) return nothing('event.args.unread');
    const {object} = read;
    if (!object) return nothing(read.is_json ? 'event.args.none' : 'event.args.tables');
    this.#text = object.text;
    this.#copy.disabled = false;
    fill(
      this.#args,
      object.is_repaired && h('p', {class: 'hint'}, t('event.args.repaired')),
      object.args.length > 0 && memberList(object.args, 'event-args-list'),
      h('details', {}, h('summary', {}, t('event.args.others')), memberList(object.members, 'event-members')),
      h('p', {class: 'hint'}, argumentsText(read, this.app.wasm.count)),
    );
    return undefined;
  }

  async #copyText() {
    try {
      await navigator.clipboard.writeText(this.#text);
      fill(this.#status, t('event.copied'));
    } catch {
      fill(this.#status, t('event.copy.failed'));
    }
  }

  /** @param {EventPeers} found */
  #drawPeers({matched_by: by, peers}) {
    const {duration, duration_change: change} = this.app.wasm;
    const head = (/** @type {string} */ key, left = false) => h('th', {scope: 'col', class: left ? 'left' : null, title: t(`${key}.why`)}, t(key));
    const time = (/** @type {number | null} */ value) => (value === null ? '–' : duration(value));
    const row = (/** @type {EventPeers['peers'][number]} */ peer) => {
      const name = rankTitle(peer);
      const to = () => peer.slice !== null && this.go.event(peer.slice, peer.index);
      return h(
        'tr',
        {'data-test': 'event-peer'},
        h(
          'th',
          {scope: 'row', class: 'left'},
          peer.index === this.#rank || peer.slice === null ? name : h('button', {class: 'event-link', type: 'button', onclick: to}, name),
        ),
        h('td', {}, peer.slice === null ? t('event.peers.none') : peer.offset_ns === null ? '–' : change(peer.offset_ns)),
        h('td', {}, time(peer.length_ns)),
        h('td', {}, time(peer.wait_ns)),
      );
    };
    fill(
      this.#peers,
      h(
        'div',
        {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': t('event.peers')},
        h(
          'table',
          {class: 'small-table'},
          h('thead', {}, h('tr', {}, head('event.peer', true), head('event.offset'), head('event.length'), head('event.wait'))),
          h('tbody', {}, peers.map(row)),
        ),
      ),
      h('p', {class: 'hint'}, t(`event.peers.${by ?? 'alone'}`)),
    );
  }
}

/** @param {import('../../app.js').App} app @param {import('./event-facts.js').Fact[]} facts @param {string} test */
function list({state}, facts, test) {
  const units = unitNames(state.summary?.ranks[state.rank]?.vendor);
  return h(
    'dl',
    {class: 'facts', 'data-test': test},
    facts.flatMap(([key, value]) => [
      h('dt', {title: t(`event.${key}.why`, units)}, t(`event.${key}`, units)),
      h('dd', {'data-test': `event-fact-${key}`}, value),
    ]),
  );
}

/** The class of an event, with the profiler's own where that says more. @param {EventReport} event */
function kindText({class: kind, category}) {
  const name = t(`event.class.${kind}`);
  return category && category.toLowerCase() !== name.toLowerCase() ? `${name} · ${category}` : name;
}

/** @param {string} kind @param {string} [flow] */
function linkName(kind, flow = '') {
  return t(`event.link.${kind}`, {flow});
}
