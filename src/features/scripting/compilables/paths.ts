import type { FastifyRequest } from 'fastify'
import { readUuid } from '../../../lib/ids.ts'
import { notFound } from '../../../lib/problem.ts'
import type { CompilableKey } from './stored.ts'

export const COMPILABLES = '/scripting/compilables'

/** The compilable that a path names. Throws notFound for what is no id. */
export function compilableKey({ account, params }: Pick<FastifyRequest, 'account' | 'params'>): CompilableKey {
  const { id: text } = params as { id: string }
  const id = readUuid(text)
  if (id === undefined) throw notFound('compilable', text)
  return { account, id }
}
