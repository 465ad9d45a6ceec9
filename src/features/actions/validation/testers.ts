import type { FastifyRequest } from 'fastify'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { conflictProblem, Problem } from '../../../lib/errors/problem.ts'
import { toMailAddressKey } from '../../../lib/text/mail-address.ts'
import type { FoundContact } from '../../contacts/records/find.ts'
import { listMemberEmails } from '../../people/members/colleagues.ts'

/** Proofs of one test of those whose tests have limits. */
const MAX_TESTER_PROOFS = 20

/** User who may test an action but not send it: proofs go to test segments and to people of the account only. */
export interface RestrictedTester {
  /** Folded. */
  emails: ReadonlySet<string>
  /** True if an approval is missing; otherwise the right "send" is. */
  asksApproval: boolean
}

/**
 * The limits of a test: those of a person who may not send, or not without an approval; null where there are none.
 */
export async function findRestrictedTester(
  db: Db,
  account: AccountId,
  { person, rights }: Pick<FastifyRequest, 'person' | 'rights'>,
): Promise<RestrictedTester | null> {
  const hasSendRight = rights?.includes('send') ?? false
  if (person === null || (hasSendRight && !person.approval)) return null
  const emails = new Set([
    toMailAddressKey(person.email),
    ...(await listMemberEmails(db, account)).map(toMailAddressKey),
  ])
  return { emails, asksApproval: hasSendRight }
}

const describeRestriction = ({ asksApproval }: RestrictedTester): string =>
  asksApproval ? 'Without an approval' : 'Without the right "send"'

function createRecipientProblem(tester: RestrictedTester): Problem {
  const kind = tester.asksApproval ? 'approval-required' : 'right-missing'
  const detail = `${describeRestriction(tester)}, you can send tests only to test segments, to users of the account or to yourself.`
  return new Problem(403, kind, detail)
}

/** Throws 403 for an address of nobody in the account. */
export function requireTesterAddress(tester: RestrictedTester | null, address: string | null): void {
  if (tester && address !== null && !tester.emails.has(toMailAddressKey(address))) throw createRecipientProblem(tester)
}

/** Throws 403 for a contact that is nobody in the account: none of its values is the email of one. */
export function requireTesterContact(tester: RestrictedTester | null, contact: FoundContact | null | undefined): void {
  if (!tester) return
  const values = Object.values(contact?.fields ?? {})
  if (!values.some((value) => typeof value === 'string' && tester.emails.has(toMailAddressKey(value))))
    throw createRecipientProblem(tester)
}

/** Throws conflict `test-too-large` for more proofs than those are given whose tests have limits. */
export function requireTesterProofCount(tester: RestrictedTester | null, proofs: number): void {
  if (!tester || proofs <= MAX_TESTER_PROOFS) return
  const detail = `${describeRestriction(tester)}, a test can have at most ${MAX_TESTER_PROOFS} proofs. Select smaller segments.`
  throw conflictProblem('test-too-large', detail)
}
