import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { replaceListenedTypes } from '../../../src/features/notices/listening.ts'
import type { SubscriptionPutOutcome } from '../../../src/features/subscriptions/put.ts'
import { parseSubscriptionPut } from '../../../src/features/subscriptions/read-put.ts'
import { storeSubscriptionPuts } from '../../../src/features/subscriptions/subscriptions.ts'
import { Problem } from '../../../src/lib/errors/problem.ts'
import { startStage } from '../../support/stages/stage.ts'
import { eventually } from '../../support/wait.ts'

const { call, clock, contact, context, own } = await startStage()
const { db } = context
const read = (body: object) => parseSubscriptionPut(body, { isDevice: true, pushHosts: [] })

async function application(name: string): Promise<string> {
  return (await call('POST', '/parameters/applications', { body: { name } })).body.id
}

/** Puts as devices do, in one transaction; the clock goes on before it. */
function put(bodies: readonly object[], on = db): Promise<SubscriptionPutOutcome[]> {
  clock.advance(1)
  const putting = { now: new Date(clock.now()), user: null, admit: async () => undefined }
  return storeSubscriptionPuts(on, own.account, bodies.map(read), putting)
}

const blocked = () =>
  sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    .execute(db)
    .then(({ rows }) => rows.length > 0)

suite('concurrent puts of devices', () => {
  test('keep the contact when two first puts of one device meet', async () => {
    const app = await application('Meeting')
    const value = await contact('ada@orchard.example')
    const body = { id: randomUUID(), application: app, gateway: { type: 'firebase', token: 'one' } }
    const tx = await db.startTransaction().execute()
    await put([{ ...body, linked: { type: 'id', value } }], tx)
    const second = put([{ ...body, gateway: { type: 'firebase', token: 'two' } }])
    await eventually(blocked)
    await tx.commit().execute()
    assert.deepEqual(await second, [{ id: body.id }])
    const { body: shown } = await call('GET', `/subscriptions/${body.id}`)
    assert.deepEqual([shown.contact.id, shown.provider.token], [value, 'two'])
  })

  test('are refused for an id just taken by another application', async () => {
    const [mine, theirs] = [await application('Mine'), await application('Theirs')]
    const body = { id: randomUUID(), gateway: { type: 'firebase', token: 'three' } }
    const tx = await db.startTransaction().execute()
    await put([{ ...body, application: theirs }], tx)
    const second = put([{ ...body, application: mine }])
    await eventually(blocked)
    await tx.commit().execute()
    const [refusal] = await second
    assert.equal(refusal instanceof Problem && refusal.kind, 'other-application')
    assert.equal((await call('GET', `/subscriptions/${body.id}`)).body.application, theirs)
  })

  test('leave the same state and notices in a group as one by one', async () => {
    await replaceListenedTypes(db, own.account, 'webhook puts', ['subscription.created', 'subscription.deleted'])
    const value = await contact('bea@orchard.example')
    let seed = 7
    const pick = (n: number) => (seed = (seed * 48_271) % 2_147_483_647) % n
    for (let round = 0; round < 40; round++) {
      const [grouped, single] = [await application(`G${round}`), await application(`S${round}`)]
      const ids = Array.from({ length: 4 }, () => [randomUUID(), randomUUID()] as const)
      const puts = Array.from({ length: 10 }, () => ({
        device: pick(ids.length),
        token: `t${pick(5)}`,
        ...(pick(3) === 0 && { linked: { type: 'id', value } }),
      }))
      const bodies = (app: string, side: 0 | 1) =>
        puts.map(({ device, token, ...more }) => {
          return { id: ids[device]![side], application: app, gateway: { type: 'firebase', token }, ...more }
        })
      await put(bodies(grouped, 0).slice(0, 4))
      await put(bodies(grouped, 0).slice(4))
      for (const body of bodies(single, 1)) await put([body])
      const left = async (app: string, side: 0 | 1) => {
        const { rows } = await sql<{ id: string; token: string; named: boolean }>`
          select id, token, contact is not null as named from subscriptions where application = ${app}`.execute(db)
        const { rows: notices } = await sql<{ type: string; n: number }>`
          select type, count(*)::integer as n from notices where data ->> 'application' = ${app} group by 1 order by 1`.execute(
          db,
        )
        const subscriptions = rows
          .map(({ id, ...row }) => ({ device: ids.findIndex((pair) => pair[side] === id), ...row }))
          .sort((a, b) => a.device - b.device)
        return { subscriptions, notices }
      }
      assert.deepEqual(await left(grouped, 0), await left(single, 1), JSON.stringify(puts))
    }
  })
})
