import { loadChannel } from '../../channels/load-channel.ts'
import { signalDueWork } from '../../jobs/due-watch.ts'
import { splitAudienceShares } from './audience-shares.ts'
import { createAudiencePreparer, type PlanningContext } from './look-up-addresses.ts'
import {
  type AudiencePart,
  type AudiencePlan,
  computeDueMoments,
  endAudiencePlan,
  loadAudiencePlan,
  planAudienceSlice,
} from './plan-audience-slice.ts'
import { type FirstAudienceContacts, readAudienceSlice, takeAudienceSnapshot } from './select-audience.ts'
import { createVersionChooser } from './version-choice.ts'

/** Contacts planned at once: the first slices are being sent while the next are made. */
const SLICE_SIZE = 5000
/** The first slice is small: its messages leave at once. */
const FIRST_SLICE_SIZE = 500

/** Plans contacts of an audience, the next in order; false when the run has ended, or another process planned them. */
type PartPlanner = (contacts: readonly number[]) => Promise<boolean>

/** Gives how the parts of a plan are planned; keeps what the plan says of how far it is. */
async function createPartPlanner(context: PlanningContext, plan: AudiencePlan): Promise<PartPlanner> {
  const { db, clock } = context
  const chooseVersions = await createVersionChooser(context, plan)
  return async (partContacts) => {
    const shareSplit = plan.shares ? splitAudienceShares(plan.shares, partContacts) : undefined
    const contacts = shareSplit?.contacts ?? partContacts
    const part: AudiencePart = {
      contacts,
      moments: await computeDueMoments(db, plan, contacts),
      chosen: shareSplit ?? (await chooseVersions?.(contacts)),
      through: partContacts.at(-1)!,
      heldOut: shareSplit?.heldOut ?? [],
    }
    if (!(await planAudienceSlice(db, plan, part, new Date(clock.now())))) return false
    signalDueWork(db)
    plan.plannedThrough = part.through
    plan.recipients += contacts.length
    plan.heldOut += part.heldOut.length
    return true
  }
}

/** Plans the first contacts, unless their channel has to ask for the addresses of many at once before. */
async function planFirstContacts(
  context: PlanningContext,
  sending: number,
  contacts: readonly number[],
): Promise<void> {
  const plan = await loadAudiencePlan(context.db, sending)
  if (!plan || (await loadChannel(plan.content.channel)).prepareAudience) return
  const planPart = await createPartPlanner(context, plan)
  await planPart(contacts)
}

/**
 * Makes the messages of a campaign's run, slice by slice in ascending contact id, from one snapshot of its segments; the first
 * leave while the snapshot is written.
 * Called again after a crash it goes on behind the last slice that was committed; called twice at once, every slice is
 * still planned once. It does nothing when the run is over, deleted or planned already.
 * `slice`: contacts planned at once.
 */
export async function planCampaign(
  context: PlanningContext,
  { sending }: { sending: number },
  { signal, slice = SLICE_SIZE }: { signal?: Pick<AbortSignal, 'throwIfAborted'>; slice?: number } = {},
): Promise<void> {
  const { db, clock } = context
  const firstContacts: FirstAudienceContacts = {
    count: Math.min(FIRST_SLICE_SIZE, slice),
    plan: async (contacts) => {
      signal?.throwIfAborted()
      await planFirstContacts(context, sending, contacts)
    },
  }
  if (!(await takeAudienceSnapshot(db, sending, clock.now(), firstContacts))) return
  const plan = await loadAudiencePlan(db, sending)
  if (!plan) return
  const prepareNext = await createAudiencePreparer(context, plan)
  const planPart = await createPartPlanner(context, plan)
  for (;;) {
    signal?.throwIfAborted()
    const planned = plan.recipients + plan.heldOut
    const count = planned === 0 ? firstContacts.count : slice
    await prepareNext(planned, count)
    const contacts = await readAudienceSlice(db, plan.run, { planned, count })
    if (contacts.length === 0) break
    if (!(await planPart(contacts))) return
  }
  await endAudiencePlan(db, plan, new Date(clock.now()))
}
