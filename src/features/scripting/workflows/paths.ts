import type { FastifyRequest } from 'fastify'
import { readIntId } from '../../../lib/ids.ts'
import { notFound } from '../../../lib/problem.ts'
import type { WorkflowKey } from './stored.ts'

export const WORKFLOWS = '/scripting/workflows'

/** The workflow that a path names. Throws notFound for what is no id. */
export function workflowKey({ account, params }: Pick<FastifyRequest, 'account' | 'params'>): WorkflowKey {
  const { id: text } = params as { id: string }
  const id = readIntId(text)
  if (id === undefined) throw notFound('workflow', text)
  return { account, id }
}
