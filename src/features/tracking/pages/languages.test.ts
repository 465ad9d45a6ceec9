import assert from 'node:assert/strict'
import { test } from 'node:test'
import { negotiatePageLanguage, selectPageLanguage } from './languages.ts'

test('pages are French for French cultures and English for all others', () => {
  const cases = [
    ['fr', 'fr'],
    ['fr-FR', 'fr'],
    ['FR-ca', 'fr'],
    ['de-DE', 'en'],
    ['en-GB', 'en'],
    ['frr', 'en'],
  ] as const
  for (const [culture, language] of cases) assert.equal(selectPageLanguage(culture), language, culture)
})

test('the preferred language of Accept-Language is used, or English when neither is accepted', () => {
  const cases = [
    [undefined, 'en'],
    ['fr', 'fr'],
    ['fr-CA,en;q=0.8', 'fr'],
    ['en-US,fr;q=0.9', 'en'],
    ['de, fr;q=0.5, en;q=0.4', 'fr'],
    ['fr;q=0', 'en'],
    ['*', 'en'],
  ] as const
  for (const [header, language] of cases) assert.equal(negotiatePageLanguage(header), language)
})
