import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, suite, test } from 'node:test'
import { simpleParser } from 'mailparser'
import { createOutboundPolicy } from '../../../src/lib/net/guarded-client.ts'
import { startStage } from '../../support/stages/stage.ts'

const { call, clock, context, gateway, sender, action, contact, sendDue, validated } = await startStage()

const MIB = 1024 * 1024
const PDF = Buffer.from('%PDF-1.7 the bytes of a bill')

/** What the host answers, by path. */
const answers: Record<string, RequestListener> = {
  '/bill.pdf': (_request, response) => response.end(PDF),
  '/moved': (_request, response) => response.writeHead(302, { location: '/bill.pdf' }).end(),
  '/round': (_request, response) => response.writeHead(302, { location: '/round' }).end(),
  '/inward': (_request, response) => response.writeHead(302, { location: 'https://10.0.0.1/bill.pdf' }).end(),
  '/plain': (_request, response) => response.writeHead(302, { location: 'http://files.shop.example/a' }).end(),
  '/elsewhere': (_request, response) => response.writeHead(302, { location: 'https://elsewhere.example/a' }).end(),
  '/half': (_request, response) => response.end(Buffer.alloc(8 * MIB)),
  '/broken': (request) => request.socket.destroy(),
}
const asked: string[] = []
const server = createServer((request, response) => {
  asked.push(request.url ?? '')
  const answer = answers[request.url ?? '']
  if (answer) answer(request, response)
  else response.writeHead(404).end('none')
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
after(() => {
  server.closeAllConnections()
  server.close()
})
const { port } = server.address() as AddressInfo
const at = (path: string): string => `http://127.0.0.1:${port}${path}`
context.config.outgoingAllow = [`127.0.0.1:${port}`]
sender.reach = createOutboundPolicy(context.config.outgoingAllow)
const HOSTS = ['127.0.0.1', '10.0.0.1', 'Files.shop.example']
await call('PUT', '/settings/sending', { body: { attachmentHosts: HOSTS } })

let contacts = 0
const message = await validated(await action())

function url(value: string, name = 'bill.pdf') {
  return { name, mime: 'application/pdf', data: { type: 'url', value } }
}

/** Sends one message to a contact of its own; gives its result and the address. */
async function send(attachments: object[], more: object = {}) {
  const address = `file${++contacts}@shop.example`
  await contact(address)
  const item = { recipient: { type: 'unicity', value: [address] }, attachments, ...more }
  const { status, body, text } = await call('POST', `/actions/${message}/execution`, { body: item })
  assert.equal(status, 200, text)
  return { address, result: body }
}

async function cancellationOf(stamp: string) {
  const { body } = await call('GET', `/actions/${message}/events`)
  const own = body.filter(
    ({ type, source }: { type: string; source: { detail: { execution?: { stamp: { id: string } } } } }) =>
      type === 'cancellation' && source.detail.execution?.stamp.id === stamp,
  )
  assert.equal(own.length, 1, `cancellations of ${stamp}`)
  return own[0].source.detail.cancellation
}

suite('an attachment given by URL', () => {
  test('is fetched at sending time and sent along with attachments given as bytes', async () => {
    const before = asked.length
    const note = { name: 'note.txt', mime: 'text/plain', data: { type: 'base64', value: 'aGVsbG8=' } }
    const { address, result } = await send([url(at('/bill.pdf')), note, url(at('/moved'), 'again.pdf')])
    assert.equal(result.type, 'success')
    assert.equal(asked.length, before, 'nothing is fetched while the request is answered')
    await sendDue()
    const { attachments } = await simpleParser(gateway.to(address)[0]!.bytes)
    assert.deepEqual(
      attachments.map(({ filename, contentType, content }) => [filename, contentType, content.toString()]),
      [
        ['bill.pdf', 'application/pdf', PDF.toString()],
        ['note.txt', 'text/plain', 'hello'],
        ['again.pdf', 'application/pdf', PDF.toString()],
      ],
    )
  })

  test('is also in the copies of its message', async () => {
    await send([url(at('/bill.pdf'))], { copies: [{ type: 'address', value: 'copy@desk.example' }] })
    await sendDue()
    const { attachments } = await simpleParser(gateway.to('copy@desk.example')[0]!.bytes)
    assert.deepEqual(
      attachments.map(({ content }) => content.toString()),
      [PDF.toString()],
    )
  })

  test('is an item error at once if the host is not allowed, is private or lacks https', async () => {
    const cases: [string, RegExp][] = [
      ['https://elsewhere.example/a.pdf', /host not allowed: elsewhere\.example/],
      ['http://files.shop.example/a.pdf', /https/],
      ['https://10.0.0.1/a.pdf', /private address/],
      [`http://127.0.0.1:${port + 1}/bill.pdf`, /https/],
      ['https://files.shop.example@elsewhere.example/a.pdf', /user name/],
      ['https://ann:secret@files.shop.example/a.pdf', /user name/],
      ['ftp://files.shop.example/a.pdf', /https/],
      ['bill.pdf', /https/],
    ]
    const before = asked.length
    for (const [value, words] of cases) {
      const { result } = await send([url(value)])
      assert.deepEqual([result.type, result.value.type, result.value.name], ['error', 'attachment', 'bill.pdf'], value)
      assert.match(result.value.message, words)
    }
    assert.equal(await sendDue(), 0)
    assert.equal(asked.length, before)
  })

  test('cancels only its own message, with the reason, if it cannot be fetched', async () => {
    const cases: [string, RegExp][] = [
      ['/none', /answered 404/],
      ['/broken', /connection failed/],
      ['/round', /too many redirects/],
      ['/inward', /private address/],
      ['/plain', /https/],
      ['/elsewhere', /elsewhere\.example is not one of attachmentHosts/],
    ]
    const sent = []
    for (const [path, words] of cases) sent.push({ ...(await send([url(at(path), 'lost.pdf')])), words })
    const whole = [await send([]), await send([url(at('/bill.pdf'))])]
    await sendDue()
    for (const { address, result, words } of sent) {
      const { type, value } = await cancellationOf(result.id)
      assert.deepEqual([type, value.name], ['attachment', 'lost.pdf'])
      assert.match(value.reason, words)
      assert.equal(gateway.to(address).length, 0)
    }
    for (const { address } of whole) assert.equal(gateway.to(address).length, 1)
  })

  test('cancels its message if all attachments together exceed 15 MiB', async () => {
    const half = { name: 'half.bin', mime: 'application/octet-stream' }
    const bytes = { ...half, data: { type: 'base64', value: Buffer.alloc(8 * MIB).toString('base64') } }
    const cases = [
      [bytes, url(at('/half'))],
      [url(at('/half'), 'first.bin'), url(at('/half'))],
    ]
    for (const attachments of cases) {
      const { address, result } = await send(attachments)
      await sendDue()
      const { type, value } = await cancellationOf(result.id)
      assert.deepEqual([type, value.name], ['attachment', 'bill.pdf'])
      assert.match(value.reason, /bytes|15 MiB/)
      assert.equal(gateway.to(address).length, 0)
    }
  })

  test('is not fetched if its host name now resolves to a private address', async () => {
    const reach = sender.reach
    sender.reach = { ...reach, resolve: async () => ['10.1.2.3'] }
    const { result } = await send([url('https://files.shop.example/bill.pdf')])
    await sendDue()
    sender.reach = reach
    const { type, value } = await cancellationOf(result.id)
    assert.deepEqual(
      [type, value],
      ['attachment', { name: 'bill.pdf', reason: 'the address resolves to a private address' }],
    )
  })

  test('is not fetched if its host is no longer allowed at sending time', async () => {
    const { result } = await send([url(at('/bill.pdf'))])
    const before = asked.length
    await call('PUT', '/settings/sending', { body: { attachmentHosts: [] } })
    clock.advance(2000)
    await sendDue()
    await call('PUT', '/settings/sending', { body: { attachmentHosts: HOSTS } })
    clock.advance(2000)
    assert.match((await cancellationOf(result.id)).value.reason, /not one of attachmentHosts/)
    assert.equal(asked.length, before)
  })
})
