import { badRequestProblem } from '../errors/problem.ts'

const CONTROL_CHARACTER = /\p{Cc}/u

/** A name as it is stored: trimmed, NFC. Throws 400 at `/name` when it is absent, blank, longer than `maxLength` or holds control characters. */
export function parseResourceName(rawName: string | undefined, maxLength: number): string {
  const name = (rawName ?? '').trim().normalize('NFC')
  if (name === '') throw badRequestProblem('/name', 'is required and must not be blank')
  if (CONTROL_CHARACTER.test(name)) throw badRequestProblem('/name', 'must not contain control characters')
  if (name.length > maxLength) throw badRequestProblem('/name', `must have at most ${maxLength} characters`)
  return name
}
