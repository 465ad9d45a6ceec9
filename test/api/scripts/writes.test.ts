import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from '../../../src/database/connection/connect.ts'
import { replaceListenedTypes } from '../../../src/features/notices/listening.ts'
import { previewContactIds } from '../../../src/features/script-host/reads/contact-ids.ts'
import type { ScriptWriteCaller, ScriptWriteResult } from '../../../src/features/script-host/writes/write-types.ts'
import { applyScriptWrites, prepareScriptWrites } from '../../../src/features/script-host/writes/writes.ts'
import { formatContactId, parseContactId } from '../../../src/lib/ids.ts'
import { scriptHost } from '../../support/stages/script-host.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { call, context, own, other } = stage
const { db } = context
const { value, refused, error, stamp, host } = scriptHost(stage)

const { body: points } = await call('POST', '/fields', { body: { name: 'Points', type: 'numeric' } })

let made = 0
const address = () => `p${++made}@orchard.example`
const theirs = (await call('POST', '/targets', { body: { Email: address() }, key: other.key })).body.id as string

/** A contact as the interface shows it. */
const shown = async (id: string) => (await call('GET', `/targets/${id}`)).body
const pointsOf = async (id: string) => (await shown(id)).fields[points.id]
const members = async (segment: number): Promise<string[]> => (await call('GET', `/segments/${segment}/targets`)).body
const counted = async (): Promise<number> => (await call('GET', '/targets/count')).body.targetsCount
const byId = (id: string) => `{ type: "id", value: "${id}" }`

interface Published {
  name: string
  contact: number | null
  data: object
  stamp: object
  depth: number
}
async function published(name: string): Promise<Published[]> {
  const { rows } = await sql<Published>`
    select name, contact, data, stamp, depth from notices where account = ${own.account} and name = ${name} order by id`.execute(
    db,
  )
  return rows
}

describe('targets.create', () => {
  test('creates a contact under the id returned to the script', async () => {
    const email = address()
    const id = await value(`return targets.create({ Email: "${email}", ${points.id}: 7 })`)
    const contact = await shown(id)
    assert.deepEqual([contact.id, contact.unicity ?? email, contact.fields[points.id]], [id, email, 7])
    // The next contact of the interface has another number.
    const next = await stage.contact(address())
    assert.notEqual(next, id)
  })

  test('later calls can write to the created contact', async () => {
    const [email, segment] = [address(), await stage.segment([])]
    const id = await value(`
      const id = targets.create({ Email: "${email}" });
      targets.update({ type: "id", value: id }, { Points: 3 });
      segments.add(${segment}, { type: "unicity", value: ["${email}"] });
      events.publish("created", { by: "script" }, { type: "id", value: id });
      return id`)
    assert.deepEqual([await pointsOf(id), await members(segment)], [3, [id]])
    assert.deepEqual(
      (await published('created')).map(({ contact, data }) => [contact, data]),
      [[parseContactId(id), { by: 'script' }]],
    )
  })

  test('refuses invalid contacts and existing ones, and writes nothing', async () => {
    const before = await counted()
    const taken = address()
    await stage.contact(taken)
    const faults: [string, [number, string, number, string]][] = [
      ['targets.create({})', [1, 'targets.create', 400, 'unicity-missing']],
      ['targets.create()', [1, 'targets.create', 400, 'invalid-request']],
      ['targets.create([1])', [1, 'targets.create', 400, 'invalid-request']],
      [`targets.create({ Email: "${address()}", Nope: 1 })`, [1, 'targets.create', 400, 'invalid-request']],
      [`targets.create({ Email: "${taken}" })`, [1, 'targets.create', 409, 'unicity-taken']],
      [
        'targets.create({ Email: "twin@orchard.example" }); targets.create({ Email: "twin@orchard.example" })',
        [2, 'targets.create', 409, 'unicity-taken'],
      ],
      [
        `targets.create({ Email: "${address()}" }); targets.create({ Email: "${address()}", Points: "many" })`,
        [2, 'targets.create', 400, 'invalid-request'],
      ],
    ]
    for (const [body, expected] of faults) assert.deepEqual(await refused(body), expected, body)
    assert.equal(await counted(), before + 1)
  })

  test('unused ids are reused by the next script, and those of a failed script are not', async () => {
    const first = await value(`return targets.create({ Email: "${address()}" })`)
    const second = await value(`return targets.create({ Email: "${address()}" })`)
    assert.equal(parseContactId(second), parseContactId(first)! + 1)
    await error(`targets.create({ Email: "${address()}" }); throw new Error("no")`)
    const third = await value(`return targets.create({ Email: "${address()}" })`)
    assert.ok(parseContactId(third)! > parseContactId(second)! + 1)
  })

  test('creates 100 contacts in one run', async () => {
    const before = await counted()
    const ids = await value(`
      const ids = [];
      for (let n = 0; n < 100; n++) ids.push(targets.create({ Email: "many" + n + "@orchard.example", Points: n }));
      return ids`)
    assert.equal(await counted(), before + 100)
    assert.equal(await pointsOf(ids[42]), 42)
  })
})

