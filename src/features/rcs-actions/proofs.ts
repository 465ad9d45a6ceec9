import { families } from '../../channels/families.ts'
import { expirationMs } from '../../channels/rcs/periods.ts'
import { loadChannel } from '../../channels/registry.ts'
import { contentSourceOf, type VersionSource } from '../../channels/version-source.ts'
import type { Context } from '../../context.ts'
import { type Db, inTransaction } from '../../database/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { reachOf } from '../../lib/guarded-client.ts'
import { uuidsV7 } from '../../lib/ids.ts'
import { lanes } from '../../lib/lanes.ts'
import { badRequest, conflict, type Fault, invalid, Problem } from '../../lib/problem.ts'
import { openTest } from '../../outbox/sendings.ts'
import { freezeVersion, type VersionLink } from '../../outbox/version.ts'
import { draftOf } from '../actions/drafts.ts'
import type { NamedItem } from '../actions/execution-items.ts'
import { refuseOverrides, sendItems } from '../actions/executions.ts'
import type { ExecutionResult } from '../actions/item-schemas.ts'
import { refuseSegments } from '../actions/readiness.ts'
import { decide } from '../actions/states.ts'
import { type ActionRef, loadAction, lockAction } from '../actions/stored.ts'
import { MAX_TEST_CONTACTS, segmentContacts } from '../actions/test-run.ts'
import { findContacts, footprintOf } from '../contacts/find.ts'
import { broughtBy, refuseFaultyRcs } from './items.ts'
import { refuseUnusableProfile } from './profile-reasons.ts'
import type { RcsProofBody } from './rcs-item-schemas.ts'
import { type WithContent, withContent } from './renders.ts'

type ProofContext = Pick<Context, 'db' | 'config' | 'clock' | 'renders'>

/** Throws 400 for a proof that goes to nobody, or to a number that is none; gives the number that all go to. */
async function readPlace({ recipient, testSegments, mediaForTest }: RcsProofBody): Promise<string | null> {
  if (!recipient && !testSegments?.length) throw badRequest('/recipient', 'is required, unless testSegments is given')
  if (mediaForTest == null) return null
  const { authoring } = await loadChannel('rcs')
  const number = authoring.readProofAddress(mediaForTest.trim())
  if (number === undefined) throw badRequest('/mediaForTest', `must be ${authoring.proofAddressForm}`)
  return number
}

/** One item a proof: the recipient's first, then by contact. Throws 400 when there is none, conflict when they are too many. */
async function proofsOf(
  db: Db,
  account: AccountId,
  body: RcsProofBody,
  now: number,
): Promise<Omit<NamedItem, 'newId'>[]> {
  const { recipient, data, variables, blocks, stamp } = body
  const segments = body.testSegments ?? []
  await refuseSegments(db, account, segments, { now: new Date(now), test: true })
  const members = await segmentContacts(db, { account, segments }, now, MAX_TEST_CONTACTS + 1)
  const [contact] = recipient ? await findContacts(db, account, [recipient]) : []
  const given = { data, variables, blocks, stamp }
  const others = members.filter(({ id }) => id !== contact?.id)
  const proofs = [
    ...(recipient ? [{ item: { ...given, recipient }, contact }] : []),
    ...others.map((one) => ({ item: { ...given, recipient: footprintOf(one) }, contact: one })),
  ]
  if (proofs.length === 0) throw badRequest('/testSegments', 'have no contacts: there is nobody to send a proof to')
  if (proofs.length > MAX_TEST_CONTACTS)
    throw conflict('test-too-large', `At most ${MAX_TEST_CONTACTS} proofs are sent at once; select smaller segments.`)
  if (stamp?.id != null && proofs.length > 1)
    throw badRequest('/stamp/id', `names one message, and ${proofs.length} proofs are asked for`)
  return proofs.map(({ item, contact }) => ({ item, named: { recipient: contact, related: null, copies: [] } }))
}

/** Faults of a content, by where they are to be changed. */
function faultsIn(flaws: readonly { message: string; part: string | null }[]): Fault[] {
  return flaws.map(({ message, part }) => ({ pointer: part === null ? '' : `/${part}`, detail: message }))
}

/** The content as it is frozen. Throws 400 for what the body brings, conflict for what is wrong with the action. */
async function compiled(
  context: ProofContext,
  action: WithContent,
  body: RcsProofBody,
): Promise<{ source: VersionSource; links: readonly VersionLink[] }> {
  const draft = await draftOf(context, action, { variables: {} })
  const { errors, links } = await context.renders.compile(contentSourceOf(draft.source))
  const isBrought = (part: string | null): boolean => body.content != null || part?.startsWith('fallback') === true
  if (errors.length > 0 && errors.every(({ part }) => isBrought(part))) throw invalid(faultsIn(errors))
  const [first] = [...errors, ...draft.errors]
  if (first)
    throw new Problem(409, 'action-not-ready', `No proof can be sent: ${first.message}`, {
      errors: faultsIn([...errors, ...draft.errors]),
    })
  return { source: draft.source, links }
}

/**
 * Sends messages of an RCS action for a look at them, in any state in which it may be edited or validated: they count for
 * nothing. Throws 404, 400, and conflict for the state, the profile, the segments, or too many proofs.
 */
export async function sendProofs(
  context: ProofContext,
  ref: ActionRef,
  body: RcsProofBody,
): Promise<ExecutionResult[]> {
  const { db, clock, config } = context
  const { account, id } = ref
  const action = await loadAction(db, ref)
  decide('read', action)
  refuseFaultyRcs([body], action.settings, false)
  const address = await readPlace(body)
  decide('prove', action)
  const brought = broughtBy(body)
  refuseOverrides([brought ? { brought } : {}], action.settings)
  await refuseUnusableProfile(db, action)
  const now = clock.now()
  const proofs = await proofsOf(db, account, body, now)
  // Only a fallback of its own is sent in place of a proof.
  const content = await compiled(context, withContent(action, { ...body, fallback: body.fallback ?? null }), body)
  return inTransaction(db, async (tx) => {
    decide('prove', await lockAction(tx, ref))
    const at = new Date(now)
    const owner = { account, sourceKind: families.rcs.sourceKind, source: id }
    const version = await freezeVersion(tx, owner, content, at)
    const { id: sending, run } = await openTest(tx, { ...owner, channel: 'rcs', version, lane: lanes.urgent }, at)
    const batch = {
      ...({
        account,
        channel: 'rcs',
        kind: 'test',
        sending,
        action: { id, settings: action.settings },
        version,
      } as const),
      ...{ templates: new Map(), set: run, now, excluded: new Set<number>(), address },
      places: { hosts: [], reach: reachOf(config.outgoingAllow) },
    }
    const waitMs = expirationMs(action.settings.expiration)
    const newIds = uuidsV7(proofs.length, now)
    const given = proofs.map(({ item, named }, index) => ({ item: { ...item, waitMs }, named, newId: newIds[index]! }))
    const { results } = await sendItems(tx, batch, given)
    return results
  })
}
