import { appendJsonPointer, conflictProblem, type ProblemFault } from '../../../lib/errors/problem.ts'
import { createUuidV7, parseUuid } from '../../../lib/ids.ts'
import type { PushVersion, PushVersionBody } from '../notification-schemas.ts'

const EMPTY_CONTENT = { title: null, body: null, icon: null, thumbnail: null, image: null, buttons: [] }

/** A notification that says nothing of versions has one that is empty. */
export function createPushVersion(now: number): PushVersion {
  return {
    id: createUuidV7(now),
    name: null,
    master: true,
    condition: null,
    content: { ...EMPTY_CONTENT },
    redirection: null,
    channel: null,
  }
}

/** A version with what its entry lacks empty; `id` is of one that is known, or new. */
function toPushVersion(
  { name, condition, content, redirection, channel }: PushVersionBody,
  id: string,
  master: boolean,
): PushVersion {
  const { buttons, ...texts } = content ?? {}
  const contentMembers = Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined))
  return {
    id,
    name: name ?? null,
    master,
    condition: condition ?? null,
    content: {
      ...EMPTY_CONTENT,
      ...contentMembers,
      buttons: (buttons ?? []).map((button) => ({ title: button.title, redirection: button.redirection ?? null })),
    },
    redirection: redirection ?? null,
    channel: channel ?? null,
  }
}

/** The list with exactly one master. What says nothing stays what it was, unless another entry is marked. */
function resolveMaster(
  entries: readonly { body: PushVersionBody; known: PushVersion | undefined; id: string }[],
  isNew: boolean,
  faults: ProblemFault[],
): PushVersion[] {
  const markedIndexes = entries.flatMap(({ body }, index) => (body.master === true ? [index] : []))
  for (const index of markedIndexes.slice(1))
    faults.push({ pointer: `/versions/${index}/master`, detail: 'only one version may be the master' })
  const [firstMarked] = markedIndexes
  const storedMasterIndex = entries.findIndex(
    ({ body, known: storedVersion }) => body.master === undefined && storedVersion?.master === true,
  )
  const masterIndex = firstMarked ?? (isNew ? 0 : storedMasterIndex)
  if (masterIndex < 0) {
    const isUnmarked = entries.some(({ known: storedVersion }) => storedVersion?.master === true)
    if (!isUnmarked)
      throw conflictProblem(
        'master-version',
        'The master cannot be deleted. Include it, or mark another version as master.',
      )
    faults.push({ pointer: '/versions', detail: 'exactly one version must be the master' })
  }
  return entries.map(({ body, id }, index) => toPushVersion(body, id, index === masterIndex))
}

/**
 * The list of versions in place of the one stored: entries with a known id are that version, all others are new. Adds what is wrong to
 * `faults`; throws conflict when the master is left out and none is marked. `storedVersions` undefined: of a new notification.
 */
export function parsePushVersions(
  storedVersions: readonly PushVersion[] | undefined,
  versionBodies: readonly PushVersionBody[],
  now: number,
  faults: ProblemFault[],
): PushVersion[] {
  const seenIds = new Set<string>()
  const entries = versionBodies.map((body, index) => {
    const id = body.id == null ? undefined : parseUuid(body.id)
    const storedVersion = storedVersions?.find((version) => version.id === id)
    if (storedVersion && seenIds.has(storedVersion.id))
      faults.push({
        pointer: appendJsonPointer(appendJsonPointer('/versions', index), 'id'),
        detail: 'is already in the list',
      })
    if (storedVersion) seenIds.add(storedVersion.id)
    return { body, known: storedVersion, id: storedVersion?.id ?? createUuidV7(now) }
  })
  return resolveMaster(entries, storedVersions === undefined, faults)
}
