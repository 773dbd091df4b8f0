import 'stepscope-view';
import {useEffect, useRef} from 'react';

/** A trace that the page has, and what is shown of it told to the page. */
export function Trace({file, onSelected}) {
  const view = useRef(null);
  useEffect(() => {
    // What cannot be opened is told on the element.
    if (file) view.current.open(file).catch(() => {});
  }, [file]);
  useEffect(() => {
    const element = view.current;
    const listener = ({detail}) => onSelected?.(detail);
    element.addEventListener('selected', listener);
    return () => element.removeEventListener('selected', listener);
  }, [onSelected]);
  return <stepscope-view ref={view} style={{height: 640}} />;
}
