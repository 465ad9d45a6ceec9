import { readIntId } from '../../lib/ids.ts'
import { compiledParts } from '../actions/validation/approved.ts'
import { loadSurroundings, sourceOf } from '../notifications/content/drafts.ts'
import { activateNotification } from '../notifications/notifications.ts'
import { lockNotification } from '../notifications/stored.ts'
import type { Approvable } from './approvable.ts'

/** Notifications: what is approved is activated. */
export const notifications: Approvable = {
  readId: readIntId,
  showId: (id) => id,
  async lock(context, key) {
    const row = await lockNotification(context.db, key)
    const { name, description, application, urgent, purpose, expiration, mp, culture, task, segments, versions } = row
    const surroundings = await loadSurroundings(context, key.account)
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
        contents: versions.map((version) => compiledParts(sourceOf(surroundings, row, version))),
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
