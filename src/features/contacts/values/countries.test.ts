import assert from 'node:assert/strict'
import { it } from 'node:test'
import { getCountries } from 'libphonenumber-js/max'
import { parseCountryCode, toAlpha2CountryCode } from './countries.ts'

it('every country with a numbering plan is known by both of its codes', () => {
  // Ascension and Tristan da Cunha have numbers but no code of their own: they belong to Saint Helena.
  const countries = getCountries().filter((code) => code !== 'AC' && code !== 'TA')
  const unknown = countries.filter((code) => toAlpha2CountryCode(parseCountryCode(code) ?? '') !== code)
  assert.deepEqual(unknown, [])
})

it('country codes are read in either case and unknown ones are refused', () => {
  assert.equal(parseCountryCode('fr'), 'FRA')
  assert.equal(parseCountryCode('Fra'), 'FRA')
  assert.equal(parseCountryCode('France'), undefined)
  assert.equal(parseCountryCode('ZZ'), undefined)
})
