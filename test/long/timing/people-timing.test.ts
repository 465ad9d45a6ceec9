import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createPasswordHasher } from '../../../src/features/people/sign-in/passwords.ts'
import { startHarness } from '../../support/harness.ts'
import { makePerson, openBrowser, PASSWORD, signedIn } from '../../support/stages/people.ts'

const PAIRS = 30
const harness = await startHarness({}, { passwords: createPasswordHasher() })

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

suite('a wrong password', () => {
  test('is compared with an Argon2id hash with 64 MiB and three passes', async () => {
    const person = await makePerson(harness, 'Tom', [[harness.own, 'viewer']])
    const browser = await signedIn(harness, person)
    const body = { old: PASSWORD, new: 'pears and plums and apples' }
    assert.equal((await browser.visit('PUT', '/me/password', { body })).status, 204)
    const { password } = await harness.context.db
      .selectFrom('people')
      .select('password')
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow()
    assert.match(String(password), /^\$argon2id\$v=19\$m=65536,t=3,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  })

  test('takes as long for an unknown email as for a known one', async () => {
    const { email } = await makePerson(harness, 'Tim', [[harness.own, 'viewer']])
    const measure = async (name: string): Promise<number> => {
      const before = process.cpuUsage()
      const body = { email: name, password: 'a wrong password' }
      const { status } = await openBrowser(harness).visit('POST', '/auth/sign-in', { body })
      assert.equal(status, 401)
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    }
    const known: number[] = []
    const unknown: number[] = []
    // Processor time of this process, whose threads do nothing else: what the machine does otherwise does not count.
    for (let n = 0; n < PAIRS; n++) {
      if (n % 4 === 0) harness.clock.advance(16 * 60_000)
      known.push(await measure(email))
      unknown.push(await measure('tam@people.example'))
    }
    // Each pair by itself: the processor may be faster in a part of this time.
    const ratio = median(known.map((ms, n) => ms / unknown[n]!))
    assert.ok(
      ratio > 0.9 && ratio < 1.1,
      `${median(known)} ms of processor time for a known email, ${median(unknown)} ms for an unknown one`,
    )
  })
})
