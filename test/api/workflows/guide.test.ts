import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { simpleParser } from 'mailparser'
import { finalizeHits } from '../../../src/features/events/record/settle.ts'
import { createWorkflowTaskWorker } from '../../../src/features/workflows/tasks/task-worker.ts'
import { DAY_MS, HOUR_MS } from '../../../src/lib/time/spans.ts'
import { startStage } from '../../support/stages/stage.ts'
import { workflowSends } from '../../support/stages/workflow-sends.ts'
import { eventually } from '../../support/wait.ts'

/*
 * The examples of docs/reference/workflows.md are activated as they are printed there, and run through.
 */

const stage = await startStage()
const { app, call, clock, context, gateway, own, sendDue } = stage
const { engine, sending, settle: settleRuns } = workflowSends(stage)
const { db } = context
await call('PUT', '/settings/sending', { body: { testRequired: false } })

const guide = await readFile(new URL('../../../docs/reference/workflows.md', import.meta.url), 'utf8')

/** The JSON of an example, with ids of this account in place of the words that stand for them. */
function example(name: string, ids: Record<string, unknown>): unknown {
  const [, text = ''] = new RegExp(`\`\`\`json ${name}\\n(.*?)\`\`\``, 's').exec(guide) ?? []
  return JSON.parse(text, (_, value) => (typeof value === 'string' && value in ids ? ids[value] : value))
}

/** Stores and activates an example, which has no flaws; gives its number. */
async function activate(name: string, ids: Record<string, unknown>): Promise<number> {
  const made = await call('POST', '/scripting/workflows', { body: example(name, ids) })
  assert.equal(made.status, 200, made.text)
  const url = `/scripting/workflows/${made.body.id}`
  assert.deepEqual((await call('GET', `${url}/flaws`)).body, [])
  const { status, text } = await call('POST', `${url}/activation`)
  assert.equal(status, 204, text)
  return made.body.id
}

/** Lets all that is due go on: events, runs, sends. */
async function settle(): Promise<void> {
  for (let n = 0; n < 3; n++) {
    await settleRuns()
    await sendDue()
  }
}

/** Opens the last mail to an address, as a person would an hour later. */
async function open(address: string): Promise<void> {
  clock.advance(HOUR_MS)
  const mail = await simpleParser(gateway.to(address).at(-1)!.bytes)
  const [pixel = ''] = /\/t\/o\/[\w-]{72}/.exec(String(mail.html)) ?? []
  const userAgent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
  assert.equal((await app.inject({ url: pixel, headers: { 'user-agent': userAgent } })).statusCode, 200)
  await eventually(async () => {
    await finalizeHits(db)
    const { rows } = await sql`select from unsettled_hits`.execute(db)
    return rows.length === 0
  })
}

/** Status and outcome of the runs of a workflow, in the order of their contacts. */
async function runsOf(workflow: number): Promise<unknown[]> {
  const { rows } = await sql<{ status: string; outcome: string | null }>`
    select status, outcome from workflow_runs where account = ${own.account} and workflow = ${workflow} order by contact, id`.execute(
    db,
  )
  return rows.map(({ status, outcome }) => [status, outcome])
}

const subjects = (address: string): string[] =>
  gateway.to(address).map(({ bytes }) => /^Subject: (.*)$/m.exec(String(bytes))?.[1]?.trim() ?? '')

const WELCOME = await sending({ content: { subject: 'Welcome', html: '<html><body><p>Hello</p></body></html>' } })
const REMINDER = await sending({ content: { subject: 'Again', html: '<html><body><p>Hello</p></body></html>' } })
const CART = await sending({
  content: { subject: 'Again {{ data.cart }}', html: '<html><body><p>Hello again</p></body></html>' },
})

