import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { suite, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { ValidationSchema } from '../../../src/http/validation/schema-branches.ts'
import { calibrate } from '../../runner/test-times.ts'
import { documentedOperations, filledPath, makeObjects, sampleOf } from '../../support/openapi/documented-operations.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { app, call, own, action } = stage
const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
const agent = new Agent({ keepAlive: true })
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const MB = 1024 * 1024
/** Time that a request may hold the loop for each megabyte, and at least, in calibrations: a collection of garbage may fall into it. */
const MOST_A_MB = 0.28
const LEAST = 1.4
const TIMES_ITS_SIZE = 10
/** Memory that comes and goes in addition to the body: two generations of a warm heap. */
const BESIDE = 64 * MB
/** Processor time of a fixed piece of work, measured again before a body is judged again. */
let calibrationMs = calibrate()
const STRICT = { prefer: 'handling=strict' }
/** What an answer says beside repeating what it was asked for. */
const LONGEST_ANSWER = 256 * 1024
/** Just within the bounds of a body, where they cost most. */
const VALUES = 990_000
const NAMES = 24_000

/** What a request did to the process that answered it. */
interface Effect {
  status: number
  answer: number
  heldMs: number
  grown: number
}

/** The processor time of this thread so far, in milliseconds. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/**
 * How long the loop stood still while `run` went on, in milliseconds of processor time: however busy the machine is, the thread held the
 * loop no longer than it computed between two of its turns.
 */
async function holding(run: () => Promise<void>): Promise<number> {
  let last = threadMs()
  let longest = 0
  const look = (): void => {
    const now = threadMs()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(look, 1)
  await run()
  clearInterval(timer)
  look()
  return longest
}

/** Sends a body over a connection; its bytes are there before anything is measured. */
async function send(
  method: string,
  path: string,
  bytes: Buffer,
  headers: Record<string, string> = {},
): Promise<Effect> {
  const before = process.resourceUsage().maxRSS
  let status = 0
  let answer = 0
  const heldMs = await holding(() => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const sent = request(
      { agent, port, method, path, headers: { 'x-key': own.key, 'content-type': 'application/json', ...headers } },
      (response) => {
        status = response.statusCode ?? 0
        response.on('data', (chunk: Buffer) => {
          answer += chunk.length
        })
        response.on('end', resolve)
        response.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(bytes)
    return promise
  })
  return { status, answer, heldMs, grown: (process.resourceUsage().maxRSS - before) * 1024 }
}

/** What is wrong with the effect of a body; nothing if it hurt nobody. */
function complaints({ status, answer, heldMs, grown }: Effect, size: number): string[] {
  const mostMs = calibrationMs * Math.max(LEAST, (MOST_A_MB * size) / MB)
  return [
    ...(status < 200 || status >= 500 ? [`is answered ${status}`] : []),
    ...(heldMs > mostMs ? [`holds the loop ${Math.round(heldMs)} ms of ${Math.round(mostMs)}`] : []),
    ...(grown > TIMES_ITS_SIZE * size + BESIDE ? [`takes ${Math.round(grown / MB)} MB`] : []),
    ...(answer > size + LONGEST_ANSWER ? [`is answered with ${answer} bytes`] : []),
  ]
}

/** What a body does every time: with other work on the machine one measurement alone says too little. */
async function harm(method: string, path: string, bytes: Buffer, headers?: Record<string, string>): Promise<string[]> {
  let found: string[] = []
  for (let tries = 0; tries < 4; tries++) {
    if (tries > 0) {
      // Garbage of other bodies takes memory and time as well, and other work on the machine makes everything slower.
      collect()
      calibrationMs = calibrate()
    }
    found = complaints(await send(method, path, bytes, headers), bytes.length)
    if (found.length === 0) return found
  }
  return found
}

const list = (item: string, length: number): string => `[${`${item},`.repeat(length - 1)}${item}]`
const wide = (length: number): string => `{${Array.from({ length }, (_, n) => `"stranger ${n}":${n}`).join(',')}}`

function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, member) => sum + valuesOf(member), 1)
}

