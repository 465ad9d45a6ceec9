import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { outboxLanes } from '../../lib/lanes.ts'
import { getLaneGraceMs, lanesBySenderRole, listSenderRoles, type SenderRole } from './sender-roles.ts'

const roles = (threads: number, isSmall = false) => listSenderRoles({ threads, cores: 2, isSmall })

suite('roles of sender threads', () => {
  test('one thread per core sends campaigns and one more sends everything else', () => {
    assert.deepEqual(roles(0), ['prompt', 'bulk', 'bulk'])
  })

  test('there are as many threads as configured', () => {
    assert.deepEqual(roles(1), ['any'])
    assert.deepEqual(roles(2), ['prompt', 'bulk'])
    assert.deepEqual(roles(4), ['prompt', 'bulk', 'bulk', 'bulk'])
  })

  test('with little memory the default has no extra thread and each thread sends everything', () => {
    assert.deepEqual(roles(0, true), ['any', 'any'])
    assert.deepEqual(roles(2, true), ['prompt', 'bulk'])
  })

  test('every lane has a thread, whatever the roles', () => {
    for (const threads of [0, 1, 2, 3])
      for (const isSmall of [false, true])
        assert.deepEqual(
          new Set(roles(threads, isSmall).flatMap((role) => lanesBySenderRole[role])),
          new Set(Object.values(outboxLanes)),
        )
  })

  test('bulk threads leave only the lanes of single messages to others first', () => {
    const graces = (role: SenderRole) => Object.values(outboxLanes).map((lane) => getLaneGraceMs(role, lane))
    assert.deepEqual(
      { prompt: graces('prompt'), bulk: graces('bulk'), any: graces('any') },
      {
        prompt: [0, 0, 0],
        bulk: [100, 100, 0],
        any: [0, 0, 0],
      },
    )
  })
})
