import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { startStage } from '../../support/stages/stage.ts'
import { workflowSends } from '../../support/stages/workflow-sends.ts'

const stage = await startStage()
const { call, context, own, gateway, sendDue, clock } = stage
const { db } = context
const { sending, person, activate, chain, begin, work, settle, runOf, recordsOf, made, engine } = workflowSends(stage)
await call('PUT', '/settings/sending', { body: { testRequired: false } })
const { id: points } = await made('/fields', { name: 'Points', type: 'numeric' })
const mail = await sending()

const everything = {
  environment: {
    capabilities: [
      'targets.read',
      'targets.write',
      'events.read',
      'events.publish',
      'actions.send',
      'workflows.execute',
    ],
  },
}
/** A script of a node, whose function has this body. */
const script = (id: string, body: string, settings: object = {}) => ({
  type: 'script',
  id,
  settings: { value: `export default async ({ data, contact }) => { ${body} }`, into: 'out', ...settings },
})
const me = '{ type: "id", value: contact.id }'
const pointsOf = async (id: string): Promise<unknown> => (await call('GET', `/targets/${id}`)).body.fields[points]
const published = async (name: string) =>
  (
    await sql<{ contact: number; stamp: object; depth: number; workflow: number }>`
      select contact, stamp, depth, workflow from notices where account = ${own.account} and name = ${name} order by id`.execute(
      db,
    )
  ).rows

