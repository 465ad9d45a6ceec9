import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { invalidRequestProblem } from '../../../lib/errors/problem.ts'
import { singularizeAfterOne } from '../../../lib/text/nouns.ts'

/** Parses an execution item that an author's code built. Throws a 400 Problem for an invalid item. */
export function parseScriptItem<Schema extends TSchema>(schema: Schema, item: unknown): Static<Schema> {
  if (Value.Check(schema, item)) return item
  const faults = Value.Errors(schema, item)
  throw invalidRequestProblem(
    faults.map(({ instancePath, message }) => ({ pointer: instancePath, detail: singularizeAfterOne(message) })),
  )
}
