import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { WORKFLOW_EVENT_SETTINGS } from '../../console/screens/workflows/model/events.ts'
import {
  addSimulatedEvent,
  createFilteredEvent,
  listEventSettings,
  moveSimulatedEvent,
  type SimulatedEvent,
} from '../../console/screens/workflows/model/simulated-events.ts'
import { listenedEventTypes } from '../../src/features/events/kinds/listened-types.ts'
import { compileMemberFilter } from '../../src/features/workflows/definition/event-member-filter.ts'
import type { RunEventRecord } from '../../src/features/workflows/nodes/node-contract.ts'

suite('workflow events in the console', () => {
  test('every event type has a field for each member of its filter', () => {
    const served = [...listenedEventTypes].map(([type, { members }]) => [type, Object.keys(members).sort()])
    const written = Object.entries(WORKFLOW_EVENT_SETTINGS).map(([type, settings]) => [
      type,
      settings.map(({ at }) => at.slice(1)).sort(),
    ])
    assert.deepEqual(Object.fromEntries(written), Object.fromEntries(served))
  })

  test('the fields of a simulated event are the members that filters match', () => {
    const asked: string[] = []
    for (const [type, settings] of Object.entries(WORKFLOW_EVENT_SETTINGS)) {
      const said = listEventSettings(type)
      for (const { at } of said.filter(({ as }) => as !== 'json')) {
        const value = at === '/data/fields' || at === '/data/channels' ? ['17'] : '17'
        const event = createFilteredEvent(type, at, value) as unknown as RunEventRecord
        const members = settings
          .map((setting) => setting.at.slice(1))
          .filter(
            (name) => compileMemberFilter({ [name]: ['17'] })(event) && !compileMemberFilter({ [name]: ['18'] })(event),
          )
        assert.equal(members.length, 1, `${type} ${at}: ${members}`)
        asked.push(`${type} ${members}`)
      }
    }
    assert.equal(new Set(asked).size, asked.length)
    assert.ok(asked.length > 40, `${asked.length}`)
  })

  test('new events follow an hour apart, and reordered events keep the order of times', () => {
    const one = addSimulatedEvent([], '2026-12-01T09:00:00.000Z', 0)
    const two: SimulatedEvent[] = addSimulatedEvent(one, null, 0)
    assert.deepEqual(
      two.map(({ at }) => at),
      ['2026-12-01T10:00:00.000Z', '2026-12-01T11:00:00.000Z'],
    )
    const events = two.with(1, { ...two[1]!, type: 'custom', name: 'paid' })
    const moved = moveSimulatedEvent(events, 1, -1)
    assert.deepEqual(
      moved.map(({ at, type }) => [at, type]),
      [
        ['2026-12-01T10:00:00.000Z', 'custom'],
        ['2026-12-01T11:00:00.000Z', 'action.hit'],
      ],
    )
    assert.deepEqual(moveSimulatedEvent(moved, 0, 1), events)
    assert.deepEqual(moveSimulatedEvent(events, 1, 1), events)
  })
})
