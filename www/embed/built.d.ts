/** Built beside the scripts, see `compiled.js` and `build.mjs`. */
type BuiltIn = import('./compiled.js').Built;
declare const STEPSCOPE: BuiltIn;

declare module 'stepscope-glue' {
  const init: (options: {module_or_path: WebAssembly.Module}) => Promise<{memory: WebAssembly.Memory}>;
  export default init;
}

declare module 'stepscope-built' {
  /** The wasm, compressed, as text. */
  export const wasm: string;
  export const workers: Record<string, string>;
  export const messages: Record<string, Record<string, string>>;
  export const reportMessages: Record<string, Record<string, string>>;
  export const css: string;
  /** An instance of all scripts with a state of its own. */
  export function scripts(built: BuiltIn): {instance: typeof import('./instance.js').instance};
}
