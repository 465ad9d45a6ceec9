import assert from 'node:assert/strict'
import { test } from 'node:test'
import { channelNames, channelOfHits, factsOf } from './facts.ts'

test('hits of a message are published under the channel it travelled by, if that is one of its source', () => {
  for (const name of channelNames) assert.equal(channelOfHits(factsOf(name).sourceKind, name), name)
})

test('hits of a source that travelled by the channel of another are published under its own', () => {
  for (const name of channelNames)
    for (const travelled of channelNames) {
      const { sourceKind } = factsOf(name)
      assert.equal(factsOf(channelOfHits(sourceKind, travelled)).sourceKind, sourceKind)
    }
})
