import type { PipelineCursor } from '../../../src/features/pipelines/definition/cursors.ts'
import type { PipelineDefinition } from '../../../src/features/pipelines/definition/definition.ts'
import type { PipelineSource } from '../../../src/features/pipelines/definition/sources.ts'
import { comparisonOperatorNames } from '../../../src/features/pipelines/values/operators.ts'

/** Numbers from 0 up to 1. */
export type Random = () => number

const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)]!
const times = <T>(random: Random, most: number, make: () => T): T[] =>
  Array.from({ length: 1 + Math.floor(random() * most) }, make)

/** Texts with accents, letters that fold to several, what is no letter, and such as are dates or nearly. */
const TEXTS = [
  '',
  'a',
  'A',
  'ab',
  'Éa',
  'éA',
  'e\u0301a',
  'Straße',
  'STRASSE',
  'straẞe',
  'ısı',
  'ISI',
  'Σίσυφος',
  'σίσυφοσ',
  'true',
  'null',
  '10',
  '9',
  '-1',
  '\u{1f600}',
  '\ufffd',
  '\u{10ffff}z',
  '%_\\',
  "'; drop table x",
  'a"b',
  ' a ',
  '2026-01-05T10:00:00.000Z',
  '2026-01-05T12:00:00+02:00',
  '2026-01-05',
  '2026-01-05T10:00',
  '2026-02-30',
  '0000-01-01',
  '2026-01-05t10:00:00.000z',
  '9999-12-31T23:59:59.9999Z',
  '2026-01-05T10:00:00.0009Z',
  '2025-12-31T23:00:00-01:00',
]
const NUMBERS = [0, 1, -1, 2, 10, 9, 0.1, 0.2, 0.3, 1e6, -1e6, 12.5, 0.001, 3, 4, 5]

/** Any value of a row. */
export function anyValue(random: Random, depth = 0): unknown {
  const kind = random()
  if (kind < 0.15) return null
  if (kind < 0.45) return pick(random, TEXTS)
  if (kind < 0.75) return pick(random, NUMBERS)
  if (kind < 0.85) return random() < 0.5
  if (depth > 1) return null
  if (kind < 0.95) return Array.from({ length: Math.floor(random() * 4) }, () => anyValue(random, depth + 1))
  return { x: anyValue(random, depth + 1), '0': anyValue(random, depth + 1), '-1': pick(random, TEXTS) }
}

/** A row of values of any kind, of which some members are missing. */
export function anyRow(random: Random): Record<string, unknown> {
  const names = ['a', 'b', 'c', 'list', 'obj', 'odd "name', 'n']
  const row = Object.fromEntries(names.flatMap((name) => (random() < 0.15 ? [] : [[name, anyValue(random)]])))
  return {
    ...row,
    ...(random() < 0.7 && { list: times(random, 3, () => anyValue(random, 1)) }),
    n: pick(random, NUMBERS),
  }
}

/** Values of the fields of a contact. */
export function anyContact(random: Random): Record<string, unknown> {
  const some = (value: unknown): unknown => (random() < 0.2 ? null : value)
  const printable = TEXTS.map((text) => text.trim()).filter((text) => text !== '')
  return {
    Name: some(pick(random, printable)),
    Score: some(pick(random, NUMBERS)),
    Born: some(pick(random, ['2026-01-05', '2026-01-05T10:00:00Z', '1990-05-17', '2000-02-29'])),
    City: some(pick(random, ['Paris', 'paris-plage', 'Évry', 'Lyon'])),
    Tags: some(times(random, 3, () => pick(random, ['Tea', 'Chess', 'Éclair']))),
    'a"b': some(pick(random, printable)),
  }
}

/** Where random pipelines may read. */
export interface Places {
  segment: number
  list: number
  compilable?: string
  rows: readonly unknown[]
  /** Rows are of this source alone. */
  source?: 'inline'
}

