import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { findFreePort } from '../../../src/lib/net/free-port.ts'
import { cloneDatabase, type TestDatabase } from '../../support/database/database.ts'
import { type Program, runProgram, type Settings, startProgram, untilReady } from '../../support/processes/process.ts'
import { eventually } from '../../support/wait.ts'

const PASSWORD = 'a sentence nobody guesses'
const NEW = 'another long sentence'
const EMAIL = 'first@people.example'

interface Running {
  url: string
  out(): string
  end(): Promise<void>
}

let database: TestDatabase
let dataDir: string
let common: Settings
let first: Running
let second: Running
const programs = new Set<Program>()

/** Starts a process that serves the interface; what it prints is kept. */
async function start(port: number): Promise<Running> {
  const program = startProgram(['start', '--role', 'api'], { ...common, STENTOR_HTTP_PORT: String(port) })
  programs.add(program)
  let out = ''
  program.child.stdout?.on('data', (text: string) => (out += text))
  const url = `http://localhost:${port}`
  await untilReady(url, program)
  await eventually(() => out.includes('Stentor is at'))
  return {
    url,
    out: () => out,
    async end() {
      program.child.kill('SIGTERM')
      await program.ended
      programs.delete(program)
    },
  }
}

before(async () => {
  database = await cloneDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'stentor-e2e-'))
  const port = await findFreePort()
  common = {
    STENTOR_DATABASE_URL: database.url,
    STENTOR_DATA_DIR: dataDir,
    STENTOR_PUBLIC_URL: `http://localhost:${port}`,
  }
  first = await start(port)
})

after(async () => {
  for (const { child, ended } of programs) {
    child.kill('SIGKILL')
    await ended
  }
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

/** Asks as a page of the console does. */
function ask(
  { url }: Running,
  method: string,
  path: string,
  { body, cookie = '' }: { body?: object; cookie?: string } = {},
) {
  return fetch(url + path, {
    method,
    headers: { origin: first.url, cookie, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
}

async function signIn(password = PASSWORD): Promise<string> {
  const answer = await ask(first, 'POST', '/auth/sign-in', { body: { email: EMAIL, password } })
  assert.equal(answer.status, 200)
  return answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
}

async function idOf(email: string): Promise<string> {
  const { id } = await database.db
    .selectFrom('people')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  return id
}

suite('users of an installation', () => {
  test('the first start prints a setup link that works once, and a second start prints none', async () => {
    const out = first.out()
    assert.match(out, /^Starting …\nThe console is at http:\/\/localhost:\d+\/console\/\n/)
    const token = new RegExp(`${first.url}/console/setup#token=([\\w-]{43})\\n`).exec(out)?.[1]
    const body = { token, email: EMAIL, name: 'First', password: PASSWORD }
    const answers = [
      await ask(first, 'POST', '/auth/setup', { body }),
      await ask(first, 'POST', '/auth/setup', { body }),
    ]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 404],
    )
    second = await start(await findFreePort())
    assert.doesNotMatch(second.out(), /setup/)
  })

  test("a new password ends the person's other sessions in another process and cuts their streams within 5 seconds", async () => {
    const [one, two] = [await signIn(), await signIn()]
    const stream = await ask(second, 'GET', '/events/stream', { cookie: two })
    const openStream = await ask(second, 'GET', '/events/stream?account=DEMO001&events=target.created', { cookie: one })
    assert.deepEqual([stream.status, openStream.status], [200, 200])
    const reader = stream.body?.getReader()
    await reader?.read()
    // Cached there until its end.
    assert.equal((await ask(second, 'GET', '/me', { cookie: two })).status, 200)
    const changed = await ask(first, 'PUT', '/me/password', { body: { old: PASSWORD, new: NEW }, cookie: one })
    assert.equal(changed.status, 204)
    const at = performance.now()
    const cut = (async () => {
      for (let isOpen = true; isOpen; )
        isOpen = await (reader?.read() ?? Promise.reject()).then(
          ({ done }) => !done,
          () => false,
        )
      return performance.now() - at
    })()
    await eventually(async () => (await ask(second, 'GET', '/me', { cookie: two })).status === 401)
    const ended = performance.now() - at
    assert.ok(ended < 5000, `the session ended after ${ended} ms`)
    const cutAfter = await cut
    assert.ok(cutAfter < 5000, `the stream ended after ${cutAfter} ms`)
    assert.equal((await ask(second, 'GET', '/me', { cookie: one })).status, 200)
    // The stream of the session that changed the password goes on: what happens now still comes.
    const body = { Email: 'later@people.example' }
    assert.equal((await ask(first, 'POST', '/targets?account=DEMO001', { body, cookie: one })).status, 200)
    const openReader = openStream.body!.getReader()
    const decoder = new TextDecoder()
    for (let text = ''; !text.includes('event: target.created'); ) {
      const { done, value } = await openReader.read()
      assert.equal(done, false, 'the stream was cut')
      text += decoder.decode(value, { stream: true })
    }
    await openReader.cancel()
  })

  test('are invited, listed, reset and deactivated from the command line', async () => {
    const run = async (...words: string[]) => {
      const { status, out, errors } = await runProgram(['people', ...words], common)
      return { status, out, errors }
    }
    const invited = await run('invite', 'Second@People.Example', '--account', 'DEMO001', '--role', 'sender')
    const token = /\/console\/invitation#token=([\w-]{43})\n/.exec(invited.out)?.[1]
    const body = { name: 'Second', password: PASSWORD }
    const accepted = await ask(first, 'POST', `/auth/invitations/${token}`, { body })
    assert.equal(accepted.status, 200)
    const cookie = accepted.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
    assert.match((await run('list')).out, /second@people\.example +Second +true +false +none +\S+ +DEMO001:sender/)
    const reset = /\/console\/reset#token=([\w-]{43})\n/.exec((await run('reset', EMAIL)).out)?.[1]
    assert.equal((await ask(first, 'POST', `/auth/reset/${reset}`, { body: { password: PASSWORD } })).status, 204)
    await signIn()
    assert.equal((await ask(first, 'GET', '/me', { cookie })).status, 200)
    assert.equal((await run('deactivate', 'second@people.example')).status, 0)
    await eventually(async () => (await ask(first, 'GET', '/me', { cookie })).status === 401)
    await database.db
      .insertInto('totp_secrets')
      .values({ person: await idOf(EMAIL), sealed: Buffer.from('lost') })
      .execute()
    assert.match((await run('reset', EMAIL, '--second-factor')).out, /passkeys removed/)
    await signIn()
    const last = await run('deactivate', EMAIL)
    assert.deepEqual([last.status, /would have no admin/.test(last.errors)], [1, true])
    assert.equal((await run('invite', 'x@people.example', '--account', 'DEMO001', '--role', 'king')).status, 1)
    assert.equal((await run('reset', 'nobody@people.example')).status, 1)
    assert.equal((await run('operator', EMAIL, '--off')).status, 1)
    assert.equal((await run('fly')).status, 1)
  })
})
