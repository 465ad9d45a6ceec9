import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getChannelTraits, resolveHitChannel, sendingChannelNames } from './channel-traits.ts'

test('hits are published under the channel that carried the message when their source sends through it', () => {
  for (const name of sendingChannelNames) assert.equal(resolveHitChannel(getChannelTraits(name).sourceKind, name), name)
})

test("hits of a message that another source's channel carried are published under a channel of their own source", () => {
  for (const name of sendingChannelNames)
    for (const travelled of sendingChannelNames) {
      const { sourceKind } = getChannelTraits(name)
      assert.equal(getChannelTraits(resolveHitChannel(sourceKind, travelled)).sourceKind, sourceKind)
    }
})
