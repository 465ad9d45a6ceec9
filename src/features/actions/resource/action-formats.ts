import { actionFamilies } from '../../../channels/families.ts'
import { applyContentDesign } from '../content/design-content.ts'
import type { ActionFormat } from './action-format.ts'
import { toActionResponse } from './action-presenter.ts'
import type { ActionBody, ActionResponse } from './action-schemas.ts'
import {
  createActionContent,
  createActionSettings,
  omitUnsetMembers,
  parseActionContent,
  parseActionSettings,
} from './parse-action-body.ts'
import { requireActionReferences } from './references.ts'

/** How actions of email and SMS are written and shown. */
export const mailSmsActionFormat: ActionFormat<ActionBody, ActionResponse> = {
  family: actionFamilies.action,
  tidied: omitUnsetMembers,
  empty: (type, { settings }, { field, sending }) => ({
    settings: createActionSettings(type, settings, { field, culture: sending.culture }),
    content: createActionContent(type),
  }),
  read: (stored, { settings, content }, { sending, made }, faults) => {
    const read = settings ? parseActionSettings(stored.settings, settings, sending.culture, faults) : stored.settings
    const changed = content ? parseActionContent(stored.content, content, faults) : stored.content
    return {
      // A message of blocks is edited as such.
      settings: made ? { ...read, editionMode: 0 } : read,
      content: content ? applyContentDesign(stored.content, content, { merged: changed, made }) : changed,
    }
  },
  refuseUnknown: requireActionReferences,
  show: toActionResponse,
}
