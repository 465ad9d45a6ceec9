import assert from 'node:assert/strict'
import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { suite, test } from 'node:test'
import { listApiKeys, revokeApiKey } from '../../../src/features/accounts/accounts.ts'
import {
  findTokenCipherId,
  openWebtaskToken,
  type SealedTokenContent,
  sealWebtaskToken,
} from '../../../src/features/webtasks/public/cipher.ts'
import type { Answer } from '../../support/harness.ts'
import { makePerson, signedIn } from '../../support/stages/people.ts'
import { startWebtaskStage, WEBTASKS } from '../../support/stages/webtask-stage.ts'

const stage = await startWebtaskStage()
const { call, clock, context, execute, executeAll, makeKey, own, webtask } = stage

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~ é'
const [old, renewed] = [
  { number: 7, key: randomBytes(32) },
  { number: 12, key: randomBytes(32) },
]
const sealed: SealedTokenContent = {
  data: { a: [1, 'é'] },
  variables: [{ key: 'k', value: 1 }],
  receiver: { type: 'id', value: '000R4M0T' },
  expires: 5,
  minted: 4,
  maker: 3,
}

suite('a webtask token', () => {
  const id = randomBytes(16)
  const token = sealWebtaskToken([renewed, old], id, sealed)!

  test('opens only with its webtask and a known master key, and is different each time', () => {
    assert.match(token, /^v1\.12\.[\w-]{22}\.[\w-]+$/)
    assert.deepEqual(openWebtaskToken([old, renewed], id, token), sealed)
    assert.deepEqual(openWebtaskToken([renewed], id, sealWebtaskToken([renewed], id, sealed)!), sealed)
    assert.deepEqual(openWebtaskToken([renewed, old], id, sealWebtaskToken([old], id, sealed)!), sealed)
    assert.equal(openWebtaskToken([old], id, token), undefined)
    assert.equal(openWebtaskToken([renewed], randomBytes(16), token), undefined)
    assert.notEqual(sealWebtaskToken([renewed], id, sealed), token)
    assert.deepEqual(findTokenCipherId(token), id)
  })

  test('is built as documented', () => {
    const head = `v1.7.${id.toString('base64url')}`
    const key = Buffer.from(hkdfSync('sha256', old.key, id, 'webtask-cipher-v1', 32))
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(head))
    const text = '{"d":{"a":1},"v":null,"r":null,"e":null,"i":2,"k":3}'
    const body = Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()])
    assert.deepEqual(openWebtaskToken([renewed, old], id, `${head}.${body.toString('base64url')}`), {
      data: { a: 1 },
      variables: null,
      receiver: null,
      expires: null,
      minted: 2,
      maker: 3,
    })
  })

  test('with a changed, added or missing character is refused', () => {
    for (let length = 0; length < 40; length++) {
      const one = sealWebtaskToken([old, renewed], id, { ...sealed, data: { a: 'x'.repeat(length) } })!
      for (let at = 0; at <= one.length; at++) {
        const [before, after] = [one.slice(0, at), one.slice(at + 1)]
        const other = ALPHABET[(at * 31 + length * 17) % ALPHABET.length]!
        const changed = [before + after, before + other + after, before + other + one.slice(at)]
        // The last character has bits that stand for nothing: each of its neighbours is tried.
        if (at === one.length - 1) changed.push(...[...ALPHABET].map((character) => before + character))
        for (const text of changed)
          if (text !== one) assert.equal(openWebtaskToken([old, renewed], id, text), undefined, `${text} for ${one}`)
      }
    }
  })

  test('malformed texts are refused', () => {
    for (const text of [
      '',
      'v1',
      'v1.0.x.y',
      `v2${token.slice(2)}`,
      `${token}.`,
      token.toUpperCase(),
      `v1.012${token.slice(5)}`,
    ])
      assert.equal(openWebtaskToken([old, renewed], id, text), undefined, text)
    assert.equal(findTokenCipherId('v1.0.AAAAAAAAAAAAAAAAAAAAAB.'.padEnd(80, 'A')), undefined)
  })
})

