import type { ContentVersionSource } from '../version-source.ts'
import type { PushVersionContent } from './content.ts'

/** Input for a version of a notification. */
export interface PushSource extends Pick<ContentVersionSource, 'account' | 'sender'> {
  /** Number of the notification. */
  notification: number
  content: PushVersionContent
}

/** A version that must be one of a notification. */
export function requirePushSource({ account, sender, action, content }: ContentVersionSource): PushSource {
  if (!('versionId' in content)) throw new Error('a notification version has no notification content')
  return { account, sender, notification: action.id, content }
}
