import type { RcsContent } from '../../../channels/rcs/content/content-schemas.ts'
import { badRequest } from '../../../lib/errors/problem.ts'
import type { StoredContent } from '../resource/action-repository.ts'
import type { StoredVersion } from './stored.ts'

/** The content of a campaign with what a version has in its place; the design is of the campaign's own HTML. */
export function contentOfVersion(stored: StoredContent, { subject, from, content }: StoredVersion): StoredContent {
  if ('content' in stored) return { ...stored, content: (content as RcsContent | undefined) ?? stored.content ?? null }
  const { design: _, ...own } = stored
  return {
    ...own,
    ...content,
    ...(subject !== undefined && { subject }),
    ...(from && own.headers && { headers: { ...own.headers, from: { ...own.headers.from, ...from } } }),
  } as StoredContent
}

/** Throws 400 for a version that is asked for and is not there. */
export function refuseUnknownVersion(versions: readonly { id: string }[], version: string | null | undefined): void {
  if (version == null || versions.some(({ id }) => id === version)) return
  const known = versions.map(({ id }) => id).join(' or ')
  throw badRequest('/version', known === '' ? 'is for campaigns with an experiment' : `must be ${known}`)
}
