import { exposedPorts } from '@homeport/contract/databases/facts';
import type { ExposureOffer } from '@homeport/contract/databases/schema';

/** The form as typed. `ask`: the person chose every address of the server, and is asked again. */
export interface ExposeForm {
  /** null: every address. */
  address: string | null;
  /** Ports of the server, in the order of the type's ports. */
  hostPorts: readonly string[];
  step: 'choose' | 'ask';
  /** Faults are shown from the first sending on. */
  checked: boolean;
}

export type ExposeEvent =
  | { type: 'address'; address: string | null }
  | { type: 'port'; index: number; text: string }
  | { type: 'send' }
  | { type: 'back' };

/** The safest address of the offer, which comes first, and free ports. */
export const exposeFormOf = ({ addresses, ports }: ExposureOffer): ExposeForm => ({
  address: addresses[0]?.address ?? null,
  hostPorts: ports.map(({ hostPort }) => `${hostPort}`),
  step: 'choose',
  checked: false,
});

export function exposeFormAfter(form: ExposeForm, event: ExposeEvent): ExposeForm {
  switch (event.type) {
    case 'address':
      return { ...form, address: event.address };
    case 'port':
      return { ...form, hostPorts: form.hostPorts.with(event.index, event.text) };
    case 'back':
      return { ...form, step: 'choose' };
    case 'send': {
      const step = form.address === null && portsOf(form) !== null ? 'ask' : form.step;
      return { ...form, checked: true, step };
    }
  }
}

/** What is wrong with each port, in their order. null: nothing. */
export function portProblems({ hostPorts }: Pick<ExposeForm, 'hostPorts'>): (string | null)[] {
  const { first, last } = exposedPorts;
  return hostPorts.map((text, index) => {
    const port = /^\d{1,5}$/.test(text.trim()) ? Number(text) : Number.NaN;
    if (!(port >= first && port <= last)) return `Choose a port between ${first} and ${last}.`;
    const before = hostPorts.slice(0, index).some((other) => Number(other) === port);
    return before ? 'Choose another port for each.' : null;
  });
}

/** The chosen ports. null while one of them is wrong. */
export const portsOf = (form: Pick<ExposeForm, 'hostPorts'>): number[] | null =>
  portProblems(form).every((problem) => problem === null) ? form.hostPorts.map(Number) : null;
