import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anybody, begin, comeDue, execute, judge, type Run, SLOWEST_MS, settle } from '../../support/stages/push-run.ts'
import { eventually } from '../../support/wait.ts'

/** A kill leaves in doubt what is under way, which is nearly all: so each portion of the contacts has its own. */
const PORTION = 20
const KILLS = 2
const CONTACTS = PORTION * (KILLS + 1)
/** The process is killed when services have taken as many pushes of a portion as this, at most. */
const MOST_BETWEEN = PORTION

/** Sends to contacts, portion by portion; the process is killed in all but the last, as services take pushes of it. */
async function sendAndKill(run: Run, contacts: readonly string[], signal: AbortSignal): Promise<void> {
  const { service, services, random } = run
  let [left, kills] = [Number.POSITIVE_INFINITY, 0]
  for (const peer of Object.values(services.peers))
    peer.also = () => {
      if (--left === 0) {
        // It was taken, and nobody is there any more to read that.
        kills++
        service.signal('SIGKILL')
      }
      return { afterMs: Math.floor(random() * SLOWEST_MS) }
    }
  for (let portion = 0; portion < KILLS; portion++) {
    left = 1 + Math.floor(random() * MOST_BETWEEN)
    // The answer is lost when the process dies before it is given: what was requested is stored by then.
    await execute(run, contacts.slice(portion * PORTION, (portion + 1) * PORTION)).catch(() => undefined)
    await eventually(() => kills > portion, signal)
    await service.ended()
    await service.start()
    await comeDue(service)
  }
  left = Number.POSITIVE_INFINITY
  await execute(run, contacts.slice(KILLS * PORTION))
}

for (const inDoubt of ['hold', 'send'] as const)
  test(`pushes of all providers whose sender is repeatedly killed end once each, with inDoubt ${inDoubt}`, async (t) => {
    const run = await begin(t)
    await run.service.call('PUT', '/settings/sending', { inDoubt })
    const devices = await anybody(run, CONTACTS)
    await sendAndKill(run, [...new Set(devices.map(({ contact }) => contact))], t.signal)
    await settle(run, t.signal)
    const { unknown, repeated } = await judge(run, devices, inDoubt)
    assert.ok(unknown + repeated > 0, 'something was under way when the sender died')
    t.diagnostic(`${KILLS} kills; ${devices.length} deliveries, ${unknown} held, ${repeated} requests again`)
  })
