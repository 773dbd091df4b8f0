/** Bytes, a file, the address of one, or bytes with the path by which files of a folder are told apart. */
export type Openable =
  | File
  | Blob
  | ArrayBuffer
  | ArrayBufferView
  | URL
  | string
  | {path: string; bytes: Blob | ArrayBuffer | ArrayBufferView};

/** The trace that was read. */
export interface Loaded {
  /** How many ranks there are. */
  ranks: number;
  /** Facts of each file, as in `inputs` of the summary. */
  inputs: {name: string; bytes: number; format: string; framework: string; [more: string]: unknown}[];
}

/** The shown view. */
export interface Selected {
  /** The rank, by its place. */
  rank: number;
  /** The step, by its place; none for the average of all. */
  step: number | null;
  tab: string;
  /** The event that is chosen on the timeline, by its number. */
  event: number | null;
}

/** The problem: a trace that cannot be opened, or a failure. */
export interface Problem {
  code: string;
  file: string;
  /** The byte at which it went wrong. */
  position: number | null;
  message: string;
  [more: string]: unknown;
}

/** Rejection of `open` for a trace that cannot be opened. */
export interface OpenError extends Error {
  problem: Problem;
}

export interface StepscopeViewEventMap extends Omit<HTMLElementEventMap, 'error'> {
  loaded: CustomEvent<Loaded>;
  selected: CustomEvent<Selected>;
  error: CustomEvent<Problem>;
}

/** Values of `tab`. */
export type Tab =
  | 'overview'
  | 'steps'
  | 'advice'
  | 'recorded'
  | 'timeline'
  | 'operators'
  | 'kernels'
  | 'modules'
  | 'communication'
  | 'idle'
  | 'calls'
  | 'memory'
  | 'copies'
  | 'data'
  | 'resources'
  | 'ranks'
  | 'compare';

/** The element's own attributes. */
export interface StepscopeViewAttributes {
  /** A trace's address; from another origin only if that allows it. */
  src?: string;
  tab?: Tab;
  /** As the system says unless it is told. */
  theme?: 'light' | 'dark' | 'system';
  /** As the page, or the browser, unless it is told. */
  lang?: 'en' | 'zh';
}

/**
 * `<stepscope-view src tab theme lang>`; see `StepscopeViewAttributes`.
 *
 * Events: `loaded` (`CustomEvent<Loaded>`), `selected` (`CustomEvent<Selected>`), `error` (`CustomEvent<Problem>`).
 */
export class StepscopeView extends HTMLElement {
  /** The attributes as properties: an empty text where there is none; `lang` is every element's. */
  get src(): string;
  set src(address: string | null | undefined);
  get tab(): string;
  set tab(tab: Tab | null | undefined);
  get theme(): string;
  set theme(theme: 'light' | 'dark' | 'system' | null | undefined);
  /**
   * Opens a trace, or several files that make one or many ranks, and says what was read.
   *
   * Rejects with an `OpenError` where nothing can be read, which is told on the element and by `error`, too; with an `AbortError` (`DOMException`)
   * where another load takes its place, or the element is removed; with a `TypeError` for what is no `Openable`.
   */
  open(what: Openable | Openable[]): Promise<Loaded>;
  /** The whole summary of what is open, as `stepscope summary --json` prints it, once no load goes on; with no `ranks` if nothing is open. */
  summary(): Promise<object>;
  addEventListener<K extends keyof StepscopeViewEventMap>(
    type: K,
    listener: (this: StepscopeView, event: StepscopeViewEventMap[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
  removeEventListener<K extends keyof StepscopeViewEventMap>(
    type: K,
    listener: (this: StepscopeView, event: StepscopeViewEventMap[K]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'stepscope-view': StepscopeView;
  }
}
