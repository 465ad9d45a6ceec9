import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startHarness } from '../../support/harness.ts'
import { kindOf, makePerson, openBrowser, PASSWORD } from '../../support/stages/people.ts'

const origin = 'http://stentor.example:8080'
const harness = await startHarness({ STENTOR_PUBLIC_URL: origin })

suite('sign-in over plain HTTP', () => {
  test('is refused under a host name that does not belong to this machine', async () => {
    const { email } = await makePerson(harness, 'Ann', [[harness.own, 'admin']])
    const given: Record<string, object> = {
      '/auth/sign-in': { email, password: PASSWORD },
      '/auth/setup': { token: 'x', email, name: 'Ann', password: PASSWORD },
      '/auth/second-factor': { code: '000000' },
      '/auth/reset': { email },
      '/auth/reset/x': { password: PASSWORD },
      '/auth/reset/password': { token: 'x', password: PASSWORD },
      '/auth/invitations/x': {},
      '/auth/invitations': { token: 'x' },
      '/auth/invitations/acceptance': { token: 'x' },
    }
    for (const [url, body] of Object.entries(given)) {
      const answer = await openBrowser(harness).visit('POST', url, { body, origin })
      assert.deepEqual(kindOf(answer), [403, 'https-needed'], url)
      assert.equal(answer.headers['set-cookie'], undefined)
    }
    assert.equal((await harness.call('GET', '/categories')).status, 200)
  })
})
