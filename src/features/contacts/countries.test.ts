import assert from 'node:assert/strict'
import { it } from 'node:test'
import { getCountries } from 'libphonenumber-js/max'
import { countryOf, readCountry } from './countries.ts'

it('knows every country with a numbering plan by both codes', () => {
  // Ascension and Tristan da Cunha have numbers but no code of their own: they belong to Saint Helena.
  const countries = getCountries().filter((code) => code !== 'AC' && code !== 'TA')
  const unknown = countries.filter((code) => countryOf(readCountry(code) ?? '') !== code)
  assert.deepEqual(unknown, [])
})

it('reads codes in either case and refuses what is none', () => {
  assert.equal(readCountry('fr'), 'FRA')
  assert.equal(readCountry('Fra'), 'FRA')
  assert.equal(readCountry('France'), undefined)
  assert.equal(readCountry('ZZ'), undefined)
})
