import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { simpleParser } from 'mailparser'
import { purgeActionExports, writeActionExport } from '../../../src/features/actions/reports/export-files.ts'
import { finalizeHits } from '../../../src/features/events/record/settle.ts'
import { finishContactErasure } from '../../../src/features/personal-data/erase.ts'
import { runDueJobs } from '../../../src/jobs/runner.ts'
import { parseActionId } from '../../../src/lib/ids.ts'
import { DAY_MS } from '../../../src/lib/time/spans.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { app, call, clock, context, dataDir, gateway, own, other } = stage

const BROWSER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const HTML = `<html><body><a href="https://shop.example/a,b" dataminingname="hero">A</a><a href="https://shop.example/c">C</a></body></html>`
const paths = ['recipients', 'tracking/opens', 'tracking/clicks']

async function visit(url: string, agent = BROWSER): Promise<void> {
  clock.advance(60_000)
  await app.inject({
    method: 'GET',
    url: url.replace('https://stentor.example', ''),
    remoteAddress: '203.0.113.77',
    headers: { 'user-agent': agent },
  })
  await finalizeHits(context.db)
}

/** The addresses of a kind in the last message to an address. */
async function links(address: string, letter: string): Promise<string[]> {
  const { html } = await simpleParser(gateway.to(address).at(-1)?.bytes ?? '')
  const all = [...String(html).matchAll(/(?:href|src)="([^"]+)"/g)].map(([, url = '']) => url.replaceAll('&amp;', '&'))
  return all.filter((url) => url.includes(`/t/${letter}/`))
}

const csv = (action: string, path: string, key = own.key) =>
  call('GET', `/actions/${action}/export/${path}.csv`, { key })
const lines = (text: string) => text.split('\r\n').slice(0, -1)
const files = async () => (await readdir(join(dataDir, 'exports')).catch(() => [])).sort()
const jobs = () =>
  runDueJobs(context.pool, context.log, {
    'actions.export': (payload) => writeActionExport(context, payload),
    'contacts.erase': (payload) => finishContactErasure(context, payload),
  })

/** The text of every mail that was captured for an address. */
async function mailsTo(address: string): Promise<string[]> {
  const root = join(dataDir, 'captured')
  const found = await readdir(root, { recursive: true }).catch(() => [])
  const mails = await Promise.all(
    found.filter((name) => name.endsWith('.eml')).map((name) => readFile(join(root, name))),
  )
  const parsed = await Promise.all(mails.map((bytes) => simpleParser(bytes)))
  return parsed.filter(({ to }) => JSON.stringify(to).includes(address)).map(({ text = '' }) => text)
}

const [ann, bob] = [await stage.contact('ann@example.org'), await stage.contact('bob@example.org')]
const action = await stage.validated(
  await stage.action({ settings: { purpose: { type: 'service' } }, content: { subject: 'Hello', html: HTML } }),
)
const { body: results } = await call('POST', `/actions/${action}/executions`, {
  body: [ann, bob].map((value) => ({ recipient: { type: 'id', value } })),
})
const [stamp = ''] = results.map(({ id }: { id: string }) => id)
const { hash } = results[0].recipient
await stage.sendDue()
const [pixel = ''] = await links('ann@example.org', 'o')
const [hero = '', plain = ''] = await links('ann@example.org', 'r')
for (const url of [pixel, hero, plain, pixel, hero]) await visit(url)
await visit((await links('bob@example.org', 'o'))[0] ?? '', 'curl/8.5.0')
await visit((await links('proof@desk.example', 'o'))[0] ?? '')

