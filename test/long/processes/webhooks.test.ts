import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { startReceiver } from '../../fakes/web/webhook-receiver.ts'
import { prepareService } from '../../support/processes/process.ts'

const CERTIFICATE = join(import.meta.dirname, '../../fixtures/tls/test-only-cert.pem')

test('a running service delivers events and changes to webhooks over HTTP and HTTPS', async (t) => {
  const [cert, key] = await Promise.all([
    readFile(CERTIFICATE, 'utf8'),
    readFile(CERTIFICATE.replace('cert', 'key'), 'utf8'),
  ])
  const receivers = [await startReceiver(), await startReceiver({ key, cert })]
  t.after(() => Promise.all(receivers.map((receiver) => receiver.close())))
  const { url, call, start } = await prepareService(t, {
    STENTOR_OUTGOING_ALLOW: receivers.map(({ host }) => host).join(','),
    NODE_EXTRA_CA_CERTS: CERTIFICATE,
  })
  await start()
  const events = ['activations', 'target.created']
  const hooks = await Promise.all(
    receivers.map(({ url: to }) =>
      call<{ id: string; secret: string }>('POST', '/webhooks', { name: to, url: to, events }),
    ),
  )

  const campaign = await call<{ id: string }>('POST', '/display/campaign', { name: 'Spring' })
  const banner = { name: 'Banner', campaign: campaign.id, url: 'https://shop.example/' }
  const content = await call<{ id: string }>('POST', '/display/content', banner)
  const placement = await call<{ id: string }>('POST', '/display/placement', { name: 'Home' })
  const place = `placement=${placement.id}`
  const tags = await call<{ impression: string }>('GET', `/display/content/${content.id}/tags?${place}`)
  assert.equal((await fetch(url + new URL(tags.impression).pathname)).status, 200)
  const { id: contact } = await call<{ id: string }>('POST', '/targets', { Email: 'reader@shop.example' })
  const [seen] = await call<object[]>('GET', '/display/events/activations')

  for (const [n, receiver] of receivers.entries()) {
    const received = await receiver.got(2)
    for (const { text, headers } of received)
      new Webhook(hooks[n]?.secret ?? '').verify(text, { ...headers } as Record<string, string>)
    const delivered = new Map(received.map(({ body }) => [body.type, body.data]))
    const { event, date, ...record } = delivered.get('display.activations') ?? {}
    assert.deepEqual(record, seen)
    assert.deepEqual([event, new Date(date).toISOString()], ['activations', date])
    assert.equal(delivered.get('target.created')?.contact, contact)
  }
  const { statistics } = await call<{ statistics: { lastFailure: string | null } }>('GET', `/webhooks/${hooks[1]?.id}`)
  assert.equal(statistics.lastFailure, null)
})
