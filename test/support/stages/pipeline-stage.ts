import assert from 'node:assert/strict'
import type { Answer, CallOptions, Harness } from '../harness.ts'

export const path = (value: string) => ({ type: 'path' as const, value })
export const literal = (value: unknown) => ({ type: 'literal' as const, value })
export const script = (value: string) => ({ type: 'script' as const, value })
export const template = (value: string) => ({ type: 'template' as const, value })

/** A comparison of a condition. */
export const compare = (left: unknown, operator: string, right?: unknown, more: object = {}) => ({
  type: 'compare',
  left,
  operator,
  ...(right !== undefined && { right }),
  ...more,
})

/** A filter by one comparison. */
export const where = (...given: Parameters<typeof compare>) => ({ type: 'filter', condition: compare(...given) })

/** A pipeline; its source is given, or the rows of an inline one. */
export function pipeline(source: object | readonly unknown[], cursors: readonly object[], parameters: object[] = []) {
  const from = Array.isArray(source) ? { type: 'inline', rows: source } : source
  return { type: 'pipeline', source: from, cursors, parameters }
}

/** The pipeline of the contract. */
export const bestCustomers = (segment: number) => ({
  name: 'Top adults',
  value: pipeline(
    { type: 'segment', segment },
    [
      where(path('row.fields.Age'), 'greaterOrEqual', path('arguments.minAge')),
      { type: 'map', fields: { id: path('row.id'), spent: path('row.fields.Spent') } },
      { type: 'sort', by: [{ value: path('row.spent'), direction: 'desc' }] },
      { type: 'limit', count: path('arguments.top') },
    ],
    [
      { name: 'minAge', type: 'number', default: 18 },
      { name: 'top', type: 'number', required: true },
    ],
  ),
  preview: { arguments: { top: 3 }, limit: 10 },
})

const URL = '/scripting/compilables'
let named = 0

/** What tests of compilables do again and again. */
export function compilableStage({
  call,
  crossSomewhere,
}: Pick<Harness, 'call'> & Partial<Pick<Harness, 'crossSomewhere'>>) {
  const make = async (body: object, options: CallOptions = {}): Promise<Answer> =>
    call('POST', URL, { ...options, body })
  const made = async (value: object, more: object = {}): Promise<string> => {
    const answer = await make({ name: `Compilable ${++named}`, value, ...more })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.id
  }
  const flaws = async (id: string): Promise<{ type: string; severity: string; path: string; message: string }[]> =>
    (await call('GET', `${URL}/${id}/flaws`)).body
  const execute = async (id: string, given?: unknown, options: CallOptions = {}): Promise<Answer> => {
    await crossSomewhere?.()
    return call('POST', `${URL}/${id}/execution`, { ...options, ...(given !== undefined && { body: given }) })
  }
  const preview = (id: string, body?: unknown, options: CallOptions = {}): Promise<Answer> =>
    call('POST', `${URL}/${id}/preview`, { ...options, ...(body !== undefined && { body }) })
  return {
    url: (id: string, rest = '') => `${URL}/${id}${rest}`,
    make,
    made,
    flaws,
    execute,
    preview,
    /** Types and paths of the flaws of a value. */
    async flawsOf(value: object): Promise<string[]> {
      return (await flaws(await made(value))).map(({ type, path: at }) => `${type} ${at}`)
    },
    /** The value that a compilable gives. */
    async resultOf(value: object, given: object = {}): Promise<unknown> {
      const id = await made(value)
      const { status, body, text } = await execute(id, given)
      assert.equal(status, 200, text)
      assert.equal(body.type, 'success', text)
      return body.value
    },
    /** The error that an execution ends with. */
    async errorOf(value: object, given: object = {}): Promise<{ type: string; message: string }> {
      const id = await made(value)
      const { status, body, text } = await execute(id, given)
      assert.equal(status, 200, text)
      assert.equal(body.type, 'error', text)
      return body.value
    },
  }
}
