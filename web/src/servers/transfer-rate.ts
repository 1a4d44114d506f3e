import { reportEverySeconds } from '@homeport/contract/limits';

/** Bytes received and sent. null if no earlier counter allows a comparison. */
export interface Transferred {
  rx_gap: number | null;
  tx_gap: number | null;
  /** The time in which the bytes passed. 0 if unknown. */
  seconds: number;
}

/** Bytes a second: (rx_gap + tx_gap) over `seconds`, or over 180 s if `seconds` is unknown. */
export function transferRate({ rx_gap, tx_gap, seconds }: Transferred): number | null {
  return rx_gap === null || tx_gap === null ? null : perSecond(rx_gap + tx_gap, seconds);
}

/** Bytes a second in one direction. */
export function perSecond(bytes: number | null, seconds: number): number | null {
  return bytes === null ? null : bytes / (seconds > 0 ? seconds : reportEverySeconds);
}
