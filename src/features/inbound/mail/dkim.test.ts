import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { suite, test } from 'node:test'
import { dkimSign } from 'mailauth/lib/dkim/sign.js'
import { isComplaintSender } from './complaint-senders.ts'
import { type TxtResolver, verifyDkimSigners } from './dkim.ts'

const NOW = Date.now()
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const short = generateKeyPairSync('rsa', { modulusLength: 512 })
const ed25519 = generateKeyPairSync('ed25519')

const spki = (key: { export(options: { type: 'spki'; format: 'der' }): Buffer }): Buffer =>
  key.export({ type: 'spki', format: 'der' })

const records: Record<string, string> = {
  'r._domainkey.loop.example': `v=DKIM1; k=rsa; p=${spki(rsa.publicKey).toString('base64')}`,
  'e._domainkey.loop.example': `v=DKIM1; k=ed25519; p=${spki(ed25519.publicKey).subarray(-32).toString('base64')}`,
  's._domainkey.loop.example': `v=DKIM1; p=${spki(short.publicKey).toString('base64')}`,
  'gone._domainkey.loop.example': 'v=DKIM1; p=',
}

const resolveTxt: TxtResolver = async (name) => {
  const record = records[name]
  if (record === undefined) throw new Error('ENOTFOUND')
  // Long texts come in pieces.
  return [record.match(/.{1,200}/g) ?? []]
}

const MAIL = [
  'From: Feedback <feedback@loop.example>',
  'To: fbl@b.shop.example',
  'Subject: A  report',
  ' in two lines',
  'Date: Thu, 1 Jan 2026 09:00:00 +0000',
  '',
  'One  line with blanks ',
  '',
  'Another.',
  '',
  '',
  '',
].join('\r\n')

type Canonicalization = 'relaxed/relaxed' | 'simple/simple' | 'relaxed/simple' | 'simple/relaxed'

async function signed(
  selector: string,
  key: { export(options: { type: 'pkcs8'; format: 'pem' }): string | Buffer },
  canonicalization: Canonicalization = 'relaxed/relaxed',
  mail = MAIL,
): Promise<string> {
  const privateKey = String(key.export({ type: 'pkcs8', format: 'pem' }))
  const signer = { signingDomain: 'Loop.example', selector, privateKey, canonicalization }
  const { signatures } = await dkimSign(mail, { ...signer, signTime: new Date(NOW), signatureData: [signer] })
  return `${signatures.trimEnd()}\r\n${mail}`
}

const check = (mail: string, now = NOW): Promise<string[]> =>
  verifyDkimSigners(Buffer.from(mail, 'latin1'), resolveTxt, now)

suite('DKIM signatures of inbound mails', () => {
  for (const form of ['relaxed/relaxed', 'simple/simple', 'relaxed/simple', 'simple/relaxed'] as const) {
    test(`${form} signatures verify with either kind of key`, async () => {
      assert.deepEqual(await check(await signed('r', rsa.privateKey, form)), ['loop.example'])
      assert.deepEqual(await check(await signed('e', ed25519.privateKey, form)), ['loop.example'])
    })
  }

  test('verify with an empty body', async () => {
    const mail = 'From: a@loop.example\r\nTo: b@shop.example\r\n\r\n'
    for (const form of ['relaxed/relaxed', 'simple/simple'] as const)
      assert.deepEqual(await check(await signed('r', rsa.privateKey, form, mail)), ['loop.example'])
  })

  test('verify in relaxed form after relays change white space', async () => {
    const mail = await signed('r', rsa.privateKey)
    assert.deepEqual(await check(mail.replace('Subject: A  report', 'Subject:  A report')), ['loop.example'])
    assert.deepEqual(await check(`${mail}\r\n\r\n`), ['loop.example'])
  })

  test('fail after a change to a header, the body, the domain or the signature', async () => {
    const mail = await signed('r', rsa.privateKey)
    for (const [from, to] of [
      ['Subject: A', 'Subject: B'],
      ['Another.', 'Another!'],
      ['From: Feedback', 'From: Somebody'],
      ['s=r', 's=e'],
      ['s=r', 's=gone'],
      ['s=r', 's=unknown'],
    ] as const)
      assert.deepEqual(await check(mail.replace(from, to)), [], `${from} ${to}`)
  })

  test('verify despite an unsigned second From above the signed one', async () => {
    const mail = await signed('r', rsa.privateKey)
    assert.deepEqual(await check(`From: Eve <eve@evil.example>\r\n${mail}`), ['loop.example'])
  })

  test('fail when partial, expired or made with a short key', async () => {
    const mail = await signed('r', rsa.privateKey)
    assert.deepEqual(await check(mail.replace('; c=', '; l=3; c=')), [])
    assert.deepEqual(await check(mail.replace('; c=', `; x=${Math.floor(NOW / 1000) - 1}; c=`)), [])
    assert.deepEqual(await check(await signed('s', short.privateKey)), [])
  })

  test('are not found in malformed mails', async () => {
    for (const mail of [
      '',
      'x',
      '\r\n\r\n',
      'DKIM-Signature: v=1\r\n\r\n',
      `DKIM-Signature: ${';'.repeat(100_000)}\r\n\r\n`,
    ])
      assert.deepEqual(await check(mail), [])
  })

  test('feedback loops are recognised by their domains and subdomains', () => {
    assert.ok(isComplaintSender('yahoo.com') && isComplaintSender('arf.mail.yahoo.com'))
    assert.ok(!isComplaintSender('notyahoo.com') && !isComplaintSender('shop.example'))
  })
})
