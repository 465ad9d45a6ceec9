import type { VersionSource } from '../version-source.ts'
import type { FrozenNotification } from './content.ts'

/** What a version of a notification is made from. */
export interface PushSource extends Pick<VersionSource, 'account' | 'sender'> {
  /** Number of the notification. */
  notification: number
  content: FrozenNotification
}

/** A version that must be one of a notification. */
export function pushSourceOf({ account, sender, action, content }: VersionSource): PushSource {
  if (!('versionId' in content)) throw new Error('a version of a notification has no content of one')
  return { account, sender, notification: action.id, content }
}
