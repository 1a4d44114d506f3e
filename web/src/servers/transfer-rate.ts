import { reportEverySeconds } from '@homeport/contract/limits';

/** Bytes received and sent; null where no counter could be compared. */
export interface Transferred {
  rx_gap: number | null;
  tx_gap: number | null;
  /** That they took; 0 where that is not known. */
  seconds: number;
}

/** Bytes a second: (rx_gap + tx_gap) / 180 s, or over the time that the bytes really took where that is known. */
export function transferRate({ rx_gap, tx_gap, seconds }: Transferred): number | null {
  return rx_gap === null || tx_gap === null ? null : perSecond(rx_gap + tx_gap, seconds);
}

/** Of one direction. */
export function perSecond(bytes: number | null, seconds: number): number | null {
  return bytes === null ? null : bytes / (seconds > 0 ? seconds : reportEverySeconds);
}
