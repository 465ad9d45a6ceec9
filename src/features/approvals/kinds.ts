import { approvableActions, approvableRcsActions } from './actions.ts'
import type { Approvable, ApprovalKind } from './approvable.ts'
import { approvableNotifications } from './notifications.ts'
import { approvableWorkflows } from './workflows.ts'

/** Operations of the objects that can be approved, by kind. */
export const approvablesByKind: Readonly<Record<ApprovalKind, Approvable>> = {
  action: approvableActions,
  rcs: approvableRcsActions,
  notification: approvableNotifications,
  workflow: approvableWorkflows,
}
