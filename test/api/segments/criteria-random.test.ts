import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { parseCriteria } from '../../../src/features/segments/criteria/criteria.ts'
import { buildCriterionIndexes } from '../../../src/features/segments/criteria/criterion-indexes.ts'
import { loadMatchingContacts } from '../../../src/features/segments/members/segment-audience.ts'
import { formatContactId } from '../../../src/lib/ids.ts'
import { foldUnicodeCase } from '../../../src/lib/text/fold.ts'
import { DAY_MS } from '../../../src/lib/time/spans.ts'
import { seeded } from '../../fakes/scripts/seeded.ts'
import { startHarness } from '../../support/harness.ts'

const CONTACTS = 200
const ROUNDS = 150

const { call, context, crossSomewhere, own } = await startHarness()
const { db } = context
const now = Date.now()
const random = seeded(20_260_301)

const below = (n: number): number => Math.floor(random() * n)
const one = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item
const some = <Item>(items: readonly Item[]): Item[] => items.filter(() => random() < 0.4)

const words = [
  'tea',
  'TEA',
  'Straße',
  'STRASSE',
  'x',
  "o'b",
  '%',
  '',
  'ΣΊΣΥΦΟΣ',
  'σίσυφος',
  'a'.repeat(70),
  'A'.repeat(69),
]
const numbers = [-2, 0, 0.1, 0.3, 7, 12.5, 1e9]
const dates = [-400, -40, -8, -1, 0, 1, 40].map((days) => new Date(now + days * DAY_MS).toISOString())
const labels = ['Red', 'Green', 'Blue', 'Black']
const kinds = ['hits/open', 'hits/redirection', 'activations', 'bounces']

/** A contact as the test knows it. */
interface Person {
  id: number
  text: string | null
  number: number | null
  date: string | null
  label: string | null
  labels: string[]
  events: { kind: string; robot: boolean; at: number }[]
  listed: string[]
  flag: string | null
  isMember: boolean
}

/** Criteria with what they mean, worked out in plain JavaScript. */
interface Case {
  criteria: object
  holds: (person: Person) => boolean
}

