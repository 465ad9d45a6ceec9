import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { ValidationSchema } from '../../../src/http/validation/schema-branches.ts'
import { longTextFaults } from '../../support/long-texts.ts'
import { documentedOperations, filledPath, makeObjects, sampleOf } from '../../support/openapi/documented-operations.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { app, call } = stage

const KB = 1024
/** Texts of schemas that say no length. */
const LONGEST = 100 * KB
/** Shorter ones are read at once, whatever they hold. */
const LEAST = 10 * KB
const DEEPEST = 5

interface Place {
  name: string
  longest: number
  /** The body with a text in the place. */
  fill(text: unknown): unknown
}

type Bounded = ValidationSchema & { maxLength?: number }

/** The places of a schema that take any text. */
function* placesOf(schema: Bounded, { name, fill }: Omit<Place, 'longest'>, depth = 0): Generator<Place> {
  for (const branch of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])])
    yield* placesOf(branch, { name, fill }, depth)
  if ([schema.type].flat().includes('string') && !schema.enum)
    yield { name, fill, longest: Math.min(schema.maxLength ?? LONGEST, LONGEST) }
  if (depth === DEEPEST) return
  if (schema.items) yield* placesOf(schema.items, { name: `${name}/0`, fill: (text) => fill([text]) }, depth + 1)
  for (const [member, own] of Object.entries(schema.properties ?? {})) {
    const others = sampleOf(schema) as object
    const within = (text: unknown): unknown => fill({ ...others, [member]: text })
    yield* placesOf(own, { name: `${name}/${member}`, fill: within }, depth + 1)
  }
}

const ids = await makeObjects(stage)

/** Places by the resource that they are of, as POST, PUT and PATCH read the same ones; each with the operation that is asked. */
const places = new Map<string, Place & { method: string; path: string }>()
for (const { method, path, body } of documentedOperations(app))
  for (const place of placesOf(body, { name: '', fill: (text) => text })) {
    const key = `${path.split('/{')[0]} ${place.name}`
    if (place.longest >= LEAST && !places.has(key)) places.set(key, { method, path, ...place })
  }

suite('long texts of repeated pieces', () => {
  for (const [operation, own] of Map.groupBy(places.values(), ({ method, path }) => `${method} ${path}`))
    test(`in bodies of ${operation} are read in processor time in proportion to their length`, async () => {
      const faults: string[] = []
      for (const { method, path, name, longest, fill } of own) {
        const ask = async (text: string): Promise<number> =>
          (await call(method, filledPath(path, ids), { body: fill(text) })).status
        faults.push(...(await longTextFaults(ask, longest)).map((fault) => `${name}: ${fault}`))
      }
      assert.deepEqual(faults, [])
    })

  for (const type of ['textField', 'textArea', 'numeric', 'date', 'email', 'phone'])
    test(`in fields of the type ${type} and searches are read in processor time in proportion to their length`, async () => {
      const name = `A ${type}`
      const field = await call('POST', '/fields', { body: { type, name } })
      assert.equal(field.status, 200, field.text)
      const put = async (text: string): Promise<number> =>
        (await call('PUT', `/targets/${ids['targets']}`, { body: { [name]: text } })).status
      const post = async (text: string): Promise<number> =>
        (await call('POST', '/targets', { body: { Email: text, [name]: text } })).status
      assert.deepEqual([...(await longTextFaults(put)), ...(await longTextFaults(post))], [])
    })
})

const csv = { 'content-type': 'text/csv' }
const TEXTS: [string, string, string, Record<string, string>][] = [
  [
    'contacts of a segment',
    'PUT',
    `/segments/${ids['segments']}/targets`,
    { 'content-type': 'application/vnd.mperf.v8.unicity' },
  ],
  ['a file to import', 'PUT', `/imports/${ids['imports']}/source`, csv],
  ['a file to look at', 'POST', '/imports/preview', csv],
]

suite('long texts as whole bodies', () => {
  for (const [name, method, path, headers] of TEXTS)
    test(`of ${name} are read in processor time in proportion to their length`, async () => {
      const ask = async (text: string): Promise<number> => (await call(method, path, { body: text, headers })).status
      assert.deepEqual(await longTextFaults(ask), [])
    })
})