const OF_CONTACTS = [
  'row.id',
  'row.unicity',
  'row.creationDate',
  'row.fields.Name',
  'row.fields.Score',
  'row.fields.Born',
  'row.fields.City',
  'row.fields.Tags',
  'row.fields.Tags[0]',
  'row.fields["a\\"b"]',
  'row.fields.Score',
  'row.fields.Name',
  'row.nothing',
  'row.fields.Name.x',
  'row.fields',
]
const OF_ROWS = [
  'row.a',
  'row.b',
  'row.c',
  'row.list',
  'row.obj',
  'row.obj.x',
  'row.list[0]',
  'row.list[1]',
  'row["odd \\"name"]',
  'row.list["01"]',
  'row.list["-1"]',
  'row.obj["-1"]',
  'row.obj[0]',
  'row.n',
  'row.n',
  'row.nothing.x',
  'row.list.length',
]

/** What rows can be asked for at some place of a pipeline. */
interface Shape {
  paths: string[]
  isContact: boolean
}

const path = (value: string) => ({ type: 'path' as const, value })
const literal = (value: unknown) => ({ type: 'literal' as const, value })

function anySource(random: Random, places: Places): { source: PipelineSource; shape: Shape } {
  const kind = places.source === 'inline' ? 1 : random()
  const contacts: Shape = { paths: OF_CONTACTS, isContact: true }
  if (kind < 0.3) return { source: { type: 'targets' }, shape: contacts }
  if (kind < 0.4) return { source: { type: 'segment', segment: places.segment }, shape: contacts }
  if (kind < 0.5)
    return {
      source: { type: 'valueList', id: places.list },
      shape: { paths: ['row.index', 'row.value'], isContact: false },
    }
  if (kind < 0.6 && places.compilable)
    return {
      source: { type: 'compilable', id: places.compilable, arguments: { least: literal(pick(random, NUMBERS)) } },
      shape: { paths: ['row.id', 'row.score', 'row.name'], isContact: false },
    }
  return { source: { type: 'inline', rows: [...places.rows] }, shape: { paths: OF_ROWS, isContact: false } }
}

function anyExpression(random: Random, { paths }: Shape) {
  const kind = random()
  if (kind < 0.85) return path(pick(random, paths))
  if (kind < 0.92) return literal(anyValue(random))
  return path(pick(random, ['arguments.text', 'arguments.number', 'arguments.list', 'now', 'arguments.none']))
}

const AMOUNTS = [
  { value: 1, unit: 'day' },
  { value: 3, unit: 'hour' },
  { value: 400, unit: 'month' },
]

function anyRight(random: Random, operator: string, shape: Shape) {
  if (random() < 0.3) return anyExpression(random, shape)
  if (operator === 'in' || operator === 'notIn') return literal(times(random, 5, () => anyValue(random, 1)))
  if (operator === 'within')
    return literal(
      pick(random, [{ last: AMOUNTS[2] }, { start: '2025-01-01' }, { start: '1990-01-01', end: '2026-01-06' }, 5]),
    )
  if (operator === 'before' || operator === 'after')
    return literal(
      pick(random, [{ ago: AMOUNTS[0] }, { ahead: AMOUNTS[1] }, '2026-01-05T10:00:00.000Z', '2000-01-01', 5, 'x']),
    )
  if (operator === 'between')
    return literal(
      pick(random, [[0, 5], [-1, 0.3], ['1990-01-01', '2026-01-06'], [{ ago: AMOUNTS[2] }, '2027-01-01'], [1], 'x']),
    )
  return literal(anyValue(random))
}

// biome-ignore lint/suspicious/noExplicitAny: conditions of all kinds.
function anyCondition(random: Random, shape: Shape, depth = 0): any {
  const kind = random()
  if (kind < 0.25 && depth < 3) {
    const nodes = Array.from({ length: Math.floor(random() * 4) }, () => anyCondition(random, shape, depth + 1))
    return pick(random, [{ all: nodes }, { any: nodes }, { none: nodes }])
  }
  if (kind < 0.3) return anyExpression(random, shape)
  if (kind < 0.36 && shape.isContact)
    return { type: 'criteria', value: { type: 'creationDate', operator: 'after', value: '2020-01-01' } }
  const operator = pick(random, comparisonOperatorNames)
  return {
    type: 'compare',
    left: anyExpression(random, shape),
    operator,
    exact: random() < 0.3,
    right: operator === 'empty' || operator === 'notEmpty' ? null : anyRight(random, operator, shape),
  }
}