suite('a CSV export', () => {
  test('has one line per recipient, without proofs', async () => {
    const { status, headers, text } = await csv(action, 'recipients')
    assert.deepEqual([status, headers['content-type']], [200, 'text/csv; charset=utf-8'])
    const [head, first = '', second = '', ...more] = lines(text)
    assert.equal(head, 'contact,unicity,hash,address,stamp,sent')
    const [sent] = first.split(',').slice(-1)
    const rows = [first, second].sort()
    assert.equal(rows[0]?.slice(0, rows[0].lastIndexOf(',')), `${ann},ann@example.org,${hash},ann@example.org,${stamp}`)
    assert.match(sent ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.deepEqual(more, [])
  })

  test('counts opens per message, without robots and proofs', async () => {
    const [head, line = '', ...more] = lines((await csv(action, 'tracking/opens')).text)
    assert.equal(head, 'contact,unicity,hash,address,stamp,first,last,count')
    const [first = '', last = '', count] = line.split(',').slice(5)
    assert.equal(line, [ann, 'ann@example.org', hash, 'ann@example.org', stamp, first, last, '2'].join(','))
    assert.ok(first < last, `${first} ${last} ${count}`)
    assert.deepEqual(more, [])
  })

  test('counts clicks per message and named link', async () => {
    const [head, ...rows] = lines((await csv(action, 'tracking/clicks')).text)
    assert.equal(head, 'contact,unicity,hash,address,stamp,link,url,first,last,count')
    assert.equal(rows.length, 2)
    assert.match(rows[0] ?? '', new RegExp(`^${ann},.*,${stamp},hero,"https://shop.example/a,b",.*,2$`))
    assert.match(rows[1] ?? '', /,C,https:\/\/shop\.example\/c,.*,1$/)
  })

  test('is only the header for an action without messages, and 404 for another account', async () => {
    const empty = await stage.action()
    const noRight = await stage.makeKey(own.account, ['send'])
    for (const path of paths) {
      assert.equal(lines((await csv(empty, path)).text).length, 1)
      for (const suffix of ['', '.csv']) {
        const url = `/actions/${action}/export/${path}${suffix}`
        assert.equal((await call('GET', url, { key: other.key })).status, 404)
        assert.equal((await call('GET', url, { key: noRight })).status, 403)
        assert.equal((await call('GET', `/actions/ZZZZZZ/export/${path}${suffix}`)).status, 404)
      }
    }
  })
})

suite('an export by email', () => {
  const ask = (path: string) => call('GET', `/actions/${action}/export/${path}`)

  test('creates nothing without report recipients', async () => {
    assert.deepEqual([(await ask('recipients')).status, (await ask('recipients')).text], [204, ''])
    await jobs()
    assert.deepEqual(await files(), [])
  })

  test('runs one job per kind, and its file is available at an emailed link for seven days', async () => {
    await call('PUT', '/settings/sending', { body: { reportAddresses: ['desk@office.example'] } })
    for (const path of paths) {
      assert.deepEqual([(await ask(path)).status, (await ask(path)).status], [204, 204])
      // Captured mails are distinguished by their time.
      clock.advance(1000)
      await jobs()
    }
    assert.equal((await files()).length, 3)
    const texts = await mailsTo('desk@office.example')
    assert.equal(texts.length, 3)
    const urls = texts.map(
      (text) => /https:\/\/stentor\.example(\/exports\/[\w-]+)/.exec(text.replaceAll(/=\r?\n/g, ''))?.[1] ?? '',
    )
    const answers = await Promise.all(urls.map((url) => call('GET', url, { key: null })))
    const streamed = await Promise.all(paths.map((path) => csv(action, path)))
    assert.deepEqual(answers.map(({ text }) => text).sort(), streamed.map(({ text }) => text).sort())
    const [url = ''] = urls
    const [file] = answers
    assert.equal(file?.headers['content-type'], 'text/csv; charset=utf-8')
    assert.match(
      String(file?.headers['content-disposition']),
      new RegExp(`^attachment; filename="${action}-\\w+\\.csv"$`),
    )
    assert.equal((await call('GET', `${url.slice(0, -1)}${url.endsWith('x') ? 'y' : 'x'}`, { key: null })).status, 404)
    assert.equal((await call('GET', url.replace('exports', 'archives'), { key: null })).status, 404)
    await purgeActionExports(context)
    assert.equal((await files()).length, 3)
    clock.advance(7 * DAY_MS)
    assert.equal((await call('GET', url, { key: null })).status, 404)
    await purgeActionExports(context)
    assert.deepEqual(await files(), [])
  })

  test('excludes contacts erased since', async () => {
    await ask('recipients')
    await jobs()
    assert.equal((await files()).length, 1)
    assert.equal((await call('DELETE', `/targets/${bob}?erase=true`)).status, 204)
    await jobs()
    assert.deepEqual(await files(), [])
    assert.ok(!(await csv(action, 'recipients')).text.includes('bob@example.org'))
  })

  test('leaves no file when aborted, and is created on retry', async () => {
    const id = randomUUID()
    const payload = { account: own.account, action: parseActionId(action)!, kind: 'recipients', export: id } as const
    await assert.rejects(writeActionExport(context, payload, AbortSignal.abort()), { name: 'AbortError' })
    assert.deepEqual(await files(), [])
    await writeActionExport(context, payload)
    assert.deepEqual(await files(), [`${id}.csv`])
    clock.advance(7 * DAY_MS)
    await purgeActionExports(context)
    assert.deepEqual(await files(), [])
  })

  test('is 404 for a deleted action', async () => {
    assert.equal((await call('DELETE', `/actions/${action}`)).status, 204)
    for (const path of paths) {
      assert.equal((await ask(path)).status, 404)
      assert.equal((await csv(action, path)).status, 404)
    }
  })
})
