import { type Fault, invalid } from '../../../lib/errors/problem.ts'
import { readUuid, uuidV7 } from '../../../lib/ids.ts'
import { runIdOf } from '../../../scripting/run-ids.ts'
import type { FoundContact } from '../../contacts/records/find.ts'
import type { Identification } from '../../contacts/records/identification-schemas.ts'
import { MAX_EVENT_BYTES } from '../engine/limits.ts'
import { bytesOf } from '../stepping/sizes.ts'
import type { WorkflowKey } from '../stored.ts'
import type { ExecutionItem } from './execution-schemas.ts'

type Values = Record<string, unknown>

/** An item of an execution as it was read. */
export interface AskedRun {
  /** Its place in the request. */
  index: number
  id: string | null
  receiver: Identification | null
  /** Null: it names none; undefined: it names one that there is not. */
  contact: FoundContact | null | undefined
  node: string | null
  event: Values | null
  data: Values
  state: Values
  variables: Values
  resolutions: readonly { key: string; value: Values | null }[]
  stamp: { id: string; thread: string; set: string; time: number }
  /** The item brought the stamp id. */
  hasStamp: boolean
}

/** Throws 400 for events that are too large; of a list pointers begin with the place. */
export function refuseLargeEvents(items: readonly ExecutionItem[], isList: boolean): void {
  const faults = items.flatMap(({ event }, index): Fault[] =>
    event != null && bytesOf(event) > MAX_EVENT_BYTES
      ? [{ pointer: `${isList ? `/${index}` : ''}/event`, detail: `must be at most ${MAX_EVENT_BYTES / 1024} KB` }]
      : [],
  )
  if (faults.length > 0) throw invalid(faults)
}

/** Reads items; those of one request share a set. Their contacts are in the order of the items. */
export function readItems(
  key: WorkflowKey,
  given: readonly { item: ExecutionItem; index: number }[],
  contacts: readonly (FoundContact | null | undefined)[],
  now: number,
): AskedRun[] {
  const set = uuidV7(now)
  return given.map(({ item, index }, place): AskedRun => {
    const { id, receiver, node, event, data, state, variables, resolutions, stamp } = item
    const stampId = stamp?.id == null ? uuidV7(now) : readUuid(stamp.id)!
    return {
      index,
      id: id == null ? null : runIdOf(key, id),
      receiver: receiver ?? null,
      contact: contacts[place],
      node: node ?? null,
      event: event ?? null,
      data: data ?? {},
      state: state ?? {},
      variables: Object.fromEntries((variables ?? []).map((one) => [one.key, one.value])),
      resolutions: (resolutions ?? []).map((one) => ({ key: one.key, value: one.value ?? null })),
      stamp: {
        id: stampId,
        thread: stamp?.thread == null ? stampId : readUuid(stamp.thread)!,
        set: stamp?.set == null ? set : readUuid(stamp.set)!,
        time: stamp?.time ?? now,
      },
      hasStamp: stamp?.id != null,
    }
  })
}
