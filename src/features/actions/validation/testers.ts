import type { FastifyRequest } from 'fastify'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { conflict, Problem } from '../../../lib/errors/problem.ts'
import { addressKey } from '../../../lib/text/mail-address.ts'
import type { FoundContact } from '../../contacts/records/find.ts'
import { emailsOfColleagues } from '../../people/members/colleagues.ts'

/** Proofs of one test of those whose tests have limits. */
const MAX_PROOFS = 20

/** Who asks for a test and may not send what is tested: proofs go to test segments, and to people of the account. */
export interface Tester {
  /** Folded. */
  emails: ReadonlySet<string>
  /** Whether it is for want of an approval; else of the right "send". */
  asksApproval: boolean
}

/**
 * The limits of a test: those of a person who may not send, or not without an approval; null where there are none.
 */
export async function testerOf(
  db: Db,
  account: AccountId,
  { person, rights }: Pick<FastifyRequest, 'person' | 'rights'>,
): Promise<Tester | null> {
  const maySend = rights?.includes('send') ?? false
  if (person === null || (maySend && !person.approval)) return null
  const emails = new Set([addressKey(person.email), ...(await emailsOfColleagues(db, account)).map(addressKey)])
  return { emails, asksApproval: maySend }
}

const withoutWhat = ({ asksApproval }: Tester): string =>
  asksApproval ? 'Without an approval' : 'Without the right "send"'

function elsewhere(tester: Tester): Problem {
  const kind = tester.asksApproval ? 'approval-required' : 'right-missing'
  const detail = `${withoutWhat(tester)} tests go to test segments, to people of the account, or to yourself.`
  return new Problem(403, kind, detail)
}

/** Throws 403 for an address of nobody in the account. */
export function refuseAddress(tester: Tester | null, address: string | null): void {
  if (tester && address !== null && !tester.emails.has(addressKey(address))) throw elsewhere(tester)
}

/** Throws 403 for a contact that is nobody in the account: none of its values is the email of one. */
export function refuseContact(tester: Tester | null, contact: FoundContact | null | undefined): void {
  if (!tester) return
  const values = Object.values(contact?.fields ?? {})
  if (!values.some((value) => typeof value === 'string' && tester.emails.has(addressKey(value))))
    throw elsewhere(tester)
}

/** Throws conflict `test-too-large` for more proofs than those are given whose tests have limits. */
export function refuseManyProofs(tester: Tester | null, proofs: number): void {
  if (!tester || proofs <= MAX_PROOFS) return
  const detail = `${withoutWhat(tester)} a test has at most ${MAX_PROOFS} proofs; select smaller segments.`
  throw conflict('test-too-large', detail)
}
