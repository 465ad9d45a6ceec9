import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { buildContentKey, createContentCache } from './content-cache.ts'
import { sampleSource } from './samples.ts'

describe('content cache', () => {
  it('parses a content once for 10,000 messages', () => {
    const cache = createContentCache(10)
    const source = sampleSource({ html: '<a href="https://shop.example/">{{ data.n }}</a>' })
    const compiled = cache.compile('a', source)
    for (let n = 0; n < 10_000; n++) assert.equal(cache.compile('a', source), compiled)
    assert.equal(cache.get('a'), compiled)
  })

  it('evicts the least recently used content', () => {
    const cache = createContentCache(2)
    for (const key of ['a', 'b']) cache.compile(key, sampleSource({ html: key }))
    cache.get('a')
    cache.compile('c', sampleSource({ html: 'c' }))
    assert.deepEqual(
      ['a', 'b', 'c'].map((key) => cache.get(key) !== undefined),
      [true, false, true],
    )
  })

  it('uses the same key for equal sources', () => {
    assert.equal(buildContentKey(sampleSource({ html: 'x' })), buildContentKey(sampleSource({ html: 'x' })))
    assert.notEqual(buildContentKey(sampleSource({ html: 'x' })), buildContentKey(sampleSource({ html: 'y' })))
  })
})
