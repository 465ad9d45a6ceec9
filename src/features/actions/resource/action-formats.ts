import { families } from '../../../channels/families.ts'
import { withDesign } from '../content/design-content.ts'
import type { Documents } from './action-format.ts'
import { showAction } from './action-presenter.ts'
import type { Action, ActionBody } from './action-schemas.ts'
import { newContent, newSettings, readContent, readSettings, withoutUnset } from './parse-action-body.ts'
import { refuseUnknown } from './references.ts'

/** How actions of email and SMS are written and shown. */
export const actionDocuments: Documents<ActionBody, Action> = {
  family: families.action,
  tidied: withoutUnset,
  empty: (type, { settings }, { field, sending }) => ({
    settings: newSettings(type, settings, { field, culture: sending.culture }),
    content: newContent(type),
  }),
  read: (stored, { settings, content }, { sending, made }, faults) => {
    const read = settings ? readSettings(stored.settings, settings, sending.culture, faults) : stored.settings
    const changed = content ? readContent(stored.content, content, faults) : stored.content
    return {
      // A message of blocks is edited as such.
      settings: made ? { ...read, editionMode: 0 } : read,
      content: content ? withDesign(stored.content, content, { merged: changed, made }) : changed,
    }
  },
  refuseUnknown,
  show: showAction,
}
