import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import type { OpenApiDocument } from '../../../http/openapi/document.ts'
import webhookExamples from './webhook-examples.json' with { type: 'json' }

type JsonObject = Record<string, unknown>

const root = new URL('../../../../', import.meta.url)
const page = readFileSync(new URL('docs/reference/events.md', root), 'utf8')
const { webhooks } = JSON.parse(readFileSync(new URL('openapi.json', root), 'utf8')) as OpenApiDocument
const examples = Object.entries(webhookExamples as Record<string, { type: string; timestamp: string; data: unknown }>)

/** The blocks of JSON under each heading of the page. */
const blocksByHeading = new Map(
  page.split(/^##+ /m).map((section) => {
    const blocks = [...section.matchAll(/```json\n(.*?)```/gs)].map(([, block]) => JSON.parse(block!) as JsonObject)
    return [section.split('\n', 1)[0]!, blocks]
  }),
)
const listBlocks = (heading: string): JsonObject[] => blocksByHeading.get(heading) ?? []

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns true if a value is that of the page, where `{"…": "…"}` stands for any object. */
function isSame(value: unknown, shown: unknown): boolean {
  if (!isObject(shown)) return JSON.stringify(value) === JSON.stringify(shown)
  if (!isObject(value)) return false
  if ('…' in shown) return true
  const [names, shownNames] = [Object.keys(value), Object.keys(shown)].map((list) => list.toSorted().join())
  return names === shownNames && Object.entries(shown).every(([name, member]) => isSame(value[name], member))
}

/** The details that the page shows of a word; the whole record that it begins with is an activation. */
function listDetails(word: string): JsonObject[] {
  if (word !== 'activations') return listBlocks(word)
  const records = listBlocks('The record') as { source: { detail: JsonObject } }[]
  return [...records.map(({ source }) => source.detail), ...listBlocks(word)]
}
const shownActivations = listDetails('activations').map((detail) => detail['activation'])

/** The records of an example: those of a batch, or one. */
const listRecords = (data: unknown): JsonObject[] => [data].flat() as JsonObject[]

suite('examples of webhooks', () => {
  test('every example has the members and values that the reference of events shows for its word', () => {
    for (const [name, { data }] of examples) {
      if (name === 'test') continue
      for (const record of listRecords(data)) {
        const word = record['event'] as string
        const { event: _, date: _date, ...notice } = record
        const { source } = record as { source?: { detail: JsonObject } }
        const pageBlocks = listDetails(word === 'custom' ? 'Custom events' : word)
        const compared = source?.detail ?? (word === 'custom' ? record : notice)
        assert.ok(
          pageBlocks.some((block) => isSame(compared, block)),
          `${name} differs from events.md: ${JSON.stringify(compared)}`,
        )
        const activation = source?.detail['activation'] ?? null
        assert.ok(
          activation === null || shownActivations.some((block) => isSame(activation, block)),
          `the activation of ${name} is not on the page: ${JSON.stringify(activation)}`,
        )
      }
    }
  })

  test('the request that the reference shows is the example of its word', () => {
    const pageRequest = listBlocks('A webhook request')[0] as { data: { event: string } }
    const example = webhookExamples[pageRequest.data.event as 'hits/open']
    assert.ok(isSame(example, pageRequest), JSON.stringify(example))
  })

  test('times of an example agree: those of the record, of its ID and of the request', () => {
    for (const [name, { timestamp, data }] of examples) {
      if (name === 'test') continue
      for (const { id, timestamp: ms, date, event } of listRecords(data)) {
        assert.equal(Date.parse(String(date)), ms, `${name} ${event}`)
        assert.equal(Number.parseInt(String(id).replace('-', '').slice(0, 12), 16), ms, `${name} ${event}`)
        assert.ok(Date.parse(timestamp) >= Number(ms), name)
      }
    }
  })

  test('every type that the reference lists for a kind is described, and no other', () => {
    const rows = [...page.matchAll(/^\| \[`([^`]+)`\]\(#\w+\) \| `\w+` \| (`.*`) \|$/gm)]
    assert.ok(rows.length > 20, `${rows.length} rows`)
    for (const [, kind, types] of rows) {
      const schema = webhooks![kind!]!['post']!.requestBody!.content['application/json']!.schema as {
        properties: { type: { enum: string[] } }
      }
      assert.deepEqual(schema.properties.type.enum, types!.replaceAll('`', '').split(', '), String(kind))
    }
  })

  test('every word has an example, and every section of a word a block', () => {
    const words = examples.map(([name]) => name).filter((name) => !['events', 'test', 'custom'].includes(name))
    assert.deepEqual(
      words.filter((word) => listBlocks(word).length === 0),
      [],
    )
    assert.deepEqual(Object.keys(webhooks!).toSorted(), Object.keys(webhookExamples).toSorted())
  })
})