describe('targets.update', () => {
  test('two updates are both applied, or neither if the script throws', async () => {
    const id = await stage.contact(address())
    const twice = `targets.update(${byId(id)}, { Points: 1 }); targets.update(${byId(id)}, { Email: "ten@orchard.example" })`
    const { type } = await error(`${twice}; throw new Error("no")`)
    assert.equal(type, 'script')
    assert.equal(await pointsOf(id), null)
    await value(twice)
    const { fields } = await shown(id)
    assert.deepEqual([fields[points.id], Object.values(fields).includes('ten@orchard.example')], [1, true])
  })

  test('are applied in the order of the calls, and the script still reads the old values', async () => {
    const id = await stage.contact(address(), { Points: 1 })
    const seen = await value(`
      targets.update(${byId(id)}, { Points: 2 });
      targets.update(${byId(id)}, { Points: 3 });
      return (await targets.get(${byId(id)})).fields.Points`)
    assert.deepEqual([seen, await pointsOf(id)], [1, 3])
  })

  test('a contact can be identified by its unicity, hash or footprint', async () => {
    const email = address()
    const id = await stage.contact(email)
    const { hash } = await shown(id)
    const names = [
      `{ type: "unicity", value: ["${email}"] }`,
      `{ type: "hash", value: "${hash}" }`,
      `{ type: "footprint", id: "${id}", unicity: "", hash: "" }`,
    ]
    for (const [n, name] of names.entries()) {
      await value(`targets.update(${name}, { Points: ${n} })`)
      assert.equal(await pointsOf(id), n)
    }
  })

  test('a unicity can move from one contact to another within a script', async () => {
    const [one, two] = [address(), address()]
    const [a, b] = [await stage.contact(one), await stage.contact(two)]
    await value(`
      targets.update(${byId(a)}, { Email: "${address()}" });
      targets.update(${byId(b)}, { Email: "${one}" })`)
    assert.equal((await call('GET', `/targets?unicity=${one}`)).body.id, b)
  })

  test('refuses bad values, unknown contacts and those of another account, and undoes earlier updates', async () => {
    const id = await stage.contact(address(), { Points: 5 })
    const good = `targets.update(${byId(id)}, { Points: 6 });`
    const faults: [string, [number, string, number, string]][] = [
      [`targets.update(${byId(id)}, { Points: "many" })`, [2, 'targets.update', 400, 'invalid-request']],
      [`targets.update(${byId(id)}, { Nope: 1 })`, [2, 'targets.update', 400, 'invalid-request']],
      [`targets.update(${byId(id)}, null)`, [2, 'targets.update', 400, 'invalid-request']],
      [`targets.update(${byId('ZZZZZZZZ')}, { Points: 1 })`, [2, 'targets.update', 404, 'not-found']],
      [`targets.update(${byId(theirs)}, { Points: 1 })`, [2, 'targets.update', 404, 'not-found']],
      ['targets.update("me", { Points: 1 })', [2, 'targets.update', 400, 'invalid-request']],
      ['targets.update()', [2, 'targets.update', 400, 'invalid-request']],
    ]
    for (const [bad, expected] of faults) {
      assert.deepEqual(await refused(good + bad), expected, bad)
      assert.equal(await pointsOf(id), 5)
    }
  })

  test('change notices have the stamp and depth of their script', async () => {
    const id = await stage.contact(address())
    await replaceListenedTypes(db, own.account, 'webhook 1', ['target.created', 'target.updated', 'segment.entered'])
    await value(`targets.update(${byId(id)}, { Points: 9 })`, { depth: 4 })
    const segment = await stage.segment([])
    const made = await value(
      `const id = targets.create({ Email: "${address()}" }); segments.add(${segment}, ${byId(id)}); return id`,
      { depth: 3 },
    )
    const { rows } = await sql`
      select type, contact, stamp, depth from notices
      where account = ${own.account} and contact = any(${[id, made].map(parseContactId)}::bigint[]) order by id`.execute(
      db,
    )
    assert.deepEqual(rows, [
      { type: 'target.updated', contact: parseContactId(id), stamp, depth: 4 },
      { type: 'target.created', contact: parseContactId(made), stamp, depth: 3 },
      { type: 'segment.entered', contact: parseContactId(id), stamp, depth: 3 },
    ])
  })
})

