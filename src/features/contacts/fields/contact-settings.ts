import { isDeepStrictEqual } from 'node:util'
import type { ContactSettings } from './contact-settings-schemas.ts'

const defaultSettings: ContactSettings = {
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
export function toContactSettings(storedSettings: Partial<ContactSettings> | null): ContactSettings {
  return { ...defaultSettings, ...storedSettings }
}

/** The settings of an account that are stored: those that differ from the defaults. */
export function toStoredContactSettings(settings: ContactSettings): Partial<ContactSettings> {
  const defaultValues: Record<string, unknown> = defaultSettings
  return Object.fromEntries(
    Object.entries(settings).filter(([name, value]) => !isDeepStrictEqual(value, defaultValues[name])),
  )
}