async function made(url: string, body: object): Promise<number> {
  const answer = await call('POST', url, { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.id
}

const list = await made('/valueLists', { name: 'Colours', values: labels.map((value) => ({ value })) })
const fields = {
  email: (await call('GET', '/fields')).body[0].id as number,
  text: await made('/fields', { type: 'textField', name: 'Text' }),
  number: await made('/fields', { type: 'numeric', name: 'Number' }),
  date: await made('/fields', { type: 'date', name: 'Date' }),
  label: await made('/fields', { type: 'singleSelectList', name: 'Label', valueListId: list }),
  labels: await made('/fields', { type: 'multipleSelectList', name: 'Labels', valueListId: list }),
}
const friends = await made('/segments', { type: 'static', name: 'Friends' })

const people: Person[] = Array.from({ length: CONTACTS }, () => ({
  id: 0,
  text: one(words) || null,
  number: random() < 0.2 ? null : one(numbers),
  date: random() < 0.2 ? null : one(dates),
  label: random() < 0.2 ? null : one(labels),
  labels: some(labels),
  events: Array.from({ length: below(5) }, () => ({
    kind: one(kinds),
    robot: random() < 0.3,
    at: now - below(20) * DAY_MS,
  })),
  listed: some(['mail', 'sms']),
  flag: random() < 0.6 ? null : one(['soft', 'hardUser', 'reportAsSpam']),
  isMember: random() < 0.5,
}))

/** Puts everybody into the database. */
async function load(): Promise<void> {
  const rows = people.map(({ text, number, date, label, labels }, n) => ({
    Email: `p${n}@example.org`,
    Text: text,
    Number: number,
    Date: date,
    Label: label,
    Labels: labels,
  }))
  const { body } = await call('PUT', '/targets', { body: rows })
  for (const [n, { contact }] of body.entries()) people[n]!.id = Number.parseInt(contact.id, 36)
  const events = people.flatMap(({ id, events }) => events.map((event) => ({ id, ...event })))
  await sql`
    insert into events (id, at, account, channel, kind, contact, classification, detail)
    select uuidv7(), at, ${own.account}, 'email', kind, contact, robot, '{}' from unnest(
      ${events.map(({ at }) => new Date(at))}::timestamptz[], ${events.map(({ kind }) => kind)}::text[],
      ${events.map(({ id }) => id)}::bigint[],
      ${events.map(({ robot, kind }) => (robot && kind.startsWith('hits') ? 'mpp' : null))}::text[]
    ) as e (at, kind, contact, robot)`.execute(db)
  for (const { id, listed, flag, isMember } of people) {
    const url = `/targets/${formatContactId(id)}`
    for (const channel of listed) await call('POST', `${url}/redlist/${channel}`)
    if (flag) await call('PUT', `${url}/bounces/${fields.email}`, { body: { type: flag } })
    if (isMember) await call('POST', `${url}/segments/${friends}`)
  }
}

type Value = 'text' | 'number' | 'date' | 'label' | 'labels'

function leaf(field: Value, operator: string, value: unknown, holds: (person: Person) => boolean): Case {
  return { criteria: { type: 'field', field: fields[field], operator, ...(value !== undefined && { value }) }, holds }
}

const folded = (text: string | null): string => foldUnicodeCase(text ?? '')

const textLeaves: (() => Case)[] = [
  () => {
    const word = one(words) || 'x'
    return one([
      leaf('text', 'equals', word, ({ text }) => text !== null && foldUnicodeCase(text) === foldUnicodeCase(word)),
      leaf('text', 'notEquals', word, ({ text }) => text === null || foldUnicodeCase(text) !== foldUnicodeCase(word)),
      leaf('text', 'contains', word, ({ text }) => folded(text).includes(foldUnicodeCase(word))),
      leaf('text', 'notContains', word, ({ text }) => !folded(text).includes(foldUnicodeCase(word))),
      leaf('text', 'startsWith', word, ({ text }) => folded(text).startsWith(foldUnicodeCase(word))),
      leaf('text', 'endsWith', word, ({ text }) => folded(text).endsWith(foldUnicodeCase(word))),
    ])
  },
  () => {
    const chosen = some(words).filter((word) => word !== '')
    const isIn = ({ text }: Person) =>
      text !== null && chosen.some((word) => foldUnicodeCase(word) === foldUnicodeCase(text))
    return one([leaf('text', 'in', chosen, isIn), leaf('text', 'notIn', chosen, (person) => !isIn(person))])
  },
]

const numberLeaves: (() => Case)[] = [
  () => {
    const bound = one(numbers)
    const compare = (operator: string, holds: (n: number) => boolean) =>
      leaf('number', operator, bound, ({ number }) => number !== null && holds(number))
    return one([
      compare('equals', (n) => n === bound),
      compare('greater', (n) => n > bound),
      compare('greaterOrEqual', (n) => n >= bound),
      compare('less', (n) => n < bound),
      compare('lessOrEqual', (n) => n <= bound),
      leaf('number', 'notEquals', bound, ({ number }) => number !== bound),
    ])
  },
  () => {
    const [from = 0, to = 0] = [one(numbers), one(numbers)].sort((a, b) => a - b)
    return leaf('number', 'between', [from, to], ({ number }) => number !== null && number >= from && number <= to)
  },
]

const dateLeaves: (() => Case)[] = [
  () => {
    const bound = one(dates)
    return one([
      leaf('date', 'before', bound, ({ date }) => date !== null && date < bound),
      leaf('date', 'after', bound, ({ date }) => date !== null && date >= bound),
      leaf('date', 'notEquals', bound, ({ date }) => date !== bound),
    ])
  },
  () => {
    const days = 1 + below(60)
    const today = Math.floor(now / DAY_MS)
    const dayOf = (date: string) => Math.floor(Date.parse(date) / DAY_MS)
    const amount = { value: days, unit: 'day' }
    return one([
      leaf('date', 'within', { last: amount }, ({ date }) => {
        return date !== null && dayOf(date) <= today && dayOf(date) > today - days
      }),
      leaf('date', 'within', { next: amount }, ({ date }) => {
        return date !== null && dayOf(date) >= today && dayOf(date) < today + days
      }),
      leaf('date', 'before', { ago: amount }, ({ date }) => date !== null && dayOf(date) < today - days),
    ])
  },
]

const labelLeaves: (() => Case)[] = [
  () => {
    const chosen = some(labels)
    const isIn = ({ label }: Person) => label !== null && chosen.includes(label)
    const holdsAny = (person: Person) => person.labels.some((held) => chosen.includes(held))
    return one([
      leaf('label', 'in', chosen, isIn),
      leaf('label', 'notIn', chosen, (person) => !isIn(person)),
      leaf('labels', 'in', chosen, holdsAny),
      leaf('labels', 'notIn', chosen, (person) => !holdsAny(person)),
    ])
  },
  () => {
    const field = one(['text', 'number', 'date', 'label', 'labels'] as const)
    const isEmpty = (person: Person) => person[field] === null || (field === 'labels' && person.labels.length === 0)
    return one([
      leaf(field, 'empty', undefined, isEmpty),
      leaf(field, 'notEmpty', undefined, (person) => !isEmpty(person)),
    ])
  },
]

const counts: Record<string, (n: number, value: number) => boolean> = {
  equals: (n, value) => n === value,
  notEquals: (n, value) => n !== value,
  greater: (n, value) => n > value,
  greaterOrEqual: (n, value) => n >= value,
  less: (n, value) => n < value,
  lessOrEqual: (n, value) => n <= value,
}

function eventLeaf(): Case {
  const event = one([...kinds, 'hit', 'hits', ''])
  const robots = random() < 0.3
  const operator = one(Object.keys(counts))
  const value = below(4)
  const days = random() < 0.5 ? undefined : 1 + below(20)
  const matches = ({ kind, robot, at }: Person['events'][number]) =>
    (event === '' || kind.startsWith(event)) &&
    (robots || !robot || !kind.startsWith('hits')) &&
    (days === undefined || at >= (Math.floor(now / DAY_MS) - days + 1) * DAY_MS)
  return {
    criteria: {
      type: 'event',
      event,
      robots,
      count: { operator, value },
      ...(days !== undefined && { period: { last: { value: days, unit: 'day' } } }),
    },
    holds: ({ events }) => counts[operator]!(events.filter(matches).length, value),
  }
}

const otherLeaves: (() => Case)[] = [
  eventLeaf,
  () => {
    const channel = one(['mail', 'sms', 'any'])
    const holds = ({ listed }: Person) => (channel === 'any' ? listed.length > 0 : listed.includes(channel))
    return { criteria: { type: 'redList', channel }, holds }
  },
  () =>
    one([
      { criteria: { type: 'bounce' }, holds: ({ flag }: Person) => flag !== null && flag !== 'soft' },
      {
        criteria: { type: 'bounce', is: ['hard', 'soft'] },
        holds: ({ flag }: Person) => flag === 'soft' || flag === 'hardUser',
      },
    ]),
  () => {
    const operator = one(['in', 'notIn'])
    return {
      criteria: { type: 'segment', segment: friends, operator },
      holds: ({ isMember }) => isMember === (operator === 'in'),
    }
  },
]

function randomCase(depth: number): Case {
  if (depth === 0 || random() < 0.3)
    return one(one([textLeaves, numberLeaves, dateLeaves, labelLeaves, otherLeaves, otherLeaves]))()
  const parts = Array.from({ length: below(4) }, () => randomCase(depth - 1))
  const nodes = parts.map(({ criteria }) => criteria)
  return one<Case>([
    { criteria: { all: nodes }, holds: (person) => parts.every(({ holds }) => holds(person)) },
    { criteria: { any: nodes }, holds: (person) => parts.some(({ holds }) => holds(person)) },
    { criteria: { none: nodes }, holds: (person) => !parts.some(({ holds }) => holds(person)) },
  ])
}

async function checkRounds(): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const { criteria, holds } = randomCase(3)
    const read = await parseCriteria(db, own.account, criteria)
    await crossSomewhere()
    const audience = await loadMatchingContacts(db, own.account, read.criteria, now)
    const { rows } = await sql<{ contact: number }>`select contact from (${audience}) a order by contact`.execute(db)
    const expected = people
      .filter(holds)
      .map(({ id }) => id)
      .sort((a, b) => a - b)
    assert.deepEqual(
      rows.map(({ contact }) => contact),
      expected,
      JSON.stringify(criteria),
    )
    const { id } = one(people)
    const single = await sql`select from (${audience}) a where contact = ${id}`.execute(db)
    assert.equal(single.rows.length, Number(expected.includes(id)), JSON.stringify(criteria))
  }
}

