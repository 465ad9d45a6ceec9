import { Type } from 'typebox'
import { readActionId } from '../../lib/ids.ts'
import { notFound } from '../../lib/problem.ts'

export const ActionParams = Type.Object({ id: Type.String() })

/** The number of an action from the id in a path. Throws notFound for what is none. */
export function readId(text: string): number {
  const id = readActionId(text)
  if (id === undefined) throw notFound('action', text)
  return id
}
