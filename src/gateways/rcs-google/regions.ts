import { type CountryCode, getCountryCallingCode } from 'libphonenumber-js/max'
import { type PhoneBatch, type RcsRegion, rcsRegions } from '../rcs.ts'

/** The Americas, and what shares the numbering plan of the United States. */
const US_COUNTRIES =
  'AG AI AR AS AW BB BL BM BO BQ BR BS BZ CA CL CO CR CU CW DM DO EC FK GD GF GL GP GT GU GY HN HT JM KN KY LC MF MP MQ ' +
  'MS MX NI PA PE PM PR PY SR SV SX TC TT US UY VC VE VG VI'

/** Europe, the Middle East and Africa. */
const EUROPE_COUNTRIES =
  'AC AD AE AL AM AO AT AX AZ BA BE BF BG BH BI BJ BW BY CD CF CG CH CI CM CV CY CZ DE DJ DK DZ EE EG EH ER ES ET FI FO FR ' +
  'GA GB GE GG GH GI GM GN GQ GR GW HR HU IE IL IM IQ IR IS IT JE JO KE KM KW LB LI LR LS LT LU LV LY MA MC MD ME MG MK ML ' +
  'MR MT MU MW MZ NA NE NG NL NO OM PL PS PT QA RE RO RS RU RW SA SC SD SE SH SI SJ SK SL SM SN SO SS ST SY SZ TA TD TG TN ' +
  'TR TZ UA UG VA XK YE YT ZA ZM ZW'

/** Asia without the Middle East, and Oceania. */
const ASIA_COUNTRIES =
  'AF AU BD BN BT CC CK CN CX FJ FM HK ID IN IO JP KG KH KI KP KR KZ LA LK MH MM MN MO MV MY NC NF NP NR NU NZ PF PG PH PK ' +
  'PW SB SG TH TJ TK TL TM TO TV TW UZ VN VU WF WS'

const countriesByRegion: readonly (readonly [RcsRegion, string])[] = [
  ['us', US_COUNTRIES],
  ['europe', EUROPE_COUNTRIES],
  ['asia', ASIA_COUNTRIES],
]

/** The region of every country and territory that has a numbering plan, by its ISO 3166 alpha-2 code. */
export const rcsRegionsByCountry: ReadonlyMap<string, RcsRegion> = new Map(
  countriesByRegion.flatMap(([region, codes]) => codes.split(' ').map((code) => [code, region] as const)),
)

const MAX_CALLING_CODE_LENGTH = 3

/** By calling code. The countries that share one share a region, with the exception of +7. */
const regionsByCallingCode: ReadonlyMap<string, RcsRegion> = new Map(
  [...rcsRegionsByCountry].map(([country, region]) => [getCountryCallingCode(country as CountryCode), region] as const),
)

/** Kazakhstan's part of +7, which is Russia's otherwise. */
const KAZAKHSTAN_PREFIX = /^\+7[67]/

/** The region that serves a number, E.164. Numbers of no country belong to the rest of the world. */
export function getRcsPhoneRegion(phone: string): RcsRegion {
  if (phone.startsWith('+7')) return KAZAKHSTAN_PREFIX.test(phone) ? 'asia' : 'europe'
  for (let codeLength = 1; codeLength <= MAX_CALLING_CODE_LENGTH; codeLength++) {
    const region = regionsByCallingCode.get(phone.slice(1, 1 + codeLength))
    if (region !== undefined) return region
  }
  return 'asia'
}

/** Limits of phone numbers in one bulk look-up. */
export const MIN_RCS_LOOKUP_PHONES = 500
export const MAX_RCS_LOOKUP_PHONES = 10_000

/** Numbers in equal parts, none of which is too small. */
function splitIntoBatches(region: RcsRegion, phones: readonly string[]): PhoneBatch[] {
  const count = Math.ceil(phones.length / MAX_RCS_LOOKUP_PHONES)
  const getBatchStart = (index: number) => Math.floor((index * phones.length) / count)
  return Array.from({ length: count }, (_, index) => ({
    region,
    phones: phones.slice(getBatchStart(index), getBatchStart(index + 1)),
  }))
}

/** Plan for looking up many numbers: bulk batches by region, and single look-ups for regions with too few numbers. */
export interface RcsLookupPlan {
  batches: PhoneBatch[]
  singly: string[]
}

/** Splits numbers, E.164, for their look-up. One that is named twice is asked for once. */
export function planRcsLookup(phones: Iterable<string>): RcsLookupPlan {
  const phonesByRegion = Map.groupBy(new Set(phones), getRcsPhoneRegion)
  const lookupPlan: RcsLookupPlan = { batches: [], singly: [] }
  for (const region of rcsRegions) {
    const regionPhones = phonesByRegion.get(region) ?? []
    if (regionPhones.length < MIN_RCS_LOOKUP_PHONES) lookupPlan.singly.push(...regionPhones)
    else lookupPlan.batches.push(...splitIntoBatches(region, regionPhones))
  }
  return lookupPlan
}
