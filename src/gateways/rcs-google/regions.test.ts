import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { getCountries, getCountryCallingCode, getExampleNumber } from 'libphonenumber-js/max'
import examples from 'libphonenumber-js/mobile/examples'
import { zoneRegion } from '#test/fakes/rcs/rbm-peer-region.ts'
import { getRcsPhoneRegion, planRcsLookup, rcsRegionsByCountry } from './regions.ts'

const french = (count: number) => Array.from({ length: count }, (_, n) => `+336${String(39_980_000 + n)}`)
const american = (count: number) => Array.from({ length: count }, (_, n) => `+1212${String(5_550_000 + n)}`)

describe('RBM regions of numbers', () => {
  it('are known for exactly the countries that have a numbering plan', () => {
    assert.deepEqual([...rcsRegionsByCountry.keys()].sort(), [...getCountries()].sort())
    assert.ok(rcsRegionsByCountry.size >= 240)
  })

  it('are the same for all countries of a calling code, except +7', () => {
    const mixed = Map.groupBy(rcsRegionsByCountry, ([country]) => getCountryCallingCode(country as 'FR'))
    const codes = [...mixed].filter(([, countries]) => new Set(countries.map(([, region]) => region)).size > 1)
    assert.deepEqual(
      codes.map(([code]) => code),
      ['7'],
    )
  })

  it("match each country's example number and the E.164 zones", () => {
    const wrong = getCountries().flatMap((country) => {
      const phone = getExampleNumber(country, examples)?.number ?? `+${getCountryCallingCode(country)}123456`
      const regions = [getRcsPhoneRegion(phone), rcsRegionsByCountry.get(country), zoneRegion(phone)]
      return new Set(regions).size === 1 ? [] : [[country, phone, ...regions]]
    })
    assert.deepEqual(wrong, [])
  })

  it('can differ within a calling code, and default to the rest of the world', () => {
    assert.deepEqual(
      ['+79161234567', '+77011234567', '+33639980012', '+12125550100', '+5511987654321', '+80012345678', '+88216'].map(
        getRcsPhoneRegion,
      ),
      ['europe', 'asia', 'europe', 'us', 'us', 'asia', 'asia'],
    )
  })
})

describe('bulk capability lookups', () => {
  const sizes = (phones: string[]) => {
    const { batches, singly } = planRcsLookup(phones)
    return [batches.map(({ region, phones: own }) => [region, own.length]), singly.length]
  }

  it('use the region of their numbers and never mix regions', () => {
    const plan = planRcsLookup([...french(600), ...american(600)])
    assert.deepEqual(
      plan.batches.map(({ region, phones }) => [region, phones.length, [...new Set(phones.map(zoneRegion))]]),
      [
        ['us', 600, ['us']],
        ['europe', 600, ['europe']],
      ],
    )
    assert.deepEqual(plan.singly, [])
  })

  it('have 500 to 10,000 numbers and include every number', () => {
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
      planRcsLookup(phones).batches.flatMap((batch) => batch.phones),
      phones,
    )
  })

  it('leave fewer than 500 numbers of a region to single lookups and deduplicate numbers', () => {
    assert.deepEqual(sizes([...french(600), ...american(499)]), [[['europe', 600]], 499])
    assert.deepEqual(sizes([...french(499), ...french(499)]), [[], 499])
    assert.deepEqual(sizes([]), [[], 0])
  })
})
