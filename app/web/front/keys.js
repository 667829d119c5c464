// Keys: by place on the keyboard (`code`), letters only while nothing is typed. Those of the browser (Ctrl+W R T N Q P F)
// stay its own.
import {find} from './dom.js';

const kZoom = 1.5, kPan = 0.1, kPagePx = 100;
const kTyped = 'textarea, select, input:not([type=range]):not([type=checkbox])';

export function listenToKeys(app) {
  const withControl = {
    KeyZ: (event) => app.act([event.shiftKey ? 'edit.redo' : 'edit.undo']), KeyY: () => app.act(['edit.redo']),
    KeyS: () => app.popup('write'), KeyO: () => app.popup('open'), KeyP: (event) => event.shiftKey && app.popup('palette'),
    Enter: () => app.session?.state?.lesson && app.act(['lesson.show']),
    KeyB: () => app.toggle('left'), KeyJ: () => app.toggle('bottom'), KeyI: () => app.toggle('right'),
  };
  const zoomIn = (chart) => chart.zoom(kZoom), zoomOut = (chart) => chart.zoom(1 / kZoom), left = (chart) => chart.pan(-kPan), right = (chart) => chart.pan(kPan);
  const plain = {
    KeyW: zoomIn, KeyS: zoomOut, KeyA: left, KeyD: right, ArrowUp: zoomIn, ArrowDown: zoomOut, ArrowLeft: left, ArrowRight: right,
    Home: (chart) => chart.showAll(), KeyF: () => app.fit(), Comma: () => app.act(['select.previous-swap']), Period: () => app.act(['select.next-swap']),
    KeyB: () => app.act(['bookmark.keep', 'next']), KeyM: () => app.act(['scope.aside', 'toggle']),
    Escape: () => app.stop(), KeyP: () => app.play(), PageUp: (chart) => chart.scrollRows(-kPagePx), PageDown: (chart) => chart.scrollRows(kPagePx),
  };
  for (let number = 1; number <= 9; ++number) plain[`Digit${number}`] = () => app.act(['bookmark.go', String(number)]);
  const withAlt = {
    ArrowLeft: () => app.act(['select.back']), ArrowRight: () => app.act(['select.forward']),
    ArrowUp: (chart) => chart.zoomRows(kZoom), ArrowDown: (chart) => chart.zoomRows(1 / kZoom),
  };
  document.addEventListener('keydown', (event) => {
    const node = document.activeElement, isTyping = node?.matches(kTyped);
    const does = (run, argument) => {
      event.preventDefault();
      run(argument);
    };
    if (event.isComposing || find('dialog').open) return;
    if (event.ctrlKey || event.metaKey) {
      const run = withControl[event.key === 'Enter' ? event.key : event.code];
      const isTheirs = event.altKey || (event.code === 'KeyP' && !event.shiftKey) || (isTyping && /Key[ZY]/.test(event.code));  // a field undoes its own typing
      if (run && !isTheirs) does(run, event);
    } else if (event.altKey) {
      if (app.graph && withAlt[event.code] && !(isTyping && /Up|Down/.test(event.code))) does(withAlt[event.code], app.chart);
    } else if (event.key === 'F1' || (!isTyping && (event.key === '?' || event.key === '/'))) {
      does(() => app.popup(event.key === '/' ? 'search' : 'keys'));
    } else if (!isTyping && app.graph && plain[event.code]) {
      // Arrows belong to what scrolls or slides, unless a chart has the keyboard.
      const isFree = /^Page/.test(event.code) ? node === app.levels.root : !/^(Arrow|Home)/.test(event.code) || node === document.body || node.classList.contains('chart');
      if (isFree) does(plain[event.code], app.chart);
    }
  });
}
