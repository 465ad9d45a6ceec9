import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { buildTokenActivation, createHitEvent, createUnsubscribeEntry, type HitMessage, toPublishedHit } from './hit.ts'

const message: HitMessage = {
  account: 1,
  channel: 'email',
  sourceKind: 'action',
  source: 12,
  kind: 'message',
  contact: 7,
  stamp: '019512a0-7c11-7d2e-9a42-0c1de0a5b001',
}
const rcs = { ...message, sourceKind: 'rcs', source: 41 } as const
const seen = {
  time: 5,
  ip: null,
  userAgent: null,
  device: { type: 'unknown', os: null, client: null },
  classification: null,
}
const link = { type: 'redirection', id: 2, name: 'shop', url: 'https://shop.example/r' } as const

describe('followed link', () => {
  test('is published as a hit on a channel with hits', () => {
    assert.deepEqual(toPublishedHit('hits', link, seen), { kind: 'hits/redirection', detail: { link, hit: seen } })
  })

  test('is published as an interaction on a channel with interactions', () => {
    const { type, ...followed } = link
    assert.deepEqual(toPublishedHit('interactions', link, seen), {
      kind: 'interactions/redirection',
      detail: { interaction: { type, link: followed, ...seen } },
    })
    assert.deepEqual(toPublishedHit('interactions', { type: 'unsubscribe', via: 'page' }, seen), {
      kind: 'interactions/unsubscribe',
      detail: { interaction: { type: 'unsubscribe', time: 5, classification: null, text: null } },
    })
  })

  test('is published as a hit when there is no such interaction', () => {
    for (const other of [
      { type: 'open' },
      { type: 'mirror', id: null, name: null },
      { type: 'form', id: 1, name: null, form: '0000GH' },
    ] as const)
      assert.deepEqual(toPublishedHit('interactions', other, seen), {
        kind: `hits/${other.type}`,
        detail: { link: other, hit: seen },
      })
  })
})

describe('hit details known without the activation', () => {
  test('identify an action by its interface id and any other source by its number', () => {
    const rest = { kind: 'message', receiver: { type: 'id', value: '00000007' }, stamp: { id: message.stamp } }
    assert.deepEqual(buildTokenActivation(message, message.stamp), { id: '00000C', ...rest })
    assert.deepEqual(buildTokenActivation(rcs, message.stamp), { id: 41, ...rest })
    const event = createHitEvent(
      rcs,
      link,
      { time: 5, address: null, userAgent: null, visitor: null },
      {
        verdict: { classification: null, early: null },
        addressDetail: 'none',
      },
    )
    assert.deepEqual([event.subject, event.fallback], [41, { id: 41, ...rest }])
  })
})

describe('red list entry of an unsubscription', () => {
  test('names the action or, for an interaction, the channel', () => {
    const at = new Date(5)
    assert.deepEqual(createUnsubscribeEntry(message, 5), { at, origin: 4, detail: { action: '00000C' } })
    assert.deepEqual(createUnsubscribeEntry(rcs, 5, 'interactions'), { at, origin: 6, detail: { channel: 'email' } })
  })
})
