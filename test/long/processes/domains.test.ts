import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { startDnsServer } from '../../fakes/mail/dns-server.ts'
import { startSink } from '../../fakes/mail/smtp-sink.ts'
import { cloneDatabase } from '../../support/database/database.ts'
import { type Records, verifyWithMailauth } from '../../support/files/mail-readers.ts'
import { prepareEmbedded, runProgram } from '../../support/processes/process.ts'
import { eventually } from '../../support/wait.ts'

const server = await startDnsServer()
const database = await cloneDatabase()
const directory = await mkdtemp(join(tmpdir(), 'stentor-domains-'))
after(async () => {
  await server.close()
  await database.drop()
  await rm(directory, { recursive: true, force: true })
})

const installation = {
  STENTOR_DATA_DIR: directory,
  STENTOR_DATABASE_URL: database.url,
  STENTOR_PUBLIC_URL: 'https://stentor.example',
  STENTOR_DNS_SERVERS: server.address,
}

/** Runs a command; gives its status and everything it wrote. */
async function say(words: string, settings: Record<string, string> = installation) {
  const { status, out, errors } = await runProgram(words.split(' '), settings)
  return { status, text: out + errors }
}

/** The TXT records among the lines of a master file. */
function textsIn(lines: string): Records {
  const found = [...lines.matchAll(/^(\S+)\. IN TXT (.*)$/gm)]
  return Object.fromEntries(
    found.map(([, name = '', strings = '']) => [
      name,
      [...strings.matchAll(/"([^"]*)"/g)].map(([, one]) => one).join(''),
    ]),
  )
}

function publish(lines: string): void {
  for (const [name, text] of Object.entries(textsIn(lines))) server.zone[name] = { txt: [text] }
}

suite('stentor domains', () => {
  test('adds a domain, prints its records and no secret, and verifies it with the configured name servers', async () => {
    await say('accounts create ACME001 --name Acme')
    const added = await say('domains add Mail.Shop.Example --account ACME001')
    assert.equal(added.status, 0, added.text)
    assert.match(added.text, /^r1\._domainkey\.mail\.shop\.example\. IN TXT "v=DKIM1; k=rsa; p=/m)
    assert.match(added.text, /^e1\._domainkey\.mail\.shop\.example\. IN TXT "v=DKIM1; k=ed25519; p=/m)
    assert.match(added.text, /^mail\.shop\.example\. IN MX 10 stentor\.example\.$/m)
    assert.doesNotMatch(added.text, /PRIVATE/)

    const unpublished = await say('domains verify mail.shop.example --account ACME001')
    assert.equal(unpublished.status, 1)
    assert.match(unpublished.text, /not verified/)
    publish(added.text)
    const verified = await say('domains verify mail.shop.example --account ACME001')
    assert.equal(verified.status, 0, verified.text)
    assert.match((await say('domains list --account ACME001')).text, /mail\.shop\.example +true +true/)
  })

  test('rotates its keys and reports how long the old records are needed', async () => {
    const rotated = await say('domains keys mail.shop.example --account ACME001')
    assert.match(rotated.text, /^r2\._domainkey\./m)
    assert.match((await say('domains keys mail.shop.example --account ACME001')).text, /verify the keys/)
    publish(rotated.text)
    assert.equal((await say('domains verify mail.shop.example --account ACME001')).status, 0)
    const records = await say('domains records mail.shop.example --account ACME001')
    assert.match(records.text, /no longer signs: remove after \d{4}-\d\d-\d\d\nr1\._domainkey\./)
  })

  test('reports errors in plain words', async () => {
    server.zone['r2._domainkey.mail.shop.example'] = { fails: true }
    const away = await say('domains verify mail.shop.example --account ACME001')
    assert.equal(away.status, 1)
    assert.match(away.text, /^stentor: DNS did not respond for r2\._domainkey/)
    assert.match(
      (await say('domains frobnicate --account ACME001')).text,
      /There is no command "domains frobnicate"\. .* The commands are add, keys, records, verify, /,
    )
    assert.match((await say('domains records nowhere.example --account ACME001')).text, /There is no domain/)
  })
})

suite('a running service', () => {
  test('signs with the keys of a domain added while it runs', async (t) => {
    const sink = await startSink()
    t.after(() => sink.close())
    const service = await prepareEmbedded(t, { STENTOR_SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=none` })
    await service.start()
    const settings = { STENTOR_DATA_DIR: service.dataDir }
    const added = await say('domains add mail.shop.example --account DEMO001 --default --verified', settings)
    assert.equal(added.status, 0, added.text)
    const content = { subject: 'Été', html: '<p>Dear {{ contact.Email }}</p>' }
    const { id } = await service.call<{ id: string }>('POST', '/actions', {
      type: 'mailMessage',
      name: 'Signed',
      content,
    })
    await service.call('POST', `/actions/${id}/validation`, { fortest: true, mediaForTest: 'proof@desk.example' })
    const mail = await eventually(() => sink.messages[0])
    const verified = await verifyWithMailauth(mail.bytes, textsIn(added.text))
    assert.deepEqual(
      verified.map(({ result, domain, selector }) => [result, domain, selector]),
      [
        ['pass', 'mail.shop.example', 'r1'],
        ['pass', 'mail.shop.example', 'e1'],
      ],
    )
  })
})
