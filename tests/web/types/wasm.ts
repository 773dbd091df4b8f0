// The page's types of the wasm module (www/js/protocol/wasm.js) against those that wasm-bindgen makes of crate/src/web: a wrong one does not compile.

import type * as Made from './stepscope';
import type {RankLoad, Search, SecretMask, Session, ShardLoad, SourceList, Unpack, Wasm} from 'page/js/protocol/wasm.js';

type Call = (...args: any[]) => unknown;

/** Bytes are bytes, whatever holds them, and a list is a list; that one may be missing is kept. */
type Kind<T> = T extends ArrayBufferView ? 'bytes or numbers' : T extends readonly unknown[] ? 'list' : T extends number | string | boolean | undefined ? T : T extends void ? undefined : 'object';

/** Whether a value of one kind is what the other promises; wasm-bindgen knows nothing of objects. */
type Returns<From, To> = 0 extends 1 & From ? true : [Kind<From>] extends [Kind<To>] ? true : false;

/** The kinds of parameters. */
type Kinds<T extends readonly unknown[]> = {[Place in keyof T]: 0 extends 1 & T[Place] ? any : Kind<T[Place]>};

/** Names of functions whose parameters or result are others. */
type Wrong<From, To> = {
  [Name in keyof To & keyof From]: To[Name] extends Call
    ? From[Name] extends Call
      ? Kinds<Parameters<To[Name]>> extends Kinds<Parameters<From[Name]>>
        ? Returns<ReturnType<From[Name]>, ReturnType<To[Name]>> extends true
          ? never
          : Name
        : Name
      : Name
    : never;
}[keyof To & keyof From];

/** Names that only one of both has. What lives as long as its worker is never freed. */
type Unknown<From, To> = Exclude<keyof To, keyof From> | Exclude<keyof From, keyof To | symbol | 'free'>;

type Differences<From, To> = Wrong<From, To> | Unknown<From, To>;

type Classes = 'RankLoad' | 'Search' | 'SecretMask' | 'Session' | 'ShardLoad' | 'SourceList' | 'Unpack';

/** Functions of the loader of the module's parts. */
type OfLoader = 'loadSeldom' | 'loadAll' | 'default';

/** The module calls the first itself; the parts' scripts call the next two. Pictures are made by a session. */
type NotCalled = 'start' | 'initSync' | 'load_seldom' | 'load_output' | 'TimelinePicture';

type None<T extends never> = T;

export type Checked = [
  None<Differences<Omit<typeof Made, Classes | NotCalled | 'default'>, Omit<Wasm, Classes | OfLoader>>>,
  None<Differences<Made.RankLoad, RankLoad>>,
  None<Differences<Made.Search, Search>>,
  None<Differences<Made.SecretMask, SecretMask>>,
  None<Differences<Made.Session, Session>>,
  None<Differences<Made.ShardLoad, ShardLoad>>,
  None<Differences<Made.SourceList, SourceList>>,
  None<Differences<Made.Unpack, Unpack>>,
];