describe('segments.add and segments.remove', () => {
  test('move contacts in and out of static segments, and repeated calls have no effect', async () => {
    const [a, b] = [await stage.contact(address()), await stage.contact(address())]
    const segment = await stage.segment([a])
    await value(`
      segments.add(${segment}, ${byId(a)}); segments.add(${segment}, ${byId(b)});
      segments.remove(${segment}, ${byId(a)}); segments.remove(${segment}, ${byId(a)})`)
    assert.deepEqual(await members(segment), [b])
  })

  test('refuse dynamic, unknown and foreign segments', async () => {
    const id = await stage.contact(address())
    const criteria = { type: 'field', field: points.id, operator: 'greater', value: 3 }
    const dynamic = (await call('POST', '/segments', { body: { type: 'dynamic', name: 'Rich', criteria } })).body.id
    const foreign = (await call('POST', '/segments', { body: { type: 'static', name: 'Theirs' }, key: other.key })).body
      .id
    const own = await stage.segment([])
    const good = `segments.add(${own}, ${byId(id)});`
    const faults: [string, number, string][] = [
      [`segments.add(${dynamic}, ${byId(id)})`, 409, 'segment-dynamic'],
      [`segments.add(${foreign}, ${byId(id)})`, 404, 'not-found'],
      [`segments.add(999999, ${byId(id)})`, 404, 'not-found'],
      [`segments.add(1e12, ${byId(id)})`, 404, 'not-found'],
      [`segments.add("x", ${byId(id)})`, 404, 'not-found'],
      [`segments.add(${own}, ${byId(theirs)})`, 404, 'not-found'],
      [`segments.add(${own}, 3)`, 400, 'invalid-request'],
    ]
    for (const [bad, status, kind] of faults) {
      assert.deepEqual(await refused(good + bad), [2, 'segments.add', status, kind], bad)
      assert.deepEqual(await members(own), [])
    }
    assert.deepEqual(await refused(`segments.remove(${dynamic}, ${byId(id)})`), [
      1,
      'segments.remove',
      409,
      'segment-dynamic',
    ])
  })
})

describe('events.publish', () => {
  test("publishes under the stamp returned to the script, with the caller's thread and set", async () => {
    const id = await stage.contact(address())
    const contact = parseContactId(id)!
    const [given, general] = await value(
      `return [events.publish("order", { n: 1 }, ${byId(id)}), events.publish("order", { n: 2 })]`,
    )
    assert.deepEqual(await published('order'), [
      { name: 'order', contact, data: { n: 1 }, stamp: { ...stamp, id: given.id }, depth: 0 },
      { name: 'order', contact: null, data: { n: 2 }, stamp: { ...stamp, id: general.id }, depth: 0 },
    ])
  })

  test('defaults to the contact of the run and to empty data', async () => {
    const contact = parseContactId(await stage.contact(address()))!
    await value('events.publish("mine"); events.publish("mine", null, null)', { contact, depth: 2 })
    assert.deepEqual(
      (await published('mine')).map(({ contact: of, data, depth }) => [of, data, depth]),
      [
        [contact, {}, 2],
        [contact, {}, 2],
      ],
    )
  })

  test('refuses bad names and data, unknown contacts and a depth above 10', async () => {
    const faults: [string, number, string][] = [
      ['events.publish("a b")', 400, 'invalid-request'],
      ['events.publish()', 400, 'invalid-request'],
      ['events.publish("a", [1])', 400, 'invalid-request'],
      ['events.publish("a", { text: "x".repeat(70000) })', 400, 'invalid-request'],
      [`events.publish("a", {}, ${byId(theirs)})`, 404, 'not-found'],
    ]
    for (const [bad, status, kind] of faults)
      assert.deepEqual(await refused(`events.publish("undone"); ${bad}`), [2, 'events.publish', status, kind], bad)
    assert.deepEqual(await refused('events.publish("deep")', { depth: 11 }), [1, 'events.publish', 409, 'recursion'])
    await value('events.publish("deep")', { depth: 10 })
    assert.deepEqual([(await published('undone')).length, (await published('deep')).length], [0, 1])
  })

  test('repeating a run with the same seed returns the same stamps', async () => {
    const body = 'return events.publish("again").id'
    assert.equal(await value(body, { seed: 'one' }), await value(body, { seed: 'one' }))
    assert.notEqual(await value(body, { seed: 'one' }), await value(body, { seed: 'two' }))
  })
})

