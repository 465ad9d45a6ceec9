import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import type { Answer } from '../../support/harness.ts'
import { type Colleague, colleague } from '../../support/stages/colleagues.ts'
import { compilableStage, pipeline } from '../../support/stages/pipeline-stage.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { call } = stage
const compilables = compilableStage(stage)

let author: Colleague
let sender: Colleague
let other: Colleague
let named = 0

before(async () => {
  author = await colleague(stage, 'author')
  sender = await colleague(stage, 'sender')
  other = await colleague(stage, 'sender')
})

async function made(url: string, body: object): Promise<Answer['body']> {
  const answer = await call('POST', url, { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function refused(status: number, kind: string, answer: Promise<Answer>): Promise<Answer['body']> {
  const { status: given, body, text } = await answer
  assert.deepEqual([given, body?.type], [status, `urn:stentor:problem:${kind}`], text)
  return body
}

async function approvals(approval: boolean): Promise<void> {
  const answer = await call('PUT', '/settings/people', { body: { approval } })
  assert.equal(answer.status, 200, answer.text)
}

async function webtask(value = 'export default () => 1', more: object = {}): Promise<number> {
  return (await made('/scripting/webtasks', { name: `Task ${++named}`, value, ...more })).id
}

const importing = (...ids: number[]) => ({
  imports: ids.map((value, index) => ({ type: 'webtask', name: `./${index}.js`, value })),
})

const scriptOf = (...imports: number[]) => ({
  type: 'script',
  value: 'export default () => [1]',
  parameters: [],
  scripting: importing(...imports),
})

/** A script of every way into a workflow: nobody else uses any of them. */
async function reached() {
  const inner = await webtask()
  const run = await webtask('export default () => 2', { scripting: importing(inner) })
  const imported = await webtask()
  const ofScript = await webtask()
  const deep = await compilables.made(pipeline([{ n: 1 }], []))
  const used = await compilables.made({ ...pipeline([], []), source: { type: 'compilable', id: deep } })
  const script = await compilables.made(scriptOf(ofScript))
  const rows = (id: string, compilable: string, next: string) => ({
    id,
    type: 'data-manager/pipeline',
    next,
    settings: { compilable, into: id, failure: { mode: 'fail', retry: { attempts: 0 } } },
  })
  const { id } = await made('/scripting/workflows', {
    name: `Flow ${++named}`,
    scripting: importing(imported),
    nodes: [
      { id: 'run', type: 'script', default: true, settings: { webtask: run }, next: 'used' },
      rows('used', used, 'script'),
      rows('script', script, 'end'),
      { id: 'end', type: 'terminal' },
    ],
  })
  const webtasks = { inner, run, imported, ofScript }
  return { workflow: `/scripting/workflows/${id}`, id, webtasks, compilables: { deep, used, script }, ofScript }
}

type Reached = Awaited<ReturnType<typeof reached>>

/** A change of each script, as one person would make it. */
function changesOf({
  webtasks,
  compilables: pipelines,
  ofScript,
}: Reached): Record<string, (who: Colleague) => Promise<Answer>> {
  const body = () => ({ description: `Changed ${++named}` })
  const tasks = Object.entries(webtasks).flatMap(([name, id]) => {
    const url = `/scripting/webtasks/${id}`
    const script = { value: 'export default () => 3' }
    return [
      [`PUT ${name}`, (who: Colleague) => who.call('PUT', url, { body: body() })],
      [`PATCH ${name}`, (who: Colleague) => who.call('PATCH', url, { body: body() })],
      [`script of ${name}`, (who: Colleague) => who.call('PUT', `${url}/script`, { body: script })],
    ] as const
  })
  const values: Record<string, object> = {
    deep: pipeline([{ n: 2 }], []),
    script: scriptOf(ofScript),
    used: { ...pipeline([], []), source: { type: 'compilable', id: pipelines.deep } },
  }
  const others = Object.entries(pipelines).flatMap(([name, id]) => {
    const url = `/scripting/compilables/${id}`
    return [
      [
        `PUT ${name}`,
        (who: Colleague) => who.call('PUT', url, { body: { name: `P ${++named}`, value: values[name] } }),
      ],
      [`PATCH ${name}`, (who: Colleague) => who.call('PATCH', url, { body: body() })],
    ] as const
  })
  return Object.fromEntries([...tasks, ...others])
}

const shown = async ({ webtasks, compilables: pipelines }: Reached) => {
  const urls = [
    ...Object.values(webtasks).map((id) => `/scripting/webtasks/${id}`),
    ...Object.values(pipelines).map((id) => `/scripting/compilables/${id}`),
  ]
  return Promise.all(urls.map(async (url) => (await call('GET', url)).body))
}

suite('scripts of an active workflow', () => {
  test('are changed only by those who may change the workflow, however the workflow uses them', async () => {
    const all = await reached()
    const changes = Object.entries(changesOf(all))
    const works = async (who: Colleague) => {
      for (const [name, change] of changes) {
        const { status, text } = await change(who)
        assert.equal(status, 200, `${name}: ${text}`)
      }
    }
    await works(author)
    assert.equal((await call('POST', `${all.workflow}/activation`)).status, 204)
    const before = await shown(all)
    for (const [, change] of changes) await refused(403, 'right-missing', change(author))
    await approvals(true)
    for (const [, change] of changes) await refused(403, 'approval-required', change(sender))
    assert.deepEqual(await shown(all), before)
    // A key is not asked, nor is a sender where the account asks for no approvals.
    const url = `/scripting/webtasks/${all.webtasks.inner}`
    assert.equal((await call('PUT', url, { body: { description: 'By a key' } })).status, 200)
    await approvals(false)
    const free = await colleague(stage, 'sender')
    await works(free)
    await approvals(true)
    assert.equal((await sender.call('DELETE', `${all.workflow}/activation`)).status, 204)
    await works(author)
    await approvals(false)
  })

  test('are deleted only by them, and not while in use', async () => {
    const all = await reached()
    assert.equal((await call('POST', `${all.workflow}/activation`)).status, 204)
    const urls = [`/scripting/webtasks/${all.webtasks.run}`, `/scripting/compilables/${all.compilables.used}`]
    for (const url of urls) {
      await refused(403, 'right-missing', author.call('DELETE', url))
      await refused(409, 'in-use', call('DELETE', url))
    }
    const unused = await webtask()
    assert.equal((await author.call('DELETE', `/scripting/webtasks/${unused}`)).status, 204)
    await refused(404, 'not-found', author.call('PUT', '/scripting/webtasks/999999', { body: { name: 'None' } }))
  })

  test("make the workflow's approval stale if they change after the request", async () => {
    await approvals(true)
    const all = await reached()
    const ask = async (): Promise<string> => {
      const answer = await author.call('POST', '/approvals', { body: { type: 'workflow', id: all.id } })
      assert.equal(answer.status, 200, answer.text)
      return answer.body.id
    }
    const approve = (id: string) => other.call('POST', `/approvals/${id}/decision`, { body: { decision: 'approve' } })
    const script = (id: number) =>
      author.call('PUT', `/scripting/webtasks/${id}/script`, { body: { value: `export default () => ${++named}` } })
    for (const id of Object.values(all.webtasks)) {
      const approval = await ask()
      assert.equal((await script(id)).status, 200)
      await refused(409, 'approval-stale', approve(approval))
    }
    const approval = await ask()
    const body = { name: `P ${++named}`, value: pipeline([{ n: ++named }], []) }
    assert.equal((await author.call('PUT', `/scripting/compilables/${all.compilables.deep}`, { body })).status, 200)
    await refused(409, 'approval-stale', approve(approval))
    assert.equal((await approve(await ask())).status, 200)
    await approvals(false)
  })

  test('include those of earlier versions, as long as runs use them', async () => {
    await approvals(true)
    const [first, second, gone] = [await webtask(), await webtask(), await webtask()]
    const compilable = await compilables.made(pipeline([{ n: 1 }], []))
    const end = { id: 'end', type: 'terminal' }
    const running = (...ids: number[]) =>
      ids.map((id, index) => {
        const next = index + 1 < ids.length ? `run${index + 1}` : 'end'
        return { id: `run${index}`, type: 'script', default: index === 0, settings: { webtask: id }, next }
      })
    const rows = {
      id: 'rows',
      type: 'data-manager/pipeline',
      next: 'end',
      settings: { compilable, into: 'rows', failure: { mode: 'fail', retry: { attempts: 0 } } },
    }
    const name = `Flow ${++named}`
    const { id } = await made('/scripting/workflows', { name, nodes: [...running(first, gone), rows, end] })
    const url = `/scripting/workflows/${id}`
    assert.equal((await call('POST', `${url}/activation`)).status, 204)
    const receiver = { type: 'id', value: await stage.contact('runner@shop.example') }
    assert.equal((await call('POST', `${url}/execution`, { body: { receiver } })).body.type, 'success')
    assert.equal((await sender.call('DELETE', `${url}/activation`)).status, 204)
    assert.equal((await author.call('DELETE', `/scripting/webtasks/${gone}`)).status, 204)
    const body = { name, nodes: [...running(second), end] }
    assert.equal((await author.call('PUT', url, { body })).status, 200)
    const change = (who: Colleague, one: number) =>
      who.call('PUT', `/scripting/webtasks/${one}`, { body: { value: `export default () => ${++named}` } })
    const asked = await author.call('POST', '/approvals', { body: { type: 'workflow', id } })
    assert.equal(asked.status, 200, asked.text)
    assert.equal((await change(author, first)).status, 200)
    const decision = other.call('POST', `/approvals/${asked.body.id}/decision`, { body: { decision: 'approve' } })
    await refused(409, 'approval-stale', decision)
    assert.equal((await call('POST', `${url}/activation`)).status, 204)
    for (const one of [first, second]) await refused(403, 'approval-required', change(sender, one))
    const pipelineChange = { name: `P ${++named}`, value: pipeline([{ n: 2 }], []) }
    const changed = sender.call('PUT', `/scripting/compilables/${compilable}`, { body: pipelineChange })
    await refused(403, 'approval-required', changed)
    await approvals(false)
  })

  test('are protected together with the criteria of segments that its pipelines name', async () => {
    await approvals(true)
    const [email] = (await call('GET', '/fields')).body
    const criteria = (value: string) => ({ type: 'field', field: email.id, operator: 'startsWith', value })
    const { id: segment } = await made('/segments', {
      type: 'dynamic',
      name: `Letter ${++named}`,
      criteria: criteria('a'),
    })
    const compilable = await compilables.made(pipeline({ type: 'segment', segment }, []))
    const settings = { compilable, into: 'rows', failure: { mode: 'fail', retry: { attempts: 0 } } }
    const { id } = await made('/scripting/workflows', {
      name: `Flow ${++named}`,
      nodes: [
        { id: 'rows', type: 'data-manager/pipeline', default: true, next: 'end', settings },
        { id: 'end', type: 'terminal' },
      ],
    })
    const asked = await author.call('POST', '/approvals', { body: { type: 'workflow', id } })
    assert.equal(asked.status, 200, asked.text)
    assert.equal((await author.call('PUT', `/segments/${segment}`, { body: { criteria: criteria('b') } })).status, 200)
    const decision = other.call('POST', `/approvals/${asked.body.id}/decision`, { body: { decision: 'approve' } })
    await refused(409, 'approval-stale', decision)
    await approvals(false)
  })

  test('are run as they were approved, or not at all, when they change during the approval', async () => {
    await approvals(true)
    const all = await reached()
    for (let time = 0; time < 4; time++) {
      const asked = await author.call('POST', '/approvals', { body: { type: 'workflow', id: all.id } })
      assert.equal(asked.status, 200, asked.text)
      const value = `export default () => ${++named}`
      const [decided, changed] = await Promise.all([
        other.call('POST', `/approvals/${asked.body.id}/decision`, { body: { decision: 'approve' } }),
        author.call('PUT', `/scripting/webtasks/${all.webtasks.inner}/script`, { body: { value } }),
      ])
      assert.deepEqual([decided.status, changed.status].sort(), decided.status === 200 ? [200, 403] : [200, 409])
      if (decided.status === 200) assert.equal((await sender.call('DELETE', `${all.workflow}/activation`)).status, 204)
    }
    await approvals(false)
  })
})

test('a public webtask that sends is changed only by those who may send, and with approvals by a key', async () => {
  const capabilities = { environment: { capabilities: ['actions.send'] } }
  const inner = await webtask()
  const id = await webtask('export default () => 1', {
    scripting: { ...capabilities, ...importing(inner) },
    settings: { public: { enabled: true } },
  })
  const quiet = await webtask('export default () => 1', { settings: { public: { enabled: true } } })
  const change = (who: Colleague, one: number) =>
    who.call('PUT', `/scripting/webtasks/${one}`, { body: { value: `export default () => ${++named}` } })
  for (const one of [id, inner]) await refused(403, 'right-missing', change(author, one))
  assert.equal((await change(sender, id)).status, 200)
  await approvals(true)
  for (const one of [id, inner]) await refused(403, 'approval-required', change(sender, one))
  assert.equal((await change(author, quiet)).status, 200)
  await approvals(false)
})
