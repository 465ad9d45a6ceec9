import type { RcsMessageContent } from '../../../channels/rcs/content/content-schemas.ts'
import { badRequestProblem } from '../../../lib/errors/problem.ts'
import type { StoredActionContent } from '../resource/action-repository.ts'
import type { StoredExperimentVersion } from './stored.ts'

/** The content of a campaign with what a version has in its place; the design is of the campaign's own HTML. */
export function buildVersionContent(
  stored: StoredActionContent,
  { subject, from, content }: StoredExperimentVersion,
): StoredActionContent {
  if ('content' in stored)
    return { ...stored, content: (content as RcsMessageContent | undefined) ?? stored.content ?? null }
  const { design: _, ...own } = stored
  return {
    ...own,
    ...content,
    ...(subject !== undefined && { subject }),
    ...(from && own.headers && { headers: { ...own.headers, from: { ...own.headers.from, ...from } } }),
  } as StoredActionContent
}

/** Throws 400 for a version that is asked for and is not there. */
export function requireKnownVersion(versions: readonly { id: string }[], version: string | null | undefined): void {
  if (version == null || versions.some(({ id }) => id === version)) return
  const known = versions.map(({ id }) => id).join(' or ')
  throw badRequestProblem('/version', known === '' ? 'is for campaigns with an experiment' : `must be ${known}`)
}
