import { parseInt32Id } from '../../lib/ids.ts'
import { pickCompiledParts } from '../actions/validation/approved.ts'
import { buildPushSource, loadPushSourceContext } from '../notifications/content/drafts.ts'
import { activateNotification } from '../notifications/notifications.ts'
import { lockNotification } from '../notifications/stored.ts'
import type { Approvable } from './approvable.ts'

/** Notifications: what is approved is activated. */
export const approvableNotifications: Approvable = {
  readId: parseInt32Id,
  showId: (id) => id,
  async lock(context, key) {
    const row = await lockNotification(context.db, key)
    const { name, description, application, urgent, purpose, expiration, mp, culture, task, segments, versions } = row
    const surroundings = await loadPushSourceContext(context, key.account)
    return {
      name,
      parts: {
        definition: {
          name,
          description,
          application,
          urgent,
          purpose,
          expiration,
          mp,
          culture,
          task,
          segments,
          versions,
        },
        contents: versions.map((version) => pickCompiledParts(buildPushSource(surroundings, row, version))),
      },
      audience: segments.selected.length === 0 ? null : segments,
      segments: [...segments.selected, ...segments.excluded],
    }
  },
  async perform(context, key) {
    await activateNotification(context, key)
    return null
  },
}