suite('tokens of a webtask', () => {
  const echo = 'export default ({ data, variables, contact }) => ({ data, variables, contact: contact && contact.id })'
  const cipher = (id: number, body?: object, key = own.key): Promise<Answer> =>
    call('POST', `${WEBTASKS}/${id}/cipher`, { ...(body && { body }), key })
  const token = async (id: number, body?: object): Promise<string> => (await cipher(id, body)).body.value
  const refused = async (id: number, text: string) => {
    const { status, body } = await execute(id, { cipher: text })
    assert.deepEqual([status, body.errors[0].pointer], [400, '/cipher'], JSON.stringify(body))
  }

  test('data in the token overrides that of the item', async () => {
    const id = await webtask(echo)
    const { body: ann } = await call('POST', '/targets', { body: { Email: 'ann@orchard.example' } })
    const receiver = { type: 'unicity', value: ['ann@orchard.example'] }
    const made = await cipher(id, { data: { a: 1 }, variables: [{ key: 'v', value: 2 }], receiver })
    assert.deepEqual(made.body, { value: made.body.value, url: null, expires: null })
    const item = { cipher: made.body.value, data: { b: 2 }, variables: [{ key: 'w', value: 3 }] }
    const value = { data: { a: 1 }, variables: { v: 2 }, contact: ann.id }
    assert.deepEqual((await execute(id, item)).body.value, value)
    const bare = { cipher: await token(id), data: { b: 2 } }
    assert.deepEqual((await execute(id, bare)).body.value, { data: { b: 2 }, variables: {}, contact: null })
    const listed = await executeAll(id, [item, {}, bare])
    assert.deepEqual(
      listed.body.map(({ value: { data } }: { value: { data: unknown } }) => data),
      [{ a: 1 }, {}, { b: 2 }],
    )
  })

  test('changed, foreign, expired and revoked tokens return 400', async () => {
    const [id, another] = [await webtask(echo), await webtask(echo)]
    const good = await token(id)
    const changed = good.slice(0, -1) + (good.endsWith('A') ? 'B' : 'A')
    await refused(id, changed)
    await refused(another, good)
    const expires = clock.now() + 1000
    const { body } = await cipher(id, { expires: new Date(expires).toISOString() })
    assert.equal(body.expires, new Date(expires).toISOString())
    assert.equal((await execute(id, { cipher: body.value })).status, 200)
    clock.set(expires)
    await refused(id, body.value)
    assert.equal((await execute(id, { cipher: good })).status, 200)
    assert.equal((await call('DELETE', `${WEBTASKS}/${id}/cipher`)).status, 204)
    await refused(id, good)
    assert.equal((await execute(id, { cipher: await token(id) })).status, 200)
  })

  test('revoking a key invalidates the tokens it created', async () => {
    const id = await webtask(echo)
    const key = await makeKey(own.account, ['write'])
    const { body } = await cipher(id, {}, key)
    assert.equal((await execute(id, { cipher: body.value })).status, 200)
    const keys = await listApiKeys(context.db, own.account)
    await revokeApiKey(context.db, keys.at(-1)!.id, new Date(clock.now()))
    await refused(id, body.value)
  })

  test('a token created by a person works only while the person is an active member of the account', async () => {
    const id = await webtask(echo)
    const author = await makePerson(stage, 'Tess', [[own, 'author']])
    const browser = await signedIn(stage, author)
    const { status, body } = await browser.visit('POST', `${WEBTASKS}/${id}/cipher`, { body: { data: { a: 1 } } })
    assert.equal(status, 200)
    const item = { cipher: body.value }
    assert.deepEqual((await execute(id, item)).body.value, { data: { a: 1 }, variables: {}, contact: null })
    const activate = (active: boolean) =>
      context.db.updateTable('people').set({ active }).where('id', '=', author.id).execute()
    await activate(false)
    await refused(id, body.value)
    await activate(true)
    assert.equal((await execute(id, item)).status, 200)
    await context.db
      .updateTable('memberships')
      .set({ account: stage.other.account })
      .where('person', '=', author.id)
      .execute()
    await refused(id, body.value)
  })

  test('a token created by an operator works only while the person is an operator', async () => {
    const id = await webtask(echo)
    const operator = await makePerson(stage, 'Olga', [], { operator: true })
    const browser = await signedIn(stage, operator)
    const { body } = await browser.visit('GET', `${WEBTASKS}/${id}/cipher`, { account: own.code })
    assert.equal((await execute(id, { cipher: body.value })).status, 200)
    await context.db.updateTable('people').set({ operator: false }).where('id', '=', operator.id).execute()
    await refused(id, body.value)
  })

  test('GET creates a token without data, and each token is different', async () => {
    const id = await webtask(echo)
    const read = async () => (await call('GET', `${WEBTASKS}/${id}/cipher`)).body
    const [one, two] = [await read(), await read()]
    assert.notEqual(one.value, two.value)
    assert.deepEqual([one.url, one.expires], [null, null])
    assert.equal((await execute(id, { cipher: one.value })).status, 200)
    const old = { ...one, value: '' }
    assert.deepEqual({ ...(await cipher(id)).body, value: '' }, old)
    assert.deepEqual({ ...(await cipher(id, { data: null, expires: null })).body, value: '' }, old)
  })

  test('an invalid date, data that is not an object and data above 8 KB return 400', async () => {
    const id = await webtask(echo)
    const pointers = async (body: object) =>
      (await cipher(id, body)).body.errors.map(({ pointer }: { pointer: string }) => pointer)
    assert.deepEqual(await pointers({ expires: 'tomorrow' }), ['/expires'])
    assert.deepEqual(await pointers({ data: 'x' }), ['/data'])
    assert.ok((await pointers({ receiver: { type: 'email' } })).includes('/receiver/type'))
    const least = JSON.stringify({ d: { a: '' }, v: null, r: null, e: null, i: clock.now(), k: 1 }).length
    assert.equal((await cipher(id, { data: { a: 'x'.repeat(8192 - least) } })).status, 200)
    assert.deepEqual(await pointers({ data: { a: 'x'.repeat(8193 - least) } }), [''])
  })

  test('the URL is returned only if the webtask is public and the URL is short enough', async () => {
    const id = await webtask(echo, { settings: { public: { enabled: true } } })
    const { value, url } = (await cipher(id, { data: { a: 1 } })).body
    assert.equal(url, `https://stentor.example/w/${value}`)
    assert.equal((await cipher(id, { data: { a: 'x'.repeat(1500) } })).body.url, null)
    context.config.publicWebtasks = false
    assert.equal((await cipher(id)).body.url, null)
    context.config.publicWebtasks = true
    await call('PUT', `${WEBTASKS}/${id}`, { body: { settings: { public: { enabled: false } } } })
    assert.equal((await cipher(id)).body.url, null)
  })
})
