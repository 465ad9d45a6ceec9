import assert from 'node:assert/strict'
import { test } from 'node:test'
import { channelNames, channelOfHits, factsOf } from './facts.ts'

test('hits are published under the channel that carried the message when their source sends through it', () => {
  for (const name of channelNames) assert.equal(channelOfHits(factsOf(name).sourceKind, name), name)
})

test("hits of a message that another source's channel carried are published under a channel of their own source", () => {
  for (const name of channelNames)
    for (const travelled of channelNames) {
      const { sourceKind } = factsOf(name)
      assert.equal(factsOf(channelOfHits(sourceKind, travelled)).sourceKind, sourceKind)
    }
})