const FUNCTIONS = ['count', 'countDistinct', 'sum', 'avg', 'min', 'max', 'first', 'last', 'list'] as const

/** Makes one cursor of a type, and says what its rows have. */
const makers: {
  [Type in Exclude<PipelineCursor['type'], 'script'>]: (
    random: Random,
    shape: Shape,
    places: Places,
  ) => [unknown, Shape]
} = {
  filter: (random, shape) => [{ type: 'filter', condition: anyCondition(random, shape) }, shape],
  map(random, shape) {
    const names = ['m', 'other "name', 'id', 'x'].filter(() => random() < 0.7)
    const fields = Object.fromEntries(names.map((name) => [name, anyExpression(random, shape)]))
    const keep = random() < 0.5
    const own = names.map((name) => `row[${JSON.stringify(name)}]`)
    const paths = keep ? [...shape.paths, ...own] : [...own, 'row.nothing']
    return [
      { type: 'map', fields, keep },
      { paths, isContact: keep && shape.isContact && !names.includes('id') },
    ]
  },
  sort: (random, shape) => [
    {
      type: 'sort',
      by: times(random, 3, () => ({
        value: anyExpression(random, shape),
        direction: pick(random, ['asc', 'desc']),
        nulls: pick(random, ['first', 'last']),
      })),
    },
    shape,
  ],
  distinct: (random, shape) => [{ type: 'distinct', by: times(random, 2, () => anyExpression(random, shape)) }, shape],
  limit: (random, shape) => [
    { type: 'limit', count: Math.floor(random() * 40), offset: random() < 0.3 ? Math.floor(random() * 10) : 0 },
    shape,
  ],
  group(random, shape) {
    const keys = ['k', 'l'].filter(() => random() < 0.6)
    const by = Object.fromEntries(keys.map((name) => [name, anyExpression(random, shape)]))
    const functions = FUNCTIONS.filter(() => random() < 0.5)
    const aggregates = Object.fromEntries(
      functions.map((name) => [`of ${name}`, { function: name, value: anyExpression(random, shape) }]),
    )
    const paths = [...keys.map((name) => `row.${name}`), ...functions.map((name) => `row["of ${name}"]`), 'row.nothing']
    return [
      { type: 'group', by, aggregates },
      { paths, isContact: false },
    ]
  },
  join(random, shape, places) {
    const { source, shape: other } = anySource(random, places)
    const right = anyExpression(random, { ...other, paths: other.paths.map((one) => one.replace('row', 'other')) })
    const many = random() < 0.4
    const join = {
      type: 'join',
      source,
      on: { left: anyExpression(random, shape), right },
      kind: pick(random, ['left', 'inner']),
      into: 'joined',
      many,
    }
    const inner = other.paths.map((one) => one.replace('row', many ? 'row.joined[0]' : 'row.joined'))
    return [join, { paths: [...shape.paths, ...inner, 'row.joined'], isContact: shape.isContact }]
  },
  expand: (random, shape) => [
    { type: 'expand', value: anyExpression(random, shape), into: 'element' },
    { paths: [...shape.paths, 'row.element', 'row.element.x'], isContact: shape.isContact },
  ],
}

export const cursorTypes = Object.keys(makers) as (keyof typeof makers)[]

/** A pipeline with cursors of these types, all of which can go to the database. */
export function anyPipeline(
  random: Random,
  types: readonly (keyof typeof makers)[],
  places: Places,
): PipelineDefinition {
  const { source, shape: first } = anySource(random, places)
  let shape = first
  const cursors = types.map((type) => {
    const [cursor, next] = makers[type](random, shape, places)
    shape = next
    return cursor as PipelineCursor
  })
  return { type: 'pipeline', source, cursors, parameters: [] }
}

/** Cursors of any types. */
export const anyTypes = (random: Random): (keyof typeof makers)[] => times(random, 5, () => pick(random, cursorTypes))
