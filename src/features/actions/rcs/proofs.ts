import { families } from '../../../channels/families.ts'
import { expirationMs } from '../../../channels/rcs/content/periods.ts'
import { rcs } from '../../../channels/rcs/facts.ts'
import { loadChannel } from '../../../channels/registry.ts'
import { contentSourceOf, type VersionSource } from '../../../channels/version-source.ts'
import type { Context } from '../../../context.ts'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { badRequest, conflict, type Fault, invalid, Problem } from '../../../lib/errors/problem.ts'
import { uuidsV7 } from '../../../lib/ids.ts'
import { lanes } from '../../../lib/lanes.ts'
import { reachOf } from '../../../lib/net/guarded-client.ts'
import { freezeVersion, type VersionLink } from '../../../sending/plan/content-version.ts'
import { openTest } from '../../../sending/plan/sendings.ts'
import { findContacts, footprintOf } from '../../contacts/records/find.ts'
import { DISPLAY } from '../../rendering/render.ts'
import { draftOf } from '../content/draft-content.ts'
import { showItems } from '../content/renders.ts'
import type { NamedItem } from '../execution/execution-items.ts'
import { firstAnswer, refuseOverrides, sendItems } from '../execution/executions.ts'
import type { ExecutionResult } from '../execution/item-schemas.ts'
import { contentOfVersion, refuseUnknownVersion } from '../experiments/versions.ts'
import { type ActionRef, loadAction, lockAction, type StoredAction } from '../resource/action-repository.ts'
import { decide } from '../resource/states.ts'
import { refuseSegments } from '../validation/readiness.ts'
import { MAX_TEST_CONTACTS, segmentContacts } from '../validation/test-run.ts'
import { refuseAddress, refuseContact, refuseManyProofs, type Tester } from '../validation/testers.ts'
import { broughtBy, refuseFaultyRcs } from './items.ts'
import { usableProfile } from './profile-reasons.ts'
import type { RcsProofBody, RcsProofResult } from './rcs-item-schemas.ts'
import { type WithContent, withContent } from './renders.ts'

type ProofContext = Pick<Context, 'db' | 'config' | 'clock' | 'renders' | 'tokens'>

/** One proof before it has an id of its own. */
type Proof = Omit<NamedItem, 'newId'>

/** Proofs that are found valid. */
interface Queued {
  content: { source: VersionSource; links: readonly VersionLink[] }
  proofs: readonly Proof[]
  now: number
  /** Where all go; null: to the contacts' own phones. */
  address: string | null
  reach: ReturnType<typeof reachOf>
}

/** Throws 400 for a proof that goes to nobody, or to a number that is none; gives the number that all go to. */
async function readPlace({ recipient, testSegments, mediaForTest }: RcsProofBody): Promise<string | null> {
  if (!recipient && !testSegments?.length) throw badRequest('/recipient', 'is required, unless testSegments is given')
  if (mediaForTest == null) return null
  const { authoring } = await loadChannel(rcs.name)
  const number = authoring.readProofAddress(mediaForTest.trim())
  if (number === undefined) throw badRequest('/mediaForTest', `must be ${authoring.proofAddressForm}`)
  return number
}

