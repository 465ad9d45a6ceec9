import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { suite, test } from 'node:test'
import { simpleParser } from 'mailparser'
import { parseMailReports } from '../../../src/features/inbound/mail/reports.ts'
import { addGateway } from '../../../src/sending/gateway-registry/gateway-rows.ts'
import { webhookRequest } from '../../fakes/rcs/rbm-peer-webhook.ts'
import { longTextFaults } from '../../support/long-texts.ts'
import { AGENT, CLIENT_TOKEN, startHookStage } from '../../support/stages/rcs-hook.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { app, call, clock, context, gateway } = stage

let posts = 0
/** Posts from an address of its own, as limits count by address. */
async function post(url: string, payload: string, headers: Record<string, string>, method: 'POST' | 'PUT' = 'POST') {
  posts++
  clock.advance(1000)
  const remoteAddress = `198.51.${(posts >> 8) % 256}.${posts % 256}`
  return (await app.inject({ method, url, headers, payload, remoteAddress })).statusCode
}
const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

suite('long texts of repeated pieces from strangers', () => {
  test('in answers to a form are read in processor time in proportion to their length', async () => {
    const create = async (url: string, body: object) => {
      const answer = await call('POST', url, { body })
      assert.equal(answer.status, 200, answer.text)
      return answer.body.id
    }
    const fields: number[] = []
    for (const type of ['textField', 'textArea', 'numeric', 'date', 'email', 'phone'])
      fields.push(await create('/fields', { type, name: `A ${type}` }))
    const texts = { title: { en: 'Tell us' }, submitLabel: { en: 'Answer' }, successMessage: { en: 'Thanks' } }
    const asks = fields.map((field) => ({ field, label: { en: `Field ${field}` } }))
    const survey = await create('/forms', { name: 'Survey', ...texts, fields: asks })
    const html = `<html><body><a href="${survey}" linktype="Form" dataminingname="survey">Tell us</a></body></html>`
    const reader = await stage.contact('reader@shop.example')
    const action = await stage.validated(await stage.action({ content: { subject: 'Hi', html } }))
    await call('POST', `/actions/${action}/execution`, { body: { recipient: { type: 'id', value: reader } } })
    await stage.settle()
    const mail = await simpleParser(gateway.to('reader@shop.example').at(-1)!.bytes)
    const url = /(\/t\/f\/[\w-]{72})"/.exec(String(mail.html))![1]!
    for (const field of fields) {
      const ask = (text: string) => post(url, new URLSearchParams([[String(field), text]]).toString(), form)
      assert.deepEqual(await longTextFaults(ask), [], `field ${field}`)
    }
  })

  test('in what devices say are read in processor time in proportion to their length', async () => {
    const application = (await call('POST', '/parameters/applications', { body: { name: 'Orchard' } })).body.id
    const body = { id: randomUUID(), application, gateway: { type: 'firebase', token: 'a'.repeat(32) } }
    const places: Record<string, (text: string) => object> = {
      id: (text) => ({ ...body, id: text }),
      application: (text) => ({ ...body, application: text }),
      token: (text) => ({ ...body, gateway: { type: 'firebase', token: text } }),
      endpoint: (text) => ({
        ...body,
        gateway: { type: 'webPush', endpoint: text, keys: { p256dh: text, auth: text } },
      }),
      linked: (text) => ({ ...body, linked: { type: 'hash', value: text } }),
      locale: (text) => ({ ...body, locale: text, device: { model: text, version: text, timeZone: text } }),
    }
    for (const [name, fill] of Object.entries(places)) {
      const ask = (text: string) => post('/api/v1.0/ACME/001/subscriptions', JSON.stringify(fill(text)), json, 'PUT')
      assert.deepEqual(await longTextFaults(ask), [], name)
    }
  })

  test('in callbacks of SMS gateways are read in processor time in proportion to their length', async () => {
    const hookToken = 'a'.repeat(32)
    const settings = { url: 'http://127.0.0.1:9/send?to={{to}}', method: 'GET' }
    const row = { channel: 'sms', kind: 'sms-http', settings, account: null, name: 'recording' } as const
    await addGateway(context.db, context.masterKeys, { ...row, secrets: { hookToken } })
    const report = { type: 'report', id: 'r1', status: 'delivered', to: '+33600000001' }
    const reply = { type: 'reply', id: 'r2', from: '+33600000001', to: '36111', text: 'Stop' }
    const url = `/hooks/sms/${hookToken}`
    for (const body of [report, reply])
      for (const name of Object.keys(body)) {
        const ask = (text: string) => post(url, JSON.stringify({ ...body, [name]: text }), json)
        assert.deepEqual(await longTextFaults(ask), [], `${body.type}, ${name}`)
      }
    const ask = (text: string) => post(url, new URLSearchParams({ ...reply, text }).toString(), form)
    assert.deepEqual(await longTextFaults(ask), [], 'a reply as a form')
  })

  test('in callbacks of RCS are read in processor time in proportion to their length', async () => {
    const hook = await startHookStage(stage)
    const { url } = await hook.makeProfile()
    const event = { senderPhoneNumber: '+33602000001', messageId: 'm1', eventId: 'e1', agentId: AGENT, text: 'Hello' }
    for (const name of Object.keys(event)) {
      const ask = (text: string) => {
        const { headers, body } = webhookRequest({ ...event, [name]: text }, { clientToken: CLIENT_TOKEN })
        return post(new URL(url).pathname, body, headers)
      }
      assert.deepEqual(await longTextFaults(ask), [], name)
    }
  })

  const MAILS: Record<string, (text: string) => string> = {
    'the subject of a mail': (text) => `From: a@shop.example\r\nSubject: ${text}\r\n\r\nHello\r\n`,
    'the sender of a mail': (text) => `From: ${text}\r\nSubject: Undelivered\r\n\r\nHello\r\n`,
    'the type of a mail': (text) => `From: a@shop.example\r\nContent-Type: ${text}\r\n\r\nHello\r\n`,
    'the text of a bounce': (text) =>
      `From: MAILER-DAEMON@shop.example\r\nSubject: Undelivered Mail Returned to Sender\r\n\r\n${text}\r\n`,
    'the line of a recipient in a bounce': (text) =>
      `From: MAILER-DAEMON@shop.example\r\nSubject: failure notice\r\n\r\n<a@shop.example>:\r\n550 5.1.1 ${text}\r\n`,
    'the status of a delivery': (text) =>
      `From: MAILER-DAEMON@shop.example\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n` +
      `--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\nFinal-Recipient: rfc822; a@shop.example\r\n` +
      `Action: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; ${text}\r\n\r\n--b--\r\n`,
    'the HTML of a mail': (text) => `From: a@shop.example\r\nContent-Type: text/html\r\n\r\n${text}\r\n`,
  }
  for (const [name, mailOf] of Object.entries(MAILS))
    test(`in ${name} are read in processor time in proportion to their length`, async () => {
      const ask = async (text: string): Promise<number> => {
        parseMailReports(Buffer.from(mailOf(text)))
        return 200
      }
      assert.deepEqual(await longTextFaults(ask), [])
    })
})
