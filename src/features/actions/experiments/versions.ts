import type { RcsMessageContent } from '../../../channels/rcs/content/content-schemas.ts'
import { badRequestProblem } from '../../../lib/errors/problem.ts'
import type { StoredActionContent } from '../resource/action-repository.ts'
import type { StoredExperimentVersion } from './stored.ts'

/** The content of a campaign with what a version has in its place; the design is of the campaign's own HTML. */
export function buildVersionContent(
  storedContent: StoredActionContent,
  { subject, from, content }: StoredExperimentVersion,
): StoredActionContent {
  if ('content' in storedContent)
    return { ...storedContent, content: (content as RcsMessageContent | undefined) ?? storedContent.content ?? null }
  const { design: _, ...contentWithoutDesign } = storedContent
  return {
    ...contentWithoutDesign,
    ...content,
    ...(subject !== undefined && { subject }),
    ...(from &&
      contentWithoutDesign.headers && {
        headers: { ...contentWithoutDesign.headers, from: { ...contentWithoutDesign.headers.from, ...from } },
      }),
  } as StoredActionContent
}

/** Throws 400 for a version that is asked for and is not there. */
export function requireKnownVersion(versions: readonly { id: string }[], version: string | null | undefined): void {
  if (version == null || versions.some(({ id }) => id === version)) return
  const knownIds = versions.map(({ id }) => id).join(' or ')
  throw badRequestProblem('/version', knownIds === '' ? 'is for campaigns with an experiment' : `must be ${knownIds}`)
}
