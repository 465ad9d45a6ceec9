import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, type TestContext, test } from 'node:test'
import { findFreePort } from '../../../src/lib/net/free-port.ts'
import { startDnsServer } from '../../fakes/mail/dns-server.ts'
import { DOCUMENTS, type Guide, listGuides, readGuide } from '../../support/guides/guide.ts'
import { assertEnded, assertPrinted, runSteps } from '../../support/guides/shell.ts'
import {
  KEY,
  type PreparedService,
  prepareEmbedded,
  prepareService,
  type Settings,
} from '../../support/processes/process.ts'
import { eventually } from '../../support/wait.ts'

/*
 * Every command of every guide is run against a new service, and what it prints is compared with what the guide shows of it.
 */

const names = listGuides()

/** Guides that restore, into an embedded database. */
const embedded = new Set(['operations/first-day.md'])

/** Knows no domain: what a guide would publish is not published. */
const dns = await startDnsServer()
after(() => dns.close())

/** A guide with the port of its service, and with a free port in place of that of the metrics. */
async function movedOf(guide: Guide, port: string): Promise<Guide> {
  const other = String(await findFreePort())
  const move = (text: string) => text.replaceAll('localhost:8080', `localhost:${port}`).replaceAll('9090', other)
  const keyed = (text: string) => move(text).replace(/^KEY=….*$/m, `KEY=${KEY}`)
  const settings = Object.entries(guide.settings).map(([name, value]) => [name, move(value)])
  const steps = guide.steps.map(({ line, commands, printed }) => ({
    line,
    commands: keyed(commands),
    ...(printed && { printed: { ...printed, text: move(printed.text) } }),
  }))
  return { ...guide, steps, settings: Object.fromEntries(settings) }
}

/** The settings of every service that guides are run against. */
const fixedSettings = async (port: string): Promise<Settings> => ({
  STENTOR_HTTP_PORT: port,
  STENTOR_SMTP_IN_PORT: String(await findFreePort()),
  STENTOR_DNS_SERVERS: dns.address,
  STENTOR_LOG_LEVEL: 'fatal',
})

/** Runs a guide; it must end, and print what it shows. */
async function assertGuide(t: TestContext, name: string, { steps }: Guide, settings: Settings): Promise<void> {
  const run = await runSteps(steps, settings, t.signal)
  assertEnded(name, steps, run)
  for (const [index, step] of steps.entries()) assertPrinted(name, step, run.steps[index]!.out)
}

async function started(t: TestContext, name: string, settings: Settings): Promise<[PreparedService, Settings]> {
  if (embedded.has(name)) {
    const service = await prepareEmbedded(t, settings)
    await service.start()
    // Senders connect after the service is ready, and the guide counts them.
    await eventually(async () => (await service.run('doctor')).includes('1 sender is running'), t.signal)
    return [service, settings]
  }
  const service = await prepareService(t, settings)
  await service.start()
  return [service, { ...settings, STENTOR_DATABASE_URL: service.database.url }]
}

suite('guides', { concurrency: 2 }, () => {
  for (const name of names) {
    const read = readGuide(name)
    if (read.steps.length === 0) continue
    test(`the commands of ${name} print what the guide shows`, async (t) => {
      const port = String(await findFreePort())
      const guide = await movedOf(read, port)
      const own = { ...guide.settings, ...(await fixedSettings(port)) }
      const [{ dataDir }, settings] = await started(t, name, own)
      await assertGuide(t, name, guide, { ...settings, STENTOR_DATA_DIR: dataDir })
    })
  }

  test('tutorials can be run one after another and twice on one service, and leave no files', async (t) => {
    const tutorials = names.filter((name) => name.startsWith('tutorials/'))
    assert.equal(tutorials.length, 3)
    const port = String(await findFreePort())
    const [{ dataDir }, settings] = await started(t, 'tutorials', await fixedSettings(port))
    const temporary = await mkdtemp(join(tmpdir(), 'stentor-tutorials-'))
    t.after(() => rm(temporary, { recursive: true, force: true }))
    // In both orders: what one leaves must not change what another prints.
    for (const name of [...tutorials, ...tutorials.toReversed()]) {
      const guide = await movedOf(readGuide(name), port)
      assert.deepEqual(guide.settings, {})
      await assertGuide(t, name, guide, { ...settings, STENTOR_DATA_DIR: dataDir, TMPDIR: temporary })
      assert.deepEqual(await readdir(temporary), [], name)
    }
  })
})

suite('guides as a whole', () => {
  test('are in the index and begin with the same lines to start the service', () => {
    const beginnings = names.flatMap((name) => readGuide(name).steps.slice(0, 1))
    assert.ok(beginnings.length >= 12)
    assert.equal(new Set(beginnings.map(({ commands }) => commands)).size, 1)
    const index = readFileSync(new URL('README.md', DOCUMENTS), 'utf8')
    assert.deepEqual(
      names.filter((name) => !index.includes(`](${name})`)),
      [],
    )
  })

  test('skip only the commands that cannot be run in a test', () => {
    const shown = names.flatMap((name) => readGuide(name).shown.map((line) => `${name}: ${line}`))
    assert.deepEqual(shown, [
      'how-to/connect-an-assistant.md: $ claude mcp add --transport http --header "Authorization: Bearer KEY" stentor https://stentor.example/mcp',
      'how-to/connect-an-assistant.md: $ codex mcp add stentor --url https://stentor.example/mcp --bearer-token-env-var STENTOR_KEY',
      'how-to/set-up-single-sign-on.md: STENTOR_OIDC_ISSUER=https://login.microsoftonline.com/TENANT-ID/v2.0',
      'how-to/set-up-single-sign-on.md: STENTOR_OIDC_ISSUER=https://accounts.google.com',
      'how-to/set-up-single-sign-on.md: STENTOR_OIDC_CLAIM=hd',
      'how-to/set-up-single-sign-on.md: STENTOR_OIDC_ISSUER=https://keycloak.shop.example/realms/REALM',
      'how-to/set-up-single-sign-on.md: STENTOR_OIDC_ISSUER=https://ORGANIZATION.okta.com',
      'how-to/set-up-single-sign-on.md: $ stentor doctor',
      'operations/first-day.md: 15 3 * * *  /opt/stentor/bin/stentor backup --to /backups/$(date +\\%F)',
    ])
  })
})
