import type { FastifyRequest } from 'fastify'
import type { Db } from '../../database/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { fold } from '../../lib/fold.ts'
import { conflict, Problem } from '../../lib/problem.ts'
import type { FoundContact } from '../contacts/find.ts'
import { emailsOfColleagues } from '../people/colleagues.ts'

/** Proofs of one test of those who may not send. */
export const MAX_PROOFS_WITHOUT_SEND = 20

/** Who asks for a test and may not send: proofs go to test segments, and to people of the account. */
export interface Tester {
  /** Folded. */
  emails: ReadonlySet<string>
}

/** The limits of a test: those of a person who may not send; null where there are none. */
export async function testerOf(
  db: Db,
  account: AccountId,
  { person, rights }: Pick<FastifyRequest, 'person' | 'rights'>,
): Promise<Tester | null> {
  if (person === null || rights?.includes('send')) return null
  return { emails: new Set([fold(person.email), ...(await emailsOfColleagues(db, account))]) }
}

const elsewhere = (): Problem =>
  new Problem(
    403,
    'right-missing',
    'Without the right "send" tests go to test segments, to people of the account, or to yourself.',
  )

/** Throws 403 for an address of nobody in the account. */
export function refuseAddress(tester: Tester | null, address: string | null): void {
  if (tester && address !== null && !tester.emails.has(fold(address))) throw elsewhere()
}

/** Throws 403 for a contact that is nobody in the account: none of its values is the email of one. */
export function refuseContact(tester: Tester | null, contact: FoundContact | null | undefined): void {
  if (!tester) return
  const values = Object.values(contact?.fields ?? {})
  if (!values.some((value) => typeof value === 'string' && tester.emails.has(fold(value)))) throw elsewhere()
}

/** Throws conflict `test-too-large` for more proofs than those who may not send are given. */
export function refuseManyProofs(tester: Tester | null, proofs: number): void {
  if (!tester || proofs <= MAX_PROOFS_WITHOUT_SEND) return
  const detail = `Without the right "send" a test has at most ${MAX_PROOFS_WITHOUT_SEND} proofs; select smaller segments.`
  throw conflict('test-too-large', detail)
}
