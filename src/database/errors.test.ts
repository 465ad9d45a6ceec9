import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pg from 'pg'
import { conflictProblem, Problem } from '../lib/errors/problem.ts'
import { isDatabaseUnavailable, mapConstraintErrors } from './errors.ts'

function refusal(code: string, constraint?: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError(`refused with ${code}`, 0, 'error'), { code, constraint })
}

const named = (kind: string) => (): Problem => conflictProblem(kind, kind)

describe('refusing', () => {
  const refusals = {
    unique: named('unique'),
    foreignKey: named('foreign'),
    check: named('check'),
    things_name: named('name'),
  }
  const cases = [
    { code: '23505', kind: 'unique' },
    { code: '23503', kind: 'foreign' },
    { code: '23514', kind: 'check' },
    { code: '23505', constraint: 'things_name', kind: 'name' },
    { code: '23505', constraint: 'things_other', kind: 'unique' },
  ]
  for (const { code, constraint, kind } of cases) {
    it(`turns ${code} of ${constraint ?? 'any constraint'} into the problem "${kind}"`, () =>
      assert.rejects(mapConstraintErrors(Promise.reject(refusal(code, constraint)), refusals), { kind }))
  }

  it('rethrows unlisted refusals and other errors unchanged', async () => {
    for (const error of [refusal('23503'), refusal('40001'), new Error('other')]) {
      await assert.rejects(
        mapConstraintErrors(Promise.reject(error), { unique: named('unique') }),
        (thrown) => thrown === error,
      )
    }
  })

  it("returns the statement's result", async () => assert.equal(await mapConstraintErrors(Promise.resolve(1), {}), 1))
})

describe('isUnavailable', () => {
  const away = [
    ...['08006', '28P01', '3D000', '25006', '42501'].map((code) => refusal(code)),
    ...['53000', '53100', '53200', '53300', '53400'].map((code) => refusal(code)),
    ...['57P01', '57P02', '57P03', '57P04', '57P05', '58000', '58030', '58P01'].map((code) => refusal(code)),
    Object.assign(refusal('54000'), { routine: 'GetNewTransactionId' }),
    Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
    new Error('Connection terminated unexpectedly'),
    new Error('timeout exceeded when trying to connect'),
    new AggregateError([Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })]),
    new Error('outer', { cause: refusal('57P01') }),
    new Problem(503, 'event-history-away', 'older events are away'),
  ]
  for (const error of away)
    it(`is true of ${error.message || 'several'}`, () => assert.ok(isDatabaseUnavailable(error)))

  const faults = [
    ...['22P02', '23505', '25P02', '42P01', '54000', '57014', 'XX000', 'P0001'].map((code) => refusal(code)),
    new TypeError('fault'),
    new Problem(503, 'overloaded', 'too much at once'),
    'text',
    undefined,
  ]
  for (const error of faults)
    it(`is false of ${String(error)}`, () => assert.equal(isDatabaseUnavailable(error), false))
})
