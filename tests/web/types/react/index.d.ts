// As much of @types/react as the element's types and their test need, in the form that 18 and 19 have.

export interface RefObject<T> {
  current: T | null;
}
export interface Attributes {
  key?: string | number | null;
}
export interface ClassAttributes<T> extends Attributes {
  ref?: RefObject<T>;
}
export interface HTMLAttributes<T> {
  id?: string;
  lang?: string;
  style?: {height?: number | string};
  onClick?: (event: {currentTarget: T}) => void;
}
export type DetailedHTMLProps<E extends HTMLAttributes<T>, T> = ClassAttributes<T> & E;
export function useRef<T>(initial: T | null): RefObject<T>;
export namespace JSX {
  interface Element {}
  interface IntrinsicElements {
    div: DetailedHTMLProps<HTMLAttributes<HTMLDivElement>, HTMLDivElement>;
  }
}
