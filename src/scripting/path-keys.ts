import type { FastifyRequest } from 'fastify'
import type { AccountId } from '../lib/account.ts'
import { notFoundProblem } from '../lib/errors/problem.ts'

type AuthenticatedCall = Pick<FastifyRequest, 'account' | 'params'>

/** Reads which one of an account a path names. What is read throws notFound for what is no id. */
export function createPathKeyReader<Id>(title: string, readId: (text: string) => Id | undefined) {
  return ({ account, params }: AuthenticatedCall): { account: AccountId; id: Id } => {
    const { id: text } = params as { id: string }
    const id = readId(text)
    if (id === undefined) throw notFoundProblem(title, text)
    return { account, id }
  }
}