async function indexes(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = 'contacts'::regclass and i.indisvalid and c.relname like 'criterion%' order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

suite('random criteria', async () => {
  await load()

  test('select the same contacts as a plain evaluation, without indexes', checkRounds)

  test('select the same contacts with an index for each criterion, and use it', async () => {
    await sql`update contact_counts set n = n + 20000 where account = ${own.account} and shard = (select min(shard) from contact_counts where account = ${own.account})`.execute(
      db,
    )
    await buildCriterionIndexes(context)
    assert.deepEqual(
      await indexes(),
      [
        `criterion_${fields.email}_text`,
        `criterion_${fields.text}_text`,
        `criterion_${fields.number}_number_id`,
        `criterion_${fields.date}_date_id`,
        `criterion_${fields.label}_label_id`,
        `criterion_${fields.labels}_labels`,
      ].toSorted(),
    )
    await db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx)
      await sql`set local enable_indexonlyscan = off`.execute(tx)
      for (const [field, operator, value] of [
        ['text', 'equals', 'tea'],
        ['text', 'in', ['tea', 'x']],
        ['text', 'startsWith', 'te'],
        ['number', 'between', [1, 8]],
        ['number', 'in', [7, 0.1]],
        ['date', 'within', { last: { value: 3, unit: 'day' } }],
        ['label', 'in', ['Red', 'Blue']],
        ['labels', 'in', ['Red', 'Blue']],
      ] as const) {
        const { criteria } = await parseCriteria(tx, own.account, {
          type: 'field',
          field: fields[field],
          operator,
          value,
        })
        const audience = await loadMatchingContacts(tx, own.account, criteria, now)
        const { rows } = await sql<Record<string, string>>`explain ${audience}`.execute(tx)
        const plan = rows.map((row) => Object.values(row).join('')).join('\n')
        assert.match(plan, new RegExp(`criterion_${fields[field]}_`), `${operator}:\n${plan}`)
      }
    })
    await checkRounds()
  })

  test('indexes follow the fields, and interrupted ones are rebuilt', async () => {
    await call('PUT', `/fields/${fields.number}`, { body: { isCriterion: false } })
    assert.equal((await call('DELETE', `/fields/${fields.label}`)).status, 204)
    // What a crash leaves: an index that is there, and of no use.
    const name = `criterion_${fields.text}_text`
    await context.pool.query(`drop index ${name}`)
    await assert.rejects(context.pool.query(`create unique index concurrently ${name} on contacts (account)`))
    await buildCriterionIndexes(context)
    assert.deepEqual(
      await indexes(),
      [
        `criterion_${fields.email}_text`,
        `criterion_${fields.text}_text`,
        `criterion_${fields.date}_date_id`,
        `criterion_${fields.labels}_labels`,
      ].toSorted(),
    )
    await sql`delete from contact_counts where account = ${own.account}`.execute(db)
    await buildCriterionIndexes(context)
    assert.deepEqual(await indexes(), [])
    const { rows } = await sql`select from pg_statistic_ext where stxname like 'criterion%'`.execute(db)
    assert.deepEqual(rows, [])
  })
})
