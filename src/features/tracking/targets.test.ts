import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addQueryParameters, toLocationHeader } from './targets.ts'

test('parameters are added before the fragment, and existing ones are kept', () => {
  const parameters = { utm_source: 'news', utm_medium: 'e mail' }
  const cases = [
    ['https://shop.example/a', 'https://shop.example/a?utm_source=news&utm_medium=e+mail'],
    ['https://shop.example/a?b=1#c', 'https://shop.example/a?b=1&utm_source=news&utm_medium=e+mail#c'],
    ['https://shop.example/?', 'https://shop.example/?utm_source=news&utm_medium=e+mail'],
    ['https://shop.example/?utm_source=own', 'https://shop.example/?utm_source=own&utm_medium=e+mail'],
    ['https://shop.example/?utm_source=&utm_medium', 'https://shop.example/?utm_source=&utm_medium'],
    [
      'https://shop.example/#/a?utm_source=x#y',
      'https://shop.example/?utm_source=news&utm_medium=e+mail#/a?utm_source=x#y',
    ],
  ] as const
  for (const [target, expected] of cases) assert.equal(addQueryParameters(target, parameters), expected)
})

test('an address without parameters to add is unchanged', () => {
  const target = 'https://shop.example/%7Ea?x=%20+&&y#'
  assert.equal(addQueryParameters(target, {}), target)
  assert.equal(toLocationHeader(target), target)
})

test('a host is sent as A-labels, and the rest of the address is kept', () => {
  assert.equal(
    toLocationHeader('https://ann@Münze.example:8443/ü?q#ü'),
    'https://ann@xn--mnze-0ra.example:8443/%C3%BC?q#%C3%BC',
  )
  assert.equal(toLocationHeader('HTTPS://日本.example'), 'HTTPS://xn--wgv71a.example')
})

test('characters that a header does not allow are percent-encoded', () => {
  assert.equal(
    toLocationHeader('https://shop.example/é?q=a b\r\nX: y'),
    'https://shop.example/%C3%A9?q=a%20b%0D%0AX:%20y',
  )
  assert.equal(toLocationHeader('https://shop.example/\ud800'), 'https://shop.example/%EF%BF%BD')
})
