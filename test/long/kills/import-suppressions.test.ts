import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { ServiceContext } from '../../../src/context.ts'
import { runImport } from '../../../src/features/imports/run/run-import.ts'
import { fileOf, grown, type VendorExport, vendorExports } from '../../support/files/vendor-exports.ts'
import type { Answer } from '../../support/harness.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { call, context, gateway } = stage
const EMAIL = (await call('GET', '/fields')).body[0].id

let made = 0
/** A segment of everybody whose address is of a domain. */
async function everybody(domain: string): Promise<number> {
  const criteria = { all: [{ type: 'field', field: EMAIL, operator: 'endsWith', value: `@${domain}` }] }
  const { body } = await call('POST', '/segments', { body: { type: 'dynamic', name: `Everybody ${++made}`, criteria } })
  return body.id
}

/** Sends a campaign to everybody whom it may be sent to now. */
async function campaign(segment: number): Promise<void> {
  const { id } = await stage.planned(segment, 10_000)
  await stage.sendDue()
  await call('DELETE', `/actions/${id}`)
}

/** The first parts of the addresses of a domain that something was sent to, each once. */
function reached(domain: string): Set<string> {
  const addresses = gateway.sent.flatMap(({ envelope }) => envelope.to)
  return new Set(addresses.flatMap((address) => (address.endsWith(`@${domain}`) ? [address.split('@')[0]!] : [])))
}

/** An import of a file by the mapping that its preview proposes; gives its id. */
async function prepared({ name }: VendorExport, file: Buffer): Promise<number> {
  const { body } = await call('POST', '/imports', { body: { name: `Export ${++made}` } })
  const type = name.endsWith('.zip') ? 'application/zip' : 'text/csv'
  const headers = { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` }
  assert.equal((await call('PUT', `/imports/${body.id}/source`, { body: file, headers })).status, 200)
  const { body: preview } = await call('GET', `/imports/${body.id}/source/preview`)
  const stored = await call('PUT', `/imports/${body.id}`, { body: preview.mapping })
  assert.equal(stored.status, 200, stored.text)
  return body.id
}

const start = async (id: number): Promise<number> => (await call('POST', `/imports/${id}/executions`)).body.id
const outcome = async (id: number, execution: number): Promise<Answer['body']> =>
  (await call('GET', `/imports/${id}/executions/${execution}`)).body

/** A context whose run stops after its next batch. */
function afterOneBatch(): { context: ServiceContext; signal: AbortSignal } {
  const stop = new AbortController()
  const clock = {
    now: () => {
      stop.abort()
      return context.clock.now()
    },
  }
  return { context: { ...context, clock }, signal: stop.signal }
}

async function stopsOf(address: string): Promise<{ list: number | null; flag: number | null }> {
  const { body } = await call('GET', `/targets?unicity=${encodeURIComponent(address)}`)
  return { list: body.redList.mail?.reason ?? null, flag: body.bounce[0]?.type ?? null }
}

suite('suppressions imported from another service', () => {
  for (const one of vendorExports) {
    const { domain, free, redListed, flagged } = one
    test(`${one.title}: suppressed contacts are blocked in the transaction that creates them`, async () => {
      const times = 40
      const texts = grown(one, times, 30_000)
      // Domains of two files of one service differ, so that each is alone in its campaigns.
      const own = `${++made}.${domain}`
      const moved = Object.fromEntries(
        Object.entries(texts).map(([name, text]) => [name, text.replaceAll(`@${domain}`, `@${own}`)]),
      )
      const id = await prepared(one, fileOf({ ...one, texts: moved }))
      const segment = await everybody(own)
      const execution = await start(id)
      let batches = 0
      for (let done = await outcome(id, execution); done.state === 0; done = await outcome(id, execution)) {
        const { context: stopping, signal } = afterOneBatch()
        await runImport(stopping, { execution }, signal)
        batches += 1
        await campaign(segment)
      }
      const done = await outcome(id, execution)
      assert.deepEqual([done.state, done.error, done.rejected], [1, null, 0])
      assert.ok(batches > 1, `${batches} batches`)
      const stopped = times * (redListed.length + Object.keys(flagged).length)
      assert.ok(done.blocked >= stopped, `${done.blocked} of ${stopped}`)
      assert.deepEqual(
        [...reached(own)].sort(),
        free.flatMap((name) => Array.from({ length: times }, (_, n) => `${name}${n}`)).sort(),
      )
      for (const name of redListed) assert.deepEqual(await stopsOf(`${name}0@${own}`), { list: 2, flag: null })
      for (const [name, code] of Object.entries(flagged))
        assert.deepEqual(await stopsOf(`${name}0@${own}`), { list: null, flag: code })
      for (const name of free) assert.deepEqual(await stopsOf(`${name}0@${own}`), { list: null, flag: null })
    })
  }

  test('campaigns that run during the import reach nobody who unsubscribed', async () => {
    const [mailchimp] = vendorExports
    const own = `all-the-time.${mailchimp!.domain}`
    const texts = Object.fromEntries(
      Object.entries(grown(mailchimp!, 120, 30_000)).map(([name, text]) => [
        name,
        text.replaceAll(`@${mailchimp!.domain}`, `@${own}`),
      ]),
    )
    const id = await prepared(mailchimp!, fileOf({ ...mailchimp!, texts }))
    const segment = await everybody(own)
    const execution = await start(id)
    let isOver = false
    const running = runImport(context, { execution }).finally(() => {
      isOver = true
    })
    while (!isOver) await campaign(segment)
    await running
    await campaign(segment)
    assert.equal((await outcome(id, execution)).state, 1)
    assert.deepEqual(
      [...reached(own)].sort(),
      mailchimp!.free.flatMap((name) => Array.from({ length: 120 }, (_, n) => `${name}${n}`)).sort(),
    )
  })

  test('the dry run reports in advance how many contacts will be blocked', async () => {
    const [mailchimp] = vendorExports
    const id = await prepared(mailchimp!, fileOf(mailchimp!))
    const { body } = await call('POST', `/imports/${id}/executions?dryRun=true`)
    await runImport(context, { execution: body.id })
    const dry = await outcome(id, body.id)
    assert.deepEqual([dry.created, dry.blocked, dry.rejected], [6, 4, 0])
    assert.equal((await call('GET', '/targets?unicity=ben%40mailchimp.example')).status, 404)
  })
})
