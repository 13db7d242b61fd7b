// The sliders of the feel.
import { View } from './module/playground.js';

/** The groups of the feel. From above those with `above` count, without sliders where it is false. */
export const SLIDERS = [
  {
    title: 'Run',
    above: true,
    sliders: [
      { key: 'run', name: 'Speed', unit: 'px/s', min: 20, max: 400, step: 5 },
      { key: 'speedup', name: 'To full speed', unit: 's', min: 0, max: 0.6, step: 0.01 },
      { key: 'slowdown', name: 'To a stop', unit: 's', min: 0, max: 0.6, step: 0.01 },
      { key: 'air', name: 'Control in the air', unit: '%', min: 0, max: 100, step: 5, above: false },
    ],
  },
  {
    title: 'Jump',
    above: false,
    sliders: [
      { key: 'jump', name: 'Height', unit: 'px', min: 0, max: 160, step: 1 },
      { key: 'rise', name: 'To the top', unit: 's', min: 0.1, max: 0.8, step: 0.01 },
      { key: 'fall', name: 'Fastest fall', unit: 'px/s', min: 60, max: 800, step: 10 },
      { key: 'coyote', name: 'Late jump (coyote time)', unit: 's', min: 0, max: 0.3, step: 0.01 },
      { key: 'buffer', name: 'Early press (buffer)', unit: 's', min: 0, max: 0.3, step: 0.01 },
      { key: 'walls', name: 'Slide down walls, jump from them', flag: true },
      { key: 'ledges', name: 'Grab ledges', flag: true },
    ],
  },
  {
    title: 'Body',
    above: true,
    sliders: [
      { key: 'width', name: 'Width', unit: 'px', min: 2, max: 64, step: 1 },
      { key: 'height', name: 'Height', unit: 'px', min: 2, max: 64, step: 1 },
      { key: 'step', name: 'Walks up steps of', unit: 'px', min: 0, max: 16, step: 1, above: false },
      { key: 'corner', name: 'Slips past corners by', unit: 'px', min: 0, max: 16, step: 1 },
    ],
  },
];

/** A slider with its number, or a box to tick. `change` gets each new value. */
export function slider({ name, unit, min, max, step, flag }, value, change) {
  const label = document.createElement('label');
  const input = document.createElement('input');
  label.className = flag ? 'check' : 'slider';
  if (flag) {
    Object.assign(input, { type: 'checkbox', checked: value });
    input.onchange = () => change(input.checked);
    label.append(input, name);
    return label;
  }
  // An element `output` would be what the label names.
  const shown = document.createElement('i');
  const digits = step < 1 ? 2 : 0;
  const said = () => `${Number(input.value).toFixed(digits)} ${unit}`;
  Object.assign(input, { type: 'range', min, max, step });
  input.setAttribute('aria-label', name);
  input.value = value;
  const show = () => {
    shown.textContent = said();
    input.setAttribute('aria-valuetext', said());
  };
  input.oninput = () => {
    show();
    change(Number(input.value));
  };
  show();
  label.append(Object.assign(document.createElement('span'), { textContent: name }), shown, input);
  return label;
}

export const VIEWS = { art: View.Art, both: View.Both, solids: View.Solids };
