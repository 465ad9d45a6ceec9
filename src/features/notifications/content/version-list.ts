import { appendJsonPointer, conflictProblem, type ProblemFault } from '../../../lib/errors/problem.ts'
import { createUuidV7, parseUuid } from '../../../lib/ids.ts'
import type { PushVersion, PushVersionBody } from '../notification-schemas.ts'

const EMPTY = { title: null, body: null, icon: null, thumbnail: null, image: null, buttons: [] }

/** A notification that says nothing of versions has one that is empty. */
export function createPushVersion(now: number): PushVersion {
  return {
    ...{ id: createUuidV7(now), name: null, master: true, condition: null },
    ...{ content: { ...EMPTY }, redirection: null, channel: null },
  }
}

/** A version with what its entry lacks empty; `id` is of one that is known, or new. */
function versionOf(
  { name, condition, content, redirection, channel }: PushVersionBody,
  id: string,
  master: boolean,
): PushVersion {
  const { buttons, ...texts } = content ?? {}
  const given = Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined))
  return {
    ...{ id, name: name ?? null, master, condition: condition ?? null },
    content: {
      ...EMPTY,
      ...given,
      buttons: (buttons ?? []).map((button) => ({ title: button.title, redirection: button.redirection ?? null })),
    },
    ...{ redirection: redirection ?? null, channel: channel ?? null },
  }
}

/** The list with exactly one master. What says nothing stays what it was, unless another entry is marked. */
function withMaster(
  entries: readonly { body: PushVersionBody; known: PushVersion | undefined; id: string }[],
  isNew: boolean,
  faults: ProblemFault[],
): PushVersion[] {
  const marked = entries.flatMap(({ body }, index) => (body.master === true ? [index] : []))
  for (const index of marked.slice(1))
    faults.push({ pointer: `/versions/${index}/master`, detail: 'only one version may be the master' })
  const [first] = marked
  const kept = entries.findIndex(({ body, known }) => body.master === undefined && known?.master === true)
  const master = first ?? (isNew ? 0 : kept)
  if (master < 0) {
    const isUnmarked = entries.some(({ known }) => known?.master === true)
    if (!isUnmarked)
      throw conflictProblem(
        'master-version',
        'the master cannot be deleted: give it, or mark another version as master.',
      )
    faults.push({ pointer: '/versions', detail: 'exactly one version must be the master' })
  }
  return entries.map(({ body, id }, index) => versionOf(body, id, index === master))
}

/**
 * The list of versions in place of the one stored: entries with a known id are that version, all others are new. Adds what is wrong to
 * `faults`; throws conflict when the master is left out and none is marked. `stored` undefined: of a new notification.
 */
export function parsePushVersions(
  stored: readonly PushVersion[] | undefined,
  given: readonly PushVersionBody[],
  now: number,
  faults: ProblemFault[],
): PushVersion[] {
  const seen = new Set<string>()
  const entries = given.map((body, index) => {
    const id = body.id == null ? undefined : parseUuid(body.id)
    const known = stored?.find((version) => version.id === id)
    if (known && seen.has(known.id))
      faults.push({
        pointer: appendJsonPointer(appendJsonPointer('/versions', index), 'id'),
        detail: 'stands in the list already',
      })
    if (known) seen.add(known.id)
    return { body, known, id: known?.id ?? createUuidV7(now) }
  })
  return withMaster(entries, stored === undefined, faults)
}
