// `<stepscope-view>` in JSX and TSX: `import type {} from 'stepscope-view/react';`

import type {DetailedHTMLProps, HTMLAttributes} from 'react';
import type {StepscopeView, StepscopeViewAttributes} from './element.js';

type ViewProps = Omit<HTMLAttributes<StepscopeView>, keyof StepscopeViewAttributes> & StepscopeViewAttributes;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'stepscope-view': DetailedHTMLProps<ViewProps, StepscopeView>;
    }
  }
}
