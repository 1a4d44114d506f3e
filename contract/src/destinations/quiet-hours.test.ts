import { expect, it } from 'vitest';
import { newQuietHoursSchema } from './quiet-hours.ts';

const zoneOf = (zone: string) =>
  newQuietHoursSchema.safeParse({ from: '22:00', to: '07:00', zone, grave: true }).data?.zone ?? null;

it('keeps the name of a zone by its place, and UTC', () => {
  for (const zone of ['Europe/Berlin', 'Asia/Tokyo', 'America/Argentina/Buenos_Aires', 'UTC'])
    expect(zoneOf(zone)).toBe(zone);
});

it('keeps the name of today where a browser has an older one', () => {
  expect(['Asia/Calcutta', 'Europe/Kiev', 'America/Buenos_Aires'].map(zoneOf)).toEqual([
    'Asia/Kolkata',
    'Europe/Kyiv',
    'America/Argentina/Buenos_Aires',
  ]);
});

it('never keeps a name that PostgreSQL reads as an abbreviation without summer time', () => {
  for (const zone of ['CET', 'EET', 'MET', 'WET', 'PST', 'IST', 'BST', 'AST', 'MST', 'GB', 'Japan', 'cet'])
    expect(zoneOf(zone) ?? 'a/place', zone).toMatch(/^UTC$|\//);
});

it('refuses what is no zone, an offset among it', () => {
  for (const zone of ['', 'Europe/Atlantis', '+02:00', "UTC'; select 1", 'Etc/../UTC'])
    expect(zoneOf(zone), zone).toBeNull();
});
