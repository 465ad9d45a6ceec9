import { isDeepStrictEqual } from 'node:util'
import type { ContactSettings } from './contact-settings-schemas.ts'

const defaults: ContactSettings = {
  defaultCountry: 'FRA',
  timeZone: 'UTC',
  dateOrder: 'dmy',
  decimalMark: 'point',
  softBounce: { count: 5, days: 30 },
  forgetRedListOnDelete: false,
  importMaxBytes: 5_368_709_120,
  sourceRetentionDays: 30,
  rejectsRetentionDays: 90,
}

/** The settings of an account from what it stores: only what differs from the defaults. */
export function toContactSettings(stored: Partial<ContactSettings> | null): ContactSettings {
  return { ...defaults, ...stored }
}

/** What an account stores of its settings. */
export function toStoredContactSettings(settings: ContactSettings): Partial<ContactSettings> {
  const known: Record<string, unknown> = defaults
  return Object.fromEntries(Object.entries(settings).filter(([name, value]) => !isDeepStrictEqual(value, known[name])))
}
