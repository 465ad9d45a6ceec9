import { actionFamilies } from '../../../channels/families.ts'
import { rcsExpirationToMs } from '../../../channels/rcs/content/periods.ts'
import { rcsChannelTraits } from '../../../channels/rcs/facts.ts'
import { loadChannel } from '../../../channels/registry.ts'
import { type ContentVersionSource, toContentSource } from '../../../channels/version-source.ts'
import type { ServiceContext } from '../../../context.ts'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import {
  badRequestProblem,
  conflictProblem,
  invalidRequestProblem,
  Problem,
  type ProblemFault,
} from '../../../lib/errors/problem.ts'
import { createUuidsV7 } from '../../../lib/ids.ts'
import { outboxLanes } from '../../../lib/lanes.ts'
import { createOutboundPolicy } from '../../../lib/net/guarded-client.ts'
import { type ContentVersionLink, storeContentVersion } from '../../../sending/plan/content-version.ts'
import { openTestSending } from '../../../sending/plan/sendings.ts'
import { findContacts, toFootprint } from '../../contacts/records/find.ts'
import { PREVIEW_DISPLAY_BITS } from '../../rendering/render.ts'
import { snapshotActionContent } from '../content/draft-content.ts'
import { renderItemPreviews } from '../content/renders.ts'
import type { ResolvedExecutionItem } from '../execution/execution-items.ts'
import { findFirstResult, requireOverridableContent, sendExecutionItems } from '../execution/executions.ts'
import type { ActionExecutionResult } from '../execution/item-schemas.ts'
import { buildVersionContent, requireKnownVersion } from '../experiments/versions.ts'
import { type ActionRef, loadAction, lockAction, type StoredAction } from '../resource/action-repository.ts'
import { decideActionTransition } from '../resource/states.ts'
import { requireUsableSegments } from '../validation/readiness.ts'
import { MAX_TEST_CONTACTS, readTestContacts } from '../validation/test-run.ts'
import {
  type RestrictedTester,
  requireTesterAddress,
  requireTesterContact,
  requireTesterProofCount,
} from '../validation/testers.ts'
import { extractRcsOverrides, requireValidRcsItems } from './items.ts'
import { requireUsableProfile } from './profile-reasons.ts'
import type { RcsProofBody, RcsProofResult } from './rcs-item-schemas.ts'
import { applyRcsOverrides, type RcsActionWithContent } from './renders.ts'

type ProofContext = Pick<ServiceContext, 'db' | 'config' | 'clock' | 'renders' | 'tokens'>

/** One proof before it has an id of its own. */
type Proof = Omit<ResolvedExecutionItem, 'newId'>

/** Proofs that are found valid. */
interface Queued {
  content: { source: ContentVersionSource; links: readonly ContentVersionLink[] }
  proofs: readonly Proof[]
  now: number
  /** Where all go; null: to the contacts' own phones. */
  address: string | null
  reach: ReturnType<typeof createOutboundPolicy>
}

/** Throws 400 for a proof that goes to nobody, or to a number that is none; gives the number that all go to. */
async function readPlace({ recipient, testSegments, mediaForTest }: RcsProofBody): Promise<string | null> {
  if (!recipient && !testSegments?.length)
    throw badRequestProblem('/recipient', 'is required, unless testSegments is given')
  if (mediaForTest == null) return null
  const { authoring } = await loadChannel(rcsChannelTraits.name)
  const number = authoring.readProofAddress(mediaForTest.trim())
  if (number === undefined) throw badRequestProblem('/mediaForTest', `must be ${authoring.proofAddressForm}`)
  return number
}

/** One item a proof: the recipient's first, then by contact. Throws 400 when there is none, conflict when they are too many. */
async function proofsOf(db: Db, account: AccountId, body: RcsProofBody, now: number): Promise<Proof[]> {
  const { recipient, data, variables, blocks, stamp } = body
  const segments = body.testSegments ?? []
  await requireUsableSegments(db, account, segments, { now: new Date(now), test: true })
  const members = await readTestContacts(db, { account, segments }, now, MAX_TEST_CONTACTS + 1)
  const [contact] = recipient ? await findContacts(db, account, [recipient]) : []
  const given = { data, variables, blocks, stamp }
  const others = members.filter(({ id }) => id !== contact?.id)
  const proofs = [
    ...(recipient ? [{ item: { ...given, recipient }, contact }] : []),
    ...others.map((one) => ({ item: { ...given, recipient: toFootprint(one) }, contact: one })),
  ]
  if (proofs.length === 0)
    throw badRequestProblem('/testSegments', 'have no contacts: there is nobody to send a proof to')
  if (proofs.length > MAX_TEST_CONTACTS)
    throw conflictProblem(
      'test-too-large',
      `At most ${MAX_TEST_CONTACTS} proofs are sent at once; select smaller segments.`,
    )
  if (stamp?.id != null && proofs.length > 1)
    throw badRequestProblem('/stamp/id', `names one message, and ${proofs.length} proofs are asked for`)
  return proofs.map(({ item, contact }) => ({ item, named: { recipient: contact, related: null, copies: [] } }))
}

/** Faults of a content, by where they are to be changed. */
function faultsIn(flaws: readonly { message: string; part: string | null }[]): ProblemFault[] {
  return flaws.map(({ message, part }) => ({ pointer: part === null ? '' : `/${part}`, detail: message }))
}

