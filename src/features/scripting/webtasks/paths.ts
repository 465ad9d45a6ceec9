import type { FastifyRequest } from 'fastify'
import { readIntId } from '../../../lib/ids.ts'
import { notFound } from '../../../lib/problem.ts'
import type { WebtaskKey } from './stored.ts'

export const WEBTASKS = '/scripting/webtasks'

/** The webtask that a path names. Throws notFound for what is no id. */
export function webtaskKey({ account, params }: Pick<FastifyRequest, 'account' | 'params'>): WebtaskKey {
  const { id: text } = params as { id: string }
  const id = readIntId(text)
  if (id === undefined) throw notFound('webtask', text)
  return { account, id }
}
