import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { parseCountryCode } from '../../features/contacts/values/countries.ts'
import { parseFictionalPhone } from '../../features/contacts/values/fictional-phones.ts'

/** A telephone number that an SMS may go to. */
export interface SmsNumber {
  /** With its plus sign. */
  e164: string
  /** ISO 3166 alpha-3; null for a number of no country, such as that of a satellite. */
  country: string | null
}

/** Reads a number in international form; undefined when no numbering plan has it and it is not reserved for fiction. */
export function parseSmsNumber(text: string): SmsNumber | undefined {
  if (!text.startsWith('+')) return undefined
  const phoneNumber = parsePhoneNumberFromString(text)
  if (phoneNumber && parseFictionalPhone(phoneNumber.number)) return { e164: phoneNumber.number, country: 'FRA' }
  if (!phoneNumber?.isValid()) return undefined
  return { e164: phoneNumber.number, country: (phoneNumber.country && parseCountryCode(phoneNumber.country)) ?? null }
}

/** A sender as networks are given it: a number of a plan gets its plus sign; short codes and names stay as they are. */
export function formatSmsSender(sender: string): string {
  return parseSmsNumber(`+${sender}`)?.e164 ?? sender
}
