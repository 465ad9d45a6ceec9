import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type MessageLinkToken, signLinkToken } from '../../../src/lib/crypto/tokens.ts'
import { parseActionId } from '../../../src/lib/ids.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { app, call, clock, context, gateway, action, contact, segment, settle, validated } = stage

clock.set('2026-03-02T10:00:00.000Z')
const content = {
  subject: 'Of [{{ campaign.name }}]',
  html: '<p>{{ campaign.name }} {{ campaign.id }}</p><a href="MirrorPage">Online</a>',
}
const ann = await contact('ann@shop.example')

async function campaign(name: string, items: readonly string[], type = 'email'): Promise<string> {
  clock.advance(1000)
  const body = { name, items: items.map((id) => ({ type, id })) }
  const answer = await call('POST', '/campaigns', { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.id
}

/** Sends an action's message to a contact, after what a sender trusted of the time before; gives its bytes. */
async function sent(id: string, to = ann, address = 'ann@shop.example'): Promise<string> {
  clock.advance(2000)
  const answer = await call('POST', `/actions/${id}/execution`, { body: { recipient: { type: 'id', value: to } } })
  assert.equal(answer.body.type, 'success', answer.text)
  await settle()
  return String(gateway.to(address).at(-1)?.bytes)
}

function subjectOf(mail: string): string | undefined {
  return /^Subject: (.*)\r$/m.exec(mail)?.[1]
}

async function rendered(id: string): Promise<string> {
  return (await call('POST', `/actions/${id}/render`, { body: {} })).body.subject
}

async function mirrorOf(mail: string): Promise<string> {
  const [, path = ''] =
    /href="https:\/\/stentor\.example(\/t\/m\/[\w-]{72})"/.exec(mail.replaceAll(/=\r\n/g, '').replaceAll('=3D', '=')) ??
    []
  const { statusCode, payload } = await app.inject({ url: path })
  assert.equal(statusCode, 200, mail)
  return payload
}

suite('the campaign in a template', () => {
  test('is the oldest one that holds the action, in sends, proofs, previews and links', async () => {
    const id = await action({
      content: { ...content, text: '{{ "https://shop.example/" | append: campaign.id | tracked: "a" }}' },
    })
    const older = await campaign('Older', [id])
    await campaign('Newer', [id])
    assert.equal(await rendered(id), 'Of [Older]')
    await validated(id)
    const proof = String(gateway.to('proof@desk.example').at(-1)?.bytes)
    assert.equal(subjectOf(proof), '[TEST] Of [Older]')
    const mail = await sent(id)
    assert.equal(subjectOf(mail), 'Of [Older]')
    assert.match(mail, new RegExp(`<p>Older ${older}</p>`))
    const links = [{ type: 'redirection', destination: { url: `https://shop.example/${older}` } }]
    const asked = await call('POST', `/actions/${id}/render/links`, { body: { links } })
    assert.deepEqual([asked.status, asked.body.links?.length], [200, 1])
  })

  test('is null without one, even if one of another account or channel has its number', async () => {
    const id = await validated(
      await action({ content: { ...content, subject: '{% if campaign %}some{% else %}none{% endif %}' } }),
    )
    const number = parseActionId(id)!
    const [foreign] = (
      await context.pool.query(
        `insert into campaigns (id, account, name, created_at, updated_at)
         values (gen_random_uuid(), $1, 'Foreign', '2000-01-01', now()) returning id`,
        [stage.other.account],
      )
    ).rows
    await context.pool.query(
      "insert into campaign_items (account, campaign, position, type, number) values ($1, $2, 1, 'email', $3)",
      [stage.other.account, foreign.id, number],
    )
    assert.deepEqual([await rendered(id), subjectOf(await sent(id))], ['none', 'none'])
  })

  test('follows the name and items of campaigns without another validation', async () => {
    const id = await validated(await action({ content }))
    assert.equal(subjectOf(await sent(id)), 'Of []')
    const first = await campaign('First', [id])
    await campaign('Second', [id])
    assert.equal(subjectOf(await sent(id)), 'Of [First]')
    await call('PUT', `/campaigns/${first}`, { body: { name: 'Renamed' } })
    assert.deepEqual([await rendered(id), subjectOf(await sent(id))], ['Of [Renamed]', 'Of [Renamed]'])
    assert.equal((await call('DELETE', `/campaigns/${first}/items/email/${id}`)).status, 204)
    assert.deepEqual([await rendered(id), subjectOf(await sent(id))], ['Of [Second]', 'Of [Second]'])
  })

  test('stays on a mirror page as it was in the message', async () => {
    const id = await validated(await action({ content }))
    const first = await campaign('As sent', [id])
    const mail = await sent(id)
    assert.match(await mirrorOf(mail), /As sent/)
    await call('DELETE', `/campaigns/${first}`)
    assert.match(await mirrorOf(mail), new RegExp(`<p>As sent ${first}</p>`))
  })

  test('is on a mirror page before the outcome of the message is recorded', async () => {
    const id = await validated(await action({ content }))
    await campaign('Early', [id])
    await call('POST', `/actions/${id}/execution`, { body: { recipient: { type: 'id', value: ann } } })
    const { rows } = await context.pool.query(
      `select m.account, s.source_kind as "sourceKind", s.source, m.version, m.contact, m.stamp from messages m join sendings s on s.id = m.sending
       where s.source_kind = 'action' and s.source = $1`,
      [parseActionId(id)],
    )
    const token: MessageLinkToken = { ...rows[0], kind: 'mirror', link: 1, test: false, silent: false }
    const { payload } = await app.inject({ url: `/t/m/${signLinkToken(context.tokens, token)}` })
    assert.match(payload, /<p>Early /)
    await settle()
  })

  test('is in every message of a campaign to segments, and in SMS', async () => {
    const people = [await contact('one@shop.example'), await contact('two@shop.example')]
    const scheduler = { type: 'asap', segments: { selected: [await segment(people)] } }
    const mails = await action({ type: 'mailCampaign', content, scheduler })
    await campaign('To all', [mails])
    await validated(mails)
    await settle()
    for (const name of ['one', 'two'])
      assert.deepEqual(
        gateway.to(`${name}@shop.example`).map(({ bytes }) => subjectOf(String(bytes))),
        ['Of [To all]'],
      )

    const { body: phone } = await call('POST', '/fields', { body: { type: 'phone', name: 'Phone' } })
    const texts = await action({
      type: 'smsMessage',
      settings: { field: phone.id, purpose: { type: 'service' } },
      content: { textContent: 'Of {{ campaign.name }}' },
    })
    await campaign('Texts', [texts], 'sms')
    const { body } = await call('POST', `/actions/${texts}/render`, { body: {} })
    assert.equal(body.text, 'Of Texts')
  })
})