suite('workflows guide', () => {
  test('welcome series: a contact that opens the first mail gets no second one', async () => {
    const workflow = await activate('welcome', { WELCOME, REMINDER })
    await stage.contact('ann@orchard.example')
    await stage.contact('bob@orchard.example')
    await settle()
    assert.deepEqual([subjects('ann@orchard.example'), subjects('bob@orchard.example')], [['Welcome'], ['Welcome']])
    await open('ann@orchard.example')
    await settle()
    clock.advance(DAY_MS)
    await settle()
    assert.deepEqual(subjects('ann@orchard.example'), ['Welcome'])
    assert.deepEqual(subjects('bob@orchard.example'), ['Welcome', 'Again'])
    assert.deepEqual(await runsOf(workflow), [
      ['completed', 'welcomed'],
      ['completed', 'welcomed'],
    ])
    await call('DELETE', `/scripting/workflows/${workflow}/activation`)
  })

  test('cart reminder: one mail an hour after the cart was left, with its content, and none once it is paid', async () => {
    const workflow = await activate('cart', { REMINDER: CART })
    const publisher = await call('POST', '/scripting/workflows', {
      body: {
        name: 'Shop',
        nodes: [
          {
            type: 'publish',
            id: 'say',
            default: true,
            event: { type: 'path', value: 'data.name' },
            data: { type: 'path', value: 'data.about' },
          },
        ],
      },
    })
    const shop = `/scripting/workflows/${publisher.body.id}`
    assert.equal((await call('POST', `${shop}/activation`)).status, 204)
    const say = (value: string, name: string, about: object = {}) =>
      call('POST', `${shop}/execution`, {
        body: { receiver: { type: 'unicity', value: [value] }, data: { name, about } },
      })
    const [cat, dan] = ['cat@orchard.example', 'dan@orchard.example']
    for (const address of [cat, dan]) {
      await stage.contact(address)
      const { body, text } = await say(address, 'cart.left', { cart: 'pears' })
      assert.equal(body.type, 'success', text)
    }
    await settle()
    await say(dan, 'cart.paid')
    await settle()
    assert.deepEqual(await runsOf(workflow), [
      ['waiting', null],
      ['completed', 'goal'],
    ])
    clock.advance(HOUR_MS)
    await settle()
    assert.deepEqual([subjects(cat), subjects(dan)], [['Again pears'], []])
    clock.advance(DAY_MS)
    await settle()
    assert.deepEqual((await runsOf(workflow))[0], ['completed', 'not paid'])
    await say(cat, 'cart.left', { cart: 'plums' })
    await settle()
    assert.equal((await runsOf(workflow)).length, 2, 'at most one a week')
  })

  test('win-back: fires on Monday at nine for the segment, sends one of two mails and marks the contacts that open', async () => {
    const field = await call('POST', '/fields', { body: { name: 'Status', type: 'textField' } })
    assert.equal(field.status, 200, field.text)
    const addresses = Array.from({ length: 12 }, (_, n) => `sleeper${n}@orchard.example`)
    const SLEEPING = await stage.segment(await Promise.all(addresses.map((address) => stage.contact(address))))
    clock.set('2027-01-08T10:00:00Z')
    const workflow = await activate('win-back', { WELCOME, REMINDER, SLEEPING })
    const tasks = createWorkflowTaskWorker(engine)
    clock.set('2027-01-11T07:59:59Z')
    while (await tasks.work());
    assert.deepEqual(await runsOf(workflow), [])
    clock.set('2027-01-11T08:00:00Z')
    while (await tasks.work());
    await settle()
    const written = addresses.filter((address) => subjects(address).length > 0)
    assert.ok(written.length > 0)
    await open(written[0]!)
    await settle()
    clock.advance(7 * DAY_MS)
    await settle()
    const marked = await Promise.all(
      addresses.map(async (address) => (await call('GET', `/targets?unicity=${address}`)).body.fields[field.body.id]),
    )
    assert.deepEqual(
      addresses.filter((_, index) => marked[index] === 'back'),
      [written[0]],
    )
    assert.deepEqual(
      await runsOf(workflow),
      addresses.map(() => ['completed', 'done']),
    )
    tasks.stop()
  })
})
