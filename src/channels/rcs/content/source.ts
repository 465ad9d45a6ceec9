import type { RcsSettings, VersionSource } from '../../version-source.ts'
import type { FrozenRcs } from './content-schemas.ts'

/** What a version of RCS is made from. */
export interface RcsSource extends Pick<VersionSource, 'settings' | 'sms'> {
  content: FrozenRcs
  rcs: RcsSettings
}

/** A version that must be one of RCS. */
export function rcsSourceOf({ settings, sms, content, rcs }: VersionSource): RcsSource {
  if (!rcs || !('content' in content)) throw new Error('a version of RCS has no content of RCS')
  return { settings, ...(sms && { sms }), content, rcs }
}
