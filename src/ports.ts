import type { Context } from './context.ts'
import type { Ports } from './features/contacts/ports.ts'
import { eraseContacts } from './features/personal-data/erase.ts'
import { loadAudience, requireSegments } from './features/segments/audience.ts'

/** What contacts need of features to their right. */
export function portsOf({ clock, masterKeys }: Pick<Context, 'clock' | 'masterKeys'>): Ports {
  return {
    membersOf: async (db, account, segments) => {
      await requireSegments(db, account, segments)
      return loadAudience(db, account, { selected: segments, excluded: [] }, clock.now())
    },
    forget: (tx, account, contacts) => eraseContacts(tx, account, contacts, { clock, masterKeys }),
  }
}
