import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apnsError } from '../../fakes/push/push-peer-apns.ts'
import { startProgram } from '../../support/processes/process.ts'
import {
  anybody,
  begin,
  comeDue,
  eventsBy,
  execute,
  judge,
  people,
  SLOWEST_MS,
  settle,
} from '../../support/stages/push-run.ts'
import { eventually } from '../../support/wait.ts'

const CONTACTS = 60

test('GOAWAY in mid-batch and dead connections leave each push with one outcome', async (t) => {
  const run = await begin(t)
  const devices = await anybody(run, CONTACTS)
  const { random, services } = run
  for (const peer of Object.values(services.peers)) {
    let taken = 0
    const dead = 5 + Math.floor(random() * 10)
    peer.also = () => {
      if (++taken === dead) return { how: 'dead' }
      return taken % 8 === 0 ? { how: 'goaway' } : { afterMs: Math.floor(random() * SLOWEST_MS) }
    }
  }
  await execute(
    run,
    devices.map(({ contact }) => contact),
  )
  await settle(run, t.signal)
  const { unknown, repeated } = await judge(run, devices, 'hold')
  const connections = Object.values(services.peers).map((peer) => peer.connections)
  assert.ok(Math.max(...connections) > 2, `connections: ${connections.join()}`)
  assert.ok(unknown > 0 && repeated > 0, 'something was on the connections that died')
  t.diagnostic(`${devices.length} deliveries, ${unknown} held, ${repeated} requests again`)
})

test('300 BadDeviceToken answers over two processes, one killed, delete no subscription and pause the provider', async (t) => {
  // Before the database goes.
  let endSecond = async (): Promise<unknown> => undefined
  t.after(() => endSecond())
  const run = await begin(t, { STENTOR_SENDER_THREADS: '2' })
  const { service, services, settings, random, app } = run
  const { call, database, dataDir } = service
  const devices = await people(
    run,
    Array.from({ length: 300 }, () => ['apns' as const]),
  )
  const second = startProgram(['start'], {
    ...settings,
    STENTOR_DATABASE_URL: database.url,
    STENTOR_DATA_DIR: dataDir,
    STENTOR_HTTP_PORT: '0',
  })
  endSecond = () => {
    second.child.kill('SIGKILL')
    return second.ended
  }
  let isWrong = true
  let left = 20 + Math.floor(random() * 150)
  const { apns } = services.peers
  apns.also = () => {
    if (isWrong && --left === 0) service.signal('SIGKILL')
    return isWrong ? { ...apnsError(400, 'BadDeviceToken'), afterMs: Math.floor(random() * SLOWEST_MS) } : undefined
  }
  await eventually(async () => {
    const { rows } = await database.pool.query(
      `select from pg_stat_activity where datname = current_database() and application_name like 'stentor sender%' limit 3`,
    )
    return rows.length === 3
  }, t.signal)
  await execute(
    run,
    devices.map(({ contact }) => contact),
  )
  await service.ended()
  await service.start()
  await eventually(async () => {
    await comeDue(service)
    const { rows } = await database.pool.query('select from push_rests')
    return rows.length === 1
  }, t.signal)
  const kept = async (): Promise<number> => {
    const { rows } = await database.pool.query<{ n: number }>('select count(*)::integer as n from subscriptions')
    return rows[0]?.n ?? 0
  }
  assert.equal(await kept(), devices.length)
  // What is on its way has been answered.
  await eventually(async () => {
    const { rows } = await database.pool.query("select from messages where state = 'claimed'")
    return rows.length === 0
  }, t.signal)
  isWrong = false
  await call('POST', `/parameters/applications/${app}/activation`)
  await settle(run, t.signal)
  assert.equal(await kept(), devices.length)
  const activated = await eventsBy(run, 'activations', 'subscription')
  assert.deepEqual(
    devices.map(({ id }) => activated.get(id)),
    devices.map(() => 1),
  )
  const bounced = (await eventsBy(run, 'bounces', 'subscription')).size
  assert.ok(bounced >= 200, `${bounced} bounced`)
  t.diagnostic(`${bounced} were said to be gone`)
})
