import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { findNavigationPlace } from '../../console/layout/bar/navigation.ts'

const placeOf = (path: string): string | undefined => {
  const place = findNavigationPlace(path)
  return place && `${place.section.key} > ${place.part.key}`
}

suite('rooms of the left bar', () => {
  test('a page below a room opens that room', () => {
    assert.equal(placeOf('/'), 'home > home')
    assert.equal(placeOf('/messages/email/000001/report'), 'campaigns > campaigns')
    assert.equal(placeOf('/campaigns/7'), 'campaigns > campaignGroups')
    assert.equal(placeOf('/value-lists/3'), 'audience > fields')
  })

  test('a page whose address is in another room opens the room that lists it', () => {
    assert.equal(placeOf('/messages/on-demand'), 'automations > onDemand')
    assert.equal(placeOf('/deliverability/domains/news.example.com'), 'settings > domains')
    assert.equal(placeOf('/deliverability/queues'), 'reports > deliverability')
    assert.equal(placeOf('/settings/applications/new'), 'developers > applications')
    assert.equal(placeOf('/settings'), 'settings > profile')
  })

  test('an address whose name only begins like a room opens none', () => {
    assert.equal(placeOf('/messages-of-old'), undefined)
  })
})
