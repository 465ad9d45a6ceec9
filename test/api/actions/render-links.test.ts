import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type LinkTokenKind, parseLinkToken } from '../../../src/lib/crypto/tokens.ts'
import { parseActionId, parseContactId } from '../../../src/lib/ids.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { app, call, clock, context, makeKey, other, own } = stage

const BROWSER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'

const { id: field } = (await call('POST', '/fields', { body: { type: 'textField', name: 'Firstname' } })).body
const form = async (name: string): Promise<string> =>
  (await call('POST', '/forms', { body: { name, fields: [{ field }] } })).body.id
const survey = await form('Survey')
const unused = await form('Unused')

const HTML = `<html><body><a href="https://shop.example/a?x=1&amp;y=2">A</a> <a href="{{ data.target }}">B</a>
<a href="${survey}" linktype="Form">F</a> <a href="MirrorPage">M</a> <a href="Unsubscribe">U</a></body></html>`

const FIXED = { type: 'redirection', destination: { url: 'https://shop.example/a?x=1&y=2' } }
const MADE = { type: 'redirection', destination: { url: 'https://shop.example/made?é=1' } }
const data = { target: 'https://shop.example/made?é=1' }
const system = (type: string) => ({ type: 'system', destination: { type } })
const ALL = [
  system('mirror'),
  system('unsubscribe'),
  system('open'),
  { type: 'form', destination: { id: survey } },
  FIXED,
  MADE,
]

const KINDS: Record<string, LinkTokenKind> = { m: 'mirror', u: 'unsubscribe', o: 'open', f: 'form', r: 'redirection' }

const action = () => stage.action({ content: { subject: 'Hi', html: HTML } })
const ask = (id: string, body: object) => call('POST', `/actions/${id}/render/links`, { body })

/** The tokens of addresses, with the targets that travel along. */
function tokensOf(links: string[]) {
  return links.map((link) => {
    const [, letter = '', token = '', travelling] =
      /^https:\/\/stentor\.example\/t\/(\w)\/([\w-]{72})(?:\/([\w-]+))?$/.exec(link) ?? []
    const target = travelling === undefined ? undefined : Buffer.from(travelling, 'base64url').toString()
    return parseLinkToken(context.tokens, token, KINDS[letter] ?? 'open', target)
  })
}

async function follow(link: string) {
  const url = link.replace('https://stentor.example', '')
  const { statusCode, headers } = await app.inject({ method: 'GET', url, headers: { 'user-agent': BROWSER } })
  return [statusCode, headers.location]
}

