import { describe, expect, it } from 'vitest';
import { chooseSteps } from './choose-steps.mjs';

const steps = [
  { name: 'types', takesParts: false },
  { name: 'unit', takesParts: true },
  { name: 'e2e', takesParts: true },
];

describe('the choice of steps', () => {
  it('keeps the order of the steps', () => {
    expect(chooseSteps('e2e,types', steps)).toEqual([
      { name: 'types', parts: [] },
      { name: 'e2e', parts: [] },
    ]);
  });

  it('takes a part of a path behind the first slash', () => {
    expect(chooseSteps('unit/api/src/apps,unit/ssh', steps)).toEqual([
      { name: 'unit', parts: ['api/src/apps', 'ssh'] },
    ]);
  });

  it('runs the whole step when both the step and a part of it are chosen', () => {
    expect(chooseSteps('e2e/main-job,e2e', steps)).toEqual([{ name: 'e2e', parts: [] }]);
    expect(chooseSteps('e2e,e2e/main-job', steps)).toEqual([{ name: 'e2e', parts: [] }]);
  });

  it('refuses an unknown step and a part of a step that has none', () => {
    expect(() => chooseSteps('units', steps)).toThrow('There is no step "units".');
    expect(() => chooseSteps('types/web', steps)).toThrow('The step "types" runs as a whole.');
  });
});