/** One item a proof: the recipient's first, then by contact. Throws 400 when there is none, conflict when they are too many. */
async function proofsOf(db: Db, account: AccountId, body: RcsProofBody, now: number): Promise<Proof[]> {
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
async function compiled(context: ProofContext, action: WithContent, body: RcsProofBody): Promise<Queued['content']> {
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

/** What there is to say of each proof as its phone will show it; undefined where there is nothing, or no message. */
async function warningsOf(
  context: ProofContext,
  action: WithContent,
  proofs: readonly Proof[],
): Promise<RcsProofResult['warnings'][]> {
  const shown = await showItems(
    context,
    action,
    proofs.map(({ item: { stamp: _, ...item } }) => ({ ...item, context: { display: DISPLAY.tracking } })),
  )
  return shown.map((one) => (one.type === 'success' && 'warnings' in one ? one.warnings : undefined))
}

/** Freezes the content and queues the proofs of an action that is locked. */
async function queueProofs(
  tx: Db,
  { account, id, settings }: WithContent,
  { content, proofs, ...given }: Queued,
): Promise<ExecutionResult[]> {
  const { now, address, reach } = given
  const at = new Date(now)
  const owner = { account, sourceKind: families.rcs.sourceKind, source: id }
  const version = await freezeVersion(tx, owner, content, at)
  const { id: sending, run } = await openTest(tx, { ...owner, channel: rcs.name, version, lane: lanes.urgent }, at)
  const batch = {
    ...({ account, channel: rcs.name, kind: 'test', sending, action: { id, settings }, version } as const),
    ...{ templates: new Map(), set: run, now, excluded: new Set<number>(), address },
    places: { hosts: [], reach },
  }
  const waitMs = expirationMs(settings.expiration)
  const newIds = uuidsV7(proofs.length, now)
  const items = proofs.map(({ item, named }, index) => ({ item: { ...item, waitMs }, named, newId: newIds[index]! }))
  return (await sendItems(tx, batch, items)).results
}

/** What a single proof comes to without a message: its stamp is known, or its contact is not. */
async function answeredAlready(
  tx: Db,
  account: AccountId,
  [proof, ...others]: readonly Proof[],
): Promise<ExecutionResult[] | undefined> {
  if (!proof || others.length > 0) return undefined
  const { item, named } = proof
  const first = await firstAnswer(tx, account, item)
  if (first) return [first]
  if (named.recipient) return undefined
  return [{ type: 'error', value: { type: 'recipient not found', recipient: item.recipient } }]
}

/** An action with the content of a version of its experiment, where one is asked for. Throws 400 for one that is not there. */
function ofVersion(action: StoredAction, id: string | null | undefined): StoredAction {
  const versions = action.settings.experiment?.versions ?? []
  refuseUnknownVersion(versions, id)
  const version = versions.find((one) => one.id === id)
  return version ? { ...action, content: contentOfVersion(action.content, version) } : action
}

/**
 * Sends messages of an RCS action for a look at them, in any state in which it may be edited or validated: they count for
 * nothing. `tester`: whose tests have limits. A stamp that is known answers as it did first. Throws 404, 400, and conflict for the state, the profile, the
 * segments, or too many proofs; 503 when too many renders wait.
 */
export async function sendProofs(
  context: ProofContext,
  ref: ActionRef,
  { tester, ...body }: RcsProofBody & { tester: Tester | null },
): Promise<RcsProofResult[]> {
  const { db, clock, config } = context
  const { account } = ref
  const action = ofVersion(await loadAction(db, ref), body.version)
  decide('read', action)
  refuseFaultyRcs([body], action.settings, false)
  const address = await readPlace(body)
  refuseAddress(tester, address)
  decide('prove', action)
  const brought = broughtBy(body)
  refuseOverrides([brought ? { brought } : {}], action.settings)
  await usableProfile(db, action)
  const now = clock.now()
  const proofs = await proofsOf(db, account, body, now)
  if (body.recipient) refuseContact(tester, proofs[0]?.named.recipient)
  refuseManyProofs(tester, proofs.length)
  // Only a fallback of its own is sent in place of a proof.
  const proved = withContent(action, { ...body, fallback: body.fallback ?? null })
  const content = await compiled(context, proved, body)
  const warnings = await warningsOf(context, proved, proofs)
  const reach = reachOf(config.outgoingAllow)
  const results = await inTransaction(db, async (tx) => {
    decide('prove', await lockAction(tx, ref))
    const known = await answeredAlready(tx, account, proofs)
    return known ?? queueProofs(tx, proved, { content, proofs, now, address, reach })
  })
  return results.map((result, index) => {
    const said = result.type === 'success' ? warnings[index] : undefined
    return said ? { ...result, warnings: said } : result
  })
}
