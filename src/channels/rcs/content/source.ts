import type { ContentVersionSource, RcsVersionSettings } from '../../version-source.ts'
import type { RcsVersionContent } from './content-schemas.ts'

/** Input for an RCS version. */
export interface RcsSource extends Pick<ContentVersionSource, 'settings' | 'sms'> {
  content: RcsVersionContent
  rcs: RcsVersionSettings
}

/** A version that must be one of RCS. */
export function requireRcsSource({ settings, sms, content, rcs }: ContentVersionSource): RcsSource {
  if (!rcs || !('content' in content)) throw new Error('a version of RCS has no content of RCS')
  return { settings, ...(sms && { sms }), content, rcs }
}
