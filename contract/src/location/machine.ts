import { z } from 'zod';
import { boundedText } from '../fields/bounded-text.ts';
import { machineNameCharacters } from './facts.ts';

const name = boundedText(machineNameCharacters).nullish();

/**
 * The names that a machine's firmware gives it, by the files of `/sys/class/dmi/id` that every account may read. No serial number is
 * among them.
 */
export const machineSchema = z.object({
  sys_vendor: name,
  product_name: name,
  product_version: name,
  board_vendor: name,
  chassis_vendor: name,
  chassis_asset_tag: name,
  bios_vendor: name,
  bios_version: name,
});
export type Machine = z.output<typeof machineSchema>;

/** The files, in the order in which the programs on a server read them. */
export const machineFiles = machineSchema.keyof().options;