suite('rendered links', () => {
  test('lead to their targets and record nothing without a sent message', async () => {
    const id = await stage.validated(await action())
    const contact = await stage.contact('silent@shop.example')
    const { status, body } = await ask(id, { receiver: { type: 'id', value: contact }, data, links: ALL })
    assert.equal(status, 200)
    assert.equal(body.type, 'success')
    const tokens = tokensOf(body.links)
    assert.deepEqual(
      tokens.map((token) => token?.kind),
      ['mirror', 'unsubscribe', 'open', 'form', 'redirection', 'redirection'],
    )
    for (const token of tokens) {
      assert.equal(token?.silent, true)
      assert.equal(token?.contact, parseContactId(contact))
      assert.equal(token?.source, parseActionId(id))
    }
    assert.deepEqual(await follow(body.links[4]), [302, 'https://shop.example/a?x=1&y=2'])
    assert.deepEqual(await follow(body.links[5]), [302, 'https://shop.example/made?%C3%A9=1'])
    assert.equal((await follow(body.links[3]))[0], 200)
    assert.deepEqual((await call('GET', `/actions/${id}/events/hits?classification=all`)).body, [])
  })

  test("record hits and use the message's data when the stamp is that of a message sent to the receiver", async () => {
    const id = await stage.validated(await action())
    const contact = await stage.contact('live@shop.example')
    const otherContact = await stage.contact('other@shop.example')
    const sent = await call('POST', `/actions/${id}/execution`, {
      body: { recipient: { type: 'id', value: contact }, data },
    })
    await stage.settle()
    clock.advance(60_000)
    const stamp = { id: sent.body.id.toUpperCase() }
    const live = await ask(id, { receiver: { type: 'id', value: contact }, stamp, links: ALL })
    assert.equal(live.status, 200, live.text)
    assert.deepEqual(
      tokensOf(live.body.links).map((token) => [token?.silent, token?.stamp]),
      ALL.map(() => [false, sent.body.id]),
    )
    for (const link of live.body.links) await follow(link)
    const { body } = await call('GET', `/actions/${id}/events/hits?classification=all`)
    assert.deepEqual(
      body.map((hit: { source: { detail: { link: { type: string } } } }) => hit.source.detail.link.type).sort(),
      ['mirror', 'open', 'redirection', 'redirection'],
    )
    const others = await ask(id, { receiver: { type: 'id', value: otherContact }, stamp, data, links: [FIXED] })
    assert.equal(tokensOf(others.body.links)[0]?.silent, true)
    const none = await ask(id, { stamp, data, links: [FIXED] })
    assert.equal(tokensOf(none.body.links)[0]?.silent, true)
    const borrowed = await ask(id, { context: { id: sent.body.id }, links: [MADE] })
    assert.equal(borrowed.status, 200)
    assert.equal(tokensOf(borrowed.body.links)[0]?.silent, true)
  })

  test('lead to their targets or to the preview page when the content is not frozen', async () => {
    const { status, body } = await ask(await action(), { data, links: ALL })
    assert.equal(status, 200)
    const preview = 'https://stentor.example/t/preview'
    assert.deepEqual([body.links[0], body.links[1], body.links[3]], [preview, preview, preview])
    assert.deepEqual(await follow(body.links[2]), [200, undefined])
    assert.deepEqual(await follow(body.links[4]), [302, 'https://shop.example/a?x=1&y=2'])
    assert.deepEqual(await follow(body.links[5]), [302, 'https://shop.example/made?%C3%A9=1'])
  })

  test('return 409 for a link not in the content, 404 for an unknown object and 400 for a malformed request', async () => {
    const id = await stage.validated(await action())
    const status = async (body: object) => (await ask(id, body)).status
    const to = (url: string) => ({ type: 'redirection', destination: { url } })
    assert.equal(await status({ links: [to('https://evil.example/')] }), 409)
    assert.equal(await status({ links: [MADE] }), 409)
    assert.equal(await status({ data: { target: 'https://shop.example/b' }, links: [MADE] }), 409)
    assert.equal(await status({ links: [{ type: 'form', destination: { id: unused } }] }), 409)
    assert.equal(await status({ links: [{ type: 'form', destination: { id: '00ZZZZ' } }] }), 404)
    assert.equal(await status({ receiver: { type: 'unicity', value: ['no@shop.example'] }, links: [FIXED] }), 404)
    assert.equal(await status({ context: { id: '019512a0-7c11-7d2e-9a42-0c1de0a5b002' }, links: [FIXED] }), 404)
    assert.equal((await call('POST', '/actions/00ZZZZ/render/links', { body: { links: [FIXED] } })).status, 404)
    assert.equal(await status({}), 400)
    assert.equal(await status({ links: [] }), 400)
    assert.equal(await status({ links: Array(101).fill(FIXED) }), 400)
    assert.equal(await status({ links: [system('form')] }), 400)
    assert.equal(await status({ links: [{ type: 'other' }] }), 400)
    assert.equal(await status({ receiver: { type: 'unicity', value: 'bare' }, links: [FIXED] }), 400)
  })

  test('are hidden from another account, and require the read right', async () => {
    const id = await stage.validated(await action())
    const body = { links: [FIXED] }
    assert.equal((await call('POST', `/actions/${id}/render/links`, { body, key: other.key })).status, 404)
    const writer = await makeKey(own.account, ['write'])
    assert.equal((await call('POST', `/actions/${id}/render/links`, { body, key: writer })).status, 403)
  })
})
