import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pg from 'pg'
import { within } from '#test/support/processes/processor-time.ts'
import { redactLogText, toLoggableError } from './safe-error.ts'

const ADDRESS = 'ann.lee+news@shop.example'

function ofDatabase(message: string, members: object): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError(message, 0, 'error'), { severity: 'ERROR', ...members })
}

describe('logged error', () => {
  it('of the database contains codes and names but no row values', () => {
    const error = ofDatabase('duplicate key value violates unique constraint "contacts_key"', {
      code: '23505',
      constraint: 'contacts_key',
      table: 'contacts',
      routine: '_bt_check_unique',
      schema: 'public',
      detail: `Key (account, key)=(1, ${ADDRESS}) already exists.`,
      where: ADDRESS,
      hint: ADDRESS,
      internalQuery: ADDRESS,
      parameters: [ADDRESS],
      query: ADDRESS,
    })
    const { stack, ...logged } = toLoggableError(error) as { stack: string }
    assert.deepEqual(logged, {
      type: 'error',
      message: 'duplicate key value violates unique constraint "contacts_key"',
      code: '23505',
      severity: 'ERROR',
      constraint: 'contacts_key',
      schema: 'public',
      table: 'contacts',
      routine: '_bt_check_unique',
    })
    assert.match(stack, /^ {4}at .*safe-error\.test\.ts/)
  })

  const messages = [
    ['22P02', 'invalid input syntax for type integer: "12 Oak "Lane""', 'invalid input syntax for type integer: "…"'],
    ['22003', 'value "336123456789" is out of range for type integer', 'value "…" is out of range for type integer'],
    ['P0001', 'the row "Ann Lee" is wrong', 'the row "…" is wrong'],
    ['42P01', 'relation "missing" does not exist', 'relation "missing" does not exist'],
    ['53100', 'could not extend file "base/1/2"', 'could not extend file "base/1/2"'],
  ] as const
  for (const [code, message, logged] of messages)
    it(`has the message "${logged}" for ${code}`, () =>
      assert.equal((toLoggableError(ofDatabase(message, { code })) as { message: string }).message, logged))

  it('contains its causes and aggregated errors, with a limit', () => {
    const inner = ofDatabase('refused', { code: '23505', detail: ADDRESS })
    const error = new AggregateError([inner, `to ${ADDRESS}`], `of ${ADDRESS}`, {
      cause: new Error('why', { cause: inner }),
    })
    inner.cause = error
    const logged = JSON.stringify(toLoggableError(error))
    assert.doesNotMatch(logged, /ann\.lee|shop\.example/)
    const { message, cause, errors } = JSON.parse(logged)
    assert.equal(message, 'of [address]')
    assert.deepEqual([cause.message, cause.cause.code], ['why', '23505'])
    assert.deepEqual(
      errors.map((one: Error) => one.message),
      ['refused', 'to [address]'],
    )
  })

  it('with a message of several lines has only frames in its stack', () => {
    const error = new Error(`first\n    at ${ADDRESS}\n    at secret`)
    assert.doesNotMatch((toLoggableError(error) as { stack: string }).stack, /secret|shop/)
  })

  it('of invalid JSON contains nothing of the text', () => {
    let logged = ''
    try {
      JSON.parse('{"name": "Ann" Lee}')
    } catch (error) {
      logged = JSON.stringify(toLoggableError(error))
    }
    assert.match(logged, /SyntaxError/)
    assert.doesNotMatch(logged, /Ann|Lee/)
  })

  it('that is not an Error is logged as its text or its type', () => {
    assert.equal(toLoggableError(`550 <${ADDRESS}> unknown`), '550 <[address]> unknown')
    assert.deepEqual(toLoggableError({ message: ADDRESS }), { type: 'object', message: '', stack: '' })
    assert.equal(toLoggableError(undefined), undefined)
  })
})

describe('logged text', () => {
  const cases = [
    [`Key (key)=(${ADDRESS})`, 'Key (key)=([address])'],
    ['mailto:ann@bücher.example?subject=x', 'mailto:[address]?subject=x'],
    ['/u?mail=ann%40shop.example', '/u?mail=[address]'],
    ['call +33 6 12 34 56 78 now', 'call [number] now'],
    ['took 12345678 ms on 2026-11-22', 'took 12345678 ms on 2026-11-22'],
    ['node_modules/@fastify/x/index.js', 'node_modules/@fastify/x/index.js'],
  ] as const
  for (const [given, logged] of cases)
    it(`"${given}" is logged as "${logged}"`, () => assert.equal(redactLogText(given), logged))

  it('of any length is redacted fast and truncated', () => {
    const text = 'a'.repeat(10_000_000)
    assert.equal(within(200, () => redactLogText(text)).length, 1000)
  })
})
