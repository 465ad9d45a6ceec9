import { badRequest } from './problem.ts'

/** A name as it is kept: trimmed, NFC. Throws 400 at `/name` when it is absent, empty or longer than `longest`. */
export function readName(given: string | undefined, longest: number): string {
  const name = (given ?? '').trim().normalize('NFC')
  if (name === '') throw badRequest('/name', 'is required and must not be blank')
  if (name.length > longest) throw badRequest('/name', `must have at most ${longest} characters`)
  return name
}