describe('all writes of a script run', () => {
  test('of all kinds are undone when a later call is refused', async () => {
    const [id, segment] = [await stage.contact(address(), { Points: 1 }), await stage.segment([])]
    assert.deepEqual(
      await refused(`
        targets.update(${byId(id)}, { Points: 2 });
        segments.add(${segment}, ${byId(id)});
        events.publish("mixed");
        targets.create({ Email: "${address()}" });
        segments.remove(999999, ${byId(id)});
        events.publish("a b")`),
      [5, 'segments.remove', 404, 'not-found'],
    )
    assert.deepEqual([await pointsOf(id), await members(segment), await published('mixed')], [1, [], []])
  })

  test('that are refused undo only their own changes in a shared transaction', async () => {
    const id = await stage.contact(address())
    const caller: ScriptWriteCaller = {
      account: own.account,
      depth: 0,
      contact: parseContactId(id)!,
      workflow: null,
      now: stage.clock.now(),
      stamp,
      origin: { type: 'webtask', id: 7 },
    }
    const update = (fields: object) => ({
      name: 'targets.update',
      args: [{ type: 'id', value: id }, fields],
      answer: null,
    })
    const publish = (name: string) => ({ name: 'events.publish', args: [name], answer: { id: randomUUID() } })
    const scripts = [
      [update({ Points: 1 }), publish('shared')],
      [update({ Points: 2 }), publish('shared'), publish('a b')],
      [publish('shared')],
    ]
    const prepared = await Promise.all(scripts.map((writes) => prepareScriptWrites(host, caller, writes)))
    const answers = await inTransaction(db, async (tx) => {
      const applied: ScriptWriteResult[] = []
      for (const writes of prepared) applied.push(await applyScriptWrites(tx, host, caller, writes))
      return applied
    })
    assert.deepEqual(
      answers.map((one) => (one.type === 'refused' ? [one.call, one.name, one.problem.detail] : one)),
      [
        { type: 'applied', events: [] },
        [3, 'events.publish', 'The name of an event must have 1 to 128 letters, digits or "_.:-".'],
        { type: 'applied', events: [] },
      ],
    )
    assert.deepEqual([await pointsOf(id), (await published('shared')).length], [1, 2])
  })

  test('more than 100 calls are an error of type capability and write nothing', async () => {
    const id = await stage.contact(address())
    const { type, message } = await error(`for (let n = 0; n < 101; n++) targets.update(${byId(id)}, { Points: n })`)
    assert.deepEqual([type, message], ['capability', 'A run can call at most 100 functions.'])
    assert.equal(await pointsOf(id), null)
    await value(`for (let n = 0; n < 100; n++) targets.update(${byId(id)}, { Points: n })`)
    assert.equal(await pointsOf(id), 99)
  })

  test('functions that are not granted are undefined', async () => {
    const granted = { capabilities: ['targets.write'] } as const
    const body =
      'return [typeof targets.create, typeof targets.get, typeof segments.add, typeof events, typeof actions]'
    assert.deepEqual(await value(body, granted), ['function', 'undefined', 'function', 'undefined', 'undefined'])
    const missing = await error(`events.publish("x")`, granted)
    assert.equal(missing.type, 'script')
  })

  test('contact ids in simulations are always the same 100', async () => {
    const ids = await previewContactIds.take()
    assert.deepEqual(
      [ids.length, ids[0], ids[1], ids[99]],
      [100, 'ZZZZZZZZ', 'ZZZZZZZY', formatContactId(36 ** 8 - 100)],
    )
  })
})
