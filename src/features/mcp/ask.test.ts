import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildApiPath } from './ask.ts'

test('a path of an object never becomes that of another: parts are encoded, and none is empty or of dots and slashes', () => {
  assert.equal(buildApiPath`/targets/${'a/../b'}/events/${7}`, '/targets/a%2F..%2Fb/events/7')
  assert.equal(buildApiPath`/targets/${'a?b#c%2e'}`, '/targets/a%3Fb%23c%252e')
  for (const id of ['', '.', '..', '/', '../..', '..\\', '...']) {
    assert.throws(() => buildApiPath`/targets/${id}`, { status: 404, kind: 'not-found' }, id)
  }
})
