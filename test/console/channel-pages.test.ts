import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { findNextCursors, mergeChannelPages } from '../../console/screens/all-messages/merge-channels.ts'

const row = (id: string, day: number) => ({ id, creationDate: new Date(Date.UTC(2026, 2, day)).toISOString() })

suite('list of all channels', () => {
  test('rows of all channels stand in one order, newest first', () => {
    const pages = [
      { email: { items: [row('a', 9), row('b', 3)], next: undefined }, sms: { items: [row('c', 5)], next: undefined } },
    ]
    assert.deepEqual(
      mergeChannelPages(pages).map(({ id, channel }) => `${channel} ${id}`),
      ['email a', 'sms c', 'email b'],
    )
    assert.equal(findNextCursors(pages[0]!), undefined)
  })

  test('a row waits until no channel can have a newer one', () => {
    const firstPage = {
      email: { items: [row('a', 9), row('b', 6)], next: 'later' },
      sms: { items: [row('c', 7), row('d', 2)], next: undefined },
    }
    assert.deepEqual(findNextCursors(firstPage), { email: 'later' })
    assert.deepEqual(
      mergeChannelPages([firstPage]).map(({ id }) => id),
      ['a', 'c', 'b'],
    )
    const secondPage = { email: { items: [row('e', 4)], next: undefined } }
    assert.deepEqual(
      mergeChannelPages([firstPage, secondPage]).map(({ id }) => id),
      ['a', 'c', 'b', 'e', 'd'],
    )
  })
})