/** The content as it is frozen. Throws 400 for what the body brings, conflict for what is wrong with the action. */
async function compiled(
  context: ProofContext,
  action: RcsActionWithContent,
  body: RcsProofBody,
): Promise<Queued['content']> {
  const draft = await snapshotActionContent(context, action, { variables: {} })
  const { errors, links } = await context.renders.compile(toContentSource(draft.source))
  const isBrought = (part: string | null): boolean => body.content != null || part?.startsWith('fallback') === true
  if (errors.length > 0 && errors.every(({ part }) => isBrought(part))) throw invalidRequestProblem(faultsIn(errors))
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
  action: RcsActionWithContent,
  proofs: readonly Proof[],
): Promise<RcsProofResult['warnings'][]> {
  const shown = await renderItemPreviews(
    context,
    action,
    proofs.map(({ item: { stamp: _, ...item } }) => ({ ...item, context: { display: PREVIEW_DISPLAY_BITS.tracking } })),
  )
  return shown.map((one) => (one.type === 'success' && 'warnings' in one ? one.warnings : undefined))
}

/** Freezes the content and queues the proofs of an action that is locked. */
async function queueProofs(
  tx: Db,
  { account, id, settings }: RcsActionWithContent,
  { content, proofs, ...given }: Queued,
): Promise<ActionExecutionResult[]> {
  const { now, address, reach } = given
  const at = new Date(now)
  const owner = { account, sourceKind: actionFamilies.rcs.sourceKind, source: id }
  const version = await storeContentVersion(tx, owner, content, at)
  const { id: sending, run } = await openTestSending(
    tx,
    { ...owner, channel: rcsChannelTraits.name, version, lane: outboxLanes.urgent },
    at,
  )
  const batch = {
    ...({ account, channel: rcsChannelTraits.name, kind: 'test', sending, action: { id, settings }, version } as const),
    ...{ templates: new Map(), set: run, now, excluded: new Set<number>(), address },
    places: { hosts: [], reach },
  }
  const waitMs = rcsExpirationToMs(settings.expiration)
  const newIds = createUuidsV7(proofs.length, now)
  const items = proofs.map(({ item, named }, index) => ({ item: { ...item, waitMs }, named, newId: newIds[index]! }))
  return (await sendExecutionItems(tx, batch, items)).results
}

/** What a single proof comes to without a message: its stamp is known, or its contact is not. */
async function answeredAlready(
  tx: Db,
  account: AccountId,
  [proof, ...others]: readonly Proof[],
): Promise<ActionExecutionResult[] | undefined> {
  if (!proof || others.length > 0) return undefined
  const { item, named } = proof
  const first = await findFirstResult(tx, account, item)
  if (first) return [first]
  if (named.recipient) return undefined
  return [{ type: 'error', value: { type: 'recipient not found', recipient: item.recipient } }]
}

/** An action with the content of a version of its experiment, where one is asked for. Throws 400 for one that is not there. */
function ofVersion(action: StoredAction, id: string | null | undefined): StoredAction {
  const versions = action.settings.experiment?.versions ?? []
  requireKnownVersion(versions, id)
  const version = versions.find((one) => one.id === id)
  return version ? { ...action, content: buildVersionContent(action.content, version) } : action
}

/**
 * Sends messages of an RCS action for a look at them, in any state in which it may be edited or validated: they count for
 * nothing. `tester`: whose tests have limits. A stamp that is known answers as it did first. Throws 404, 400, and conflict for the state, the profile, the
 * segments, or too many proofs; 503 when too many renders wait.
 */
export async function sendRcsProofs(
  context: ProofContext,
  ref: ActionRef,
  { tester, ...body }: RcsProofBody & { tester: RestrictedTester | null },
): Promise<RcsProofResult[]> {
  const { db, clock, config } = context
  const { account } = ref
  const action = ofVersion(await loadAction(db, ref), body.version)
  decideActionTransition('read', action)
  requireValidRcsItems([body], action.settings, false)
  const address = await readPlace(body)
  requireTesterAddress(tester, address)
  decideActionTransition('prove', action)
  const brought = extractRcsOverrides(body)
  requireOverridableContent([brought ? { brought } : {}], action.settings)
  await requireUsableProfile(db, action)
  const now = clock.now()
  const proofs = await proofsOf(db, account, body, now)
  if (body.recipient) requireTesterContact(tester, proofs[0]?.named.recipient)
  requireTesterProofCount(tester, proofs.length)
  // Only a fallback of its own is sent in place of a proof.
  const proved = applyRcsOverrides(action, { ...body, fallback: body.fallback ?? null })
  const content = await compiled(context, proved, body)
  const warnings = await warningsOf(context, proved, proofs)
  const reach = createOutboundPolicy(config.outgoingAllow)
  const results = await inTransaction(db, async (tx) => {
    decideActionTransition('prove', await lockAction(tx, ref))
    const known = await answeredAlready(tx, account, proofs)
    return known ?? queueProofs(tx, proved, { content, proofs, now, address, reach })
  })
  return results.map((result, index) => {
    const said = result.type === 'success' ? warnings[index] : undefined
    return said ? { ...result, warnings: said } : result
  })
}
