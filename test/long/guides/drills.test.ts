import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { suite, type TestContext, test } from 'node:test'
import type { DatabasePool } from '../../../src/database/connection/connect.ts'
import { findFreePort } from '../../../src/lib/net/free-port.ts'
import { MESSAGE_LEASE_MS } from '../../../src/sending/claim/renew-message-leases.ts'
import { getMachineNameRange } from '../../../src/sending/senders/sender-names.ts'
import { type Sink, type SinkMessage, startSink } from '../../fakes/mail/smtp-sink.ts'
import { cloneDatabase } from '../../support/database/database.ts'
import { canMount } from '../../support/database/small-disks.ts'
import { startPair } from '../../support/database/standby.ts'
import { readSections, type Step } from '../../support/guides/guide.ts'
import { assertEnded, assertPrinted, runSteps } from '../../support/guides/shell.ts'

/*
 * Each drill is typed as it is written, into a shell of its own after what the document has before each of them. What it prints is what
 * is shown there, and its mail server got nothing twice.
 */

const NAME = 'operations/drills.md'
const ROOT = join(import.meta.dirname, '../../..')
const DATABASE = 'postgres://stentor:password@localhost/stentor'
/** How long the mail server keeps each reply, so that a campaign lasts while things go wrong. */
const REPLY_MS = 20
/** The command of the document that waits until the leases of a lost machine end. */
const WAIT_FOR_LEASES = 'until [ "$(api /settings/sending/held'

const isMountable = await canMount()
const sections = readSections(NAME)
const [BEFORE = '', ...drills] = [...sections.keys()]
const stepsOf = (section: string): Step[] => sections.get(section)?.steps ?? []

/** The ports and databases of the document are replaced by those that are there. */
type Replacements = [named: string, here: string][]

function replace(steps: readonly Step[], replacements: Replacements): Step[] {
  const replaced = (text: string): string =>
    replacements.reduce((replaced, [named, here]) => replaced.replaceAll(named, here), text)
  return steps.map(({ commands, printed, ...step }) => ({
    ...step,
    commands: replaced(commands),
    ...(printed && { printed: { ...printed, text: replaced(printed.text) } }),
  }))
}

/** Each mail by its subject and its address; a mail that came twice is there twice. */
function mailsOf(messages: readonly SinkMessage[]): string[] {
  return messages.map(({ bytes, to }) => `${/^Subject: (.*)$/m.exec(bytes.toString())?.[1]} for ${to}`)
}

/** Moves the leases of a machine's senders so far back that they are over. */
async function endLeases(pool: DatabasePool, machine: string): Promise<void> {
  const { first, last } = getMachineNameRange(machine)
  const earlier = (column: string) => `set ${column} = ${column} - interval '${MESSAGE_LEASE_MS} ms'`
  await pool.query(`update machines ${earlier('seen_at')} where id = $1`, [machine])
  for (const table of ['messages', 'message_slices'])
    await pool.query(`update ${table} ${earlier('lease_until')} where claimed_by between $1 and $2`, [first, last])
}

/** Serves a command by which the shell ends the leases of the machine `$LOST`: the drill need not wait five minutes. */
async function commandToEndLeases(t: TestContext, pool: DatabasePool): Promise<string> {
  const server = createServer(async (request, response) => {
    await endLeases(pool, await text(request)).catch(() => response.writeHead(500))
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => void server.close())
  return `curl -sSf -d "$LOST" http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** What the document names, and what is there for one run of it; a database of its own where the drill has one. */
async function placesOf(t: TestContext, steps: readonly Step[], sink: Sink): Promise<Replacements> {
  const named = ['localhost:8080', '8081', '8082', '8083', '8084']
  const ports = await Promise.all(named.map(async (name) => name.replace(/\d+$/, String(await findFreePort()))))
  const places: Replacements = [
    ...named.map((name, index): [string, string] => [name, ports[index]!]),
    ['localhost:2526', `localhost:${sink.port}`],
    ['/opt/stentor', ROOT],
  ]
  const has = (text: string) => steps.some(({ commands }) => commands.includes(text))
  if (has('promote')) {
    const { primary, standby, control, stop } = await startPair()
    t.after(stop)
    return [
      ...places,
      ['postgres://stentor@db1.example/stentor', `'${primary.url}'`],
      ['postgres://stentor@db2.example/stentor', `'${standby.url}'`],
      ['/var/lib/postgresql/primary', primary.folder],
      ['/var/lib/postgresql/standby', standby.folder],
      ['pg_ctl', control],
    ]
  }
  if (!has(DATABASE)) return places
  const database = await cloneDatabase()
  t.after(() => database.drop())
  if (!has(WAIT_FOR_LEASES)) return [...places, [DATABASE, database.url]]
  const endOfLeases = `${await commandToEndLeases(t, database.pool)}\n${WAIT_FOR_LEASES}`
  return [...places, [DATABASE, database.url], [WAIT_FOR_LEASES, endOfLeases]]
}

suite('drills', { concurrency: 2 }, () => {
  for (const drill of drills) {
    const mounts = stepsOf(drill).some(({ commands }) => commands.includes('mount -t'))
    const skip = mounts && !isMountable && 'no disk can be made here'
    test(`"${drill}" goes as it is written, and no mail comes twice`, { skip }, async (t) => {
      const sink = await startSink({ replyAfterMs: () => REPLY_MS })
      t.after(() => sink.close())
      const written = [...stepsOf(BEFORE), ...stepsOf(drill)]
      const places = await placesOf(t, written, sink)
      const steps = replace(written, places)
      const settings = {
        STENTOR_HTTP_PORT: places[0]![1].split(':')[1]!,
        STENTOR_SMTP_IN_PORT: '0',
        STENTOR_SENDER_THREADS: '1',
        STENTOR_LOG_LEVEL: 'fatal',
      }
      const run = await runSteps(steps, settings, t.signal)
      assertEnded(NAME, steps, run)
      for (const [index, step] of steps.entries()) assertPrinted(NAME, step, run.steps[index]!.out)
      const mails = mailsOf(sink.messages)
      assert.ok(mails.length > 0)
      assert.equal(new Set(mails).size, mails.length, 'a mail came twice')
    })
  }
})
