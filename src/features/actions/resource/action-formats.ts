import { actionFamilies } from '../../../channels/action-families.ts'
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

/** Format of email and SMS actions. */
export const mailSmsActionFormat: ActionFormat<ActionBody, ActionResponse> = {
  family: actionFamilies.action,
  tidied: omitUnsetMembers,
  empty: (type, { settings }, { field, sending }) => ({
    settings: createActionSettings(type, settings, { field, culture: sending.culture }),
    content: createActionContent(type),
  }),
  read: (storedAction, { settings, content }, { sending, made: compiledDesign }, faults) => {
    const parsedSettings = settings
      ? parseActionSettings(storedAction.settings, settings, sending.culture, faults)
      : storedAction.settings
    const changed = content ? parseActionContent(storedAction.content, content, faults) : storedAction.content
    return {
      // A message of blocks is edited as such.
      settings: compiledDesign ? { ...parsedSettings, editionMode: 0 } : parsedSettings,
      content: content
        ? applyContentDesign(storedAction.content, content, { merged: changed, made: compiledDesign })
        : changed,
    }
  },
  refuseUnknown: requireActionReferences,
  show: toActionResponse,
}
