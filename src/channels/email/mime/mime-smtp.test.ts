import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import type { GatewayOutcome } from '../../../gateways/gateway.ts'
import { readSmtpSettings } from '../../../gateways/smtp/settings.ts'
import { openSmtpGateway } from '../../../gateways/smtp/smtp.ts'
import { composeMail, toMailBytes } from './mime.ts'

const fixture = (name: string) =>
  readFileSync(new URL(`../../../../test/fixtures/tls/${name}`, import.meta.url), 'utf8')
const key = fixture('test-only-key.pem')
const cert = fixture('test-only-cert.pem')

/** A server that is not ours: STARTTLS, AUTH, and one address it does not know. */
async function peer(received: ParsedMail[]): Promise<{ server: SMTPServer; port: number }> {
  const server = new SMTPServer({
    key,
    cert,
    authMethods: ['LOGIN', 'PLAIN'],
    onAuth: ({ username, password }, _session, done) =>
      username === 'shop' && password === 'pässword' ? done(null, { user: 1 }) : done(new Error('Wrong password')),
    onRcptTo: ({ address }, _session, done) =>
      address === 'nobody@example.com'
        ? done(Object.assign(new Error('5.1.1 no such user'), { responseCode: 550 }))
        : done(),
    onData: (stream, _session, done) => {
      simpleParser(stream).then((mail) => {
        received.push(mail)
        done()
      }, done)
    },
  })
  const port = await new Promise<number>((resolve) => {
    const listening = server.listen(0, '127.0.0.1', () => {
      const address = listening.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
  return { server, port }
}

describe('SMTP gateway › a third-party server', () => {
  for (const mechanism of ['PLAIN', 'LOGIN']) {
    it(`encrypts, authenticates with ${mechanism}, sends a message and reports a refusal`, async () => {
      const received: ParsedMail[] = []
      const { server, port } = await peer(received)
      server.options.authMethods = [mechanism]
      const settings = readSmtpSettings({ host: 'localhost', port, tls: 'required', ca: cert, connections: 2 })
      const gateway = openSmtpGateway('peer', settings, { username: 'shop', password: 'pässword' })
      assert.match((await gateway.check()).detail, /TLSv1\.3, authenticated as shop/)

      const outcomes: GatewayOutcome[] = []
      const batch = ['ann@example.com', 'nobody@example.com', 'zoé@example.com'].map((to, id) => {
        const mail = composeMail({
          from: { address: 'news@shop.example', label: 'The Shop' },
          to: { address: to },
          subject: `À ${to}`,
          timeMs: 0,
          stamp: `00000000-0000-7000-8000-00000000000${id}`,
          stampToken: 'x',
          purpose: 'marketing',
          content: { format: 2, html: '<p>Été</p>\n.\n', text: '.\nÉté' },
        })
        assert.ok('headers' in mail)
        return { id, envelope: { from: 'b@shop.example', to }, bytes: toMailBytes(mail), smtputf8: mail.smtputf8 }
      })
      await gateway.send(batch, { outcome: (outcome) => outcomes.push(outcome) })
      await gateway.close()
      await new Promise<void>((resolve) => server.close(() => resolve()))

      const byId = outcomes.toSorted((a, b) => a.id - b.id)
      assert.deepEqual(
        byId.map(({ result }) => result),
        ['accepted', 'refused', 'accepted'],
      )
      assert.equal(byId[1]?.result === 'refused' && byId[1].enhanced, '5.1.1')
      assert.deepEqual(received.map(({ subject }) => subject).sort(), ['À ann@example.com', 'À zoé@example.com'])
      assert.ok(received.every(({ text, html }) => text === '.\nÉté' && html === '<p>Été</p>\n.\n'))
    })
  }
})
