import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import type { Answer } from '../../support/harness.ts'
import { type Colleague, colleague } from '../../support/stages/colleagues.ts'
import { startStage } from '../../support/stages/stage.ts'
import { workflowSends } from '../../support/stages/workflow-sends.ts'

const stage = await startStage()
const { call, context, gateway, sendDue } = stage
context.config.publicWebtasks = true
const { sending, person, tasks, settle } = workflowSends(stage)

/** A caller: a key of the account, or a person who may send. */
type Who = Pick<Colleague, 'call'>
const key: Who = { call: (method, url, options) => call(method, url, options) }
let sender: Colleague
let mail: string
let serial = 0

before(async () => {
  sender = await colleague(stage, 'sender')
  await colleague(stage, 'sender')
  await call('PUT', '/settings/sending', { body: { testRequired: false } })
  mail = await sending()
  await approvals(true)
})

async function approvals(approval: boolean): Promise<void> {
  const answer = await call('PUT', '/settings/people', { body: { approval } })
  assert.equal(answer.status, 200, answer.text)
}

async function create(who: Who, url: string, body: object): Promise<Answer['body']> {
  const answer = await who.call('POST', url, { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const sends = { environment: { capabilities: ['actions.send'] } }
const scriptTo = (contact: string) =>
  `export default () => actions.execute("${mail}", { recipient: { type: "id", value: "${contact}" } })`

/** A webtask that sends to a contact, on its own or by what it imports. */
async function webtask(who: Who, value: string, scripting: object = sends): Promise<string> {
  const body = { name: `Task ${++serial}`, value, scripting, settings: { public: { enabled: true } } }
  return `/scripting/webtasks/${(await create(who, '/scripting/webtasks', body)).id}`
}

const importing = (url: string) => ({
  ...sends,
  imports: [{ type: 'webtask', name: 'part', value: Number(url.split('/').at(-1)) }],
})
const USES_PART = 'import send from "part"\nexport default () => send()'

async function compilable(who: Who, value: string, scripting: object = sends): Promise<string> {
  const body = { name: `Script ${++serial}`, value: { type: 'script', value, scripting, parameters: [] } }
  return `/scripting/compilables/${(await create(who, '/scripting/compilables', body)).id}`
}

/** The status of a visit of a token's address; 404 also where no token was made. */
async function visited(who: Who, url: string): Promise<number> {
  const token = await who.call('POST', `${url}/cipher`, { body: {} })
  if (token.status !== 200) return token.status
  const path = `/w/${token.body.value}`
  return (await stage.app.inject({ method: 'POST', url: path, remoteAddress: `10.0.0.${++serial}` })).statusCode
}

/** The ways in which a webtask starts on demand, with the status of each answer; a compilable starts by `execution` alone. */
const starts: Record<string, (who: Who, url: string) => Promise<number>> = {
  execution: async (who, url) => (await who.call('POST', `${url}/execution`, { body: {} })).status,
  executions: async (who, url) => (await who.call('POST', `${url}/executions`, { body: [{}] })).status,
  token: visited,
}

suite('a script that sends, in an account that requires approvals', () => {
  test('runs only if keys wrote it and what it imports, made its token and start it', async () => {
    const { id, address } = await person()
    const whole = (who: Who) => webtask(who, scriptTo(id))
    const part = (who: Who) => webtask(who, scriptTo(id), {})
    const byImport = async (inner: Who, outer: Who) => webtask(outer, USES_PART, importing(await part(inner)))
    const webtasks: [string, number, string][] = [
      ['of a key', 200, await whole(key)],
      ['of a key, importing that of a key', 200, await byImport(key, key)],
      ['of a person', 403, await whole(sender)],
      ['of a key, importing that of a person', 403, await byImport(sender, key)],
      ['of a person, importing that of a key', 403, await byImport(key, sender)],
    ]
    let sent = 0
    for (const [what, status, url] of webtasks)
      for (const [how, begin] of Object.entries(starts)) {
        assert.equal(await begin(key, url), status, `${how} by a key, webtask ${what}`)
        assert.equal(await begin(sender, url), 403, `${how} by a person, webtask ${what}`)
        if (status === 200) sent++
      }
    const compilables: [number, string][] = [
      [200, await compilable(key, scriptTo(id))],
      [403, await compilable(sender, scriptTo(id))],
      [200, await compilable(key, USES_PART, importing(await part(key)))],
      [403, await compilable(key, USES_PART, importing(await part(sender)))],
    ]
    for (const [status, url] of compilables) {
      assert.equal(await starts['execution']!(key, url), status)
      assert.equal(await starts['execution']!(sender, url), 403)
      if (status === 200) sent++
    }
    await sendDue()
    assert.equal(gateway.to(address).length, sent)
  })

  test('does not run by a token that a person made before, nor with one in an execution', async () => {
    const { id, address } = await person()
    await approvals(false)
    const url = await webtask(key, scriptTo(id))
    const token = async (who: Who) => (await create(who, `${url}/cipher`, { data: { a: 1 } })).value
    const [ofPerson, ofKey] = [await token(sender), await token(key)]
    const visit = async (value: string) =>
      (await stage.app.inject({ method: 'POST', url: `/w/${value}`, remoteAddress: `10.1.0.${++serial}` })).statusCode
    assert.deepEqual([await visit(ofPerson), await visit(ofKey)], [200, 200])
    await approvals(true)
    const execution = async (cipher: string) => (await call('POST', `${url}/execution`, { body: { cipher } })).status
    assert.deepEqual([await visit(ofPerson), await visit(ofKey)], [403, 200])
    assert.deepEqual([await execution(ofPerson), await execution(ofKey)], [403, 200])
    await sendDue()
    assert.equal(gateway.to(address).length, 4)
  })

  test('does not run by the token of a key once a person has had it send, until a key writes it again', async () => {
    const { id } = await person()
    const url = await webtask(key, 'export default () => 1', {})
    const { value } = await create(key, `${url}/cipher`, {})
    const visit = async () =>
      (await stage.app.inject({ method: 'POST', url: `/w/${value}`, remoteAddress: `10.2.0.${++serial}` })).statusCode
    const write = async (who: Who, method: string, path: string, body: object) => {
      const answer = await who.call(method, path, { body })
      assert.equal(answer.status, 200, answer.text)
    }
    assert.equal(await visit(), 200)
    await write(sender, 'PUT', url, { value: scriptTo(id), scripting: sends })
    assert.equal(await visit(), 403)
    await write(key, 'PUT', url, { description: 'Renamed only' })
    assert.equal(await visit(), 403)
    await write(key, 'PUT', `${url}/script`, { value: scriptTo(id) })
    assert.equal(await visit(), 200)
    // What a person may change of it does nothing.
    const quiet = await webtask(key, scriptTo(id), {})
    await write(sender, 'PUT', quiet, { description: 'Renamed only' })
    await write(key, 'PUT', quiet, { scripting: sends })
    assert.equal(await starts['token']!(key, quiet), 200)
    const other = await compilable(sender, scriptTo(id))
    const { value: same } = (await call('GET', other)).body
    assert.equal(await starts['execution']!(key, other), 403)
    await write(key, 'PUT', other, { value: same })
    assert.equal(await starts['execution']!(key, other), 200)
    const copy = (await call('POST', `${await compilable(sender, scriptTo(id))}/duplication`)).body
    assert.equal(await starts['execution']!(key, `/scripting/compilables/${copy.id}`), 403)
  })

  test('runs in nodes and by tasks of a workflow that was approved or that a key activated, whoever wrote it', async () => {
    const numberOf = (url: string) => Number(url.split('/').at(-1))
    const { id, address } = await person()
    const pipeline = (await compilable(sender, scriptTo(id))).split('/').at(-1)
    const failure = { mode: 'fail', retry: { attempts: 0 } }
    const end = { id: 'end', type: 'terminal' }
    const node = (type: string, settings: object) => [{ id: 'send', type, default: true, settings, next: 'end' }, end]
    const task = numberOf(await webtask(sender, scriptTo(id)))
    const part = await webtask(sender, scriptTo(id), {})
    const workflows: [string, object][] = [
      ['webtask', { nodes: node('script', { webtask: task }) }],
      ['script', { nodes: node('script', { value: USES_PART }), scripting: importing(part) }],
      ['pipeline', { nodes: node('data-manager/pipeline', { compilable: pipeline, into: 'rows', failure }) }],
    ]
    const firing = { id: 'task', handler: 'send', provider: { type: 'none' } }
    const other = await colleague(stage, 'sender')
    let sent = 0
    for (const [what, body] of workflows)
      for (const isKey of [true, false]) {
        const { id: workflow } = await create(sender, '/scripting/workflows', {
          name: `Flow ${++serial}`,
          tasks: [firing],
          ...body,
        })
        const url = `/scripting/workflows/${workflow}`
        const refused = await sender.call('POST', `${url}/activation`)
        assert.deepEqual([refused.status, refused.body.type], [403, 'urn:stentor:problem:approval-required'], what)
        if (isKey) assert.equal((await call('POST', `${url}/activation`)).status, 204)
        else {
          const approval = await create(sender, '/approvals', { type: 'workflow', id: workflow })
          await create(other, `/approvals/${approval.id}/decision`, { decision: 'approve' })
        }
        await create(sender, `${url}/execution`, {})
        const headers = { prefer: 'wait=0' }
        assert.equal((await sender.call('POST', `${url}/tasks/task/execution`, { headers })).status, 200)
        while (await tasks.work());
        await settle()
        await sendDue()
        assert.equal(gateway.to(address).length, (sent += 2), what)
        const change = await sender.call('PUT', url, { body: { nodes: [{ ...end, default: true }] } })
        assert.equal(change.status, 403, what)
        assert.equal((await sender.call('DELETE', `${url}/activation`)).status, 204)
      }
  })

  test('runs for people as before where the account requires no approvals', async () => {
    await approvals(false)
    const { id } = await person()
    for (const begin of Object.values(starts))
      assert.equal(await begin(sender, await webtask(sender, scriptTo(id))), 200)
    await approvals(true)
  })
})
