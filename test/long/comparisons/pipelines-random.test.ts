import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { PipelineDefinition } from '../../../src/features/pipelines/definition/definition.ts'
import { ExecutionFailure } from '../../../src/features/pipelines/execution/failures.ts'
import { runPipeline } from '../../../src/features/pipelines/execution/run.ts'
import { seeded, seededRun } from '../../fakes/scripts/seeded.ts'
import {
  anyContact,
  anyPipeline,
  anyRow,
  anyTypes,
  cursorTypes,
  type Places,
} from '../../support/stages/random-pipelines.ts'
import { startStage } from '../../support/stages/stage.ts'

/*
 * Case 20: random pipelines give the same rows in the same order, whether the database does their cursors or memory does.
 */

const stage = await startStage()
const { call, context, clock, own } = stage
const BUDGET = { limitMs: 60_000, rows: 1_000_000, bytes: 1024 ** 3 }
const GIVEN = { text: 'éA', number: 9, list: ['a', 10, null, true] }

async function made(path: string, body: object): Promise<never> {
  const answer = await call('POST', path, { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.id as never
}

/** Contacts as a random generator makes them; gives where pipelines may read. */
async function furnish(): Promise<Places> {
  const random = seeded(20)
  // West of Greenwich a day without a time is compared with other bounds than a date with one.
  assert.equal((await call('PUT', '/settings/contacts', { body: { timeZone: 'America/New_York' } })).status, 200)
  const cities = await made('/valueLists', {
    name: 'Cities',
    values: ['Paris', 'paris-plage', 'Évry', 'Lyon'].map((value) => ({ value })),
  })
  const tags = await made('/valueLists', {
    name: 'Tags',
    ordered: true,
    values: ['Tea', 'Chess', 'Éclair'].map((value) => ({ value })),
  })
  await made('/fields', { name: 'Name', type: 'textField' })
  await made('/fields', { name: 'Score', type: 'numeric' })
  await made('/fields', { name: 'Born', type: 'date' })
  await made('/fields', { name: 'City', type: 'singleSelectList', valueListId: cities })
  await made('/fields', { name: 'Tags', type: 'multipleSelectList', valueListId: tags })
  await made('/fields', { name: 'a"b', type: 'textField' })
  const people = Array.from({ length: 400 }, (_, n) => ({ Email: `p${n}@rows.example`, ...anyContact(random) }))
  const put = await call('PUT', '/targets', { body: people })
  assert.ok(
    put.body.every(({ type }: { type: string }) => type === 'success'),
    put.text.slice(0, 500),
  )
  const segment = await made('/segments', { type: 'static', name: 'Some' })
  const chosen = people.filter((_, n) => n % 3 === 0).map(({ Email }) => Email)
  for (let from = 0; from < chosen.length; from += 50)
    await call('PUT', `/segments/${segment}/targets`, { body: chosen.slice(from, from + 50) })
  const path = (value: string) => ({ type: 'path', value })
  const compilable = await made('/scripting/compilables', {
    name: 'Scores',
    value: {
      type: 'pipeline',
      source: { type: 'targets' },
      parameters: [{ name: 'least', type: 'number' }],
      cursors: [
        {
          type: 'filter',
          condition: {
            type: 'compare',
            left: path('row.fields.Score'),
            operator: 'greaterOrEqual',
            right: path('arguments.least'),
          },
        },
        { type: 'map', fields: { id: path('row.id'), score: path('row.fields.Score'), name: path('row.fields.Name') } },
        { type: 'sort', by: [{ value: path('row.name') }] },
      ],
    },
  })
  return { segment, list: cities, compilable, rows: Array.from({ length: 60 }, () => anyRow(random)) }
}

const places = await furnish()

async function rowsOf(pipeline: PipelineDefinition, pushes: boolean): Promise<readonly unknown[]> {
  const asked = { account: own.account, pipeline, arguments: GIVEN, now: clock.now() }
  const { rows, plan } = await runPipeline(context, asked, { budget: BUDGET, pushes })
  assert.equal(plan.memory, pushes ? 0 : pipeline.cursors.length)
  return rows
}

/** Sums compare to 12 digits. */
const rounded = (rows: readonly unknown[]): unknown =>
  JSON.parse(JSON.stringify(rows), (_, value) => (typeof value === 'number' ? Number(value.toPrecision(12)) : value))

/** Throws with the pipeline when its rows are not the same both ways; gives how many there are. */
async function compare(pipeline: PipelineDefinition): Promise<number> {
  const { source } = pipeline
  const shown = source?.type === 'inline' ? { ...source, rows: ['…'] } : source
  try {
    const [pushed, naive] = [await rowsOf(pipeline, true), await rowsOf(pipeline, false)]
    assert.deepEqual(rounded(pushed), rounded(naive), JSON.stringify({ ...pipeline, source: shown }))
    return naive.length
  } catch (error) {
    // Joins of everything with everything come to more than is read at once, or held in memory.
    if (error instanceof ExecutionFailure && ['limit', 'rows'].includes(error.failed.type)) return 0
    throw new Error(JSON.stringify({ ...pipeline, source: shown }), { cause: error })
  }
}

suite('pipelines: database and memory execution', () => {
  for (const type of cursorTypes)
    test(`${type} returns the same rows in the same order`, async (t) => {
      const random = seededRun(t)
      let rows = 0
      for (let n = 0; n < 40; n++) rows += await compare(anyPipeline(random, [type], places))
      assert.ok(rows > 0)
    })

  test('random sequences of all cursor types return the same rows', async (t) => {
    const random = seededRun(t)
    for (let n = 0; n < 150; n++) await compare(anyPipeline(random, anyTypes(random), places))
  })

  test('each cursor returns the same rows for 10,000 rows with nulls, values of all kinds and accents', async (t) => {
    const random = seededRun(t)
    const rows = Array.from({ length: 10_000 }, () => anyRow(random))
    for (const type of cursorTypes) {
      const { cursors } = anyPipeline(random, [type], { ...places, source: 'inline' })
      await compare({ type: 'pipeline', source: { type: 'inline', rows }, cursors, parameters: [] })
    }
  })
})
