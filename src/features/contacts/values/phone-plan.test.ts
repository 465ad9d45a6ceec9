import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  getExampleNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max'
import examples from 'libphonenumber-js/mobile/examples'
import { seeded } from '#test/fakes/scripts/seeded.ts'
import { parsePhoneByPlan } from './phone-plan.ts'

const random = seeded(2026)
const below = (limit: number): number => Math.floor(random() * limit)
const digits = (count: number): string => Array.from({ length: count }, () => below(10)).join('')

/** The beginning of a number, of any length, with other digits behind it. */
function varied(number: string): string {
  const kept = below(number.length + 1)
  return number.slice(0, kept) + digits(number.length - kept)
}

/** Numbers as they are dialled in a country: right and wrong, national and international, too long and too short. */
function* dialled(country: CountryCode, count: number): Generator<string> {
  const code = getCountryCallingCode(country)
  const example = getExampleNumber(country, examples)
  const bare = example?.nationalNumber ?? digits(9)
  const national = example?.formatNational().replace(/\D/g, '') ?? digits(9)
  const makers = [
    () => varied(bare),
    () => varied(national),
    () => `0${digits(5 + below(10))}`,
    () => digits(6 + below(10)),
    () => code + varied(bare),
    () => `+${code}${varied(bare)}`,
    () => `+${code}${varied(national)}`,
    () => `+${code}${digits(4 + below(10))}`,
    () => `+${digits(6 + below(10))}`,
  ]
  for (let n = 0; n < count; n++) yield makers[n % makers.length]!()
}

/** How many numbers of a country are read by its plan; throws where one is not read as the library reads it. */
function compare(country: CountryCode, count: number): number {
  let read = 0
  for (const number of dialled(country, count)) {
    const ours = parsePhoneByPlan(number, country)
    if (ours === undefined) continue
    read += 1
    const parsed = parsePhoneNumberFromString(number, country)
    assert.equal(ours, parsed?.isValid() ? parsed.number : null, `${number} in ${country}`)
  }
  return read
}

suite("phone number read by its country's numbering plan", () => {
  for (const country of ['FR', 'GB', 'DE', 'ES', 'IT', 'US', 'BE', 'CH', 'BR', 'AU', 'RU', 'JP'] as const) {
    test(`matches the library's result: ${country}`, () => {
      assert.ok(compare(country, 4500) > 2000, 'most numbers are read without the library')
    })
  }

  test("matches the library's result in every country", () => {
    for (const country of getCountries()) compare(country, 90)
  })

  test('is left to the library when the plan is ambiguous', () => {
    const doubtful: [number: string, country: CountryCode][] = [
      ['33612345678', 'FR'],
      ['011442083661177', 'US'],
      ['+80012345678', 'FR'],
      ['+440117400123456', 'GB'],
    ]
    for (const [number, country] of doubtful) assert.equal(parsePhoneByPlan(number, country), undefined, number)
  })
})
