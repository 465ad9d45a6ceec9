import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { calendarDay, limit, pressureTools } from '../../support/stages/pressure.ts'
import { startRcsRequests } from '../../support/stages/rcs-requests.ts'

const stage = await startRcsRequests()
const { ask, call, clock, field, gateway, phone, profile, ready, sendDue } = stage

suite('RCS messages under marketing pressure', () => {
  const marketing = { profile, field, purpose: { type: 'marketing' }, mp: { use: true, increment: true } }

  test("are cancelled with the channel's limit that was reached, and an email passes", async () => {
    await call('PUT', '/settings/sending', { body: { testRequired: false } })
    const tools = pressureTools(stage)
    const id = await ready({ settings: marketing })
    const email = await tools.mail()
    await tools.rule([limit(3), limit(1, { period: calendarDay, channels: ['rcs'] })])
    clock.set('2026-07-14T10:00:00Z')
    const someone = await phone('pressed@shop.example', '+33612345699')
    const send = async (): Promise<string> => {
      const { body } = await ask('POST', `${id}/execution`, { recipient: { type: 'id', value: someone } })
      await sendDue()
      return tools.outcome(body.id)
    }
    const before = gateway.sentRcs.length
    assert.deepEqual([await send(), await send()], ['accepted', 'cancelled'])
    assert.equal(gateway.sentRcs.length - before, 1)
    const stopped = await tools.cancellation(someone)
    assert.deepEqual([stopped?.type, stopped?.value['expression']], ['marketing pressure', 1])
    assert.equal(await tools.send(email, someone), 'accepted')
    const standing = await tools.standing(someone)
    assert.deepEqual(
      standing.map(({ channels, count }: { channels: string[]; count: number }) => [channels, count]),
      [
        [[], 2],
        [['rcs'], 1],
      ],
    )
    await tools.withoutRules()
  })
})
