import {JSX as React} from './index.js';

export namespace JSX {
  interface Element extends React.Element {}
  interface IntrinsicElements extends React.IntrinsicElements {}
}