suite('writes of workflow script nodes', () => {
  test("writes to contacts, events, messages and runs are applied with the step and recorded with the run's stamp", async () => {
    const { contact, id: who, address } = await person()
    const other = await chain([{ type: 'terminal', id: 'end', settings: { outcome: 'other' } }])
    const body = `
      targets.update(${me}, { Points: 7 });
      const made = targets.create({ Email: "made.by.node@orchard.example" });
      const event = events.publish("node.event", { n: 1 });
      const sent = actions.execute("${mail}", { receiver: ${me}, data: { cart: data.cart } });
      const run = workflows.execute(${other}, { receiver: ${me} });
      return { made, event: event.id, sent: sent.id, run: run.id, before: (await targets.get(${me})).fields.Points }`
    const after = {
      type: 'switch',
      id: 'seen',
      settings: { value: { type: 'path', value: 'contact.Points' }, cases: [] },
    }
    const workflow = await chain(
      [script('write', body), after, { type: 'terminal', id: 'end', settings: { outcome: 'ok' } }],
      { scripting: everything },
    )
    const id = await begin(workflow, { contact, depth: 2, data: { cart: 3 } })
    await settle()
    const { status, outcome, variables, stamp, thread, set, stamp_time: time, sends, trace } = await runOf(id)
    assert.deepEqual([status, outcome, variables.out.before], ['completed', 'ok', null])
    assert.equal(await pointsOf(who), 7)
    assert.equal((await call('GET', '/targets?unicity=made.by.node@orchard.example')).body.id, variables.out.made)
    assert.deepEqual(await published('node.event'), [
      {
        contact,
        depth: 3,
        workflow,
        stamp: { id: variables.out.event, thread, set, time: time.getTime() },
      },
    ])
    assert.notEqual(variables.out.event, stamp)
    const [execution] = await recordsOf(id)
    assert.deepEqual([execution!.stamp, execution!.depth, execution!.contact], [variables.out.sent, 3, contact])
    const { origin, data } = execution!.detail.execution
    assert.deepEqual([origin, data], [{ type: 'workflow', id: workflow }, { cart: 3 }])
    assert.deepEqual([sends.write, sends['']], [variables.out.sent, variables.out.sent])
    await sendDue()
    assert.equal(gateway.to(address).length, 1)
    const started = await runOf(variables.out.run)
    assert.deepEqual([started.workflow, started.depth, started.contact, started.outcome], [other, 3, contact, 'other'])
    assert.deepEqual(
      trace.map(({ node, outcome: left }: { node: string; outcome: string }) => [node, left]),
      [
        ['write', 'done'],
        ['seen', 'branch'],
        ['end', 'done'],
      ],
    )
    const events = await call('GET', `/scripting/workflows/${workflow}/events`)
    assert.deepEqual(
      events.body.map(({ name, contact: of }: { name: string; contact: string }) => [name, of]),
      [['node.event', who]],
    )
  })

  test('later nodes see the contact as the script wrote it', async () => {
    const { contact } = await person()
    const nodes = [
      script('write', `targets.update(${me}, { Points: 70 })`),
      {
        type: 'switch',
        id: 'seen',
        settings: { value: { type: 'path', value: 'contact.Points' }, cases: [{ value: 70, next: 'rich' }] },
      },
      { type: 'terminal', id: 'poor', settings: { outcome: 'poor' } },
      { type: 'terminal', id: 'rich', settings: { outcome: 'rich' } },
    ]
    const id = await begin(await chain(nodes, { scripting: everything }), { contact })
    await work()
    assert.equal((await runOf(id)).outcome, 'rich')
  })

  test('a script that throws or has one write refused writes nothing, and other runs continue', async () => {
    const people = [await person(), await person(), await person()]
    const nodes = [
      script(
        'write',
        `targets.update(${me}, { Points: 1 });
         events.publish("all.or.nothing");
         if (data.way === "throw") throw new Error("no");
         targets.update(${me}, { Points: data.way === "refused" ? "many" : 2 })`,
      ),
    ]
    const workflow = await chain(nodes, { scripting: everything })
    const ways = ['throw', 'refused', 'good']
    const ids: string[] = []
    for (const [n, way] of ways.entries())
      ids.push(await begin(workflow, { contact: people[n]!.contact, data: { way } }))
    await work()
    const runs = await Promise.all(ids.map(runOf))
    assert.deepEqual(
      runs.map(({ status, attempt, last }) => [status, attempt, last?.error?.type ?? null]),
      [
        ['failed', 1, 'script'],
        ['failed', 1, 'write'],
        ['completed', 1, null],
      ],
    )
    assert.match(runs[1].last.error.message, /^Call 3, targets.update: .*Points/)
    assert.deepEqual(await Promise.all(people.map(({ id }) => pointsOf(id))), [null, null, 2])
    assert.deepEqual(
      (await published('all.or.nothing')).map(({ contact }) => contact),
      [people[2]!.contact],
    )
  })

  test("a refused write follows the node's failure branch", async () => {
    const { contact } = await person()
    const failure = { mode: 'goto', next: 'lost' }
    const nodes = [
      script('write', 'targets.update({ type: "id", value: "ZZZZZZZZ" }, { Points: 1 })', { failure }),
      { type: 'terminal', id: 'end', settings: { outcome: 'end' } },
      { type: 'terminal', id: 'lost', settings: { outcome: 'lost' } },
    ]
    const id = await begin(await chain(nodes, { scripting: everything }), { contact })
    await work()
    assert.equal((await runOf(id)).outcome, 'lost')
  })

  test('a send of an action that is not in its sending state is retried under the same visit', async () => {
    const { contact, id: who, address } = await person()
    const action = await sending()
    assert.equal((await call('DELETE', `/actions/${action}/validation`)).status, 204)
    const body = `targets.update(${me}, { Points: 4 }); actions.execute("${action}", { receiver: ${me} })`
    const id = await begin(await chain([script('write', body)], { scripting: everything }), { contact })
    await work()
    const { status, phase, attempt } = await runOf(id)
    assert.deepEqual([status, phase, attempt, await pointsOf(who)], ['waiting', 'retry', 2, null])
    await made(`/actions/${action}/validation`, { fortest: false })
    clock.advance(70_000)
    await work()
    await sendDue()
    const { status: then, trace } = await runOf(id)
    assert.deepEqual([then, trace[0].visit, trace[0].attempt, await pointsOf(who)], ['completed', 1, 2, 4])
    assert.equal(gateway.to(address).length, 1)
  })

  test('a visit whose transaction was rolled back writes once and sends one message', async () => {
    const { contact, address } = await person()
    const body = `events.publish("once"); return actions.execute("${mail}", { receiver: ${me} }).id`
    const id = await begin(await chain([script('write', body)], { scripting: everything }), { contact })
    const { effects } = engine.performers
    const writes = effects.writes!
    let lost = 0
    effects.writes = async (step, requests) => {
      const answers = await writes(step, requests)
      if (lost++ === 0) throw new Error('the connection was lost')
      return answers
    }
    await work()
    clock.advance(60_000)
    await work()
    effects.writes = writes
    await sendDue()
    assert.equal(lost, 2)
    const { status, trace, variables } = await runOf(id)
    assert.deepEqual([status, trace.length, trace[0].visit], ['completed', 1, 1])
    const executions = (await recordsOf(id)).filter(({ kind }) => kind === 'executions')
    assert.deepEqual(
      executions.map((one) => one.stamp),
      [variables.out],
    )
    assert.deepEqual([gateway.to(address).length, (await published('once')).length], [1, 1])
  })

  test('each visit of a node sends its own message', async () => {
    const { contact, address } = await person()
    const nodes = [
      script('write', `actions.execute("${mail}", { receiver: ${me} })`),
      { type: 'sleep', id: 'pause', settings: { period: { unit: 'HOUR', value: 1 } }, next: 'write' },
    ]
    await begin(await chain(nodes, { scripting: everything }), { contact })
    await work()
    clock.advance(3_600_000)
    await work()
    await sendDue()
    assert.equal(gateway.to(address).length, 2)
  })

  test('a wait finds the outcome of a message sent by a script', async () => {
    const { contact, address } = await person()
    const event = { type: 'action.activation' }
    const ends = { timeout: { unit: 'DAY', value: 1 }, timeoutNext: 'late' }
    const nodes = (settings: object) => [
      script('write', `actions.execute("${mail}", { receiver: ${me} })`),
      { type: 'wait', id: 'gone', settings: { event, ...settings, ...ends } },
      { type: 'terminal', id: 'came', settings: { outcome: 'came' } },
      { type: 'terminal', id: 'late', settings: { outcome: 'late' } },
    ]
    const ids = [
      await begin(await chain(nodes({}), { scripting: everything }), { contact }),
      await begin(await chain(nodes({ correlation: 'send', since: 'send' }), { scripting: everything }), { contact }),
    ]
    await work()
    await sendDue()
    await settle()
    assert.equal(gateway.to(address).length, 2)
    assert.deepEqual(await Promise.all(ids.map(async (id) => (await runOf(id)).outcome)), ['came', 'came'])
  })

  test('a script that triggers itself stops at depth 10', async () => {
    const { contact } = await person()
    const workflow = await activate({
      scripting: everything,
      listeners: [{ id: 'loop', event: { type: 'custom', names: ['loop'] }, handler: 'write' }],
      nodes: [{ ...script('write', 'events.publish("loop")'), default: true }],
    })
    await begin(workflow, { contact })
    await settle()
    const all = await published('loop')
    assert.deepEqual(
      all.map(({ depth }) => depth),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    )
    const { rows } = await sql<{ reason: string }>`
      select reason from workflow_runs where workflow = ${workflow} and status = 'failed'`.execute(db)
    assert.deepEqual(
      rows.map(({ reason }) => reason),
      ['write: Call 1, events.publish: More than 10 workflows triggered each other.'],
    )
  })

  test('a simulation and a debug item describe the writes and make none', async () => {
    const { id: who } = await person()
    const receiver = { type: 'id', value: who }
    const body = `
      const id = targets.create({ Email: "shown@orchard.example" });
      targets.update({ type: "id", value: id }, { Points: 1 });
      actions.execute("${mail}", { receiver: ${me} });
      return id`
    const definition = {
      name: 'Shown',
      scripting: everything,
      nodes: [
        { ...script('write', body), default: true, next: 'end' },
        { id: 'end', type: 'terminal', settings: { outcome: 'end' } },
      ],
    }
    const { id: workflow } = await made('/scripting/workflows', definition)
    const before = await written()
    const path = `/scripting/workflows/${workflow}`
    const simulated = (await call('POST', `${path}/simulation`, { body: { receiver } })).body
    const again = (await call('POST', `${path}/simulation`, { body: { receiver } })).body
    const debugged = (await call('POST', `${path}/execution`, { body: { receiver, debug: {} } })).body.debug
    for (const result of [simulated, again, debugged]) {
      assert.deepEqual([result.outcome, result.variables], ['end', { out: 'ZZZZZZZZ' }])
      assert.deepEqual(
        result.effects.map(({ node, type, value }: { node: string; type: string; value: object }) => [
          node,
          type,
          value,
        ]),
        [
          ['write', 'script', { call: 'targets.create', arguments: [{ Email: 'shown@orchard.example' }] }],
          [
            'write',
            'script',
            { call: 'targets.update', arguments: [{ type: 'id', value: 'ZZZZZZZZ' }, { Points: 1 }] },
          ],
          ['write', 'script', { call: 'actions.execute', arguments: [mail, { receiver }] }],
        ],
      )
    }
    assert.deepEqual(await written(), before)
  })

  test('the run of a deleted contact is killed and writes nothing, and its data leaves no trace', async () => {
    const { contact, id: who } = await person()
    const nodes = [
      script('read', 'return { told: data.word }'),
      { type: 'sleep', id: 'pause', settings: { period: { unit: 'HOUR', value: 1 } } },
      script('write', `events.publish("gone", { word: data.word })`),
    ]
    const word = 'quincunx'
    const id = await begin(await chain(nodes, { scripting: everything }), { contact, data: { word } })
    await work()
    const asStored = async (): Promise<string> => {
      const { rows } = await sql<{ text: string }>`
        select concat(r::text, (select string_agg(t::text, '') from workflow_traces t where t.account = r.account and t.run = r.id)) as text
        from workflow_runs r where account = ${own.account} and id = ${id}`.execute(db)
      return rows[0]!.text
    }
    assert.match(await asStored(), new RegExp(word))
    assert.equal((await call('DELETE', `/targets/${who}`)).status, 204)
    clock.advance(3_600_000)
    await work()
    const { status, contact: left, data, variables } = await runOf(id)
    assert.deepEqual([status, left, data, variables, await published('gone')], ['killed', null, {}, {}, []])
    assert.doesNotMatch(await asStored(), new RegExp(word))
  })
})

/** How many rows there are of all that scripts write, and the number of the last contact. */
async function written(): Promise<unknown> {
  const { rows } = await sql`
    select (select count(*) from workflow_runs) as runs, (select count(*) from notices) as notices,
      (select count(*) from messages) as messages, (select count(*) from events) as events,
      (select count(*) from contacts) as contacts, (select max(id) from contacts) as last`.execute(db)
  return rows[0]
}
