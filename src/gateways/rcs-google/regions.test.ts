import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { getCountries, getCountryCallingCode, getExampleNumber } from 'libphonenumber-js/max'
import examples from 'libphonenumber-js/mobile/examples'
import { zoneRegion } from '../../../test/fakes/rbm-peer-region.ts'
import { planLookup, regionOfCountry, regionOfPhone } from './regions.ts'

const french = (count: number) => Array.from({ length: count }, (_, n) => `+336${String(39_980_000 + n)}`)
const american = (count: number) => Array.from({ length: count }, (_, n) => `+1212${String(5_550_000 + n)}`)

describe('regions of numbers', () => {
  it('are known of every country that has a numbering plan, and of no other', () => {
    assert.deepEqual([...regionOfCountry.keys()].sort(), [...getCountries()].sort())
    assert.ok(regionOfCountry.size >= 240)
  })

  it('are shared by the countries of one calling code, but for +7', () => {
    const mixed = Map.groupBy(regionOfCountry, ([country]) => getCountryCallingCode(country as 'FR'))
    const codes = [...mixed].filter(([, countries]) => new Set(countries.map(([, region]) => region)).size > 1)
    assert.deepEqual(
      codes.map(([code]) => code),
      ['7'],
    )
  })

  it('are those of its country for an example number of each, as the zones of E.164 have it', () => {
    const wrong = getCountries().flatMap((country) => {
      const phone = getExampleNumber(country, examples)?.number ?? `+${getCountryCallingCode(country)}123456`
      const regions = [regionOfPhone(phone), regionOfCountry.get(country), zoneRegion(phone)]
      return new Set(regions).size === 1 ? [] : [[country, phone, ...regions]]
    })
    assert.deepEqual(wrong, [])
  })

  it('are told apart in one calling code, and are the rest of the world for what belongs to no country', () => {
    assert.deepEqual(
      ['+79161234567', '+77011234567', '+33639980012', '+12125550100', '+5511987654321', '+80012345678', '+88216'].map(
        regionOfPhone,
      ),
      ['europe', 'asia', 'europe', 'us', 'us', 'asia', 'asia'],
    )
  })
})

describe('bulk look-ups', () => {
  const sizes = (phones: string[]) => {
    const { batches, singly } = planLookup(phones)
    return [batches.map(({ region, phones: own }) => [region, own.length]), singly.length]
  }

  it('go to the region of their numbers, never mixed', () => {
    const plan = planLookup([...french(600), ...american(600)])
    assert.deepEqual(
      plan.batches.map(({ region, phones }) => [region, phones.length, [...new Set(phones.map(zoneRegion))]]),
      [
        ['us', 600, ['us']],
        ['europe', 600, ['europe']],
      ],
    )
    assert.deepEqual(plan.singly, [])
  })

  it('have 500 to 10,000 numbers, and lose none', () => {
    assert.deepEqual(sizes(french(500)), [[['europe', 500]], 0])
    assert.deepEqual(sizes(french(10_000)), [[['europe', 10_000]], 0])
    assert.deepEqual(sizes(french(10_001)), [
      [
        ['europe', 5000],
        ['europe', 5001],
      ],
      0,
    ])
    const phones = french(25_000)
    assert.deepEqual(
      planLookup(phones).batches.flatMap((batch) => batch.phones),
      phones,
    )
  })

  it('leave a region with fewer than 500 to single ones, and name a number once', () => {
    assert.deepEqual(sizes([...french(600), ...american(499)]), [[['europe', 600]], 499])
    assert.deepEqual(sizes([...french(499), ...french(499)]), [[], 499])
    assert.deepEqual(sizes([]), [[], 0])
  })
})