/** Bodies that a schema invites: its arrays full of right and of wrong items, its maps wide. */
function* invited(
  schema: ValidationSchema,
  wrap: (text: string) => string,
  place: string,
): Generator<[string, string]> {
  for (const branch of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) yield* invited(branch, wrap, place)
  if (schema.items) {
    const item = JSON.stringify(sampleOf(schema.items))
    yield [`right items in ${place}`, wrap(list(item, Math.floor(VALUES / valuesOf(JSON.parse(item)))))]
    yield [`empty objects in ${place}`, wrap(list('{}', VALUES / 5 - 100))]
  }
  if (schema.type !== 'object') return
  if (!schema.properties) yield [`strangers in ${place}`, wrap(wide(NAMES))]
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const others = { ...(sampleOf(schema) as Record<string, unknown>) }
    delete others[name]
    const rest = JSON.stringify(others).slice(1, -1)
    const within = (text: string): string => wrap(`{${rest}${rest && ','}${JSON.stringify(name)}:${text}}`)
    if (place.split('/').length < 3) yield* invited(member, within, `${place}/${name}`)
  }
}

const ids = await makeObjects(stage)
const [ones, strangers] = [Buffer.from(list('1', VALUES)), Buffer.from(wide(NAMES))]

suite('hostile bodies', () => {
  for (const { method, path, body } of documentedOperations(app)) {
    test(`${method} ${path} answers without a 5xx, within limits of time and memory`, async () => {
      const bodies = new Map<string, Buffer>([
        ...invited(body, (text) => text, '').map(([name, text]): [string, Buffer] => [name, Buffer.from(text)]),
        ['ones', ones],
        ['strangers', strangers],
        ['strangers, read strictly', strangers],
      ])
      const found: string[] = []
      for (const [name, bytes] of bodies) {
        const all = await harm(method, filledPath(path, ids), bytes, name.endsWith('strictly') ? STRICT : {})
        found.push(...all.map((what) => `${name}: ${what}`))
      }
      assert.deepEqual(found, [])
    })
  }
})

suite('bodies at the size limit', () => {
  const shapes = (size: number): [string, string][] => [
    ['ones', list('1', size / 2)],
    ['empty arrays', list('[]', Math.floor(size / 3))],
    ['empty objects', list('{}', Math.floor(size / 3))],
    ['texts', list('"a"', size / 4)],
    ['different objects', `[${Array.from({ length: size / 16 }, (_, n) => `{"k${n}":1}`).join(',')}]`],
    ['strangers', wide(size / 24)],
    ['nested arrays', '['.repeat(size)],
    ['nested objects', '{"a":'.repeat(size / 5)],
    ['one text', `["${'x'.repeat(size - 4)}"]`],
    ['escapes', `["${'\\"'.repeat(size / 2 - 4)}"]`],
    ['half surrogates', `["${'\\ud800'.repeat(size / 6 - 4)}"]`],
    ['apostrophes', `['${"\\'".repeat(size / 2 - 4)}']`],
    ['old texts', `[${"'a',".repeat(size / 4 - 2)}1]`],
    ['dates', `[${'ISODate("'.repeat(size / 9 - 2)}]`],
    ['digits', '1'.repeat(size)],
    ['blanks', ' '.repeat(size)],
  ]
  for (const [path, size] of [
    ['/targets', 10 * MB],
    [`/actions/${ids['actions']}/renders`, 32 * MB],
  ] as const) {
    // The larger limit costs time to try, and nothing new but size.
    const tried = shapes(size).filter(
      ([name]) => size === 10 * MB || /^(ones|one text|escapes|apostrophes)$/.test(name),
    )
    for (const [name, text] of tried) {
      test(`POST ${path.replace(/[0-9A-Z]{6}/, '{id}')} answers ${name} without a 5xx, within limits of time and memory`, async () => {
        assert.deepEqual(await harm('POST', path, Buffer.from(text)), [])
      })
    }
  }

  test('1,000 renders or executions with 900 differently named values each are accepted', async () => {
    const data = (item: number): object =>
      Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`value ${n < 20 ? item * 20 + n : `of all ${n}`}`, n]))
    const items = Array.from({ length: 1000 }, (_, n) => ({
      recipient: { type: 'id', value: 'ZZZZZZZZ' },
      data: data(n),
    }))
    const sending = await stage.validated(await action())
    for (const path of ['renders', 'executions']) {
      const answer = await call('POST', `/actions/${sending}/${path}`, { body: items })
      assert.deepEqual([answer.status, answer.body.length], [200, 1000], path)
    }
  })
})
